"""Hexagonal pieces: their cut line is drawn on the front, corner by corner; words stay away from slanted sides too."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest
from ink import circles_of
from sheet_maps import impose

from duckpress.content import load_game
from duckpress.core.frame import Outline, lies_in_hexagon
from duckpress.core.geometry import Rect, Size, hexagon
from duckpress.core.sizes import FORMATS
from duckpress.files.workspace import Workspace
from duckpress.impose import Leaf, Side, all_items
from duckpress.impose.marks import LINE_PAINT
from duckpress.vendors.products import VENDORS

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


def cut_paths(side: Side) -> list[list[tuple[float, float]]]:
    """Return the corners of each cut line of a side."""
    found = []
    for item in all_items(side):
        inner = item.items if hasattr(item, "items") else (item,)
        for one in inner:
            if isinstance(one, Outline) and one.paint == LINE_PAINT:
                for path in one.path.subpaths():
                    found.append(list(zip(path.numbers[::2], path.numbers[1::2], strict=True)))
    return found


@pytest.mark.parametrize("name", ["hex-2in", "hex-3.75in", "hex-3.75in-upright"])
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


GAME = 'title: G\nversion: "1.0"\ndesigner: N\nplayers: 2\npieces: [{id: p, title: P, decks: [t]}]\n'
DECK = "title: T\nsize: {size}\nfront: front\ncards: [{{id: a}}]\n"


@pytest.mark.parametrize(
    ("size", "codes", "trim"),
    [
        ("{width: 40mm, hex: yes}", [], (40.0, 34.64)),
        ("{width: 34.64mm, height: 40mm, hex: yes}", [], (34.64, 40.0)),
        ("{width: 40mm, height: 40mm, hex: yes, round: yes}", ["not-round"], (40.0, 40.0)),
        ("hex-2.5in-upright", [], (54.99, 63.5)),
    ],
)
def test_a_deck_may_be_hexagonal(
    size: str, codes: list[str], trim: tuple[float, float], make_workspace: MakeWorkspace
) -> None:
    files = {"content/g/game.yaml": GAME, "content/g/decks/t.yaml": DECK.format(size=size)}
    game, problems = load_game(make_workspace(files), "g")
    assert [problem.code for problem in problems] == codes
    if game is not None:
        format_ = game.decks["t"].size
        assert tuple(format_.trim) == trim
        assert format_.is_hex is (not codes)
        assert codes or format_.corner_mm == 0.0
