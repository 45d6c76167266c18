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
from collections.abc import Mapping, Sequence
from itertools import product

from duckpress.core.frame import Group, Item, Paint
from duckpress.core.geometry import Matrix, Rect, translation
from duckpress.core.language import Speech, program
from duckpress.core.sizes import Format, Paper
from duckpress.impose.footer import Typeset
from duckpress.impose.grid import (
    END_LEAST_MM,
    MARK_LONGEST_MM,
    MARK_OFFSET_MM,
    MARK_STROKE_MM,
    Axis,
    FooterShape,
    Grid,
    PaperWay,
    fit_axis,
    marks_beside,
    spread,
    ways_of,
)
from duckpress.impose.job import ImpositionJob, Layout, best_grid, grid_layout
from duckpress.impose.marks import cut_layer, cut_lines, cuts, lines_across, mark_ends, marks_at, mirrored, stroked
from duckpress.impose.sheets import FOLD_LAYER, Gaps, Layer, Turn

FOLD_CLEAR_MM = 5.0
FOLD_PAINT = Paint(stroke="#000000", stroke_mm=0.2, dash_mm=(2.0, 1.2))
_WORD_PT = 6.0
_WORD_GAP_MM = 0.8  # from the line to the baseline
_WORD_ROOM_MM = 2.6  # along the line, where no crop mark may stand: the word's height and a gap
_TOLERANCE_MM = 1e-6


class Half(Grid, frozen=True):
    """The grid of the fronts of a folded sheet, left of a vertical fold or above a horizontal one.

    `way.paper` is the whole sheet; along the axis that the fold cuts, the grid ends before the fold.
    """

    is_upright: bool

    @property
    def fold_mm(self) -> float:
        return (self.way.paper.width_mm if self.is_upright else self.way.paper.height_mm) / 2

    @property
    def turn(self) -> Turn:
        """The turn of the whole sheet with the same effect as its fold."""
        is_upright_paper = self.way.paper.width_mm <= self.way.paper.height_mm
        return Turn.LONG if is_upright_paper is self.is_upright else Turn.SHORT


def fit_half(
    format_: Format, paper: Paper, footer_mm: Mapping[FooterShape, float] | None = None, gaps: Gaps = Gaps.MOST
) -> Half | None:
    """Return the best half of a folded sheet for a format; None if no card fits.

    Of all ways to lay the paper, the fold and the footer the best is the one with the most cards; then with whole
    titles in the footer; then with the most bleed shown; then with an upright fold; then upright, footer below.
    """
    ways = product(ways_of(paper), (True, False))
    halves = filter(None, (_half(format_, way, gaps, is_upright=is_upright) for way, is_upright in ways))
    return max(halves, key=lambda half: (*half.score(footer_mm), half.is_upright, *half.way.preference), default=None)


def _half(format_: Format, way: PaperWay, gaps: Gaps, *, is_upright: bool) -> Half | None:
    size, margins, (across_mm, down_mm) = way.paper, way.margins, way.reserves
    (wide_mm, high_mm), bleed_mm = format_.trim, format_.bleed_mm
    # The footer takes room at the left or below; beside the fold what it takes of one half, the other lacks too.
    if is_upright:
        columns = _axis_to_fold(margins.width_mm + across_mm, size.width_mm / 2, wide_mm, bleed_mm, gaps)
        rows = _axis_along(margins.height_mm, size.height_mm - margins.height_mm - down_mm, high_mm, bleed_mm, gaps)
    else:
        columns = _axis_along(margins.width_mm + across_mm, size.width_mm - margins.width_mm, wide_mm, bleed_mm, gaps)
        rows = _axis_to_fold(margins.height_mm + down_mm, size.height_mm / 2, high_mm, bleed_mm, gaps)
    return Half(way, columns, rows, is_upright) if columns and rows else None


def _axis_along(from_mm: float, to_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps) -> Axis | None:
    """Return the axis along the fold: marks at both ends."""
    axis = fit_axis(to_mm - from_mm, 0.0, trim_mm, bleed_mm, gaps)
    return None if axis is None else axis._replace(start_mm=axis.start_mm + from_mm)


def _axis_to_fold(from_mm: float, fold_mm: float, trim_mm: float, bleed_mm: float, gaps: Gaps) -> Axis | None:
    """Return the axis across the fold: marks at the outer end, clearance at the fold."""
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


def gutter_layout(job: ImpositionJob, format_: Format, indexes: Sequence[int]) -> Layout | None:
    """Return faces of one size on folded sheets; None if they are too large for half a sheet."""
    job = job._replace(is_folded=True)
    footer_mm = job.footer_mm()
    half = best_grid(job, indexes, lambda gaps: fit_half(format_, job.paper, footer_mm, gaps))
    if half is None:
        return None
    slots, paper, is_upright = half.slots(), half.way.paper, half.is_upright
    fold = Layer(FOLD_LAYER, fold_items(half, half.way.room, job.typeset, job.label.speech))

    def marks(filled: int, _is_back: bool) -> tuple[Layer, ...]:
        """Return the marks around the first slots and around the places of their backs."""
        columns = cuts(half.columns, range(min(filled, half.columns.trims)))
        rows = cuts(half.rows, range(math.ceil(filled / half.columns.trims)))
        across, down = mark_ends(half.columns), mark_ends(half.rows)
        # Between the grid and the fold they end clear of the word beside the line.
        axis, ends = (half.columns, across) if is_upright else (half.rows, down)
        near_mm = axis.end_mm + axis.bleed_mm + MARK_OFFSET_MM
        ends[1] = near_mm, min(near_mm + MARK_LONGEST_MM, half.fold_mm - _WORD_ROOM_MM)
        strokes = marks_at(columns, rows, across, down)
        strokes += mirrored(strokes, paper, is_left_right=is_upright)
        if is_upright:
            columns += [paper.width_mm - x_mm for x_mm in columns]
        else:
            rows += [paper.height_mm - y_mm for y_mm in rows]
        lines, shapes = lines_across(columns, rows, half.way.room), cut_lines(slots[:filled], format_)
        return *cut_layer(job.manner.cut, strokes, lines, shapes), fold

    return grid_layout(job._replace(turn=half.turn), half, indexes, marks)


def fold_items(half: Half, room: Rect, typeset: Typeset, speech: Speech) -> tuple[Item, ...]:
    """Return the dashed line across the sheet, and at both its ends a label."""
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
