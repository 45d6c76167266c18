"""Lengths: text such as `"63.5mm"` -> millimetres, millimetres <-> points, and sums of them.

The only conversions in the program.
"""

import re
from collections.abc import Iterable
from functools import reduce
from operator import add

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
PT_PER_MM = PT_PER_INCH / MM_PER_INCH
MM_PER_PT = MM_PER_INCH / PT_PER_INCH

_MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT, "": 1.0}
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++))\s*+(mm|cm|in|pt|)\s*+")


def parse_length(text: str) -> float | None:
    """Return a length in millimetres from text such as `63`, `63.5mm`, `2.5in` or `9pt`; None where it is not one."""
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _MM_PER_UNIT[match[2]] if match and len(text) <= 32 else None


def added(numbers: Iterable[float], start: float = 0) -> float:
    """Return the sum of numbers, added one after the other in their order.

    `sum` makes up for what floats lose, but only since Python 3.12: the last digit of a place, and with it the hash of
    a face, would depend on the Python. What is whole may be left to `sum`.
    """
    return reduce(add, numbers, start)
