"""Proven files, their manifest and the packet of a deal, written all together; and the summary of each piece."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from msgspec import UNSET

from duckpress.core.language import program
from duckpress.core.problems import MachineError, Problem
from duckpress.files.recording import asked_anew, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.packet import LIST, Packet, packet_files
from duckpress.press.print_job import PrintJob
from duckpress.press.reading import Loaded
from duckpress.press.request import PieceSummary, Request, Step
from duckpress.press.sheets.imposition import Imposition
from duckpress.store import (
    COVER,
    CardFacts,
    Edition,
    Output,
    OutputFolder,
    locked_outputs,
    source_date,
    sources_of,
    write_merged,
)


@contextmanager
def outputs_of(workspace: Workspace, loaded: Loaded, out: Path, step: Step) -> Iterator[OutputFolder]:
    """Yield the folder of a game's outputs, locked against other runs; it waits for a run that writes there.

    Raises `MachineError`, also where files of the game were saved while it waited: the other run may have written what
    is newer than this one would.
    """
    with locked_outputs(out / loaded.game_id, sources_of(workspace.root), step) as target:
        if target.has_waited and not is_unchanged(asked_anew(workspace), dict(loaded.answers)):
            raise MachineError(
                f"files of {loaded.game_id} were saved while this run waited for another one, "
                "which may have written what is newer: run it again"
            )
        yield target


def publish(
    job: PrintJob,
    original: Game,
    pieces: Sequence[LaidOut],
    files: Sequence[Output],
    packet: Packet,
    target: OutputFolder,
) -> tuple[str, ...]:
    """Write the files of a build into the game's folder, and return their names, relative to the folder of its run.

    `original` is the game in its first language. A build of nothing but a packet leaves the manifest as it is, and one
    of nothing at all leaves everything.
    """
    if not files and not packet.outputs:
        return ()
    job.step("writing")
    game, request = job.game, job.request
    pieces_in_order = (*(piece.id for piece in game.pieces), COVER)
    created, keeps = source_date(os.environ), request.keeps_papers
    edition = Edition(game.id, original.title, game.version, created, pieces_in_order, keeps)
    cards = card_facts(job, pieces)
    beside, stale = packet_files(target.folder / request.run, packet, game)
    names = tuple(name for name in sorted(beside) if PurePosixPath(name).name != LIST)
    before = f"{request.run}/" if request.run else ""
    beside, stale = {before + name: data for name, data in beside.items()}, [before + name for name in stale]
    if files:
        write_merged(target, edition, files, cards, request.run, beside, stale)
    else:
        target.write(beside, stale)
    return (*(output.facts.name for output in files), *names)


def card_facts(job: PrintJob, pieces: Sequence[LaidOut]) -> list[CardFacts]:
    """Return the cards of pieces, and the pages of rules, as manifests list them."""
    language, ink = job.language, job.request.ink
    cards = []
    for one, face in ((piece, face) for piece in pieces for face in piece.faces):
        back, how = face.back.hash if face.back is not None else None, (one.piece.id, language, ink, None)
        codes = face.code or UNSET, face.changed or UNSET
        cards.append(
            CardFacts(face.deck, face.card, face.front.hash, back, face.copies, *how, face.bare, face.bare_back, *codes)
        )
    cards += [
        CardFacts(one.piece.id, f"page-{number}", frame.hash, None, 1, one.piece.id, language, ink, paper)
        for one in pieces
        for paper, frames in one.pages.items()
        for number, frame in enumerate(frames, 1)
    ]
    return cards


def summaries(
    job: PrintJob, imposition: Imposition, pieces: Sequence[LaidOut], packet: Packet
) -> tuple[PieceSummary, ...]:
    """Return the summaries of the cover sheets, of each piece and of the packet."""
    rows = [
        PieceSummary(
            one.piece.id,
            one.piece.title,
            sum(face.copies for face in one.faces),
            {paper.paper: paper.sheets[one.piece.id] for paper in imposition.papers if one.piece.id in paper.sheets},
            {name: len(one.pages[name]) for name in job.request.papers if name in one.pages},
        )
        for one in pieces
    ]
    for piece in (piece for piece in job.game.pieces if piece.id in packet.outputs):
        sheets: dict[str, int] = {}
        for output in packet.outputs[piece.id]:
            sheets[output.facts.paper] = sheets.get(output.facts.paper, 0) + output.facts.sheets
        rows.append(PieceSummary(piece.id, piece.title, packet.faces[piece.id], sheets))
    covered = {one.paper: one.cover_sheets for one in imposition.papers if one.cover is not None}
    if covered:
        pages = {one.paper: len(one.cover.pages[one.paper]) for one in imposition.papers if one.cover is not None}
        rows.insert(0, PieceSummary(COVER, job.game.speech.program(program.COVER), 0, covered, pages))
    return tuple(rows)


def nothing_printed(game: Game, request: Request) -> Problem:
    """Return the problem `nothing-to-print`, with the options that would print something."""
    what, fix = "nothing of this game is printed", "look at its pieces, and at the copies of their cards"
    if not request.backs.has_fronts:
        what, fix = "nothing that would be printed has a back", "leave out '--backs only'"
    elif all(game.dealt_to(piece) is not None for piece in game.pieces):
        what, fix = "a deal fills every piece of this game, and none is asked for", "deal it: --seed 1"
    return Problem("nothing-to-print", game.at("pieces"), what, fix, game=game.id)
