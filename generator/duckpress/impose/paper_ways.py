"""The ways to lay a paper and to put a footer on it: upright or on its side, below or at the left, in two rows or one.

Every kind of layout tries them all, and takes the one that serves it best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from duckpress.core.geometry import Matrix, Rect, Size, translation
from duckpress.core.sizes import Paper
from duckpress.core.units import MM_PER_INCH

FOOTER_CLEAR_MM = 0.5
BARS = ((50.0, "50 mm"), (2 * MM_PER_INCH, "2 in"))
"""The bars of a footer: how long they are, and what is written beside them."""
BAR_STROKE_MM = 0.15
BAR_LABEL_GAP_MM = 1.0
BAR_LABEL_ROOM_MM = 8.0
_TEXT_TO_BARS_MM = 4.0


class FooterShape(NamedTuple):
    """A way to arrange the footer: baselines of its rows, room for its bars, and the shortest line that holds it."""

    thickness_mm: float
    baselines_mm: tuple[float, ...]
    bars_mm: tuple[tuple[float, float], ...]  # x from the start of the bars and y of the middle, one for each of BARS
    bars_room_mm: float
    shortest_mm: float

    @property
    def text_room_mm(self) -> float:
        """What the bars and the gap before them take off the length of the line."""
        return self.bars_room_mm + _TEXT_TO_BARS_MM


# Ascenders reach 0.8 of the type size above the baseline, descenders 0.3 below: 1.7 mm and 0.65 mm at 6 pt.
_ROW_MM = 2.35
_SECOND_BAR_MM = BARS[0][0] + BAR_LABEL_GAP_MM + BAR_LABEL_ROOM_MM + BAR_STROKE_MM
TWO_ROWS = FooterShape(
    2 * _ROW_MM,
    (1.7, 1.7 + _ROW_MM),
    ((0.0, 0.45 * _ROW_MM), (0.0, 1.45 * _ROW_MM)),
    BARS[1][0] + BAR_LABEL_GAP_MM + BAR_LABEL_ROOM_MM,
    125.0,
)
ONE_ROW = FooterShape(
    _ROW_MM,
    (1.7, 1.7),
    ((0.0, 0.45 * _ROW_MM), (_SECOND_BAR_MM, 0.45 * _ROW_MM)),
    _SECOND_BAR_MM + BARS[1][0] + BAR_LABEL_GAP_MM + BAR_LABEL_ROOM_MM,
    220.0,
)
SHAPES = (TWO_ROWS, ONE_ROW)


class PaperWay(NamedTuple):
    """The paper as it lies, its margins across and down, whether its footer stands below or at the left, and how."""

    paper: Size
    margins: Size
    is_below: bool
    shape: FooterShape

    @property
    def line_mm(self) -> float:
        """The length of the footer's line."""
        side = 0 if self.is_below else 1
        return self.paper[side] - 2 * self.margins[side]

    @property
    def reserves(self) -> Size:
        """What the footer takes off one end of the paper, across and down."""
        footer_mm = self.shape.thickness_mm + FOOTER_CLEAR_MM
        return Size(0.0, footer_mm) if self.is_below else Size(footer_mm, 0.0)

    @property
    def printable(self) -> Rect:
        """What the printer reaches."""
        return Rect(0.0, 0.0, *self.paper).inside(self.margins)

    @property
    def room(self) -> Rect:
        """What the printer reaches, without the footer."""
        room, (across_mm, down_mm) = self.printable, self.reserves
        return Rect(room.x_mm + across_mm, room.y_mm, room.width_mm - across_mm, room.height_mm - down_mm)

    @property
    def placing(self) -> Matrix:
        """The map from the footer's coordinates to the page's."""
        left_mm, bottom_mm = self.margins.width_mm, self.paper.height_mm - self.margins.height_mm
        if self.is_below:
            return translation(left_mm, bottom_mm - self.shape.thickness_mm)
        # A quarter turn anticlockwise: the line runs up the page, its top to the left.
        return Matrix(0.0, -1.0, 1.0, 0.0, left_mm, bottom_mm)

    @property
    def preference(self) -> tuple[bool, bool, bool]:
        """What is preferred among ways that are as good otherwise: upright, then the footer below, then in two rows."""
        is_upright = self.paper.width_mm <= self.paper.height_mm
        return is_upright, self.is_below, self.shape is TWO_ROWS


def every_way(paper: Paper, shapes: Sequence[FooterShape] = SHAPES) -> Iterator[PaperWay]:
    """Yield the ways to lay a paper with a footer, whether it has room for that or not."""
    for size, is_below, shape in product((paper.size, paper.size.turned()), (True, False), shapes):
        yield PaperWay(size, paper.margins(size), is_below, shape)


def ways_of(paper: Paper, shapes: Sequence[FooterShape] = SHAPES) -> Iterator[PaperWay]:
    """Yield the ways to lay a paper in which the footer has room."""
    return (way for way in every_way(paper, shapes) if way.line_mm >= way.shape.shortest_mm)
