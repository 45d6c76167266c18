"""Values of expressions in words, and in order."""

from __future__ import annotations

import math

from duckpress.expressions.profiles import SETUP
from duckpress.expressions.written_values import as_written


def value_order(value: object) -> tuple[bool, object]:
    """Return what sorts the values of a field: numbers first."""
    is_number = isinstance(value, int | float)
    return (not is_number, value if is_number else str(value))


def exactly(value: object) -> str:
    """Return a value as words that tell it from others that look the same once they are rounded."""
    words = as_words(value)
    return repr(value) if isinstance(value, float) and math.isfinite(value) and float(words) != value else words


def as_words(value: object) -> str:
    """Return a value as it reads in a text: yes and no, whole numbers without a point."""
    return str(as_written(value, SETUP))
