"""Codes as outlines: every module is where it was, and modules that touch at a corner have borders of their own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.art.qr_code import Modules, outline_of
from duckpress.legibility.path_shapes import shape_of


def loops_of(d: str) -> list[list[str]]:
    """Give the corners of each closed line of a path."""
    return [[f"{x} {y}" for x, y in zip(*[iter(word for word in part.split() if word not in "ml")] * 2, strict=True)]
            for part in d.split(" h") if part.strip()]  # fmt: skip


@given(st.integers(1, 9).flatmap(lambda size: st.tuples(*[st.integers(0, 2**size - 1)] * size)))
def test_exactly_the_dark_modules_lie_inside(rows: tuple[int, ...]) -> None:
    size = len(rows)
    d = outline_of(Modules(size, rows), 10.0, 20.0, 0.5)
    shape = shape_of(d)
    for y, row in enumerate(rows):
        for x in range(size):
            is_dark = bool(row >> (size - 1 - x) & 1)
            for even_odd in (False, True):
                assert shape.holds(10.25 + 0.5 * x, 20.25 + 0.5 * y, even_odd=even_odd) is is_dark


@pytest.mark.parametrize("rows", [(0b10, 0b01), (0b01, 0b10)])
def test_two_modules_that_touch_at_a_corner_are_two_squares(rows: tuple[int, int]) -> None:
    assert [len(loop) for loop in loops_of(outline_of(Modules(2, rows), 0.0, 0.0, 1.0))] == [4, 4]


def test_a_code_without_dark_modules_is_no_path() -> None:
    assert outline_of(Modules(3, (0, 0, 0)), 0.0, 0.0, 1.0) == ""
