"""The grid of a sheet: how many cards of a size lie on a paper, where, and what is left for bleed, marks and footer.

The grid is centred both ways, because an off-centre grid doubles its error on the back. Each direction is worked out
alone (`Axis`): the trims, then at each end the shown bleed, the crop marks and, at the footer's margin, the footer.
What the footer takes at one end is kept free at the other, so that the grid stays in the middle.

Of all ways to lay the cards (paper upright or on its side, footer below or at the left, in two rows or one) the best
is the one with the most cards; then with whole titles in the footer; then with the most bleed shown (outside and in
the gaps); then upright, footer below, two rows.

When room is short the gaps close first, then crop marks shrink, then the outer bleed, then the marks' offset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import Format, Paper
from duckpress.core.units import added
from duckpress.impose.footer import SHAPES, TWO_ROWS, FooterPlace, FooterShape
from duckpress.impose.sheets import Edges, Gaps

MARK_OFFSET_MM = 1.0
MARK_STROKE_MM = 0.15
MARK_LONGEST_MM = 5.0
FOOTER_CLEAR_MM = 0.5

# Shorter marks no longer guide a knife. Together they fit what 3 x 3 poker cards leave on Letter: 1.35 mm at each end.
_MARK_LEAST_MM = 0.75
_OFFSET_LEAST_MM = 0.5
_MARK_GOOD_MM = 1.0
END_LEAST_MM = _OFFSET_LEAST_MM + _MARK_LEAST_MM + MARK_STROKE_MM / 2
# A narrower gap costs a second cut and gives each card less than 1 mm of bleed: less than a home printer drifts.
_GAP_LEAST_MM = 2.0
# What a home printer's second side, a fold or a knife may drift. Source: feed skews of 1 to 1.5 mm are usual; 2 mm is
# what printers of games ask for as bleed (printplaygames.com: at least 2 mm).
DRIFT_MM = 2.0
_TOLERANCE_MM = 1e-6


class Axis(NamedTuple):
    """One direction of a grid: so many `trims` from `start_mm` on, `gap_mm` apart.

    `bleed_mm` is the bleed shown at the outer ends, `inner_bleed_mm` between neighbours; crop marks begin `offset_mm`
    beyond the outer bleed and are `mark_mm` long.
    """

    trims: int
    start_mm: float
    trim_mm: float
    gap_mm: float
    bleed_mm: float
    inner_bleed_mm: float
    offset_mm: float
    mark_mm: float

    def at(self, index: int) -> float:
        """Return where a trim begins."""
        return self.start_mm + index * (self.trim_mm + self.gap_mm)

    @property
    def end_mm(self) -> float:
        """Where the last trim ends."""
        return self.at(self.trims - 1) + self.trim_mm

    def bleeds(self, index: int) -> tuple[float, float]:
        """Return the bleed shown before and after a trim."""
        before_mm = self.bleed_mm if index == 0 else self.inner_bleed_mm
        return before_mm, self.bleed_mm if index == self.trims - 1 else self.inner_bleed_mm


class Slot(NamedTuple):
    """The place of one card: top left of its trim, and the bleed shown around it."""

    x_mm: float
    y_mm: float
    bleed: Edges


class Grid(Struct, frozen=True):
    """The grid of a sheet on a paper as it lies, and where and how its footer stands."""

    paper: Size
    columns: Axis
    rows: Axis
    place: FooterPlace
    shape: FooterShape

    @property
    def capacity(self) -> int:
        """How many cards a side holds."""
        return self.columns.trims * self.rows.trims

    def slots(self) -> tuple[Slot, ...]:
        """Return the places of the cards, row by row."""
        return tuple(
            Slot(self.columns.at(column), self.rows.at(row), self._bleed(column, row))
            for row in range(self.rows.trims)
            for column in range(self.columns.trims)
        )

    def _bleed(self, column: int, row: int) -> Edges:
        (left_mm, right_mm), (top_mm, bottom_mm) = self.columns.bleeds(column), self.rows.bleeds(row)
        return Edges(left_mm, top_mm, right_mm, bottom_mm)


def fit_grid(
    format_: Format, paper: Paper, footer_mm: Mapping[FooterShape, float] | None = None, gaps: Gaps = Gaps.MOST
) -> Grid | None:
    """Return the best grid for a format on a paper, or None where not one card fits (see `check_fit`).

    `footer_mm` is the length that each shape of footer needs to say everything; without it any length will do.
    """
    best: tuple[tuple[float, ...], Grid] | None = None
    for size in (paper.size, paper.size.turned()):
        for place in FooterPlace:
            for shape in SHAPES:
                grid = _grid(format_, size, paper.margins(size), place, shape, gaps)
                if grid is not None:
                    line_mm = line_length(size, paper.margins(size), place)
                    is_whole = footer_mm is None or line_mm >= footer_mm[shape]
                    score = _score(grid, is_whole=is_whole)
                    if best is None or score > best[0]:
                        best = (score, grid)
    return best[1] if best else None


def line_length(paper: Size, margins: Size, place: FooterPlace) -> float:
    """Return the length of the footer's line on a paper as it lies, with those margins across and down."""
    if place is FooterPlace.BOTTOM:
        return paper.width_mm - 2 * margins.width_mm
    return paper.height_mm - 2 * margins.height_mm


def room_of(grid: Grid, margins: Size) -> Rect:
    """Return what the printer reaches of a sheet, without the footer."""
    room = Rect(0.0, 0.0, *grid.paper).inside(margins)
    across_mm, down_mm = reserves(grid.place, grid.shape)
    return Rect(room.x_mm + across_mm, room.y_mm, room.width_mm - across_mm, room.height_mm - down_mm)


def largest_trims(paper: Paper) -> tuple[Size, ...]:
    """Return the largest trims that fit a paper, one for every way it can lie and the footer can stand."""
    found = []
    for size in (paper.size, paper.size.turned()):
        for place in FooterPlace:
            for shape in SHAPES:
                margins = paper.margins(size)
                if line_length(size, margins, place) >= shape.shortest_mm:
                    across_mm, down_mm = reserves(place, shape)
                    found.append(
                        Size(
                            size.width_mm - 2 * (margins.width_mm + END_LEAST_MM + across_mm),
                            size.height_mm - 2 * (margins.height_mm + END_LEAST_MM + down_mm),
                        )
                    )
    return tuple(size for size in dict.fromkeys(found) if min(size) > 0)


def _score(grid: Grid, *, is_whole: bool) -> tuple[float, ...]:
    # Hundredths of a millimetre: what is smaller is rounding, not bleed.
    shown_mm = added(axis.bleed_mm + axis.inner_bleed_mm for axis in (grid.columns, grid.rows))
    is_upright = grid.paper.width_mm <= grid.paper.height_mm
    return (
        grid.capacity,
        is_whole,
        round(shown_mm, 2),
        is_upright,
        grid.place is FooterPlace.BOTTOM,
        grid.shape is TWO_ROWS,
    )


def _grid(
    format_: Format, size: Size, margins: Size, place: FooterPlace, shape: FooterShape, gaps: Gaps
) -> Grid | None:
    if line_length(size, margins, place) < shape.shortest_mm:
        return None
    across_mm, down_mm = reserves(place, shape)
    columns = fit_axis(size.width_mm, margins.width_mm + across_mm, format_.trim.width_mm, format_.bleed_mm, gaps)
    rows = fit_axis(size.height_mm, margins.height_mm + down_mm, format_.trim.height_mm, format_.bleed_mm, gaps)
    return Grid(size, columns, rows, place, shape) if columns and rows else None


def reserves(place: FooterPlace, shape: FooterShape) -> tuple[float, float]:
    """Return what the footer takes off each end, across and down."""
    footer_mm = shape.thickness_mm + FOOTER_CLEAR_MM
    return (0.0, footer_mm) if place is FooterPlace.BOTTOM else (footer_mm, 0.0)


def fit_axis(length_mm: float, kept_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps = Gaps.MOST) -> Axis | None:
    """Return as many trims as a length holds with `kept_mm` left free at each end, and share out what is over."""
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
    """Return how far beyond the shown bleed the marks begin, and their length, where there is so much beside a trim."""
    offset_mm = min(MARK_OFFSET_MM, max(_OFFSET_LEAST_MM, end_mm - shown_mm - _MARK_GOOD_MM))
    return offset_mm, min(MARK_LONGEST_MM, end_mm - shown_mm - offset_mm - MARK_STROKE_MM / 2)


def spread(over_mm: float, count: int, trim_mm: float, bleed_mm: float, gaps: Gaps) -> tuple[int, float]:
    """Return how many of at most `count` trims lie in a length, and how far apart.

    Without `Gaps.ALWAYS` it is all of them, apart where that leaves each at least half of `_GAP_LEAST_MM`; with it so
    many that each shows its bleed, or `DRIFT_MM` of it, on all sides.
    """
    wanted_mm = 2 * min(bleed_mm, DRIFT_MM)
    while count > 1 and bleed_mm > 0 and gaps is not Gaps.NEVER:
        gap_mm = min(2 * bleed_mm, (over_mm - count * trim_mm) / (count - 1))
        if gap_mm + _TOLERANCE_MM >= (wanted_mm if gaps is Gaps.ALWAYS else min(_GAP_LEAST_MM, 2 * bleed_mm)):
            return count, gap_mm
        if gaps is not Gaps.ALWAYS:
            break
        count -= 1
    return count, 0.0
