"""Sheets of paper as plain data: the places of all items on each side, before anything is drawn.

Coordinates of a side: millimetres from the top left of the page as it is read, y growing downwards. The back is
written down as it is read after the turn, not as seen through the paper.

An upright sheet turned about its long edge is turned left-right: the columns mirror and backs stand upright. Turned
about its short edge it is turned top-bottom: the rows mirror, and backs stand at 180 degrees, so that a card turned
over left-right in the hand shows its back upright. On a sheet on its side the long edge runs across, so the two swap.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Item
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rotation, translation


class Gaps(StrEnum):
    """The gaps between cards, which make a drift show their own bleed instead of their neighbour.

    `MOST` is the grid that holds most cards, with what gaps it leaves; `LEAST` is the one that holds most with a gap
    between all, if a narrow one. `AUTO` is gaps wherever they take no more sheets than `MOST`, and between cards of
    unlike edges always.
    """

    MOST = "most"
    LEAST = "least"
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Cut(StrEnum):
    """The cutting aids: marks in the margins, additional lines across the sheet, or nothing."""

    MARKS = "marks"
    LINES = "lines"
    NONE = "none"


class Turn(StrEnum):
    """The edge of the paper about which the sheet is turned between its sides, as a printer's dialog names it."""

    LONG = "long"
    SHORT = "short"


class Edges(NamedTuple):
    """A width for each edge of a rectangle, in the page's directions."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float

    def around(self, rect: Rect) -> Rect:
        """Return a rectangle grown by these widths, shrunk by negative ones."""
        left_mm, top_mm, right_mm, bottom_mm = self
        width_mm, height_mm = rect.width_mm + left_mm + right_mm, rect.height_mm + top_mm + bottom_mm
        return Rect(rect.x_mm - left_mm, rect.y_mm - top_mm, width_mm, height_mm)


class Slot(NamedTuple):
    """The place of one card: top left of its trim, and the bleed shown around it."""

    x_mm: float
    y_mm: float
    bleed: Edges


def turns_left_right(paper: Size, turn: Turn) -> bool:
    """Return whether a sheet in this orientation is turned left-right (else top-bottom)."""
    is_upright = paper.width_mm <= paper.height_mm
    return is_upright is (turn is Turn.LONG)


def behind(slot: Slot, trim: Size, paper: Size, turn: Turn) -> tuple[Slot, int]:
    """Return the place behind a slot, on the back as it is read, and the rotation of a back there, in degrees."""
    left_mm, top_mm, right_mm, bottom_mm = slot.bleed
    if turns_left_right(paper, turn):
        x_mm = paper.width_mm - slot.x_mm - trim.width_mm
        return Slot(x_mm, slot.y_mm, Edges(right_mm, top_mm, left_mm, bottom_mm)), 0
    y_mm = paper.height_mm - slot.y_mm - trim.height_mm
    return Slot(slot.x_mm, y_mm, Edges(left_mm, bottom_mm, right_mm, top_mm)), 180


class Placement(NamedTuple):
    """A frame on a side.

    `face` is the index into the piece's faces; `x_mm`, `y_mm` the top left of the trim as if it were not turned;
    `turn_degrees` (0, 90, 180 or 270, clockwise) turns it about the trim's centre. `bleed` is how much of the frame's
    bleed is shown beyond the trim on the page (directions of the page, after the turn): the frame is clipped there, so
    that neighbours nearer than twice their bleed do not paint over each other. Less than nothing is shown of a tile:
    its clip lies inside the trim, on the sides where the board goes on.
    """

    face: int
    is_back: bool
    x_mm: float
    y_mm: float
    turn_degrees: int
    frame: str
    bleed: Edges

    def matrix(self, trim: Size) -> Matrix:
        """Return the matrix from a frame of this trim to the side."""
        matrix = translation(self.x_mm, self.y_mm)
        if not self.turn_degrees:
            return matrix
        return matrix.after(rotation(self.turn_degrees, trim.width_mm / 2, trim.height_mm / 2))

    def trim_box(self, trim: Size) -> Rect:
        """Return the box of the trim on the side."""
        if not self.turn_degrees % 180:
            return Rect(self.x_mm, self.y_mm, *trim)
        middle_x, middle_y = self.x_mm + trim.width_mm / 2, self.y_mm + trim.height_mm / 2
        return Rect(middle_x - trim.height_mm / 2, middle_y - trim.width_mm / 2, *trim.turned())


CUT_LAYER = "cut"
FOLD_LAYER = "fold"


class Layer(NamedTuple):
    """Items that can be shown or hidden together: the cut lines, the fold line. `name` is one of the constants."""

    name: str
    items: tuple[Item, ...]


class Code(Struct, frozen=True):
    """A QR code on a sheet: its `rows` of modules from the top, in each the leftmost the highest bit; set is dark.

    `x_mm`, `y_mm` is the top left of its first module; there are as many modules across as rows.
    """

    rows: tuple[int, ...]
    x_mm: float
    y_mm: float
    module_mm: float
    colour: str

    @property
    def box(self) -> Rect:
        """The square of its modules, without the quiet zone."""
        side_mm = len(self.rows) * self.module_mm
        return Rect(self.x_mm, self.y_mm, side_mm, side_mm)


class Side(NamedTuple):
    """One side of a sheet: frames, and over them the `items` around them (marks, footer) in page coordinates.

    `code` says which sheet it is. `map` takes all of it to where it stands in the file, which differs for a printer
    that does not print true. `own` is what says which copy of an edition it is of: all else is the same in all copies.
    """

    placements: tuple[Placement, ...]
    items: tuple[Item | Layer, ...]
    map: Matrix = IDENTITY
    code: Code | None = None
    own: tuple[Item, ...] = ()


class Sheet(NamedTuple):
    """One piece of paper through the printer: its size as it lies (upright or on its side), its place in the piece."""

    paper: Size
    front: Side
    back: Side | None
    number: int
    total: int


def all_items(side: Side) -> tuple[Item, ...]:
    """Return the items around the frames of a side, in all layers."""
    items: list[Item] = []
    for item in side.items:
        items += item.items if isinstance(item, Layer) else (item,)
    return (*items, *side.own)
