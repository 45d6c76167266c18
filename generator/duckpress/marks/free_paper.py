"""Paper on which nothing is printed -> the cells of a lattice that have room for a dot, whichever place it takes.

The lattice begins where it has most cells in free paper: margins are often narrower than a cell. What is free is
counted in steps: for each row of steps a number has a bit for each step of it that something lies on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from duckpress.core.geometry import Rect
from duckpress.marks.dot_lattice import CODE_PLACES, DOT_MM, PERIOD, PLACES, STEP_MM, STEPS, index_of

CLEAR_MM = 0.5
"""What is free around a dot at least, up to anything else that is printed."""

MOST_TIMES = 5
"""More dots say nothing more, also on a sheet with much free paper: what is left of its parts has enough."""

LEAST_DOTS = 96
"""With fewer, or with too little of the code, a sheet has no dots: what nobody could read would only disturb."""

_Cell = tuple[int, int]


class FreeCells(NamedTuple):
    """Cells by column and row; the first place of the cell in column and row 0 lies at `x_mm`, `y_mm`."""

    x_mm: float
    y_mm: float
    cells: tuple[_Cell, ...]


def free_cells(printable: Rect, taken: Sequence[Rect]) -> FreeCells | None:
    """Return the cells of a side that dots stand in, so many as are needed; None where they are too few.

    `taken` are boxes around all that is printed; dots lie within what is `printable`.
    """
    room = printable.grown(-DOT_MM / 2)
    across, down = (math.floor(side_mm / STEP_MM + 1e-6) + 1 for side_mm in (room.width_mm, room.height_mm))
    rows = _free_rows(room, across, down, taken)
    combs = [sum(1 << at for at in range(first, across, STEPS)) for first in range(STEPS)]
    column, row = max(
        ((column, row) for column in range(STEPS) for row in range(STEPS)),
        key=lambda at: sum((bits & combs[at[0]]).bit_count() for bits in rows[at[1] :: STEPS]),
    )
    cells = [
        (place // STEPS, number)
        for number, bits in enumerate(rows[row::STEPS])
        for place in _ones((bits & combs[column]) >> column)
    ]
    cells = _spread(cells)
    places = {CODE_PLACES.get(index_of(*cell)) for cell in cells}
    if len(cells) < LEAST_DOTS or len(places - {None}) < len(CODE_PLACES) * 0.9:
        return None
    return FreeCells(round(room.x_mm + column * STEP_MM, 3), round(room.y_mm + row * STEP_MM, 3), tuple(sorted(cells)))


def _free_rows(room: Rect, across: int, down: int, taken: Sequence[Rect]) -> list[int]:
    """Return for each row of steps the steps at which the first place of a cell may be, so that all of it is free."""
    blocked = [0] * down
    for box in taken:
        left, top, right, bottom = box.grown(CLEAR_MM + DOT_MM / 2).edges
        first, last = max(0, _step(left - room.x_mm)), min(across - 1, -_step(room.x_mm - right))
        if first <= last:
            bits = ((1 << (last - first + 1)) - 1) << first
            for row in range(max(0, _step(top - room.y_mm)), min(down - 1, -_step(room.y_mm - bottom)) + 1):
                blocked[row] |= bits
    every = (1 << across) - 1
    beside = [(every ^ bits) for bits in blocked]
    for bits_after in (1, 2):  # two, then four steps that follow one another
        beside = [bits & bits >> bits_after for bits in beside]
    return [a & b & c & d for a, b, c, d in zip(beside, beside[1:], beside[2:], beside[3:], strict=False)]


def _step(length_mm: float) -> int:
    """Return the first step that lies within a length or behind it; touching is allowed."""
    return math.floor(length_mm / STEP_MM + 1e-6) + 1


def _ones(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _spread(cells: Sequence[_Cell]) -> list[_Cell]:
    """Return as many cells as are needed of each part of the code, from all over the sheet."""
    saying: dict[int, list[_Cell]] = {}
    for cell in cells:
        saying.setdefault(index_of(*cell), []).append(cell)
    chosen: list[_Cell] = []
    for index, alike in saying.items():
        each = max(1.0, len(alike) / MOST_TIMES)
        first = index * each / PERIOD  # not in one corner for all of them
        chosen += [alike[int(first + at * each)] for at in range(min(MOST_TIMES, len(alike)))]
    return chosen


assert PLACES == 4  # `_free_rows` counts them
