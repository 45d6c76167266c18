"""Proven files, the manifest that lists them and the packet of a deal, written all together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from duckpress.press.faces.rulebooks import page_cards
from duckpress.press.packets.packet import LIST, Packet, packet_files
from duckpress.press.request import Request
from duckpress.store import COVER

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.model import Game
    from duckpress.store import Output, Outputs


def write_build(
    held: Outputs,
    outputs: Sequence[Output],
    pieces: Sequence[LaidOut],
    packet: Packet,
    game: Game,
    original_title: str,
    request: Request,
    language: str,
) -> tuple[str, ...]:
    """Write the files of a build into the game's folder, and give their names as seen from the folder of its run.

    `original_title` is that of the first language. A build of nothing but a packet leaves the manifest as it is.
    """
    from duckpress.store import CardFacts, Edition, publish_into, source_date

    pieces_in_order = (*(piece.id for piece in game.pieces), COVER)
    edition = Edition(game.id, original_title, game.version, source_date(os.environ), pieces_in_order)
    cards = [
        CardFacts(
            face.deck,
            face.card,
            face.front.hash,
            face.back.hash if face.back is not None else None,
            face.copies,
            one.piece.id,
            language,
            request.ink,
            None,
            face.bare,
            face.bare_back,
            face.code,
            face.changed,
        )
        for one in pieces
        for face in one.faces
    ]
    cards += [card for one in pieces for card in page_cards(one, language, request.ink)]
    beside, stale = packet_files(held.folder / request.run, packet, game)
    names = tuple(name for name in sorted(beside) if PurePosixPath(name).name != LIST)
    before = f"{request.run}/" if request.run else ""
    beside, stale = {before + name: data for name, data in beside.items()}, [before + name for name in stale]
    if outputs:
        publish_into(held, edition, outputs, cards, request.run, beside, stale)
    else:
        held.write(beside, stale)
    return (*(output.facts.name for output in outputs), *names)
