"""Proven files and the manifest that lists them, written all together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duckpress.build.covers import COVER
from duckpress.build.request import Request
from duckpress.build.rulebooks import page_cards

if TYPE_CHECKING:
    from duckpress.export import Output
    from duckpress.layout import LaidOut
    from duckpress.model import Game


def write_build(
    folder: Path,
    outputs: Sequence[Output],
    pieces: Sequence[LaidOut],
    game: Game,
    original_title: str,
    request: Request,
    language: str,
    *,
    protected: Sequence[Path],
) -> None:
    """Write the files of a build into a folder, with the manifest: `original_title` is that of the first language."""
    from duckpress.export import CardFacts, Edition, publish, source_date

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
    publish(folder, edition, outputs, cards, protected=protected)
