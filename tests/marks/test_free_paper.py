"""Dots stand in free paper: apart from all that is printed, whatever they say, and each part of the code is there."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.geometry import Rect
from duckpress.core.sizes import PAPERS
from duckpress.marks import CLEAR_MM, DOT_MM, FreeCells, code_of, dots_of, free_cells, free_paper
from duckpress.marks.dot_lattice import CODE_PLACES, PERIOD, PLACES, STEP_MM, STEPS, index_of
from duckpress.marks.free_paper import LEAST_DOTS, MOST_TIMES
from profiles import examples

KEY = bytes(range(32))
boxes = st.builds(Rect, st.floats(-20, 300), st.floats(-20, 420), st.floats(0, 190), st.floats(0, 290))


@examples(40)
@given(st.sampled_from(sorted(PAPERS)), st.lists(boxes, max_size=30), st.integers(0, 1 << 20))
def test_dots_touch_nothing(paper: str, taken: list[Rect], number: int) -> None:
    printable = Rect(0.0, 0.0, *PAPERS[paper].size).grown(-PAPERS[paper].margin_mm)
    free = free_cells(printable, taken)
    if free is None:
        return
    dots = [Rect(*part.numbers) for part in dots_of(code_of(number, KEY), free).path.subpaths()]
    assert len(dots) == len(free.cells) >= LEAST_DOTS
    assert all(printable.holds(dot, 1e-3) and dot.width_mm == dot.height_mm == DOT_MM for dot in dots)
    around = [box.grown(CLEAR_MM - 2e-3) for box in taken]
    assert all(box.is_apart(dot) for box in around for dot in dots)


@pytest.mark.parametrize("side_mm", [40.0, 120.0, 287.0])
def test_each_part_is_there_as_often(side_mm: float) -> None:
    free = free_cells(Rect(5.0, 5.0, 200.0, side_mm), [])
    assert free is not None
    counts = Counter(index_of(*cell) for cell in free.cells)
    assert len(counts) == PERIOD
    assert set(counts.values()) == {MOST_TIMES}


def test_any_strip_says_the_whole_code() -> None:
    for cells in ([(at, 3) for at in range(PERIOD)], [(5, at) for at in range(PERIOD)]):
        assert {index_of(*cell) for cell in cells} == {*range(PERIOD)}
    square = {index_of(column, row) for column in range(8) for row in range(8)}
    assert len(square & CODE_PLACES.keys()) > 0.8 * len(CODE_PLACES)


def test_a_margin_as_narrow_as_a_cell_is_enough() -> None:
    """As at the sides of nine poker cards on A4."""
    paper = Rect(5.0, 5.0, 200.0, 287.0)
    cards = Rect(7.6, 0.0, 194.8, 292.0)
    free = free_cells(paper, [cards])
    assert free is not None
    assert {x for x, _ in free.cells} == {0, 66} or len({x for x, _ in free.cells}) == 2


@pytest.mark.parametrize("taken", [Rect(0.0, 0.0, 210.0, 297.0), Rect(6.0, 5.0, 210.0, 297.0)])
def test_without_free_paper_there_are_none(taken: Rect) -> None:
    assert free_cells(Rect(5.0, 5.0, 200.0, 287.0), [taken]) is None
    assert free_cells(Rect(5.0, 5.0, 20.0, 27.0), []) is None


def cells_counted_one_by_one(printable: Rect, taken: list[Rect], across: int, down: int) -> set[tuple[int, int]]:
    """Return the cells of a lattice that begins so many steps from the corner in which no place is near anything."""
    room = printable.grown(-DOT_MM / 2)

    def is_free(column: int, row: int) -> bool:
        for at, below in product(range(PLACES), repeat=2):
            x = room.x_mm + (across + column * STEPS + at) * STEP_MM
            y = room.y_mm + (down + row * STEPS + below) * STEP_MM
            if x > room.right_mm + 1e-6 or y > room.bottom_mm + 1e-6:
                return False
            near_mm = CLEAR_MM + DOT_MM / 2 - 1e-6
            if not all(box.grown(near_mm).is_apart(Rect(x, y, 0.0, 0.0)) for box in taken):
                return False
        return True

    return {cell for cell in product(range(20), repeat=2) if is_free(*cell)}


@pytest.mark.parametrize(
    "taken",
    [
        [],
        [Rect(10.0, 12.0, 6.0, 9.0), Rect(30.0, 12.0, 5.0, 9.0), Rect(20.0, 30.0, 0.1, 20.0)],
        [Rect(-5.0, -5.0, 9.0, 9.0), Rect(44.0, 44.0, 9.0, 9.0)],
        [Rect(0.0, 23.0, 60.0, 0.2), Rect(23.0, 0.0, 0.2, 60.0)],
    ],
)
def test_the_lattice_begins_where_it_has_most_cells(taken: list[Rect], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_paper, "MOST_TIMES", 99)
    printable = Rect(2.0, 3.0, 45.3, 44.1)
    ways = {at: cells_counted_one_by_one(printable, taken, *at) for at in product(range(STEPS), repeat=2)}
    free = free_cells(printable, taken)
    assert free is not None
    starts = [(start_mm - side_mm - DOT_MM / 2) / STEP_MM for start_mm, side_mm in ((free.x_mm, 2.0), (free.y_mm, 3.0))]
    across, down = map(round, starts)
    assert starts == pytest.approx([across, down], abs=0.005)
    assert set(free.cells) == ways[across, down]
    assert len(free.cells) == max(map(len, ways.values()))


def test_with_too_little_of_the_code_there_are_no_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_paper, "LEAST_DOTS", 1)
    assert free_cells(Rect(0.0, 0.0, 16.0, 16.0), []) is None
    assert free_cells(Rect(0.0, 0.0, 30.0, 30.0), []) is not None


def test_dots_stand_where_they_always_stood() -> None:
    """Sheets lie about for years, and are read by programs to come: neither the lattice nor what it says changes."""
    cells = tuple((column, row) for column in range(8) for row in range(8))
    dots = dots_of(code_of(17, KEY), FreeCells(10.0, 20.0, cells)).path
    assert dots.numbers[:8] == (9.925, 19.925, DOT_MM, DOT_MM, 10.675, 22.925, DOT_MM, DOT_MM)
    assert hashlib.sha256(repr(dots.numbers).encode()).hexdigest()[:16] == "bf9269a7f09932a6"
