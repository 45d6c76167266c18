"""Sheets of several sizes: blocks of pieces with crop marks around each, and the backs behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import Format
from duckpress.impose.cutlines import LINE_PAINT, MARK_PAINT, Stroke, lines_across, mirrored, stroked
from duckpress.impose.duplex import behind, turns_left_right
from duckpress.impose.footer import SHAPES, TWO_ROWS, FooterPlace, FooterShape, placing
from duckpress.impose.grid import FOOTER_CLEAR_MM, line_length
from duckpress.impose.job import ImpositionJob
from duckpress.impose.marks import cut_lines
from duckpress.impose.packing import MARK_MM, MARK_OFFSET_MM, Lot, PackedRows, pack
from duckpress.impose.sheets import CUT_LAYER, Cut, Layer, Sheet, Side


class PackedSheets(NamedTuple):
    """The blocks of each sheet, on a paper as it lies with a footer as it stands."""

    paper: Size
    place: FooterPlace
    shape: FooterShape
    sheets: list[tuple[PackedRows, ...]]


def mixed_layout(job: ImpositionJob, lots: Sequence[tuple[Format, Sequence[int]]]) -> MixedLayout | None:
    """Return common sheets for formats with the faces to place (copies repeated), or None where there are none."""
    packed = _best(job, [Lot(format_, len(stack)) for format_, stack in lots])
    return None if packed is None else MixedLayout(job, lots, packed)


class MixedLayout:
    """The pieces of several sizes on common sheets."""

    def __init__(self, job: ImpositionJob, lots: Sequence[tuple[Format, Sequence[int]]], packed: PackedSheets) -> None:
        self._job = job
        self._lots = lots
        self._paper, self._place, self._shape, self._packed = packed
        length_mm = line_length(self._paper, job.paper.margins(self._paper), self._place)
        self._footer = job.footer(self._shape, length_mm)
        self._placing = placing(self._place, self._shape, self._paper, job.paper.margins(self._paper))

    @property
    def count(self) -> int:
        """How many sheets it takes."""
        return len(self._packed)

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on."""
        waiting = [iter(stack) for _, stack in self._lots]
        sheets: list[Sheet] = []
        for number, blocks in enumerate(self._packed, first):
            seats = [(next(waiting[block.lot]), slot, block.trim) for block in blocks for slot in block.slots()]
            named = self._job.named([index for index, _, _ in seats])
            fronts = self._job.fronts((index, slot) for index, slot, _ in seats)
            front = Side(fronts, self._items(blocks, number, total, named, is_back=False))
            back = None
            if self._job.is_double_sided:
                paper, turn = self._paper, self._job.turn
                backs = ((index, behind(slot, trim, paper, turn)) for index, slot, trim in seats)
                back = Side(self._job.backs_behind(backs), self._items(blocks, number, total, named, is_back=True))
            sheets += self._job.sheets_of(self._paper, front, back, number, total)
        return sheets

    def _items(
        self, blocks: Sequence[PackedRows], number: int, total: int, piece: str, *, is_back: bool
    ) -> tuple[Item | Layer, ...]:
        footer = Group(self._footer.items(number, total, is_back=is_back, piece=piece), self._placing)
        cut = self._job.manner.cut
        if cut is Cut.NONE:
            return (footer,)
        marks: list[Item] = []
        if cut is Cut.LINES:
            lines = [line for block in blocks for line in block_lines(block)]
            marks.append(stroked(self._turned(lines, is_back), LINE_PAINT))
        marks.append(stroked(self._turned([stroke for block in blocks for stroke in block_marks(block)], is_back)))
        if not is_back:
            for block in blocks:
                marks += cut_lines(block.slots(), self._lots[block.lot][0])
        return Layer(CUT_LAYER, tuple(marks)), footer

    def _turned(self, strokes: Sequence[Stroke], is_back: bool) -> Sequence[Stroke]:
        """Return strokes as they lie on the side that is looked at."""
        is_left_right = turns_left_right(self._paper, self._job.turn)
        return mirrored(strokes, self._paper, is_left_right=is_left_right) if is_back else strokes


def block_lines(block: PackedRows) -> list[Stroke]:
    """Return a line through a block and its marks for each cut."""
    away_mm = block.bleed_mm + MARK_OFFSET_MM + MARK_MM
    columns = _cuts(block.box.x_mm, block.trim.width_mm, block.gap_mm, block.columns)
    rows = _cuts(block.box.y_mm, block.trim.height_mm, block.gap_mm, block.rows)
    return lines_across(columns, rows, block.box.grown(away_mm))


def block_marks(block: PackedRows) -> list[Stroke]:
    """Return the crop marks of a block as strokes (x1, y1, x2, y2): outside its bleed, one for each cut."""
    box = block.box
    near = block.bleed_mm + MARK_OFFSET_MM
    far = near + MARK_MM
    strokes = []
    for x_mm in _cuts(box.x_mm, block.trim.width_mm, block.gap_mm, block.columns):
        strokes.append((x_mm, box.y_mm - near, x_mm, box.y_mm - far))
        strokes.append((x_mm, box.bottom_mm + near, x_mm, box.bottom_mm + far))
    for y_mm in _cuts(box.y_mm, block.trim.height_mm, block.gap_mm, block.rows):
        strokes.append((box.x_mm - near, y_mm, box.x_mm - far, y_mm))
        strokes.append((box.right_mm + near, y_mm, box.right_mm + far, y_mm))
    return strokes


def _cuts(start_mm: float, length_mm: float, gap_mm: float, count: int) -> list[float]:
    step_mm = length_mm + gap_mm
    ends = [start_mm + index * step_mm + length_mm for index in range(count)]
    starts = [start_mm + index * step_mm for index in range(count if gap_mm > 0 else 1)]
    return [*starts, *ends]


def _best(job: ImpositionJob, lots: Sequence[Lot]) -> PackedSheets | None:
    """Return the way with the fewest sheets, then with whole titles in the footer; None where a size does not fit."""
    footer_mm = job.footer_mm()
    best: tuple[tuple[float, ...], PackedSheets] | None = None
    for paper in (job.paper.size, job.paper.size.turned()):
        for place in FooterPlace:
            for shape in SHAPES:
                if not _holds(job, paper, place, shape):
                    continue
                sheets = pack(lots, _room(job, paper, place, shape), job.manner.gaps)
                if sheets is not None:
                    score = _score(len(sheets), footer_mm, job, paper, place, shape)
                    if best is None or score > best[0]:
                        best = (score, PackedSheets(paper, place, shape, sheets))
    return best[1] if best is not None else None


def _holds(job: ImpositionJob, paper: Size, place: FooterPlace, shape: FooterShape) -> bool:
    return line_length(paper, job.paper.margins(paper), place) >= shape.shortest_mm


def _score(
    sheets: int,
    footer_mm: Mapping[FooterShape, float],
    job: ImpositionJob,
    paper: Size,
    place: FooterPlace,
    shape: FooterShape,
) -> tuple[float, ...]:
    is_whole = line_length(paper, job.paper.margins(paper), place) >= footer_mm[shape]
    is_upright = paper.width_mm <= paper.height_mm
    return (-sheets, is_whole, is_upright, place is FooterPlace.BOTTOM, shape is TWO_ROWS)


def _room(job: ImpositionJob, paper: Size, place: FooterPlace, shape: FooterShape) -> Rect:
    """Return the room for pieces and marks, alike on both sides so that it stays in the middle."""
    room = Rect(0.0, 0.0, *paper).inside(job.paper.margins(paper)).grown(-MARK_PAINT.stroke_mm / 2)
    taken_mm = shape.thickness_mm + FOOTER_CLEAR_MM
    if place is FooterPlace.BOTTOM:
        return Rect(room.x_mm, room.y_mm + taken_mm, room.width_mm, room.height_mm - 2 * taken_mm)
    return Rect(room.x_mm + taken_mm, room.y_mm, room.width_mm - 2 * taken_mm, room.height_mm)
