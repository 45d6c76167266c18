"""Where the dots of a code stand: in the cells of a square lattice, each in one of 16 places, which says four bits.

The lattice covers the sheet; only cells in free paper have a dot. Which part of the code a cell says follows from its
column and row, over and over, so that any part of a sheet says all of it: a column or a row of 64 cells, or a square of
8 by 8. Every fourth cell says nothing but which one it is: by these a reader finds out how the sheet was turned, and
that it has marks at all, whatever its key.

Sizes: a dot is as wide as a crop mark's line and as black, as grey is printed in points that would take its place. At
300 dots to the inch it covers three pixels, places are three pixels apart, and cells 35.
"""

from __future__ import annotations

from duckpress.core.frame import Paint
from duckpress.marks.copy_code import CODE_BYTES

DOT_MM = 0.15
PITCH_MM = 3.0
STEP_MM = 0.25
PLACES = 4
"""So many places are in a cell across, and down."""

STEPS = 12
"""So many steps are between cells: places beyond the first few are left free, so that cells can be told apart."""

DOT_PAINT = Paint(fill="#000000")

PERIOD = 64
_COLUMN = 19  # odd, so that a row says all; its multiples lie far apart, so that a square does
_GUIDE_EACH = 4
# Each value once, in an order that is like no turn and no shift of itself.
GUIDES = (0, 7, 13, 2, 11, 4, 14, 9, 1, 8, 3, 15, 6, 10, 12, 5)
"""What every fourth cell says, in its order."""


def index_of(column: int, row: int) -> int:
    """Return which part of the code a cell says, up to `PERIOD`."""
    return (_COLUMN * column + row) % PERIOD


def guide_of(index: int) -> int | None:
    """Return what a part says that is there to be found by; None for one of the code."""
    place, rest = divmod(index, _GUIDE_EACH)
    return None if rest else GUIDES[place]


CODE_PLACES = {index: place for place, index in enumerate(index for index in range(PERIOD) if guide_of(index) is None)}
"""Which half of a byte of the code a part says that is no guide."""

assert len(CODE_PLACES) == 2 * CODE_BYTES
