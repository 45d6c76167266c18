"""How much ink the files of a game take in each ink it can be printed in, measured on the finished pages."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.inks import INKS
from duckpress.core.sizes import paper_of
from duckpress.files.workspace import Workspace
from duckpress.press.print_job import PrintJob
from duckpress.press.printing import Press
from duckpress.press.reading import Loaded
from duckpress.press.request import Request, Step
from duckpress.proof.coverage import DPI, Coverage, ink_coverage, total_coverage
from duckpress.views.face_pictures import lay_out_game

PAPER = "a4"


class FileInk(Struct, frozen=True):
    """The ink a piece's file takes: how many full pages of each of the four, all its pages together."""

    piece: str
    title: str
    paper: str
    ink: str
    coverage: Coverage
    is_in_all: bool  # False for a piece that stands for another one


def ink_estimate(
    workspace: Workspace,
    loaded: Loaded,
    *,
    inks: Sequence[str] = INKS,
    dpi: float = DPI,
    step: Step = lambda _name: None,
) -> tuple[FileInk, ...]:
    """Return the ink that each piece takes in each ink, on A4; nothing where an error stands in the game."""
    found: list[FileInk] = []
    for ink in inks:
        checked, fonts = lay_out_game(workspace, loaded, ink=ink, papers=(PAPER,))
        if checked.game is None or checked.has_errors:
            return ()
        press = Press(PrintJob(checked.game, Request((PAPER,), ink=ink), fonts, step))
        for one in checked.pieces:
            step(f"measuring {one.piece.id} in {ink}")
            coverage = total_coverage(ink_coverage(press.unproven(one, paper_of(PAPER)), dpi))
            found.append(FileInk(one.piece.id, one.piece.title, PAPER, ink, coverage, one.piece.instead_of is None))
    return tuple(found)


def in_all(estimate: Sequence[FileInk]) -> dict[str, Coverage]:
    """Return by ink what all pieces take that do not stand for another one: what the file with everything takes."""
    totals: dict[str, Coverage] = {}
    for one in estimate:
        if one.is_in_all:
            totals[one.ink] = totals.get(one.ink, Coverage()).plus(one.coverage)
    return totals
