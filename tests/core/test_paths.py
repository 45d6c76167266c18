"""Paths: what building one gives, what is no path, the text that hashes are made of; how far paths and items reach."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise

import msgspec
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
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rotation, scaling, translation
from duckpress.core.paths import (
    NO_PATH,
    Path,
    arc_curves,
    canonical_text,
    ellipse,
    joined,
    polyline,
    rectangle,
    strokes,
)
from path_texts import path_of

lengths = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (rectangle(0, 0, 10, 10, 0, 5), "0 0 10 10 re"),
        (rectangle(0, 0, 10, 10, -1), "0 0 10 10 re"),
        (rectangle(1 / 3, -1e-9, 2 / 3, 1), "0.3333 0 0.6667 1 re"),
        (polyline([(3, 4)]), "3 4 m"),
        (polyline([]), ""),
        (strokes([(0, 0, 1, 0), (0, 1, 1, 1)]), "0 0 m 1 0 l 0 1 m 1 1 l"),
        (strokes([(0, -1e-9, 1 / 3, 20)], is_mark=True), "0.000 -0.000 m 0.333 20.000 l"),
        (rectangle(1, 2, 3, 4, is_mark=True), "1.000 2.000 3.000 4.000 re"),
        (joined([]), ""),
        (ellipse(0, 0, 1, 2), "1 0 m 1 1.1046 0.5523 2 0 2 c -0.5523 2 -1 1.1046 -1 0 c"
                              " -1 -1.1046 -0.5523 -2 0 -2 c 0.5523 -2 1 -1.1046 1 0 c h"),
    ],
)  # fmt: skip
def test_what_is_built_and_how_it_is_written(path: Path, text: str) -> None:
    assert canonical_text(path) == text
    assert path_of(text) == path


def test_corners_are_rounded_by_half_a_side_at_most() -> None:
    assert rectangle(0, 0, 10, 4, 9) == rectangle(0, 0, 10, 4, 5, 2)


@given(st.lists(st.tuples(lengths, lengths), min_size=1), st.booleans())
def test_numbers_are_rounded_once(points: list[tuple[float, float]], is_mark: bool) -> None:
    """What is read back of a path's text is the path: so it does not matter where a hash is made."""
    path = polyline(points, is_mark=is_mark)
    assert path_of(canonical_text(path), is_mark) == path
    written = [f"{number:.3f}" if is_mark else f"{number:.4f}" for point in points for number in point]
    assert path.numbers == tuple(map(float, written))


def test_a_path_of_marks_and_others_is_none_of_marks() -> None:
    mark, line = strokes([(0, 0, 1, 0)], is_mark=True), strokes([(0, 0, 0, 1)])
    assert joined([mark, mark]).is_mark
    assert canonical_text(joined([mark, line])) == "0 0 m 1 0 l 0 0 m 0 1 l"


@pytest.mark.parametrize(("kinds", "numbers"), [("m", (1.0,)), ("x", (1.0, 2.0)), ("", (1.0,)), ("re", (0.0,) * 4)])
def test_what_is_no_path(kinds: str, numbers: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="a path"):
        Path(kinds, numbers)
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode([kinds, numbers, False]), type=Path)


def test_only_a_path_without_segments_is_false() -> None:
    assert not NO_PATH
    assert not NO_PATH.mapped(translation(1, 1))
    assert list(NO_PATH.segments()) == list(NO_PATH.subpaths()) == []
    assert polyline([(0, 0)])


def test_segments_and_the_parts_that_begin_anew() -> None:
    path = path_of("0 0 m 1 0 l h 1 1 2 2 re 5 5 m 1 2 3 4 5 6 c")
    assert [(kind, len(numbers)) for kind, numbers in path.segments()] == [
        ("m", 2), ("l", 2), ("h", 0), ("r", 4), ("m", 2), ("c", 6),
    ]  # fmt: skip
    parts = list(path.subpaths())
    assert [canonical_text(part) for part in parts] == ["0 0 m 1 0 l h", "1 1 2 2 re", "5 5 m 1 2 3 4 5 6 c"]
    assert joined(parts) == path


def test_a_path_under_a_matrix() -> None:
    path = path_of("0 0 m 10 0 l 1 2 3 4 5 6 c h 0 0 4 2 re")
    assert canonical_text(path.mapped(translation(1, 2))) == ("1 2 m 11 2 l 2 4 4 6 6 8 c h 1 2 m 5 2 l 5 4 l 1 4 l h")
    assert canonical_text(rectangle(0, 0, 4, 2).mapped(rotation(90))) == "0 0 m 0 4 l -2 4 l -2 0 l h"
    assert canonical_text(strokes([(0, 0, 1, 1)], is_mark=True).mapped(Matrix(0.3))) == "0 0 m 0.3 1 l"
    assert path_of("0 0 m 1 1 l").mapped(IDENTITY) == path_of("0 0 m 1 1 l")


def test_paths_pass_between_processes() -> None:
    path = ellipse(1, 2, 3, 4, is_mark=True)
    assert pickle.loads(pickle.dumps(path)) == path
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(path), type=Path) == path
    assert hash(path) == hash(ellipse(1, 2, 3, 4, is_mark=True))


@given(
    st.floats(1, 50), st.floats(1, 50), st.floats(0, 360), st.booleans(), st.booleans(), st.floats(-60, 60),
    st.floats(-60, 60),
)  # fmt: skip
def test_arcs_end_where_they_should_and_run_smoothly(
    rx: float, ry: float, turn: float, is_large: bool, is_sweep: bool, x: float, y: float
) -> None:
    curves = arc_curves((0.0, 0.0), rx, ry, turn, is_large, is_sweep, (x, y))
    if not curves:
        assert math.hypot(x, y) < 1e-9
        return
    assert curves[-1][4:] == (x, y)
    assert len(curves) <= 4
    for one, other in pairwise(curves):
        before, after = (one[4] - one[2], one[5] - one[3]), (other[0] - one[4], other[1] - one[5])
        assert before == pytest.approx(after, abs=1e-6 * max(rx, ry, math.hypot(x, y)))


@pytest.mark.parametrize("end", [(10.0, 0.0), (0.0, 1e-10)])
def test_arcs_that_are_straight(end: tuple[float, float]) -> None:
    assert arc_curves((0.0, 0.0), 0.0 if end[0] else 5.0, 5.0, 0.0, True, True, end) is None
    assert arc_curves((1.0, 1.0), 5.0, 5.0, 0.0, True, True, (1.0, 1.0)) == []


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
