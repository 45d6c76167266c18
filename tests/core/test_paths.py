"""Paths: what building one gives, what is no path, and the text that hashes of frames are made of."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.geometry import IDENTITY, Matrix, rotation, translation
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
