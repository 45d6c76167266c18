"""Sums of lengths: the same last digit in every Python, and as Python 3.11 itself has them."""

from __future__ import annotations

from types import FunctionType

import pytest

from duckpress.core import geometry
from duckpress.core.geometry import added


def test_numbers_are_added_one_after_the_other() -> None:
    assert added([0.1] * 10) == 0.9999999999999999  # `sum` gives 1.0 since Python 3.12
    assert added(iter([1e16, 1.0, -1e16])) == 0.0
    assert added([2, 3], 4) == 9


def test_a_sum_of_nothing_is_whole() -> None:
    assert repr(added([])) == "0"


def test_a_sum_of_floats_in_the_program_fails_its_tests() -> None:
    in_the_program = FunctionType((lambda *numbers: sum(numbers)).__code__, vars(geometry))
    with pytest.raises(AssertionError, match="differs between Pythons"):
        in_the_program(0.5, 0.5)
    assert in_the_program(1, 2) == 3
