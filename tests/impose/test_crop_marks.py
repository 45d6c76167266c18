"""Crop marks stand at every cut, in the margins, and touch nothing."""

from __future__ import annotations

import pytest
from ink import circles_of, marks_of, overlap, shown
from sheet_maps import impose, leaves

from duckpress.core.frame import Outline
from duckpress.core.geometry import Rect
from duckpress.core.sizes import FORMATS
from duckpress.impose import Layer, Side, Turn


def columns_and_rows(side: Side) -> tuple[list[float], list[float]]:
    marks = marks_of(side)
    upright = {round((mark.x_mm + mark.right_mm) / 2, 2) for mark in marks if mark.height_mm > mark.width_mm}
    level = {round((mark.y_mm + mark.bottom_mm) / 2, 2) for mark in marks if mark.width_mm > mark.height_mm}
    return sorted(upright), sorted(level)


def test_butted_cards_share_their_marks() -> None:
    (sheet,) = impose(leaves("ABCDEFGHI"))
    columns, rows = columns_and_rows(sheet.front)
    assert columns == pytest.approx([9.75, 73.25, 136.75, 200.25])
    assert rows == pytest.approx([15.15, 104.05, 192.95, 281.85])
    assert len(marks_of(sheet.front)) == 16


def test_a_gap_has_two_cuts() -> None:
    (sheet,) = impose(leaves("ABCD", size="tarot"))
    columns, rows = columns_and_rows(sheet.front)
    assert len(columns) == len(rows) == 4
    assert columns[2] - columns[1] == pytest.approx(4.0, abs=0.01)


def test_marks_lie_a_millimetre_beyond_the_bleed_and_are_thin() -> None:
    (sheet,) = impose(leaves("ABCDEFGHI"))
    cards = [shown(item, FORMATS["poker"]) for item in sheet.front.placements]
    bleed = Rect(
        min(card.x_mm for card in cards),
        min(card.y_mm for card in cards),
        max(card.right_mm for card in cards) - min(card.x_mm for card in cards),
        max(card.bottom_mm for card in cards) - min(card.y_mm for card in cards),
    )
    for mark in marks_of(sheet.front):
        assert not overlap(mark, bleed.grown(0.9))
        assert min(mark.width_mm, mark.height_mm) == pytest.approx(0.15)
        assert max(mark.width_mm, mark.height_mm) <= 5.0 + 0.16


def test_both_sides_carry_marks_only_for_the_cards_there_are() -> None:
    for turn, column_places, row_places in (
        (Turn.LONG, (slice(0, 2), slice(2, 4)), (slice(0, 2), slice(0, 2))),
        (Turn.SHORT, (slice(0, 2), slice(0, 2)), (slice(0, 2), slice(2, 4))),
    ):
        full = columns_and_rows(impose(leaves("ABCDEFGHI"))[0].front)
        (sheet,) = impose(leaves("A"), turn=turn)
        assert sheet.back is not None
        for side, columns, rows in zip((sheet.front, sheet.back), column_places, row_places, strict=True):
            assert columns_and_rows(side) == (full[0][columns], full[1][rows])


def test_full_sheets_share_one_set_of_marks() -> None:
    sheets = impose(leaves("ABCDEFGHI" * 2))
    first, second = (sheet.front.items[0] for sheet in sheets)
    assert first is second


def test_round_pieces_have_a_circle_each_on_the_front() -> None:
    (sheet,) = impose(leaves("ABC", size="round-1in"))
    circles = circles_of(sheet.front)
    assert sorted((round(circle.x_mm, 2), round(circle.width_mm, 2)) for circle in circles) == [
        (round(item.x_mm - 0.05, 2), 25.5) for item in sheet.front.placements
    ]
    assert marks_of(sheet.front)
    assert sheet.back is not None
    assert circles_of(sheet.back) == []


def test_a_circle_is_round_to_a_hundredth_of_a_millimetre() -> None:
    (sheet,) = impose(leaves("A", size="round-1.5in"))
    group = sheet.front.items[0]
    assert isinstance(group, Layer)
    path = group.items[1]
    assert isinstance(path, Outline)
    numbers = path.path.numbers
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    centre = sheet.front.placements[0].x_mm + 19.05, sheet.front.placements[0].y_mm + 19.05
    start = points[0]
    for one, two, end in zip(points[1::3], points[2::3], points[3::3], strict=True):
        middle = tuple((a + 3 * b + 3 * c + d) / 8 for a, b, c, d in zip(start, one, two, end, strict=True))
        distance = ((middle[0] - centre[0]) ** 2 + (middle[1] - centre[1]) ** 2) ** 0.5
        assert distance == pytest.approx(19.05, abs=0.01)
        start = end
