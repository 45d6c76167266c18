"""A finished file held against the cards themselves, not against the plan it was made by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from duckpress.core.problems import Level, Problem, Source
from duckpress.core.sizes import Paper, paper_of
from duckpress.language import Speech
from duckpress.press.request import Request
from duckpress.press.sheets.backs import expected_face, promises_of

if TYPE_CHECKING:
    from duckpress.layout import Face, LaidOut


class Printout(NamedTuple):
    """A finished file: its name, what it says of itself, its paper, and the edge its sheets are turned on, if any."""

    file: str
    title: str
    language: str
    paper: Paper
    duplex: str | None


def prove(
    pdf: bytes,
    printout: Printout,
    held: Sequence[tuple[LaidOut, Sequence[Face]]],
    request: Request,
    speech: Speech,
    jobs: int = 1,
) -> list[Problem]:
    """Give everything in which a file differs from the faces it must hold: those of each piece, or its pages.

    Up to `jobs` processes look at its pages.
    """
    from duckpress.proof import Expected, prove_pdf

    faces = tuple(
        wanted
        for one, shown in held
        for face in shown
        if (wanted := expected_face(face, request.backs, is_read=bool(one.piece.book))) is not None
    )
    pictures = {key: picture for one, _ in held for key, picture in one.pictures.items()}
    drawings = {key: drawing for one, _ in held for key, drawing in one.drawings.items()}
    file, title, language, paper, duplex = printout
    expected = Expected(faces, paper.size, paper.margin_mm, duplex, title, language, pictures, drawings)
    expected = expected._replace(**promises_of(request, speech))
    if request.printer is not None:
        backs_turn = request.turn if request.backs == "only" else None
        margin_mm = paper_of(paper.name).margin_mm  # what a printer whose margins are not known cannot reach
        expected = expected._replace(printer=request.printer, backs_turn=backs_turn, margin_mm=margin_mm)
    return prove_pdf(pdf, expected, Source(file), jobs)


def untold(found: Sequence[Problem], told: Sequence[Problem]) -> list[Problem]:
    """Give what was found without the warnings that another file, of the same cards, was told of."""
    known = {(one.code, one.what) for one in told}
    return [one for one in found if one.level is Level.ERROR or (one.code, one.what) not in known]
