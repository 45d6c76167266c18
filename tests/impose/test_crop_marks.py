"""Crop marks stand at every cut, in the margins, and touch nothing; round and hexagonal pieces have a cut line each."""

from __future__ import annotations

import math

import pytest
from ink import circles_of, cuts_of, marks_of, overlap, shown
from sheet_maps import impose, leaves

from duckpress.content import load_game
from duckpress.core.frame import Outline, every_item, lies_in_hexagon
from duckpress.core.geometry import Rect, Size, hexagon, rect_around
from duckpress.core.sizes import FORMATS
from duckpress.impose import Layer, Leaf, Side, Turn, all_items
from duckpress.impose.marks import LINE_PAINT
from duckpress.vendors.products import VENDORS
from running import MakeWorkspace


def test_butted_cards_share_their_marks() -> None:
    (sheet,) = impose(leaves("ABCDEFGHI"))
    columns, rows = cuts_of(sheet.front)
    assert columns == pytest.approx([9.75, 73.25, 136.75, 200.25])
    assert rows == pytest.approx([15.15, 104.05, 192.95, 281.85])
    assert len(marks_of(sheet.front)) == 16


def test_marks_lie_a_millimetre_beyond_the_bleed_and_are_thin() -> None:
    (sheet,) = impose(leaves("ABCDEFGHI"))
    bleed = rect_around([shown(item, FORMATS["poker"]) for item in sheet.front.placements])
    for mark in marks_of(sheet.front):
        assert not overlap(mark, bleed.grown(0.9))
        assert min(mark.width_mm, mark.height_mm) == pytest.approx(0.15)
        assert max(mark.width_mm, mark.height_mm) <= 5.0 + 0.16


def test_both_sides_carry_marks_only_for_the_cards_there_are() -> None:
    for turn, column_places, row_places in (
        (Turn.LONG, (slice(0, 2), slice(2, 4)), (slice(0, 2), slice(0, 2))),
        (Turn.SHORT, (slice(0, 2), slice(0, 2)), (slice(0, 2), slice(2, 4))),
    ):
        full = cuts_of(impose(leaves("ABCDEFGHI"))[0].front)
        (sheet,) = impose(leaves("A"), turn=turn)
        assert sheet.back is not None
        for side, columns, rows in zip((sheet.front, sheet.back), column_places, row_places, strict=True):
            assert cuts_of(side) == (full[0][columns], full[1][rows])


def test_full_sheets_share_one_set_of_marks() -> None:
    sheets = impose(leaves("ABCDEFGHI" * 2))
    first, second = (sheet.front.items[0] for sheet in sheets)
    assert first is second


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


def cut_paths(side: Side) -> list[list[tuple[float, float]]]:
    """Return the corners of each cut line of a side."""
    lines = [item for item in every_item(all_items(side)) if isinstance(item, Outline) and item.paint == LINE_PAINT]
    paths = [path.numbers for line in lines for path in line.path.subpaths()]
    return [list(zip(numbers[::2], numbers[1::2], strict=True)) for numbers in paths]


@pytest.mark.parametrize("name", ["hex-2in", "hex-3.75in-upright"])
def test_a_hexagon_is_drawn_on_every_trim(name: str) -> None:
    format_ = FORMATS[name]
    (sheet,) = impose([Leaf(format_, 3, "f", "b")], "a4")
    paths = cut_paths(sheet.front)
    assert len(paths) == 3
    for item, corners in zip(sheet.front.placements, paths, strict=True):
        assert len(corners) == 6
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        assert (min(xs), min(ys)) == pytest.approx((item.x_mm, item.y_mm), abs=0.001)
        size = (max(xs) - min(xs), max(ys) - min(ys))
        assert size == pytest.approx(format_.trim, abs=0.002)
    assert sheet.back is not None
    assert cut_paths(sheet.back) == []
    assert len(circles_of(sheet.front)) >= 3


def test_sides_are_equal_and_points_lie_on_the_longer_side() -> None:
    for size, point in ((Size(50.8, 43.994), (0.0, 21.997)), (Size(43.994, 50.8), (21.997, 0.0))):
        corners = hexagon(size)
        assert any(corner == pytest.approx(point) for corner in corners)
        following = [*corners[1:], corners[0]]
        sides = [math.dist(*pair) for pair in zip(corners, following, strict=True)]
        assert sides == pytest.approx([25.4] * 6, abs=0.01)
        # Clockwise, y downwards.
        pairs = zip(corners, following, strict=True)
        assert sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) > 0


def test_words_stay_away_from_slanted_sides() -> None:
    trim = Size(50.8, 43.99)
    assert lies_in_hexagon(Rect(15, 5, 20, 30), trim, 3.0)
    assert not lies_in_hexagon(Rect(15, 2, 20, 30), trim, 3.0)  # too near the flat side
    assert not lies_in_hexagon(Rect(4, 4, 10, 10), trim, 3.0)  # inside the rectangle's safe zone, over the slanted side
    assert lies_in_hexagon(Rect(6, 18, 30, 8), trim, 3.0)
    assert lies_in_hexagon(Rect(18, 6, 8, 30), trim.turned(), 3.0)


def test_sizes_of_vendors_are_known_here() -> None:
    for vendor in VENDORS.values():
        assert set(vendor.canvases) <= set(FORMATS)


def test_a_deck_may_be_hexagonal(make_workspace: MakeWorkspace) -> None:
    game_file = 'title: G\nversion: "1.0"\ndesigner: N\nplayers: 2\npieces: [{id: p, title: P, decks: [t]}]\n'
    for size, code, trim in (
        ("{width: 40mm, hex: yes}", None, (40.0, 34.64)),
        ("{width: 34.64mm, height: 40mm, hex: yes}", None, (34.64, 40.0)),
        ("{width: 40mm, height: 40mm, hex: yes, round: yes}", "not-round", None),
    ):
        deck = f"title: T\nsize: {size}\nfront: front\ncards: [{{id: a}}]\n"
        game, problems = load_game(
            make_workspace({"content/g/game.yaml": game_file, "content/g/decks/t.yaml": deck}), "g"
        )
        assert [problem.code for problem in problems] == ([code] if code else [])
        if trim is not None:
            assert game is not None
            format_ = game.decks["t"].size
            assert (tuple(format_.trim), format_.is_hex, format_.corner_mm) == (trim, True, 0.0)
