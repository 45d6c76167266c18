"""Straight cuts and folds of sheets made by hand."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Frame, Group, Outline, Paint
from duckpress.core.geometry import Size, translation
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.impose.sheets import CUT_LAYER, FOLD_LAYER, Layer
from duckpress.press.cover.cuts import cuts_of, folds_of
from path_texts import path_of

NONE = Edges(0.0, 0.0, 0.0, 0.0)
CARD = Frame(Size(60.0, 90.0), 2.0, ())
FRAMES = {"card": CARD}


def card(x_mm: float, y_mm: float, *, is_back: bool = False, turn: int = 0, bleed: Edges = NONE) -> Placement:
    return Placement(0, is_back, x_mm, y_mm, turn, "card", bleed)


def sheet(*placements: Placement, items: tuple[Layer, ...] = ()) -> Sheet:
    return Sheet(Size(210.0, 297.0), Side(placements, items), None, 1, 1)


def places(found: Sheet) -> tuple[list[float], list[float]]:
    """Return where the cuts are: x of the upright ones, y of the level ones."""
    cuts = cuts_of(found, FRAMES)
    upright = [one.x1_mm for one in cuts if one.x1_mm == one.x2_mm]
    return upright, [one.y1_mm for one in cuts if one.y1_mm == one.y2_mm]


def test_a_cut_runs_across_the_sheet_unless_a_card_stops_it() -> None:
    free = cuts_of(sheet(card(10, 10)), FRAMES)
    assert (free[0].y1_mm, free[0].y2_mm) == (0.0, 297.0)
    # The second card stands half over the first one's edge: its cut ends above it.
    stopped = cuts_of(sheet(card(10, 10), card(40, 150)), FRAMES)
    (first, ended) = (one for one in stopped if one.x1_mm == one.x2_mm and one.x1_mm in (10, 70))
    assert (first.y1_mm, first.y2_mm, ended.y1_mm, ended.y2_mm) == (0.0, 297.0, 0.0, 105.0)


@pytest.mark.parametrize(
    ("cards", "upright", "level"),
    [
        ([card(10, 10), card(70, 10)], [10, 70, 130], [10, 100]),  # neighbours share a cut
        ([card(10, 10), card(74, 10)], [10, 70, 74, 134], [10, 100]),  # gaps take two
        ([card(10, 10), card(40, 102), card(10, 194)], [10, 40, 70, 70, 100], [10, 100, 102, 192, 194, 284]),
        ([card(10, 10), card(10, 194)], [10, 70], [10, 100, 194, 284]),  # in line, and nothing between them
        ([card(10, 10, turn=90)], [-5, 85], [25, 85]),  # about its middle (40, 55)
        ([card(10, 10), card(100, 10, is_back=True)], [10, 70], [10, 100]),  # a back is folded behind its front
        ([card(100, 10, is_back=True)], [100, 160], [10, 100]),
        ([card(10, 10, bleed=Edges(0.0, 0.0, -20.0, 0.0))], [10], [10, 100]),  # a tile that lies over its neighbour
        ([card(-20, 10, bleed=Edges(-30.0, 0.0, 0.0, 0.0))], [10, 40], [10, 100]),
    ],
)
def test_a_card_is_cut_where_it_lies(cards: list[Placement], upright: list[float], level: list[float]) -> None:
    assert places(sheet(*cards)) == (upright, level)


def test_a_fold_with_a_gap_for_a_code_is_one_fold() -> None:
    line = Outline(path_of("105 5 m 105 15 l 105 25 m 105 35 l"), Paint(stroke="#000000", stroke_mm=0.2))
    marks = Outline(path_of("20 150 m 30 150 l"), Paint(stroke="#000000", stroke_mm=0.2))
    layers = (Layer(CUT_LAYER, (marks,)), Layer(FOLD_LAYER, (line, Group((), translation(105, 5)))))
    assert folds_of(sheet(items=layers)) == ((105, 5, 105, 35),)
    assert not folds_of(sheet(items=layers[:1]))


def test_a_tile_is_cut_at_the_left_and_above_of_its_board_however_it_lies() -> None:
    middle = Edges(-10.0, -10.0, -10.0, -10.0)  # a tile with neighbours all round; its board is 60 by 90 mm
    assert places(sheet(card(50, 50, bleed=middle))) == ([60], [60])
    # Turned clockwise about its middle it is from 35 to 125 across and from 65 to 125 down: above is right, left above.
    assert places(sheet(card(50, 50, turn=90, bleed=middle))) == ([115], [75])
    assert places(sheet(card(50, 50, turn=270, bleed=middle))) == ([45], [115])
    corner = Edges(-10.0, -10.0, 0.0, -10.0)  # on the page: the turned board ends at the right
    assert places(sheet(card(50, 50, turn=270, bleed=corner))) == ([45, 125], [115])
