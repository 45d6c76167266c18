"""The code of a copy -> dots on a side of a sheet, in its free cells."""

from __future__ import annotations

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


def dots_of(code: bytes, free: FreeCells) -> Outline:
    """Return the dots of a code: squares, one in each of the free cells."""
    parts, half_mm = parts_of(code), DOT_MM / 2
    numbers: list[float] = []
    for column, row in free.cells:
        down, across = divmod(parts[index_of(column, row)], PLACES)
        x_mm = free.x_mm + column * PITCH_MM + across * STEP_MM - half_mm
        y_mm = free.y_mm + row * PITCH_MM + down * STEP_MM - half_mm
        numbers += (round(x_mm, 3), round(y_mm, 3), DOT_MM, DOT_MM)
    return Outline(Path(RECTANGLE * len(free.cells), tuple(numbers), is_mark=True), DOT_PAINT)


def parts_of(code: bytes) -> list[int]:
    """Return what each of the parts of a code says, guides among them: the place of its dot, row by row."""
    said = halves(code)
    guides = [guide_of(index) for index in range(PERIOD)]
    return [said[CODE_PLACES[index]] if guide is None else guide for index, guide in enumerate(guides)]
