"""Gutterfold: fronts and backs on one side of the paper, on either side of a fold line in its middle.

The sheet is folded back along the line, glued and then cut through both layers, so that front and back cannot drift
apart by more than the fold is off. The line lies in the middle of the paper: then its edges meet when it is folded
right. To the left of an upright fold a point lies as far from it as what comes behind it lies to its right: columns
mirror, backs stand upright. About a level fold rows mirror, and backs stand at 180 degrees. Both are what `behind`
gives for a sheet turned about that line, so a card turned over left-right in the hand shows its back upright.

Between the fold and any bleed (or trim, where none is shown) lie at least `FOLD_CLEAR_MM`: paper does not lie flat
right at a fold. Source: github.com/ernierasta/pnp-howto, which asks for 5 mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from duckpress.core.frame import Group, Item, Paint
from duckpress.core.geometry import Matrix, Rect, Size, translation
from duckpress.core.sizes import Format, Paper
from duckpress.core.units import added
from duckpress.impose.cutlines import cut_layer, mirrored, stroked
from duckpress.impose.duplex import behind
from duckpress.impose.footer import SHAPES, TWO_ROWS, Footer, FooterPlace, FooterShape, Typeset, placing
from duckpress.impose.grid import (
    END_LEAST_MM,
    MARK_LONGEST_MM,
    MARK_OFFSET_MM,
    MARK_STROKE_MM,
    Axis,
    Grid,
    fit_axis,
    line_length,
    marks_beside,
    reserves,
    room_of,
    spread,
)
from duckpress.impose.job import ImpositionJob
from duckpress.impose.marks import cut_lines, cuts, mark_ends
from duckpress.impose.sheets import FOLD_LAYER, Gaps, Layer, Sheet, Side, Turn
from duckpress.impose.spacing import roomier
from duckpress.language import Speech, program

FOLD_CLEAR_MM = 5.0
FOLD_PAINT = Paint(stroke="#000000", stroke_mm=0.2, dash_mm=(2.0, 1.2))
_WORD_PT = 6.0
_WORD_GAP_MM = 0.8  # from the line to the baseline
_WORD_ROOM_MM = 2.6  # along the line, where no crop mark may stand: the word's height and a gap
_TOLERANCE_MM = 1e-6


class Half(Struct, frozen=True):
    """The fronts of a folded sheet: their grid, left of an upright fold or above a level one.

    `grid.paper` is the whole sheet; along the axis that the fold cuts, the grid ends before the fold.
    """

    grid: Grid
    is_upright: bool

    @property
    def capacity(self) -> int:
        """How many cards a sheet holds."""
        return self.grid.capacity

    @property
    def fold_mm(self) -> float:
        """Where the fold is, from the left or from the top."""
        return (self.grid.paper.width_mm if self.is_upright else self.grid.paper.height_mm) / 2

    @property
    def turn(self) -> Turn:
        """The turn of the whole sheet that is the same as folding it."""
        is_upright_paper = self.grid.paper.width_mm <= self.grid.paper.height_mm
        return Turn.LONG if is_upright_paper is self.is_upright else Turn.SHORT


def fit_half(
    format_: Format, paper: Paper, footer_mm: Mapping[FooterShape, float] | None = None, gaps: Gaps = Gaps.MOST
) -> Half | None:
    """Return the best half of a folded sheet for a format; None where not one card fits it.

    Of all ways to lay the paper, the fold and the footer the best is the one with the most cards; then with whole
    titles in the footer; then with the most bleed shown; then with an upright fold; then upright, footer below.
    """
    best: tuple[tuple[float, ...], Half] | None = None
    for size, is_upright, place, shape in _ways(paper):
        grid = _grid(format_, paper, size, place, shape, gaps, is_upright=is_upright)
        if grid is None:
            continue
        length_mm = line_length(size, paper.margins(size), place)
        shown_mm = added(axis.bleed_mm + axis.inner_bleed_mm for axis in (grid.columns, grid.rows))
        score = (
            grid.capacity,
            footer_mm is None or length_mm >= footer_mm[shape],
            round(shown_mm, 2),
            is_upright,
            size.width_mm <= size.height_mm,
            place is FooterPlace.BOTTOM,
            shape is TWO_ROWS,
        )
        if best is None or score > best[0]:
            best = (score, Half(grid, is_upright))
    return best[1] if best else None


def _ways(paper: Paper) -> Iterator[tuple[Size, bool, FooterPlace, FooterShape]]:
    for size in (paper.size, paper.size.turned()):
        for place in FooterPlace:
            for shape in SHAPES:
                if line_length(size, paper.margins(size), place) >= shape.shortest_mm:
                    yield size, True, place, shape
                    yield size, False, place, shape


def _grid(
    format_: Format, paper: Paper, size: Size, place: FooterPlace, shape: FooterShape, gaps: Gaps, *, is_upright: bool
) -> Grid | None:
    margins, (across_mm, down_mm) = paper.margins(size), reserves(place, shape)
    trim, bleed_mm = format_.trim, format_.bleed_mm
    # The footer takes room at the left or below; beside the fold what it takes of one half, the other lacks too.
    if is_upright:
        columns = _axis_to_fold(margins.width_mm + across_mm, size.width_mm / 2, trim.width_mm, bleed_mm, gaps)
        rows = _axis_along(
            margins.height_mm, size.height_mm - margins.height_mm - down_mm, trim.height_mm, bleed_mm, gaps
        )
    else:
        columns = _axis_along(
            margins.width_mm + across_mm, size.width_mm - margins.width_mm, trim.width_mm, bleed_mm, gaps
        )
        rows = _axis_to_fold(margins.height_mm + down_mm, size.height_mm / 2, trim.height_mm, bleed_mm, gaps)
    return Grid(size, columns, rows, place, shape) if columns and rows else None


def _axis_along(from_mm: float, to_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps) -> Axis | None:
    """Return the direction along the fold: marks at both ends."""
    axis = fit_axis(to_mm - from_mm, 0.0, trim_mm, bleed_mm, gaps)
    return None if axis is None else axis._replace(start_mm=axis.start_mm + from_mm)


def _axis_to_fold(from_mm: float, fold_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps) -> Axis | None:
    """Return the direction that the fold ends: marks at the outer end, the fold's clearance at the other."""
    room_mm = fold_mm - FOLD_CLEAR_MM - from_mm
    count = int((room_mm - END_LEAST_MM + _TOLERANCE_MM) // trim_mm)
    if count < 1:
        return None
    count, gap_mm = spread(room_mm - 2 * bleed_mm - 2 * MARK_OFFSET_MM, count, trim_mm, bleed_mm, gaps)
    over_mm = room_mm - END_LEAST_MM - count * trim_mm - (count - 1) * gap_mm
    shown_mm = min(bleed_mm, over_mm / 2)
    end_mm = END_LEAST_MM + shown_mm + (over_mm - 2 * shown_mm) / 2
    offset_mm, mark_mm = marks_beside(end_mm, shown_mm)
    inner_mm = min(bleed_mm, gap_mm / 2)
    return Axis(count, from_mm + end_mm, trim_mm, gap_mm, shown_mm, inner_mm, offset_mm, mark_mm)


def gutter_layout(job: ImpositionJob, format_: Format, indexes: Sequence[int]) -> GutterLayout | None:
    """Return the folded sheets of a format; None where it is too large for half a sheet."""

    def fit(gaps: Gaps) -> Half | None:
        return fit_half(format_, job.paper, job.footer_mm(), gaps)

    half = fit(Gaps.MOST if job.manner.gaps is Gaps.AUTO else job.manner.gaps)
    return None if half is None else GutterLayout(job, format_, roomier(job, half, indexes, fit), indexes)


class GutterLayout:
    """Faces of one size on folded sheets."""

    def __init__(self, job: ImpositionJob, format_: Format, half: Half, indexes: Sequence[int]) -> None:
        self.count = math.ceil(len(indexes) / half.capacity)
        self._job = job
        self._format = format_
        self._half = half
        self._indexes = indexes
        grid = half.grid
        margins = job.paper.margins(grid.paper)
        self._slots = grid.slots()
        self._behind = tuple(behind(slot, format_.trim, grid.paper, half.turn) for slot in self._slots)
        self._footer: Footer = job.footer(grid.shape, line_length(grid.paper, margins, grid.place))
        self._placing = placing(grid.place, grid.shape, grid.paper, margins)
        self._room = room_of(grid, margins)
        self._fold = Layer(FOLD_LAYER, fold_items(half, self._room, job.typeset, job.label.speech))
        self._marks: dict[int, tuple[Layer, ...]] = {}

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on."""
        capacity = self._half.capacity
        return [
            Sheet(
                self._half.grid.paper,
                self._side(self._indexes[start : start + capacity], number, total),
                None,
                number,
                total,
            )
            for number, start in enumerate(range(0, len(self._indexes), capacity), first)
        ]

    def _side(self, indexes: Sequence[int], number: int, total: int) -> Side:
        fronts = self._job.fronts(zip(indexes, self._slots, strict=False))
        backs = self._job.backs_behind(zip(indexes, self._behind, strict=False))
        marks = self._marks.get(len(indexes))
        if marks is None:
            marks = self._marks[len(indexes)] = self._make_marks(len(indexes))
        footer = Group(self._footer.items(number, total, is_back=False, piece=self._job.named(indexes)), self._placing)
        return Side((*fronts, *backs), (*marks, self._fold, footer))

    def _make_marks(self, filled: int) -> tuple[Layer, ...]:
        """Return the marks around the first slots and around the places behind them."""
        grid, is_upright = self._half.grid, self._half.is_upright
        columns = cuts(grid.columns, range(min(filled, grid.columns.trims)))
        rows = cuts(grid.rows, range(math.ceil(filled / grid.columns.trims)))
        across, down = list(mark_ends(grid.columns)), list(mark_ends(grid.rows))
        ends = across if is_upright else down
        axis = grid.columns if is_upright else grid.rows
        ends[1] = _end_at_fold(axis, self._half.fold_mm)
        strokes = [
            *((x_mm, y1_mm, x_mm, y2_mm) for x_mm in columns for y1_mm, y2_mm in down),
            *((x1_mm, y_mm, x2_mm, y_mm) for y_mm in rows for x1_mm, x2_mm in across),
        ]
        width_mm, height_mm = grid.paper
        strokes += mirrored(strokes, grid.paper, is_left_right=is_upright)
        if is_upright:
            columns = [*columns, *(width_mm - x_mm for x_mm in columns)]
        else:
            rows = [*rows, *(height_mm - y_mm for y_mm in rows)]
        shapes = cut_lines(self._slots[:filled], self._format)
        return cut_layer(self._job.manner.cut, stroked(strokes), columns, rows, self._room, shapes)


def _end_at_fold(axis: Axis, fold_mm: float) -> tuple[float, float]:
    """Return where the marks between a grid and the fold begin and end, clear of the word beside the line."""
    near_mm = axis.end_mm + axis.bleed_mm + MARK_OFFSET_MM
    return near_mm, min(near_mm + MARK_LONGEST_MM, fold_mm - _WORD_ROOM_MM)


def fold_items(half: Half, room: Rect, typeset: Typeset, speech: Speech) -> tuple[Item, ...]:
    """Return the dashed line across the sheet, and at both its ends the word that says what it is."""
    at_mm = half.fold_mm
    word, width_mm = typeset(speech.program(program.FOLD), _WORD_PT, False)
    if half.is_upright:
        line = (at_mm, room.y_mm, at_mm, room.bottom_mm)
        starts = (room.bottom_mm - MARK_STROKE_MM, room.y_mm + width_mm + MARK_STROKE_MM)
        words = [Group(word, Matrix(0.0, -1.0, 1.0, 0.0, at_mm - _WORD_GAP_MM, y_mm)) for y_mm in starts]
    else:
        line = (room.x_mm, at_mm, room.right_mm, at_mm)
        starts = (room.x_mm + MARK_STROKE_MM, room.right_mm - width_mm - MARK_STROKE_MM)
        words = [Group(word, translation(x_mm, at_mm - _WORD_GAP_MM)) for x_mm in starts]
    return (stroked([line], FOLD_PAINT), *words)
