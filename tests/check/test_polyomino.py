"""Polyominoes against a slow oracle that draws them as text and walks along every side of every space."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from duckpress.check.geometry.survey import (
    Shape,
    better,
    cell_at,
    extent,
    free_shape,
    nearest_reach,
    orientations,
    outline,
    perimeter,
    reaches,
    shape_of,
)
from duckpress.core.coordinates import LETTERS, ORIGINS, Coordinates, counted_from
from profiles import examples

Rows = tuple[str, ...]
cells = st.tuples(st.integers(0, 3), st.integers(0, 3))
shapes = st.sets(cells, min_size=1, max_size=7).map(lambda found: shape_of(drawn(frozenset(found))))
sides = st.integers(1, 6)


def drawn(shape: Shape) -> Rows:
    wide, high = extent(shape)
    return tuple("".join("X" if (x, y) in shape else "." for x in range(wide)) for y in range(high))


def turned(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def all_turns(rows: Rows) -> set[Rows]:
    """Return all that turning and mirroring make of rows of text."""
    found = set()
    for start in (rows, tuple(row[::-1] for row in rows)):
        for _ in range(4):
            start = turned(start)
            found.add(start)
    return found


def border(rows: Rows) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return every side of a space that has no space of the shape behind it, from point to point."""
    spaces = {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "X"}
    sides = {(0, -1): (0, 0, 1, 0), (0, 1): (0, 1, 1, 1), (-1, 0): (0, 0, 0, 1), (1, 0): (1, 0, 1, 1)}
    return [
        ((x + left, y + top), (x + right, y + bottom))
        for x, y in spaces
        for (right_of, below), (left, top, right, bottom) in sides.items()
        if (x + right_of, y + below) not in spaces
    ]


def placements(rows: Rows, columns: int, board_rows: int, *, by_points: bool) -> set[tuple[int, int]]:
    """Return every coordinate that some placement of a shape on the board has on its outline, or on a space of it."""
    found = set()
    for one in all_turns(rows):
        if by_points:
            marks = {point for side in border(one) for point in side}
        else:
            marks = {(x, y) for y, row in enumerate(one) for x, sign in enumerate(row) if sign == "X"}
        for left in range(columns - len(one[0]) + 1):
            for top in range(board_rows - len(one) + 1):
                found |= {(x + left, y + top) for x, y in marks}
    return found


@examples(20)
@given(shapes)
def test_the_orientations_are_all_turns(shape: Shape) -> None:
    found = orientations(shape)
    assert {drawn(one) for one in found} == all_turns(drawn(shape))
    assert len(found) == len(set(found))
    assert 8 % len(found) == 0


@examples(20)
@given(shapes, shapes)
def test_shapes_are_alike_if_one_is_the_other_turned(one: Shape, other: Shape) -> None:
    assert (free_shape(one) == free_shape(other)) is (drawn(other) in all_turns(drawn(one)))
    assert all(free_shape(turn) == free_shape(one) for turn in orientations(one))


@examples(20)
@given(shapes)
def test_the_perimeter_is_the_number_of_bare_sides(shape: Shape) -> None:
    assert perimeter(shape) == len(border(drawn(shape)))
    assert outline(shape) == {point for side in border(drawn(shape)) for point in side}


@examples(25)
@given(shapes, sides, sides, st.booleans())
def test_what_a_shape_reaches_is_what_some_placement_touches(
    shape: Shape, columns: int, rows: int, by_points: bool
) -> None:
    rectangles = reaches(shape, columns, rows, by_points=by_points)
    spans = [(range(one.left, one.right + 1), range(one.top, one.bottom + 1)) for one in rectangles]
    found = {place for columns_and_rows in spans for place in itertools.product(*columns_and_rows)}
    assert found == placements(drawn(shape), columns, rows, by_points=by_points)


@examples(25)
@given(shapes, sides, sides, cells, st.booleans())
def test_the_nearest_coordinate_is_one_it_reaches_and_none_is_nearer(
    shape: Shape, columns: int, rows: int, at: tuple[int, int], by_points: bool
) -> None:
    possible = placements(drawn(shape), columns, rows, by_points=by_points)
    near = nearest_reach(shape, columns, rows, at, by_points=by_points)
    assert (near in possible) if possible else near is None
    if near is not None:
        least = min((x - at[0]) ** 2 + (y - at[1]) ** 2 for x, y in possible)
        assert (near[0] - at[0]) ** 2 + (near[1] - at[1]) ** 2 == least


NAMED = st.builds(
    counted_from,
    st.sampled_from(["A1", "A0", "C5", "Z9", "AA1"]),
    st.integers(1, 100),
    st.integers(1, 100),
    letters=st.sampled_from(LETTERS),
    origin=st.sampled_from(ORIGINS),
)


@examples(20)
@given(NAMED, st.integers(0, 99), st.integers(0, 99))
def test_a_coordinate_reads_as_it_is_written(names: Coordinates, column: int, row: int) -> None:
    place = (column % names.columns, row % names.rows)
    assert cell_at(names, names.name(*place)) == place
    assert better(names.name(*place).lower()) == names.name(*place)
    assert names.nearest(place) == place
    first, last = names.ends.split(" to ")
    corners = {(x, y) for x in (0, names.columns - 1) for y in (0, names.rows - 1)}
    assert {names.find(first), names.find(last)} <= corners


def test_coordinates_as_people_write_them() -> None:
    names = Coordinates(60, 12)
    written = ["A1", "M11", "Z1", "AA1", "AZ2"]
    assert [names.name(*place) for place in ((0, 0), (12, 10), (25, 0), (26, 0), (51, 1))] == written
    for text in ("", "A", "1", "1A", "a1", "A01", "A 1", "A1 ", "A-1", "A1234", "ABC1", "Ä1"):
        assert cell_at(names, text) is None, text
    assert [better(text) for text in ("3c", "c 3", "C-3", "seven", "3")] == ["C3", "C3", "C3", None, None]
