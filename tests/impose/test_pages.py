"""Pages on sheets: which page lies where, and what is behind it once the sheet is turned; booklets as they fold."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import Size
from duckpress.core.sizes import PAPERS
from duckpress.impose import PageOf, Sheet, Side, Turn, impose_booklet, impose_pages, page_leaves
from path_texts import path_of

A4 = PAPERS["a4"]
WHOLE, HALF = Size(200.0, 287.0), Size(138.5, 200.0)


def pages(count: int, trim: Size) -> list[PageOf]:
    return [PageOf(str(number), trim) for number in range(1, count + 1)]


def side_map(side: Side | None) -> str:
    """Return the pages of a side from left to right; one that stands on its head with a `-` before it."""
    placements = sorted(side.placements, key=lambda one: one.x_mm) if side is not None else []
    return " ".join(f"-{one.frame}" if one.turn_degrees == 180 else one.frame for one in placements) or "."


def maps(sheets: tuple[Sheet, ...]) -> list[str]:
    return [f"{side_map(sheet.front)} / {side_map(sheet.back)}" for sheet in sheets]


def test_a_sheet_has_a_page_on_either_side() -> None:
    sheets = impose_pages(pages(3, WHOLE), A4, Turn.LONG, (), is_double_sided=True)
    assert maps(sheets) == ["1 / 2", "3 / ."]
    assert all(sheet.back is not None for sheet in sheets)
    assert [(one.x_mm, one.y_mm) for one in sheets[0].front.placements] == [(5.0, 5.0)]


def test_turned_about_the_short_edge_backs_stand_on_their_heads_and_on_one_side_each_page_has_its_sheet() -> None:
    assert maps(impose_pages(pages(2, WHOLE), A4, Turn.SHORT, (), is_double_sided=True)) == ["1 / -2"]
    sheets = impose_pages(pages(3, WHOLE), A4, Turn.LONG, (), is_double_sided=False)
    assert [side_map(sheet.front) for sheet in sheets] == ["1", "2", "3"]
    assert {sheet.back for sheet in sheets} == {None}


@pytest.mark.parametrize(
    ("count", "expected"),
    [(4, ["4 1 / 2 3"]), (12, ["12 1 / 2 11", "10 3 / 4 9", "8 5 / 6 7"])],
)
def test_a_booklet(count: int, expected: list[str]) -> None:
    assert maps(impose_booklet(pages(count, HALF), A4, Turn.SHORT, (), is_double_sided=True)) == expected


def test_a_booklet_that_is_read_from_right_to_left_is_bound_at_the_right() -> None:
    sheets = impose_booklet(pages(8, HALF), A4, Turn.SHORT, (), is_double_sided=True, is_bound_right=True)
    assert maps(sheets) == ["1 8 / 7 2", "3 6 / 5 4"]
    pairs = impose_booklet(pages(4, HALF), A4, Turn.SHORT, (), is_double_sided=False, is_bound_right=True)
    assert [side_map(sheet.front) for sheet in pairs] == ["2 1", "4 3"]
    pairs = impose_booklet(pages(4, HALF), A4, Turn.SHORT, (), is_double_sided=False)
    assert [side_map(sheet.front) for sheet in pairs] == ["1 2", "3 4"]


def test_a_booklet_lies_on_its_side_and_its_pages_beside_the_fold() -> None:
    (sheet,) = impose_booklet(pages(4, HALF), A4, Turn.SHORT, (), is_double_sided=True)
    assert sheet.paper == Size(297.0, 210.0)
    left, right = sorted(sheet.front.placements, key=lambda one: one.x_mm)
    assert (left.x_mm, right.x_mm + HALF.width_mm) == (5.0, 292.0)
    assert 148.5 - (left.x_mm + HALF.width_mm) == right.x_mm - 148.5 == 5.0
    assert len(sheet.front.items) == 2, "marks where it is folded"


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_leaves_say_what_sheets_show(count: int) -> None:
    leaves = page_leaves(count, is_folded=False, is_double_sided=True)
    sheets = impose_pages(pages(count, WHOLE), A4, Turn.LONG, (), is_double_sided=True)
    shown = [f"{front + 1} / {'.' if back is None else back + 1}" for front, back in leaves]
    assert shown == maps(sheets)


@pytest.mark.parametrize("count", [4, 8, 16])
def test_leaves_of_a_booklet_say_what_lies_behind_what(count: int) -> None:
    leaves = {(front + 1, (back or 0) + 1) for front, back in page_leaves(count, is_folded=True, is_double_sided=True)}
    found = set()
    for sheet in impose_booklet(pages(count, HALF), A4, Turn.SHORT, (), is_double_sided=True):
        front, back = side_map(sheet.front).split(), side_map(sheet.back).split()
        found |= {(int(front[0]), int(back[1])), (int(front[1]), int(back[0]))}
    assert leaves == found


def test_a_note_stands_on_every_side_with_a_page() -> None:
    note = (Outline(path_of("0 0 m 1 1 l"), Paint(stroke="#000000", stroke_mm=0.1)),)
    sheets = impose_pages(pages(3, WHOLE), A4, Turn.LONG, note, is_double_sided=True)
    assert [bool(side.items) for sheet in sheets for side in (sheet.front, sheet.back) if side] == [
        True, True, True, False,
    ]  # fmt: skip
