"""Codes as outlines: every module is where it was, and modules that touch at a corner have borders of their own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.art.qr_code import code_path
from duckpress.core.frame import flattened


@given(st.integers(1, 9).flatmap(lambda size: st.tuples(*[st.integers(0, 2**size - 1)] * size)))
def test_exactly_the_dark_modules_lie_inside(rows: tuple[int, ...]) -> None:
    size = len(rows)
    path = code_path(rows, 10.0, 20.0, 0.5)
    shape = flattened(path)
    for y, row in enumerate(rows):
        for x in range(size):
            is_dark = bool(row >> (size - 1 - x) & 1)
            for even_odd in (False, True):
                assert shape.holds(10.25 + 0.5 * x, 20.25 + 0.5 * y, even_odd=even_odd) is is_dark


@pytest.mark.parametrize("rows", [(0b10, 0b01), (0b01, 0b10)])
def test_two_modules_that_touch_at_a_corner_are_two_squares(rows: tuple[int, int]) -> None:
    assert [part.kinds for part in code_path(rows, 0.0, 0.0, 1.0).subpaths()] == ["mlllh", "mlllh"]
