"""The code of a copy -> dots on a side of a sheet, in its free cells."""

from __future__ import annotations

from functools import lru_cache

from duckpress.core.frame import Outline
from duckpress.core.paths import RECTANGLE, Path
from duckpress.marks.copy_code import halves
from duckpress.marks.dot_lattice import (
    CODE_PLACES,
    DOT_MM,
    DOT_PAINT,
    PERIOD,
    PITCH_MM,
    PLACES,
    STEP_MM,
    guide_of,
    index_of,
)
from duckpress.marks.free_paper import FreeCells

_Square = tuple[float, float, float, float]


def dots_of(code: bytes, free: FreeCells) -> Outline:
    """Return the dots of a code: squares, one in each of the free cells."""
    parts = parts_of(code)
    numbers: list[float] = []
    for index, squares in _squares(free, DOT_MM):
        numbers += squares[parts[index]]
    return Outline(Path(RECTANGLE * len(free.cells), tuple(numbers), is_mark=True), DOT_PAINT)


@lru_cache(maxsize=64)
def _squares(free: FreeCells, width_mm: float) -> list[tuple[int, list[_Square]]]:
    """Return for each free cell which part of a code it says, and the dot for each number that it may say."""

    def square(column: int, row: int, said: int) -> _Square:
        down, across = divmod(said, PLACES)
        x_mm = free.x_mm + column * PITCH_MM + across * STEP_MM - width_mm / 2
        y_mm = free.y_mm + row * PITCH_MM + down * STEP_MM - width_mm / 2
        return round(x_mm, 3), round(y_mm, 3), width_mm, width_mm

    return [(index_of(*cell), [square(*cell, said) for said in range(PLACES * PLACES)]) for cell in free.cells]


def parts_of(code: bytes) -> list[int]:
    """Return what each of the parts of a code says, guides among them: the place of its dot, row by row."""
    said = halves(code)
    guides = [guide_of(index) for index in range(PERIOD)]
    return [said[CODE_PLACES[index]] if guide is None else guide for index, guide in enumerate(guides)]
