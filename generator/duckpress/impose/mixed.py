"""Pieces of several sizes on common sheets: the place of each size's blocks, with marks around, backs behind.

A sheet is filled shelf by shelf from the top. A shelf is begun by a block of one size, as many whole rows of it as
there are pieces for, or the last few in one row; what is free beside it, and below lower blocks within it, takes
blocks of the sizes that follow. So every sheet is cut apart by straight cuts: shelves, then blocks, then rows, then
pieces. Several orders of the sizes, and pieces with and without gaps, are tried: the fewest sheets win, and of those
the way with the most gaps and then the first. Who asks for gaps everywhere, or for none, gets them so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Rect, Size, rect_around
from duckpress.core.sizes import Format, Paper
from duckpress.impose.grid import GAP_LEAST_MM, MARK_STROKE_MM, Axis, PaperWay, slots_of, ways_of
from duckpress.impose.job import ImpositionJob, Layout, SheetPlan, are_alike, may_all_meet
from duckpress.impose.marks import Stroke, cut_layer, cut_lines, ends_beside, lines_across, marks_at, mirrored
from duckpress.impose.sheets import Gaps, Layer, Slot, turns_left_right

MARK_OFFSET_MM = 0.5
MARK_MM = 1.0
_TOLERANCE_MM = 1e-6


class Lot(Struct, frozen=True):
    """Pieces of one format; `is_alike`: a drift between neighbours is invisible.

    `may_meet`: any two look alike where they touch.
    """

    format: Format
    pieces: int
    is_alike: bool = False
    may_meet: bool = False


class PackedRows(NamedTuple):
    """A block of one lot's pieces, its last row perhaps shorter: the first trim's place, its columns, rows and pieces.

    `gap_mm` is the distance between neighbouring trims.
    """

    lot: int
    x_mm: float
    y_mm: float
    columns: int
    rows: int
    pieces: int
    gap_mm: float
    trim: Size
    bleed_mm: float

    @property
    def box(self) -> Rect:
        """The box around the trims."""
        (wide_mm, high_mm), gap_mm = self.trim, self.gap_mm
        width_mm = self.columns * wide_mm + (self.columns - 1) * gap_mm
        return Rect(self.x_mm, self.y_mm, width_mm, self.rows * high_mm + (self.rows - 1) * gap_mm)

    def slots(self) -> list[Slot]:
        """Return the places of its pieces, row by row."""
        (wide_mm, high_mm), bleeds_mm = self.trim, (self.bleed_mm, min(self.bleed_mm, self.gap_mm / 2))
        columns = Axis(self.columns, self.x_mm, wide_mm, self.gap_mm, *bleeds_mm)
        return slots_of(columns, Axis(self.rows, self.y_mm, high_mm, self.gap_mm, *bleeds_mm))[: self.pieces]


@lru_cache(maxsize=256)  # pieces are packed alone, and then with others
def pack(lots: tuple[Lot, ...], room: Rect, wanted: Gaps = Gaps.MOST) -> Sequence[tuple[PackedRows, ...]] | None:
    """Return the blocks of each sheet, centred in the room; None if a size does not fit."""
    # The orders of sizes worth trying: the highest, widest or largest first.
    trims = [lot.format.trim for lot in lots]
    ranks = ([trim[::-1] for trim in trims], [(trim.width_mm * trim.height_mm,) for trim in trims], trims)
    every = (tuple(sorted(range(len(lots)), key=rank.__getitem__, reverse=True)) for rank in ranks)
    orders = list(dict.fromkeys(every))
    may_touch = [wanted is not Gaps.ALWAYS and (lot.may_meet or wanted is Gaps.MOST) for lot in lots]
    least_mm = [0.0 if may else GAP_LEAST_MM for may in may_touch]
    room_mm = [max(2 * lot.format.bleed_mm, gap_mm) for lot, gap_mm in zip(lots, least_mm, strict=True)]

    def fewest(gaps_mm: Sequence[float]) -> list[tuple[PackedRows, ...]] | None:
        ways = (_Packer(lots, order, room, gaps_mm).pack() for order in orders)
        return min((way for way in ways if way is not None), key=len, default=None)

    if wanted in (Gaps.ALWAYS, Gaps.NEVER):
        return fewest(room_mm if wanted is Gaps.ALWAYS else [0.0] * len(lots))
    best, close = fewest(room_mm), fewest(least_mm)
    if close is None or (best is not None and len(best) <= len(close)):
        return best
    # With the narrowest gaps it takes fewer sheets: those that cost none are widened, of pieces first that show a
    # drift, then of round ones, and narrow ones are made where there is no room for wide ones.
    gaps_mm = least_mm
    for lot in sorted(range(len(lots)), key=lambda lot: (lots[lot].is_alike, not lots[lot].format.is_round)):
        for gap_mm in (room_mm[lot], min(GAP_LEAST_MM, room_mm[lot])):
            sheets = fewest([*gaps_mm[:lot], gap_mm, *gaps_mm[lot + 1 :]])
            if sheets is not None and len(sheets) <= len(close):
                close, gaps_mm[lot] = sheets, gap_mm
                break
    return close


class _Packer:
    """One way of packing: an order of the sizes, and the gaps between the pieces of each."""

    def __init__(self, lots: Sequence[Lot], order: Sequence[int], room: Rect, gaps_mm: Sequence[float]) -> None:
        self._lots = lots
        self._order = order
        self._left = [lot.pieces for lot in lots]
        self._room = room
        self._gaps = gaps_mm
        # No two blocks share the room of a mark, so it is plain whose mark each is. With as much room around all of
        # them, blocks under one another begin at the same cut.
        self._halo_mm = max(lot.format.bleed_mm for lot in lots) + MARK_OFFSET_MM + MARK_MM
        self._blocks: list[PackedRows] = []

    def pack(self) -> list[tuple[PackedRows, ...]] | None:
        sheets: list[tuple[PackedRows, ...]] = []
        while any(self._left):
            self._blocks = []
            self._fill(self._room)
            if not self._blocks:
                return None
            # In the middle of the room.
            bleeds = rect_around([one.box.grown(one.bleed_mm) for one in self._blocks])
            left_mm, top_mm, right_mm, bottom_mm = bleeds.edges
            dx_mm = (self._room.x_mm + self._room.right_mm - left_mm - right_mm) / 2
            dy_mm = (self._room.y_mm + self._room.bottom_mm - top_mm - bottom_mm) / 2
            sheets.append(tuple(one._replace(x_mm=one.x_mm + dx_mm, y_mm=one.y_mm + dy_mm) for one in self._blocks))
        return sheets

    def _fill(self, room: Rect) -> None:
        while True:
            first = next(((lot, fit) for lot in self._order if (fit := self._fit(lot, room))), None)
            if first is None:
                return
            lot, (columns, rows) = first
            columns = min(columns, self._left[lot])
            block = self._put(lot, room, columns, min(rows, self._left[lot] // columns))
            shelf_mm = block.height_mm
            self._fill_beside(Rect(block.right_mm, room.y_mm, room.right_mm - block.right_mm, shelf_mm))
            room = Rect(room.x_mm, room.y_mm + shelf_mm, room.width_mm, room.height_mm - shelf_mm)

    def _fill_beside(self, room: Rect) -> None:
        """Fill the space beside a block: with blocks as narrow as possible, and then the space below each."""
        for lot in self._order:
            fit = self._fit(lot, room)
            if not fit:
                continue
            most_rows = fit[1]
            count = min(self._left[lot], fit[0] * most_rows)
            columns = -(-count // most_rows)
            taken = self._put(lot, room, columns, -(-count // columns), count)
            self._fill_beside(Rect(room.x_mm, taken.bottom_mm, taken.width_mm, room.bottom_mm - taken.bottom_mm))
            room = Rect(taken.right_mm, room.y_mm, room.right_mm - taken.right_mm, room.height_mm)

    def _fit(self, lot: int, room: Rect) -> tuple[int, int] | None:
        """Return how many columns and rows of a lot fit a rectangle; None if no piece fits or none is left."""
        (width_mm, height_mm), gap_mm, around_mm = self._lots[lot].format.trim, self._gaps[lot], 2 * self._halo_mm
        columns = int((room.width_mm - around_mm + gap_mm + _TOLERANCE_MM) // (width_mm + gap_mm))
        rows = int((room.height_mm - around_mm + gap_mm + _TOLERANCE_MM) // (height_mm + gap_mm))
        return (columns, rows) if columns > 0 and rows > 0 and self._left[lot] else None

    def _put(self, lot: int, room: Rect, columns: int, rows: int, count: int | None = None) -> Rect:
        """Put a block into the upper left of a rectangle; return its box including the room for its marks."""
        format_, gap_mm, halo_mm = self._lots[lot].format, self._gaps[lot], self._halo_mm
        count = columns * rows if count is None else count
        self._left[lot] -= count
        x_mm, y_mm = room.x_mm + halo_mm, room.y_mm + halo_mm
        block = PackedRows(lot, x_mm, y_mm, columns, rows, count, gap_mm, format_.trim, format_.bleed_mm)
        self._blocks.append(block)
        return block.box.grown(halo_mm)


def mixed_layout(job: ImpositionJob, stacks: Sequence[tuple[Format, Sequence[int]]]) -> Layout | None:
    """Return common sheets for formats with their faces (copies repeated), or None if there are none."""
    best = _best(
        job, tuple([Lot(one, len(some), are_alike(job, some), may_all_meet(job, some)) for one, some in stacks])
    )
    if best is None:
        return None
    way, packed = best
    waiting = [iter(stack) for _, stack in stacks]

    def plan(blocks: Sequence[PackedRows]) -> SheetPlan:
        seats = [(next(waiting[block.lot]), slot) for block in blocks for slot in block.slots()]
        return SheetPlan(seats, lambda is_back: marks(blocks, is_back))

    def marks(blocks: Sequence[PackedRows], is_back: bool) -> tuple[Layer, ...]:
        strokes: list[Stroke] = []
        lines: list[Stroke] = []
        for block in blocks:
            cuts, near_mm = _cuts(block), block.bleed_mm + MARK_OFFSET_MM
            strokes += marks_at(*cuts, *ends_beside(block.box, near_mm, near_mm + MARK_MM))  # outside its bleed
            lines += lines_across(*cuts, block.box.grown(near_mm + MARK_MM))  # through it and its marks
        if is_back:
            is_left_right = turns_left_right(way.paper, job.turn)
            strokes, lines = (mirrored(some, way.paper, is_left_right=is_left_right) for some in (strokes, lines))
            return cut_layer(job.manner.cut, strokes, lines)
        shapes = [shape for block in blocks for shape in cut_lines(block.slots(), stacks[block.lot][0])]
        return cut_layer(job.manner.cut, strokes, lines, shapes)

    return Layout(job, way, len(packed), map(plan, packed))


def _cuts(block: PackedRows) -> tuple[list[float], list[float]]:
    """Return the cuts of a block, across and down."""

    def along(start_mm: float, length_mm: float, count: int) -> list[float]:
        step_mm = length_mm + block.gap_mm
        starts = [start_mm + index * step_mm for index in range(count if block.gap_mm > 0 else 1)]
        return [*starts, *(start_mm + index * step_mm + length_mm for index in range(count))]

    columns = along(block.x_mm, block.trim.width_mm, block.columns)
    return columns, along(block.y_mm, block.trim.height_mm, block.rows)


_Packed = tuple[PaperWay, Sequence[tuple[PackedRows, ...]]]


def _rooms(paper: Paper) -> Iterator[tuple[PaperWay, Rect]]:
    """Yield the ways to lay a paper with their rooms, alike on both sides, so that the pieces stay in the middle."""
    return ((way, way.printable.grown(-MARK_STROKE_MM / 2).inside(way.reserves)) for way in ways_of(paper))


@lru_cache
def has_room(format_: Format, paper: Paper) -> bool:
    """Return whether a piece fits a paper with marks of its own."""
    return any(pack((Lot(format_, 1),), room, Gaps.NEVER) for _, room in _rooms(paper))


def _best(job: ImpositionJob, lots: tuple[Lot, ...]) -> _Packed | None:
    """Return the way with the fewest sheets, then with whole titles in the footer; None if a size does not fit."""
    footer_mm = job.footer_mm()
    packed = [(way, sheets) for way, room in _rooms(job.paper) if (sheets := pack(lots, room, job.manner.gaps))]

    def score(one: _Packed) -> tuple[float, ...]:
        way, sheets = one
        return (-len(sheets), way.line_mm >= footer_mm[way.shape], *way.preference)

    return max(packed, key=score, default=None)
