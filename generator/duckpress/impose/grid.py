"""The grid of a sheet: how many cards of a size fit a paper, where, and the space left for bleed, marks and footer.

The grid is centred both ways, because an off-centre grid doubles its error on the back. Each direction is worked out
alone (`Axis`): the trims, then at each end the shown bleed, the crop marks and, at the footer's margin, the footer.
What the footer takes at one end is kept free at the other, so that the grid stays in the middle.

Of all ways to lay the cards (paper upright or on its side, footer below or at the left, in two rows or one) the best
is the one with the most cards; then with whole titles in the footer; then with the most bleed shown (outside and in
the gaps); then upright, footer below, two rows.

When room is short the gaps close first, then crop marks shrink, then the outer bleed, then the marks' offset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import MM_PER_INCH, Matrix, Rect, Size, added, translation
from duckpress.core.sizes import Format, Paper
from duckpress.impose.sheets import Edges, Gaps, Slot

FOOTER_CLEAR_MM = 0.5
BARS = ((50.0, "50 mm"), (2 * MM_PER_INCH, "2 in"))
"""The bars of a footer: how long they are, and what is written beside them."""
BAR_STROKE_MM = 0.15
BAR_LABEL_GAP_MM = 1.0
BAR_LABEL_ROOM_MM = 8.0
_TEXT_TO_BARS_MM = 4.0


class FooterShape(NamedTuple):
    """An arrangement of the footer: the baselines of its rows, the room for its bars, and its shortest line."""

    thickness_mm: float
    baselines_mm: tuple[float, ...]
    bars_mm: tuple[tuple[float, float], ...]  # x from the start of the bars and y of the middle, one for each of BARS
    bars_room_mm: float
    shortest_mm: float

    @property
    def text_room_mm(self) -> float:
        """The length that the bars and the gap before them take from the line."""
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
    """The paper in one orientation, its margins across and down, and the footer's place (below or left) and shape."""

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
        """The strip that the footer takes at one end of the paper, across and down."""
        footer_mm = self.shape.thickness_mm + FOOTER_CLEAR_MM
        return Size(0.0, footer_mm) if self.is_below else Size(footer_mm, 0.0)

    @property
    def printable(self) -> Rect:
        return Rect(0.0, 0.0, *self.paper).inside(self.margins)

    @property
    def room(self) -> Rect:
        """The printable area without the footer."""
        room, (across_mm, down_mm) = self.printable, self.reserves
        return Rect(room.x_mm + across_mm, room.y_mm, room.width_mm - across_mm, room.height_mm - down_mm)

    @property
    def placing(self) -> Matrix:
        """The matrix from the footer's coordinates to the page's."""
        left_mm, bottom_mm = self.margins.width_mm, self.paper.height_mm - self.margins.height_mm
        if self.is_below:
            return translation(left_mm, bottom_mm - self.shape.thickness_mm)
        # A quarter turn anticlockwise: the line runs up the page, its top to the left.
        return Matrix(0.0, -1.0, 1.0, 0.0, left_mm, bottom_mm)

    @property
    def preference(self) -> tuple[bool, bool, bool]:
        """The sort key among equally good ways: upright, then the footer below, then in two rows."""
        is_upright = self.paper.width_mm <= self.paper.height_mm
        return is_upright, self.is_below, self.shape is TWO_ROWS


def every_way(paper: Paper, shapes: Sequence[FooterShape] = SHAPES) -> Iterator[PaperWay]:
    """Yield the ways to lay a paper with a footer, even if the footer does not fit."""
    for size, is_below, shape in product((paper.size, paper.size.turned()), (True, False), shapes):
        yield PaperWay(size, paper.margins(size), is_below, shape)


def ways_of(paper: Paper, shapes: Sequence[FooterShape] = SHAPES) -> Iterator[PaperWay]:
    """Yield the ways to lay a paper in which the footer fits."""
    return (way for way in every_way(paper, shapes) if way.line_mm >= way.shape.shortest_mm)


MARK_OFFSET_MM = 1.0
MARK_STROKE_MM = 0.15
MARK_LONGEST_MM = 5.0

# Shorter marks no longer guide a knife. Together they fit what 3 x 3 poker cards leave on Letter: 1.35 mm at each end.
_MARK_LEAST_MM = 0.75
_OFFSET_LEAST_MM = 0.5
_MARK_GOOD_MM = 1.0
END_LEAST_MM = _OFFSET_LEAST_MM + _MARK_LEAST_MM + MARK_STROKE_MM / 2
# A narrower gap costs a second cut and gives each card less than 1 mm of bleed: less than a home printer drifts.
GAP_LEAST_MM = 2.0
# What a home printer's second side, a fold or a knife may drift. Source: feed skews of 1 to 1.5 mm are usual; 2 mm is
# what printers of games ask for as bleed (printplaygames.com: at least 2 mm).
DRIFT_MM = 2.0
_TOLERANCE_MM = 1e-6


class Axis(NamedTuple):
    """One direction of a grid: `trims` trims from `start_mm` on, `gap_mm` apart.

    `bleed_mm` is the bleed shown at the outer ends, `inner_bleed_mm` between neighbours; crop marks begin `offset_mm`
    beyond the outer bleed and are `mark_mm` long.
    """

    trims: int
    start_mm: float
    trim_mm: float
    gap_mm: float
    bleed_mm: float
    inner_bleed_mm: float
    offset_mm: float = 0.0
    mark_mm: float = 0.0

    def at(self, index: int) -> float:
        return self.start_mm + index * (self.trim_mm + self.gap_mm)

    @property
    def end_mm(self) -> float:
        return self.at(self.trims - 1) + self.trim_mm

    def bleeds(self, index: int) -> tuple[float, float]:
        """Return the bleed shown before and after a trim."""
        before_mm = self.bleed_mm if index == 0 else self.inner_bleed_mm
        return before_mm, self.bleed_mm if index == self.trims - 1 else self.inner_bleed_mm


class Grid(Struct, frozen=True):
    """The grid of a sheet, for one orientation of the paper and one place of the footer."""

    way: PaperWay
    columns: Axis
    rows: Axis

    @property
    def capacity(self) -> int:
        return self.columns.trims * self.rows.trims

    @property
    def shown_mm(self) -> float:
        """The total bleed shown, at the ends and inside, across and down."""
        # Hundredths of a millimetre: what is smaller is rounding, not bleed.
        return round(added(axis.bleed_mm + axis.inner_bleed_mm for axis in (self.columns, self.rows)), 2)

    def score(self, footer_mm: Mapping[FooterShape, float] | None) -> tuple[float, ...]:
        """Return the rating of the grid: the most cards, then whole titles in the footer, then the most bleed shown."""
        is_whole = footer_mm is None or self.way.line_mm >= footer_mm[self.way.shape]
        return self.capacity, is_whole, self.shown_mm

    def slots(self) -> list[Slot]:
        """Return the places of the cards, row by row."""
        return slots_of(self.columns, self.rows)


def slots_of(columns: Axis, rows: Axis) -> list[Slot]:
    """Return the places of a grid, row by row."""
    slots = []
    for row, column in product(range(rows.trims), range(columns.trims)):
        (left_mm, right_mm), (top_mm, bottom_mm) = columns.bleeds(column), rows.bleeds(row)
        slots.append(Slot(columns.at(column), rows.at(row), Edges(left_mm, top_mm, right_mm, bottom_mm)))
    return slots


def fit_grid(
    format_: Format, paper: Paper, footer_mm: Mapping[FooterShape, float] | None = None, gaps: Gaps = Gaps.MOST
) -> Grid | None:
    """Return the best grid for a format on a paper, or None if no card fits (see `check_fit`).

    `footer_mm` is the length that each shape of footer needs to say everything; without it any length will do.
    """
    (width_mm, height_mm), bleed_mm = format_.trim, format_.bleed_mm
    grids = []
    for way in ways_of(paper):
        (across_mm, down_mm), margins = way.reserves, way.margins
        columns = fit_axis(way.paper.width_mm, margins.width_mm + across_mm, width_mm, bleed_mm, gaps)
        rows = fit_axis(way.paper.height_mm, margins.height_mm + down_mm, height_mm, bleed_mm, gaps)
        if columns and rows:
            grids.append(Grid(way, columns, rows))
    return max(grids, key=lambda grid: (*grid.score(footer_mm), *grid.way.preference), default=None)


def fit_axis(length_mm: float, kept_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps = Gaps.MOST) -> Axis | None:
    """Return the axis of as many trims as fit a length with `kept_mm` free at each end, or None if none does."""
    count = int((length_mm - 2 * (kept_mm + END_LEAST_MM) + _TOLERANCE_MM) // trim_mm)
    if count < 1:
        return None
    over_mm = length_mm - 2 * (kept_mm + bleed_mm + MARK_OFFSET_MM + _MARK_GOOD_MM)
    count, gap_mm = spread(over_mm, count, trim_mm, bleed_mm, gaps)
    start_mm = (length_mm - count * trim_mm - (count - 1) * gap_mm) / 2
    end_mm = start_mm - kept_mm
    shown_mm = max(0.0, min(bleed_mm, end_mm - MARK_OFFSET_MM - _MARK_GOOD_MM))
    offset_mm, mark_mm = marks_beside(end_mm, shown_mm)
    return Axis(count, start_mm, trim_mm, gap_mm, shown_mm, min(bleed_mm, gap_mm / 2), offset_mm, mark_mm)


def marks_beside(end_mm: float, shown_mm: float) -> tuple[float, float]:
    """Return the distance of the marks from the shown bleed, and their length, for a margin of `end_mm`."""
    offset_mm = min(MARK_OFFSET_MM, max(_OFFSET_LEAST_MM, end_mm - shown_mm - _MARK_GOOD_MM))
    return offset_mm, min(MARK_LONGEST_MM, end_mm - shown_mm - offset_mm - MARK_STROKE_MM / 2)


def spread(over_mm: float, count: int, trim_mm: float, bleed_mm: float, gaps: Gaps) -> tuple[int, float]:
    """Return how many of at most `count` trims fit a length, and their gap.

    With `Gaps.ALWAYS` it is so many that each shows its bleed, or `DRIFT_MM` of it, on all sides; with `Gaps.LEAST` so
    many as lie `GAP_LEAST_MM` apart, which both leave where there is less bleed. Else it is all of them, apart where
    that leaves each at least half of `GAP_LEAST_MM`.
    """
    is_apart = gaps in (Gaps.ALWAYS, Gaps.LEAST)
    wanted_mm = 2 * min(bleed_mm, DRIFT_MM) if gaps is Gaps.ALWAYS else min(GAP_LEAST_MM, 2 * bleed_mm)
    most_mm = 2 * bleed_mm
    if is_apart:
        wanted_mm, most_mm = max(wanted_mm, GAP_LEAST_MM), max(most_mm, GAP_LEAST_MM)
    while count > 1 and most_mm > 0 and gaps is not Gaps.NEVER:
        gap_mm = min(most_mm, (over_mm - count * trim_mm) / (count - 1))
        if gap_mm + _TOLERANCE_MM >= wanted_mm:
            return count, gap_mm
        if not is_apart:
            break
        count -= 1
    return count, 0.0
