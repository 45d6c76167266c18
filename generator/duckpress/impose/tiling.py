"""A board too large for the paper -> tiles: each sheet's part of it and its place; its back, marks and map.

Neighbouring tiles share a strip, so that a drift of the printer or the scissors leaves no gap. In each direction a
board of length L, in tiles that share o, needs the least n for which (L + (n - 1) o) / n fits the paper; the tiles
are then made equally long, so that the seams lie evenly. Of all ways to lay the paper and the footer the best is the
one with the fewest sheets; then with the shortest seams; then upright, footer below.

At the board's own edges stand crop marks, at the seams marks with letters that must meet. The footer says what every
footer says, how the tile is joined to its neighbours, and shows a map of the tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Rect, Size, translation
from duckpress.core.language import program
from duckpress.core.paths import Path, joined, rectangle
from duckpress.core.sizes import Format, Paper
from duckpress.impose.footer import COLOUR, TEXT_PT, set_row
from duckpress.impose.grid import TWO_ROWS, PaperWay, every_way, ways_of
from duckpress.impose.job import ImpositionJob, Layout, SheetPlan
from duckpress.impose.marks import MARK_PAINT, ends_beside, marks_at, stroked
from duckpress.impose.sheets import CUT_LAYER, Edges, Layer, Slot, Turn, turns_left_right

STRIP_MM = 7.1  # three rows of type
MAP_WIDEST_MM = 16.0
MAP_ROOM_MM = MAP_WIDEST_MM + 3.0
SHORTEST_MM = TWO_ROWS.shortest_mm + MAP_ROOM_MM
STRIP = TWO_ROWS._replace(thickness_mm=STRIP_MM, shortest_mm=SHORTEST_MM)
"""The footer of a tile: one row more, and a map of the tiles at its end."""
MARK_OFFSET_MM = 0.5
MARK_MM = 2.5  # high enough for the letter beside it
EDGE_MM = MARK_OFFSET_MM + MARK_MM + 0.1
_TOLERANCE_MM = 1e-6


Span = tuple[float, float]
"""What a tile shows in one direction: from and to, measured on the board from its left or upper edge."""


class Tile(NamedTuple):
    """One tile: its column and row, and the place of the whole board on its sheet, with the shown part."""

    column: int
    row: int
    slot: Slot


class Tiling(Struct, frozen=True):
    """A board in tiles on a paper; `columns` and `rows` are the parts that the tiles show.

    `room` is where the tiles and their marks lie, on the front.
    """

    way: PaperWay
    room: Rect
    trim: Size
    bleed_mm: float
    columns: Sequence[Span]
    rows: Sequence[Span]

    @property
    def tile_count(self) -> int:
        return len(self.columns) * len(self.rows)

    @property
    def seams_mm(self) -> float:
        """The length of all seams together."""
        across_mm, down_mm = (len(self.columns) - 1) * self.trim.height_mm, (len(self.rows) - 1) * self.trim.width_mm
        return round(across_mm + down_mm, 2)

    def tiles(self) -> list[Tile]:
        """Return the tiles row by row, each in the middle of its sheet's room."""
        tiles = []
        for row, column in product(range(len(self.rows)), range(len(self.columns))):
            across, down = self.columns[column], self.rows[row]
            x_mm, left_mm, right_mm = _seat(across, self.trim.width_mm, self.room.width_mm, self.bleed_mm)
            y_mm, top_mm, bottom_mm = _seat(down, self.trim.height_mm, self.room.height_mm, self.bleed_mm)
            edges = Edges(left_mm, top_mm, right_mm, bottom_mm)
            tiles.append(Tile(column, row, Slot(self.room.x_mm + x_mm, self.room.y_mm + y_mm, edges)))
        return tiles

    def seams(self) -> tuple[list[float], list[float]]:
        """Return the places of the seams, in the middle of each overlap, across and down."""
        across, down = (
            [(one[1] + other[0]) / 2 for one, other in pairwise(some)] for some in (self.columns, self.rows)
        )
        return across, down


def plan_tiles(format_: Format, paper: Paper, overlap_mm: float, turn: Turn | None) -> Tiling | None:
    """Return the tiles of a board; `turn` is None if it is printed on one side only.

    None where the paper is too small for the footer, or for tiles that show more than they share.
    """
    tilings = []
    for way in ways_of(paper, (STRIP,)):
        room = _tile_area(way, turn)
        columns = _spans(format_.trim.width_mm, room.width_mm - 2 * EDGE_MM, overlap_mm)
        rows = _spans(format_.trim.height_mm, room.height_mm - 2 * EDGE_MM, overlap_mm)
        if columns and rows:
            tilings.append(Tiling(way, room, format_.trim, format_.bleed_mm, columns, rows))
    return max(tilings, key=lambda plan: (-plan.tile_count, -plan.seams_mm, *plan.way.preference), default=None)


def tile_rooms(paper: Paper, turn: Turn | None) -> tuple[Size, ...]:
    """Return the largest tiles that fit a paper, for each orientation and place of the footer.

    Ways in which the footer has no room are left out, unless there is no other.
    """
    ways = tuple(ways_of(paper, (STRIP,))) or every_way(paper, (STRIP,))
    sides = (sorted(side_mm - 2 * EDGE_MM for side_mm in _tile_area(way, turn)[2:]) for way in ways)
    return tuple(dict.fromkeys(Size(round(short_mm, 2), round(long_mm, 2)) for short_mm, long_mm in sides))


def _tile_area(way: PaperWay, turn: Turn | None) -> Rect:
    """Return the area for a tile and its marks: the printable area without the footer.

    Where turning the sheet brings the footer's edge to the other side, the back's footer lies there: room is kept
    for it on both sides.
    """
    room, (right_mm, top_mm) = way.room, way.reserves
    if turn is None:
        return room
    if turns_left_right(way.paper, turn):
        return room._replace(width_mm=room.width_mm - right_mm)
    return room._replace(y_mm=room.y_mm + top_mm, height_mm=room.height_mm - top_mm)


def _spans(length_mm: float, room_mm: float, overlap_mm: float) -> list[Span]:
    """Return the fewest equally long spans that cover a length and share `overlap_mm` with their neighbours.

    There are none where a tile could show no more than twice what it shares.
    """
    if length_mm <= room_mm + _TOLERANCE_MM:
        return [(0.0, length_mm)]
    if room_mm <= 2 * overlap_mm:
        return []
    count = math.ceil((length_mm - overlap_mm - _TOLERANCE_MM) / (room_mm - overlap_mm))
    tile_mm = (length_mm + (count - 1) * overlap_mm) / count
    starts = [index * (tile_mm - overlap_mm) for index in range(count)]
    return [(start_mm, min(length_mm, start_mm + tile_mm)) for start_mm in starts]


def _seat(span: Span, length_mm: float, room_mm: float, bleed_mm: float) -> tuple[float, float, float]:
    """Return the board's start, from the room's edge, and how much shows before and after the trim (negative: less)."""
    from_mm, to_mm = span
    end_mm = (room_mm - (to_mm - from_mm)) / 2
    shown_mm = max(0.0, min(bleed_mm, end_mm - EDGE_MM))
    before_mm = shown_mm if from_mm <= 0 else -from_mm
    return end_mm - from_mm, before_mm, shown_mm if to_mm >= length_mm else to_mm - length_mm


SEAM_PAINT = Paint(stroke="#000000", stroke_mm=0.3)
_LETTER_PT = 6.0
_LETTER_GAP_MM = 0.5
_CAPITAL_MM = 1.5  # height of a capital at 6 pt
_BASELINE_MM = 6.4
_MAP_MM = STRIP_MM - 0.2
_MAP_PAINT = Paint(stroke=COLOUR, stroke_mm=0.15)
_HERE_PAINT = Paint(fill=COLOUR)

# What to do with a tile: the upper and the left edge are cut at the seam and laid over the neighbour.
_JOINING = {
    (False, False): program.JOIN_FIRST,
    (True, False): program.JOIN_LEFT,
    (False, True): program.JOIN_UPPER,
    (True, True): program.JOIN_BOTH,
}


def tile_layout(job: ImpositionJob, index: int) -> Layout:
    """Return a face in tiles, repeated for each copy: all tiles of one copy, then those of the next."""
    face = job.faces[index]
    tiling = plan_tiles(face.format, job.paper, face.overlap_mm or 0.0, job.planned_turn)
    if tiling is None:
        raise ValueError(f"{face.format.trim} cannot be tiled on {job.paper.name}")

    def plan(tile: Tile) -> SheetPlan:
        return SheetPlan(
            [(index, tile.slot)],
            lambda is_back: (Layer(CUT_LAYER, (_tile_marks(job, tiling, tile, is_back=is_back),)),),
            lambda is_back: (*_joining(job, tiling, tile), *_map(job, tiling, tile, is_back=is_back)),
        )

    tiles = tiling.tiles() * face.copies
    return Layout(job, tiling.way, len(tiles), map(plan, tiles), MAP_ROOM_MM)


def _joining(job: ImpositionJob, tiling: Tiling, tile: Tile) -> list[Item]:
    """Return the line that names a tile and says how to join it."""
    said, at = job.label.speech.program, tile.row * len(tiling.columns) + tile.column + 1
    name = said(program.TILE, {"number": at, "total": tiling.tile_count})
    where = said(program.TILE_PLACE, {"row": tile.row + 1, "column": tile.column + 1})
    join = said(_JOINING[tile.column > 0, tile.row > 0])
    parts = (job.typeset(name, TEXT_PT, True), job.typeset(f"· {where} · {join}", TEXT_PT, False))
    return set_row(parts, _BASELINE_MM, tiling.way.line_mm - MAP_ROOM_MM)


def _map(job: ImpositionJob, tiling: Tiling, tile: Tile, *, is_back: bool) -> list[Item]:
    """Return a small map of the board, as this side is read, with this tile filled."""
    columns, rows = len(tiling.columns), len(tiling.rows)
    shape = tiling.trim.width_mm / tiling.trim.height_mm
    width_mm = min(MAP_WIDEST_MM, _MAP_MM * shape)
    height_mm = width_mm / shape
    wide_mm, high_mm = width_mm / columns, height_mm / rows
    left_mm, top_mm = tiling.way.line_mm - width_mm - 0.1, (STRIP_MM - height_mm) / 2

    def box(column: int, row: int) -> Path:
        return rectangle(left_mm + column * wide_mm, top_mm + row * high_mm, wide_mm, high_mm, is_mark=True)

    here = box(tile.column, tile.row)
    if is_back and turns_left_right(tiling.way.paper, job.turn):
        here = box(columns - 1 - tile.column, tile.row)
    elif is_back:
        here = box(tile.column, rows - 1 - tile.row)
    cells = (box(column, row) for row in range(rows) for column in range(columns))
    return [Outline(here, _HERE_PAINT), Outline(joined(cells), _MAP_PAINT)]


def _tile_marks(job: ImpositionJob, tiling: Tiling, tile: Tile, *, is_back: bool) -> Group:
    """Return the marks around a tile, or around its back after the sheet is turned."""
    x_mm, y_mm, bleed = tile.slot
    (wide_mm, high_mm), (width_mm, height_mm) = tiling.trim, tiling.way.paper
    shown = bleed.around(Rect(x_mm, y_mm, wide_mm, high_mm))
    across_seams, down_seams = tiling.seams()
    letters = [chr(65 + index % 26) for index in range(len(across_seams) + len(down_seams))]
    across = _places(x_mm, wide_mm, shown.x_mm, shown.right_mm, [*zip(across_seams, letters, strict=False)])
    down_letters = letters[len(across_seams) :]
    down = _places(y_mm, high_mm, shown.y_mm, shown.bottom_mm, [*zip(down_seams, down_letters, strict=True)])
    if is_back and turns_left_right(tiling.way.paper, job.turn):
        shown = shown._replace(x_mm=width_mm - shown.right_mm)
        across = [(width_mm - place_mm, letter) for place_mm, letter in across]
    elif is_back:
        shown = shown._replace(y_mm=height_mm - shown.bottom_mm)
        down = [(height_mm - place_mm, letter) for place_mm, letter in down]
    items: list[Item] = []
    ends = ends_beside(shown, MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM)
    for is_seam, paint in ((False, MARK_PAINT), (True, SEAM_PAINT)):
        columns, rows = ([place_mm for place_mm, letter in some if bool(letter) is is_seam] for some in (across, down))
        strokes = marks_at(columns, rows, *ends)
        items += [stroked(strokes, paint)] if strokes else []
    # Each seam's letter stands to the right of an upright mark, above a level one.
    near_mm, far_mm = MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM
    ys_mm = (shown.y_mm - near_mm - _LETTER_GAP_MM, shown.bottom_mm + near_mm + _LETTER_GAP_MM + _CAPITAL_MM)
    xs_mm = (shown.x_mm - far_mm, shown.right_mm + near_mm)
    places = [(letter, x_mm + _LETTER_GAP_MM, y_mm) for x_mm, letter in across if letter for y_mm in ys_mm]
    places += [(letter, x_mm, y_mm - _LETTER_GAP_MM) for y_mm, letter in down if letter for x_mm in xs_mm]
    items += [Group(job.typeset(letter, _LETTER_PT, True)[0], translation(*at_mm)) for letter, *at_mm in places]
    return Group(tuple(items))


def _places(
    start_mm: float, length_mm: float, from_mm: float, to_mm: float, seams: Sequence[tuple[float, str]]
) -> list[tuple[float, str]]:
    """Return the places of a tile's marks: the board's edges, and its seams with their letters."""
    places = [(start_mm, ""), (start_mm + length_mm, ""), *((start_mm + seam_mm, letter) for seam_mm, letter in seams)]
    return [(place_mm, letter) for place_mm, letter in places if from_mm - 1e-6 <= place_mm <= to_mm + 1e-6]
