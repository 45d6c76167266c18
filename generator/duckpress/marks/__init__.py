"""Marks of copies: the number of one copy as tiny dots in the free paper of its sheets, and the number back from those.

`code_of` hides a number in a code that only the edition's key makes and reads. `free_cells` finds the places on a side
that dots may take, from boxes around all that is printed, and `dots_of` puts a code there:

    free = free_cells(printable, taken)
    dots = dots_of(code_of(17, key), free)
"""

from duckpress.marks.copy_code import KEY_BYTES, NUMBERS, code_of
from duckpress.marks.dot_lattice import DOT_MM, DOT_PAINT
from duckpress.marks.dot_reading import DotReading, read_dots, read_upright
from duckpress.marks.free_paper import CLEAR_MM, FreeCells, free_cells
from duckpress.marks.sheet_dots import dots_of

__all__ = [
    "CLEAR_MM",
    "DOT_MM",
    "DOT_PAINT",
    "KEY_BYTES",
    "NUMBERS",
    "DotReading",
    "FreeCells",
    "code_of",
    "dots_of",
    "free_cells",
    "read_dots",
    "read_upright",
]
