"""Texts -> QR codes as outlines. Source: ISO/IEC 18004 (by way of segno, which makes the modules).

A code is one outline around its dark modules, never a heap of squares: between squares that touch, viewers and printers
show hairs of light.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from duckpress.layout.operators import number

ERRORS = ("l", "m", "q", "h")  # how much may be damaged: 7, 15, 25 and 30 per cent
QUIET = 4  # modules of light around a code; source: ISO/IEC 18004, 6.3.8
LEAST_MODULE_MM = 0.4  # what phones still read from a home printer's sheet


class Modules(NamedTuple):
    """The modules of a code: `rows` from the top, the leftmost module the highest bit; a set bit is dark."""

    size: int
    rows: tuple[int, ...]


class TooLong(ValueError):
    """A text that no code can hold."""


@lru_cache(maxsize=2048)
def modules_of(text: str, error: str = "m", mask: int | None = None) -> Modules:
    """Give the modules of the smallest code that holds a text with at least so much correction.

    With `mask` (0 to 7) that mask is used, without it the best. Raises `TooLong`.
    """
    import segno

    try:
        code = segno.make_qr(text, error=error, mask=mask)
    except segno.DataOverflowError as overflow:
        raise TooLong(str(overflow)) from overflow
    rows = tuple(int("".join("1" if dark else "0" for dark in row), 2) for row in code.matrix)
    return Modules(len(rows), rows)


def outline_of(modules: Modules, x_mm: float, y_mm: float, module_mm: float) -> str:
    """Give the dark modules as one path, dark to the right of every line, the code's corner at a place."""
    size = modules.size
    dark = [[bool(row >> (size - 1 - column) & 1) for column in range(size)] for row in modules.rows]
    steps: list[str] = []
    for loop in _loops(dark):
        points = [f"{number(x_mm + x * module_mm)} {number(y_mm + y * module_mm)}" for x, y in loop]
        steps += [f"{points[0]} m", *(f"{point} l" for point in points[1:]), "h"]
    return " ".join(steps)


_Point = tuple[int, int]


def _loops(dark: list[list[bool]]) -> list[list[_Point]]:
    """Give the borders between dark and light as closed lines through the corners where they turn."""
    size = len(dark)
    ahead: dict[_Point, list[_Point]] = {}

    def is_dark(x: int, y: int) -> bool:
        return 0 <= x < size and 0 <= y < size and dark[y][x]

    for y in range(size):
        for x in range(size):
            if not dark[y][x]:
                continue
            for is_open, start, end in (
                (not is_dark(x, y - 1), (x, y), (x + 1, y)),
                (not is_dark(x + 1, y), (x + 1, y), (x + 1, y + 1)),
                (not is_dark(x, y + 1), (x + 1, y + 1), (x, y + 1)),
                (not is_dark(x - 1, y), (x, y + 1), (x, y)),
            ):
                if is_open:
                    ahead.setdefault(start, []).append(end)
    loops = []
    while ahead:
        start = next(iter(ahead))
        loop, at, came = [start], start, (0, 0)
        while True:
            choices = ahead[at]
            # Where two dark modules meet at a corner only, the line turns right and stays with its own module.
            step = next((end for end in choices if _turned_right(came) == _minus(end, at)), choices[0])
            choices.remove(step)
            if not choices:
                del ahead[at]
            came, at = _minus(step, at), step
            if at == start:
                break
            loop.append(at)
        loops.append(_corners(loop))
    return loops


def _minus(end: _Point, start: _Point) -> _Point:
    return end[0] - start[0], end[1] - start[1]


def _turned_right(step: _Point) -> _Point:
    """Give a step turned right, with y growing downwards."""
    return -step[1], step[0]


def _corners(loop: list[_Point]) -> list[_Point]:
    """Give the points of a closed line at which it turns."""
    return [
        point
        for before, point, after in zip((loop[-1], *loop), loop, (*loop[1:], loop[0]), strict=False)
        if _minus(point, before) != _minus(after, point)
    ]
