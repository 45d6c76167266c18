"""Sheets of several sizes: blocks of pieces with crop marks around each, and the backs behind them."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.sizes import Format
from duckpress.impose.job import ImpositionJob, Layout, SheetPlan
from duckpress.impose.marks import (
    MARK_PAINT,
    Stroke,
    cut_layer,
    cut_lines,
    ends_beside,
    lines_across,
    marks_at,
    mirrored,
)
from duckpress.impose.packing import MARK_MM, MARK_OFFSET_MM, Lot, PackedRows, pack
from duckpress.impose.paper_ways import PaperWay, ways_of
from duckpress.impose.sheets import Layer, turns_left_right


def mixed_layout(job: ImpositionJob, stacks: Sequence[tuple[Format, Sequence[int]]]) -> Layout | None:
    """Return common sheets for formats with the faces to place (copies repeated), or None where there are none."""
    best = _best(job, [Lot(format_, len(stack)) for format_, stack in stacks])
    if best is None:
        return None
    way, packed = best
    waiting = [iter(stack) for _, stack in stacks]

    def plan(blocks: Sequence[PackedRows]) -> SheetPlan:
        seats = [(next(waiting[block.lot]), slot) for block in blocks for slot in block.slots()]
        return SheetPlan(seats, lambda is_back: marks(blocks, is_back))

    def marks(blocks: Sequence[PackedRows], is_back: bool) -> tuple[Layer, ...]:
        strokes = [stroke for block in blocks for stroke in _marks(block)]
        lines = [line for block in blocks for line in _lines(block)]
        if is_back:
            is_left_right = turns_left_right(way.paper, job.turn)
            strokes, lines = (mirrored(some, way.paper, is_left_right=is_left_right) for some in (strokes, lines))
            return cut_layer(job.manner.cut, strokes, lines)
        shapes = [shape for block in blocks for shape in cut_lines(block.slots(), stacks[block.lot][0])]
        return cut_layer(job.manner.cut, strokes, lines, shapes)

    return Layout(job, way, len(packed), map(plan, packed))


def _lines(block: PackedRows) -> list[Stroke]:
    """Return a line through a block and its marks for each cut."""
    return lines_across(*_cuts(block), block.box.grown(block.bleed_mm + MARK_OFFSET_MM + MARK_MM))


def _marks(block: PackedRows) -> list[Stroke]:
    """Return the crop marks of a block: outside its bleed, one for each cut."""
    near_mm = block.bleed_mm + MARK_OFFSET_MM
    return marks_at(*_cuts(block), *ends_beside(block.box, near_mm, near_mm + MARK_MM))


def _cuts(block: PackedRows) -> tuple[list[float], list[float]]:
    """Return where a block is cut, across and down."""

    def along(start_mm: float, length_mm: float, count: int) -> list[float]:
        step_mm = length_mm + block.gap_mm
        starts = [start_mm + index * step_mm for index in range(count if block.gap_mm > 0 else 1)]
        return [*starts, *(start_mm + index * step_mm + length_mm for index in range(count))]

    columns = along(block.x_mm, block.trim.width_mm, block.columns)
    return columns, along(block.y_mm, block.trim.height_mm, block.rows)


def _best(job: ImpositionJob, lots: Sequence[Lot]) -> tuple[PaperWay, list[tuple[PackedRows, ...]]] | None:
    """Return the way with the fewest sheets, then with whole titles in the footer; None where a size does not fit."""
    footer_mm = job.footer_mm()
    packed = []
    for way in ways_of(job.paper):
        # Alike on both sides, so that the pieces stay in the middle.
        room = way.printable.grown(-MARK_PAINT.stroke_mm / 2).inside(way.reserves)
        sheets = pack(lots, room, job.manner.gaps)
        if sheets is not None:
            packed.append((way, sheets))

    def score(one: tuple[PaperWay, list[tuple[PackedRows, ...]]]) -> tuple[float, ...]:
        way, sheets = one
        return (-len(sheets), way.line_mm >= footer_mm[way.shape], *way.preference)

    return max(packed, key=score, default=None)
