"""Tiled boards: as planned they are proven; with a tile lost, cut short, moved or doubled they are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from any_deck import face, typeset
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.core.problems import Problem
from duckpress.core.sizes import PAPERS, Format
from duckpress.impose import Backs, Leaf, Sheet, SheetLabel, Turn, impose_piece
from duckpress.impose.sheets import Edges, Placement, Side
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from duckpress.proof.expected import Seat
from duckpress.proof.plan_proof import check_plan, shown_part, uncovered

BOARD = Format("board", Size(360.0, 500.0), bleed_mm=2.0)
FRONT, BACK = face(BOARD, "the board", "#f4ead2"), face(BOARD, "behind it", "#224466")
OVERLAP_MM = 10.0


def plan(turn: Turn | None = None, copies: int = 1) -> list[Sheet]:
    leaf = Leaf(BOARD, copies, FRONT.hash, BACK.hash, OVERLAP_MM)
    backs = Backs.NONE if turn is None else Backs.DUPLEX
    label = SheetLabel("The Game", "Board", "1.0")
    return list(impose_piece([leaf], PAPERS["a4"], backs, turn or Turn.LONG, label, typeset))


def expected(
    sheets: Sequence[Sheet], turn: Turn | None = None, copies: int = 1, overlap_mm: float | None = OVERLAP_MM
) -> Expected:
    """Return what a file of some sheets must hold."""
    paper, back = PAPERS["a4"], None if turn is None else BACK
    faces = (ExpectedFace("board", "board", copies, FRONT, back, overlap_mm),)
    sides = ((sheet.paper, side) for sheet in sheets for side in (sheet.front, sheet.back) if side is not None)
    pages = tuple(ExpectedPage(side, size) for size, side in sides)
    duplex = None if turn is None else turn.value
    return Expected(faces, paper.size, paper.margin_mm, duplex, "Board", "en", {}, cut="marks", pages=pages)


def findings(wanted: Expected) -> list[Problem]:
    return list(check_plan(wanted))


def codes(wanted: Expected) -> set[str]:
    return {problem.code for problem in findings(wanted)}


def edited(sheets: list[Sheet], at: int, change: Callable[[Placement], Placement]) -> list[Sheet]:
    """Return the sheets with the front of one changed."""
    side = sheets[at].front
    sheets[at] = sheets[at]._replace(front=Side((change(side.placements[0]),), side.items))
    return sheets


@pytest.mark.parametrize("turn", [None, Turn.LONG, Turn.SHORT])
@pytest.mark.parametrize("copies", [1, 2])
def test_a_board_as_planned_is_proven(turn: Turn | None, copies: int) -> None:
    sheets = plan(turn, copies)
    assert len(sheets) > 3 * copies
    assert findings(expected(sheets, turn, copies)) == []


def test_a_missing_tile_is_missed_by_its_place() -> None:
    sheets = plan()
    problem, count = findings(expected([*sheets[:1], *sheets[2:]]))
    assert (problem.code, count.code) == ("proof-tiles", "proof-copies")
    assert "is on none of them" in problem.what
    assert "185.0..360.0 mm across" in problem.what


def test_a_tile_of_one_copy_does_not_make_up_for_that_of_another() -> None:
    sheets = plan(copies=2)
    swapped = [*sheets[:1], sheets[0], *sheets[2:]]
    assert codes(expected(swapped, copies=2)) == {"proof-tiles", "proof-copies"}


def test_a_tile_too_many_is_found() -> None:
    sheets = plan()
    assert codes(expected([*sheets, sheets[0]])) == {"proof-tiles"}


def test_a_seam_that_shares_too_little_is_found() -> None:
    def narrower(item: Placement) -> Placement:
        left, top, right, bottom = item.bleed
        return item._replace(bleed=Edges(left, top, right - 2, bottom))

    (problem, _) = findings(expected(edited(plan(), 0, narrower)))
    assert problem.code == "proof-tiles"
    assert "shared by less than 10 mm" in problem.what
    assert "proof-tiles" in codes(expected(plan(), overlap_mm=12.0))


def test_a_card_that_is_not_to_be_tiled_must_be_in_one_piece() -> None:
    found = findings(expected(plan(), overlap_mm=None))
    assert {problem.code for problem in found} == {"proof-tiles", "proof-copies"}
    assert "page 1 shows only a part of the front of card 'board'" in found[0].what


@pytest.mark.parametrize("more_mm", [4.0, -4.0])
def test_a_back_that_shows_another_part_than_its_front_is_found(more_mm: float) -> None:
    sheets = plan(Turn.LONG)
    (back,) = sheets[0].back.placements if sheets[0].back else ()
    left, top, right, bottom = back.bleed
    wrong = back._replace(bleed=Edges(left, top, right, bottom + more_mm))
    assert sheets[0].back is not None
    sheets[0] = sheets[0]._replace(back=Side((wrong,), sheets[0].back.items))
    assert "proof-back" in codes(expected(sheets, Turn.LONG))


def test_a_mark_at_the_edge_of_a_board_that_is_missing() -> None:
    sheets = plan()
    sheets[0] = sheets[0]._replace(front=Side(sheets[0].front.placements, ()))
    told = {problem.what for problem in findings(expected(sheets)) if problem.code == "proof-cut"}
    assert len(told) == 2  # the left and the upper edge; at its seams a board is not cut
    assert all(what.startswith("page 1: there is no mark at the cut") for what in told)
    assert "proof-cut" not in codes(expected(plan())._replace(cut="lines"))


def test_what_is_shown_is_counted_from_the_corner_of_the_board_however_it_is_turned() -> None:
    trim = Size(100.0, 60.0)
    assert shown_part(Seat(Matrix(e=10, f=20), trim, Rect(10, 20, 100, 60))) is None
    assert shown_part(Seat(Matrix(e=10, f=20), trim, Rect(8, 18, 104, 64))) is None
    assert shown_part(Seat(Matrix(e=10, f=20), trim, Rect(10, 20, 50, 60))) == Rect(0, 0, 50, 60)
    turned = Matrix(-1, 0, 0, -1, 110, 80)
    assert shown_part(Seat(turned, trim, Rect(10, 20, 50, 60))) == Rect(50, 0, 50, 60)


def test_corners_between_four_tiles_count() -> None:
    trim = Size(100.0, 100.0)
    tiles = [Rect(0, 0, 55, 55), Rect(45, 0, 55, 55), Rect(0, 45, 55, 55), Rect(45, 45, 55, 55)]
    assert uncovered(tiles, trim, 10.0) is None
    assert uncovered([*tiles[:3], Rect(45.5, 45.5, 54.5, 54.5)], trim, 10.0) is not None
    assert uncovered([*tiles[:3], Rect(55, 55, 45, 45)], trim, 0.0) is None
    assert uncovered([*tiles[:3], Rect(55, 55, 45, 45)], trim, 1.0) is not None
    assert uncovered(tiles[:3], trim, 0.0) == Rect(55, 55, 45, 45)
