"""Finished files held against the cards themselves, not against the plan they were made by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import paper_of
from duckpress.press.print_job import PrintJob
from duckpress.press.rendering import RenderedFile
from duckpress.press.sheets.backs import expected_face, promises_of
from duckpress.press.sheets.imposed_file import ImposedFile
from duckpress.proof import Expected, prove_pdf
from duckpress.store import FileFacts, Output


class Proven(Struct, frozen=True):
    """Files that may be written, and everything in which any of them differs from what it must hold."""

    outputs: tuple[Output, ...]
    problems: tuple[Problem, ...]


def prove(job: PrintJob, rendered: Iterable[RenderedFile], told: Sequence[Problem] = (), jobs: int = 1) -> Proven:
    """Return files with what their proofs found; what has been told of other files with the same cards is left out.

    Up to `jobs` processes look at the pages.
    """
    outputs: list[Output] = []
    problems: list[Problem] = []
    for file, pdf in rendered:
        if not file.second_name_of:
            job.step(f"proving {file.name}")
            problems += _untold(_differences(job, file, pdf, jobs), [*told, *problems])
        outputs.append(Output(_facts(job, file), pdf))
    return Proven(tuple(outputs), tuple(problems))


def _facts(job: PrintJob, file: ImposedFile) -> FileFacts:
    request = job.request
    return FileFacts(
        file.name, file.pages, file.sheets, file.paper.name, file.piece, job.language, request.ink, request.backs
    )


def _differences(job: PrintJob, file: ImposedFile, pdf: bytes, jobs: int) -> list[Problem]:
    """Return everything in which a file differs from the faces it must hold: those of each piece, or its pages."""
    request, paper = job.request, file.paper
    faces = tuple(
        wanted
        for one in file.pieces
        for face in one.faces
        if (wanted := expected_face(face, request.backs, is_read=bool(one.laid_out.piece.book))) is not None
    )
    pictures = {key: picture for one in file.pieces for key, picture in one.laid_out.pictures.items()}
    drawings = {key: drawing for one in file.pieces for key, drawing in one.laid_out.drawings.items()}
    expected = Expected(
        faces, paper.size, paper.margin_mm, file.duplex, file.title, job.language, pictures, drawings
    )._replace(**promises_of(request, job.game.speech))
    if request.printer is not None:
        backs_turn = request.turn if request.backs == "only" else None
        margin_mm = paper_of(paper.name).margin_mm  # what a printer whose margins are not known cannot reach
        expected = expected._replace(printer=request.printer, backs_turn=backs_turn, margin_mm=margin_mm)
    return prove_pdf(pdf, expected, Source(file.name), jobs)


def _untold(problems: Sequence[Problem], told: Sequence[Problem]) -> list[Problem]:
    """Return problems without the warnings that another file, of the same cards, was told of."""
    known = {(one.code, one.what) for one in told}
    return [one for one in problems if one.level is Level.ERROR or (one.code, one.what) not in known]
