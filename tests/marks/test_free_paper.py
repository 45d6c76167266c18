"""Dots stand in free paper: apart from all that is printed, whatever they say, and each part of the code is there."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.geometry import Rect
from duckpress.core.sizes import PAPERS
from duckpress.marks import CLEAR_MM, DOT_MM, code_of, dots_of, free_cells
from duckpress.marks.dot_lattice import CODE_PLACES, PERIOD, index_of
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
