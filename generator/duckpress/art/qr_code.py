"""Texts -> QR codes as outlines. Source: ISO/IEC 18004 (by way of segno, which makes the modules).

A code is one outline around its dark modules, never a heap of squares: between squares that touch, viewers and printers
show hairs of light.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from typing import Any

from duckpress.core.geometry import Point
from duckpress.core.paths import CLOSE, LINE, MOVE, Path

ERRORS = ("l", "m", "q", "h")  # how much may be damaged: 7, 15, 25 and 30 per cent
QUIET = 4  # modules of light around a code; source: ISO/IEC 18004, 6.3.8
LEAST_MODULE_MM = 0.4  # what phones still read from a home printer's sheet


Modules = tuple[int, ...]
"""The modules of a code by rows from the top, as many as there are across; the leftmost is the highest bit, 1 dark."""


class TooLong(ValueError):
    """A text that no code can hold."""


@cache
def _encoder() -> Any:
    """Return segno's encoder, its package's own `__init__` not run: that imports `urllib` and `xml.sax`, for files."""
    spec = find_spec("segno")
    if spec is None:
        raise ModuleNotFoundError("segno")
    sys.modules.setdefault("segno", module_from_spec(spec))
    return import_module("segno.encoder")


@lru_cache(maxsize=2048)
def modules_of(text: str, error: str = "m", mask: int | None = None) -> Modules:
    """Return the modules of the smallest code that holds a text with at least so much correction.

    With `mask` (0 to 7) that mask is used, without it the best. Raises `TooLong`.
    """
    encoder = _encoder()
    try:
        code = encoder.encode(text, error=error, mask=mask, micro=False)
    except encoder.DataOverflowError as overflow:
        raise TooLong(str(overflow)) from overflow
    return tuple(int("".join("1" if dark else "0" for dark in row), 2) for row in code.matrix)


def code_path(modules: Modules, x_mm: float, y_mm: float, module_mm: float) -> Path:
    """Return the dark modules as one path, dark to the right of every line, the code's corner at a place."""
    corners = _corners(len(modules), x_mm, y_mm, module_mm)
    kinds: list[str] = []
    numbers: list[float] = []
    for loop in _loops(modules):
        kinds.append(MOVE + LINE * (len(loop) - 1) + CLOSE)
        for corner in loop:
            numbers += corners[corner]
    return Path("".join(kinds), tuple(numbers))


@lru_cache(maxsize=16)
def _corners(size: int, x_mm: float, y_mm: float, module_mm: float) -> list[Point]:
    """Return the places of all corners between modules, row by row, rounded as numbers of paths are."""
    across = [round(x_mm + x * module_mm, 4) + 0.0 for x in range(size + 1)]
    return [(x, round(y_mm + y * module_mm, 4) + 0.0) for y in range(size + 1) for x in across]


def _loops(modules: Modules) -> list[list[int]]:
    """Return the borders between dark and light modules as closed lines through their corners.

    Corners are numbered row by row. Level lines are found first, a run of bits at a time; on each upright line, the
    corners from above belong together two by two. Where two dark modules meet at a corner only, the line turns right
    and stays with its own module.
    """
    size = len(modules)
    starts: list[int] = []
    ends: list[int] = []
    # The lines that start on each upright line, and as ~line those that end there.
    upright: list[list[int]] = [[] for _ in range(size + 1)]
    above = 0
    for row, below in enumerate((*(int(f"{bits:0{size}b}"[::-1], 2) for bits in modules), 0)):
        border, corner, last = above ^ below, row * (size + 1), 0  # last: where a line to the right has just ended
        while border:
            left = (border & -border).bit_length() - 1
            run = (border & (below if below >> left & 1 else above)) >> left
            right = left + (run ^ run + 1).bit_length() - 1
            line = len(starts)
            if below >> left & 1:
                upright[left].append(line)
                upright[right].append(~line)
                starts.append(corner + left)
                ends.append(corner + right)
                last = right
            else:
                upright[left].insert(len(upright[left]) - (last == left > 0), ~line)
                upright[right].append(line)
                starts.append(corner + right)
                ends.append(corner + left)
                last = 0
            border = border >> right << right
        above = below
    ahead = [0] * len(starts)
    for lines in upright:
        for one, other in zip(lines[::2], lines[1::2], strict=True):
            if one < 0:
                ahead[~one] = other
            else:
                ahead[~other] = one
    loops = []
    for line in range(len(starts)):
        loop: list[int] = []
        while ahead[line] >= 0:
            loop += (starts[line], ends[line])
            ahead[line], line = -1, ahead[line]
        if loop:
            loops.append(loop)
    return loops
