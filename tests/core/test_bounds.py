"""How far paths and items reach, what lies inside a path, and when the items of a frame are read."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.frame import (
    Drawing,
    Frame,
    Group,
    Item,
    Outline,
    Paint,
    Picture,
    PlacedDrawing,
    Text,
    flattened,
    item_bounds,
    items_bounds,
    path_bounds,
    written_items,
)
from duckpress.core.geometry import Rect, Size, rotation, scaling, translation
from duckpress.core.paths import NO_PATH, ellipse, rectangle
from path_texts import path_of

SQUARE = Outline(rectangle(0, 0, 10, 10), Paint(fill="#000000"))
LINE = Outline(path_of("0 5 m 10 5 l"), Paint(stroke="#000000", stroke_mm=2.0))
ART = Drawing(Rect(0, 0, 20, 10), (SQUARE,))


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("0 0 10 20 re", Rect(0, 0, 10, 20)),
        ("1 1 m 5 9 l", Rect(1, 1, 4, 8)),
        ("0 0 m 0 30 10 30 10 0 c", Rect(0, 0, 10, 30)),  # control points included
        ("5 5 m 6 6 l 0 0 1 1 re", Rect(0, 0, 6, 6)),
        ("7 8 m", Rect(7, 8, 0, 0)),
        ("", None),
    ],
)
def test_boxes_of_paths(text: str, box: Rect | None) -> None:
    assert path_bounds(path_of(text)) == box
    if box is not None:
        assert path_bounds(path_of(text), 2.0) == box.grown(2.0)


@pytest.mark.parametrize(
    ("item", "box"),
    [
        (SQUARE, Rect(0, 0, 10, 10)),
        (LINE, Rect(-1, 4, 12, 2)),
        (Picture("key", 1, 2, 3, 4), Rect(1, 2, 3, 4)),
        (PlacedDrawing(ART.key, scaling(2)), Rect(0, 0, 40, 20)),
        (Group((SQUARE,), rotation(90)), Rect(-10, 0, 10, 10)),
        (Group((SQUARE,), translation(1, 1), clip=rectangle(5, 5, 100, 2)), Rect(6, 6, 5, 2)),
        (Group((SQUARE,), clip=rectangle(20, 20, 1, 1)), None),
        (Group(()), None),
    ],
)
def test_boxes_of_items(item: Item, box: Rect | None) -> None:
    assert item_bounds(item, {ART.key: ART}) == box


def test_words_reach_above_and_below_their_line() -> None:
    box = item_bounds(Text(5.0, 10.0, 4.0, "font", "#000000", "<0001>", "x", 12.0), {})
    assert box is not None
    assert (box.x_mm, box.right_mm) == (5.0, 17.0)
    assert box.y_mm < 10.0 - 0.7 * 4.0 < 10.0 + 0.2 * 4.0 < box.bottom_mm


def test_several_items_and_none() -> None:
    assert items_bounds((SQUARE, Group(()), LINE), {}) == Rect(-1, 0, 12, 10)
    assert items_bounds((), {}) is None


def test_rings_and_holes() -> None:
    outer, inner = "0 0 m 30 0 l 30 30 l 0 30 l h", "10 10 m 20 10 l 20 20 l 10 20 l h"
    turned = "10 10 m 10 20 l 20 20 l 20 10 l h"
    ring = flattened(path_of(f"{outer} {inner}"))
    assert (ring.holds(15, 15, even_odd=False), ring.holds(15, 15, even_odd=True)) == (True, False)
    assert not flattened(path_of(f"{outer} {turned}")).holds(15, 15, even_odd=False)
    for text in ("", "5 5 m", "0 0 m 10 10 l"):
        assert not flattened(path_of(text)).holds(5, 5, even_odd=False), "it has no inside"


@given(st.floats(-12, 12), st.floats(-12, 12))
def test_a_disc_holds_what_is_nearer_than_its_radius(x: float, y: float) -> None:
    distance = math.hypot(x, y)
    if abs(distance - 10) > 0.1:  # curves are taken as a few straight lines
        assert flattened(ellipse(0, 0, 10, 10)).holds(x, y, even_odd=False) is (distance < 10)


def test_which_points_lie_near_a_line() -> None:
    line = flattened(path_of("0 0 m 10 0 l"))  # no area, and still a line
    assert line.is_near(5, 0.4, 0.5)
    assert not line.is_near(5, 0.6, 0.5)
    assert line.is_near(-0.4, 0, 0.5)  # the end counts
    assert not line.is_near(-0.6, 0, 0.5)
    corner = flattened(path_of("0 0 m 10 0 l 10 10 l"))
    assert not corner.is_near(4.5, 4.5, 0.5)  # an open line is not closed
    assert flattened(path_of("0 0 m 10 0 l 10 10 l h")).is_near(4.5, 4.5, 0.5)
    assert flattened(path_of("0 0 10 10 re")).is_near(0.3, 5, 0.5)
    assert not flattened(NO_PATH).is_near(0, 0, 9)


def test_items_are_read_when_they_are_wanted_and_not_kept() -> None:
    """A build has all faces of a game in memory: their items take three times what their bytes take."""
    items = (Text(1.0, 2.0, 3.0, "f", "#000000", "<0012>", "a", 1.5),)
    frame = Frame.of_hash(Size(63.0, 88.0), 3.0, written_items(items), Frame(Size(63.0, 88.0), 3.0, items).hash)
    assert frame.items == items
    assert frame.items is not frame.items
    assert frame.overprinted(items).items == items * 2
