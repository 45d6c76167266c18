"""Crop marks stand at every cut, in the margins, and touch nothing; round and hexagonal pieces have a cut line each."""

from __future__ import annotations

import math

import pytest
from sheet_maps import impose, leaves

from duckpress.content import load_game
from duckpress.core.frame import lies_in_hexagon
from duckpress.core.geometry import Rect, Size, hexagon
from duckpress.core.sizes import FORMATS
from duckpress.vendors.products import VENDORS
from running import MakeWorkspace


def test_full_sheets_share_one_set_of_marks() -> None:
    sheets = impose(leaves("ABCDEFGHI" * 2))
    first, second = (sheet.front.items[0] for sheet in sheets)
    assert first is second


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
