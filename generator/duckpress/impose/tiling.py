"""A board too large for the paper -> tiles: which part of it each sheet shows, and where; its back, marks and map.

Neighbouring tiles share a strip, so that a drift of the printer or the scissors leaves no gap. In each direction a
board of length L, in tiles that share o, needs the least n for which (L + (n - 1) o) / n fits the paper; the tiles
are then made equally long, so that the seams lie evenly. Of all ways to lay the paper and the footer the best is the
one with the fewest sheets; then with the shortest seams; then upright, footer below.

At the board's own edges stand crop marks, at the seams marks with letters that must meet. The footer says what every
footer says, how the tile is joined to its neighbours, and shows a map of the tiles.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import Rect, Size, translation
from duckpress.core.language import program
from duckpress.core.paths import Path, joined, rectangle
from duckpress.core.sizes import Format, Paper
from duckpress.impose.footer import COLOUR, TEXT_PT, Typeset, set_row
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


class Span(Struct, frozen=True):
    """What a tile shows in one direction, measured on the board from its left or upper edge."""

    start_mm: float
    end_mm: float

    @property
    def length_mm(self) -> float:
        return self.end_mm - self.start_mm


class Tile(Struct, frozen=True):
    """One tile: its column and row, and the place of the whole board on its sheet, with what is shown of it."""

    column: int
    row: int
    slot: Slot


class Tiling(Struct, frozen=True):
    """A board in tiles on a paper; `columns` and `rows` say what they show.

    `room` is where the tiles and their marks lie, on the front.
    """

    way: PaperWay
    room: Rect
    trim: Size
    bleed_mm: float
    columns: tuple[Span, ...]
    rows: tuple[Span, ...]

    @property
    def tile_count(self) -> int:
        return len(self.columns) * len(self.rows)

    @property
    def seams_mm(self) -> float:
        """How long all seams are together."""
        across_mm, down_mm = (len(self.columns) - 1) * self.trim.height_mm, (len(self.rows) - 1) * self.trim.width_mm
        return round(across_mm + down_mm, 2)

    def tiles(self) -> tuple[Tile, ...]:
        """Return the tiles row by row, each in the middle of its sheet's room."""
        return tuple(self._tile(column, row) for row in range(len(self.rows)) for column in range(len(self.columns)))

    def seams(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return where the board is joined: in the middle of what neighbours share, across and down."""
        return _seams(self.columns), _seams(self.rows)

    def _tile(self, column: int, row: int) -> Tile:
        across, down = self.columns[column], self.rows[row]
        left_mm, from_left_mm, to_right_mm = _seat(across, self.trim.width_mm, self.room.width_mm, self.bleed_mm)
        top_mm, from_top_mm, to_bottom_mm = _seat(down, self.trim.height_mm, self.room.height_mm, self.bleed_mm)
        edges = Edges(from_left_mm, from_top_mm, to_right_mm, to_bottom_mm)
        slot = Slot(self.room.x_mm + left_mm, self.room.y_mm + top_mm, edges)
        return Tile(column, row, slot)


def plan_tiles(format_: Format, paper: Paper, overlap_mm: float, turn: Turn | None) -> Tiling | None:
    """Return the tiles of a board, `turn` being None where it is printed on one side only.

    None where the paper is too small for the footer, or for tiles that show more than they share.
    """
    tilings = []
    for way in ways_of(paper, (STRIP,)):
        room = _room(way, turn)
        columns = _spans(format_.trim.width_mm, room.width_mm - 2 * EDGE_MM, overlap_mm)
        rows = _spans(format_.trim.height_mm, room.height_mm - 2 * EDGE_MM, overlap_mm)
        if columns and rows:
            tilings.append(Tiling(way, room, format_.trim, format_.bleed_mm, columns, rows))
    return max(tilings, key=lambda plan: (-plan.tile_count, -plan.seams_mm, *plan.way.preference), default=None)


def tile_rooms(paper: Paper, turn: Turn | None) -> tuple[Size, ...]:
    """Return the largest tiles a paper has room for, one for every way it can lie and the footer can stand.

    Ways in which the footer has no room are left out, unless there is no other.
    """
    tiles: dict[Size, None] = {}
    for way in tuple(ways_of(paper, (STRIP,))) or every_way(paper, (STRIP,)):
        room = _room(way, turn)
        sides = sorted((room.width_mm - 2 * EDGE_MM, room.height_mm - 2 * EDGE_MM))
        tiles[Size(round(sides[0], 2), round(sides[1], 2))] = None
    return tuple(tiles)


def _room(way: PaperWay, turn: Turn | None) -> Rect:
    """Return what a sheet has for a tile and its marks: the printable area without the footer.

    Where turning the sheet brings the footer's edge to the other side, the back's footer lies there: room is kept
    for it on both sides.
    """
    room, (right_mm, top_mm) = way.room, way.reserves
    if turn is None:
        return room
    if turns_left_right(way.paper, turn):
        top_mm = 0.0
    else:
        right_mm = 0.0
    return Rect(room.x_mm, room.y_mm + top_mm, room.width_mm - right_mm, room.height_mm - top_mm)


def _spans(length_mm: float, room_mm: float, overlap_mm: float) -> tuple[Span, ...]:
    """Return the fewest equally long spans that cover a length and share `overlap_mm` with their neighbours.

    There are none where a tile could show no more than twice what it shares.
    """
    if length_mm <= room_mm + _TOLERANCE_MM:
        return (Span(0.0, length_mm),)
    if room_mm <= 2 * overlap_mm:
        return ()
    count = math.ceil((length_mm - overlap_mm - _TOLERANCE_MM) / (room_mm - overlap_mm))
    tile_mm = (length_mm + (count - 1) * overlap_mm) / count
    starts = [index * (tile_mm - overlap_mm) for index in range(count)]
    return tuple(Span(start_mm, min(length_mm, start_mm + tile_mm)) for start_mm in starts)


def _seams(spans: tuple[Span, ...]) -> tuple[float, ...]:
    return tuple((one.end_mm + other.start_mm) / 2 for one, other in pairwise(spans))


def _seat(span: Span, length_mm: float, room_mm: float, bleed_mm: float) -> tuple[float, float, float]:
    """Return where the board begins, counted from the room's edge, and what is shown before and after the trim."""
    end_mm = (room_mm - span.length_mm) / 2
    shown_mm = max(0.0, min(bleed_mm, end_mm - EDGE_MM))
    before_mm = shown_mm if span.start_mm <= 0 else -span.start_mm
    after_mm = shown_mm if span.end_mm >= length_mm else span.end_mm - length_mm
    return end_mm - span.start_mm, before_mm, after_mm


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

_Places = Sequence[tuple[float, str]]
"""Where marks stand in one direction, each with its letter: none for a crop mark."""


def tile_layout(job: ImpositionJob, index: int) -> Layout:
    """Return a face in tiles, as often as it has copies: all tiles of one copy, then those of the next."""
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
    """Return the line that says which tile this is, and what to do with it."""
    said, at = job.label.speech.program, tile.row * len(tiling.columns) + tile.column + 1
    name = said(program.TILE, {"number": at, "total": tiling.tile_count})
    where = said(program.TILE_PLACE, {"row": tile.row + 1, "column": tile.column + 1})
    join = said(_JOINING[tile.column > 0, tile.row > 0])
    parts = (job.typeset(name, TEXT_PT, True), job.typeset(f"· {where} · {join}", TEXT_PT, False))
    return set_row(parts, _BASELINE_MM, tiling.way.line_mm - MAP_ROOM_MM)


def _map(job: ImpositionJob, tiling: Tiling, tile: Tile, *, is_back: bool) -> list[Item]:
    """Return the board in small as this side is read, with this tile filled."""
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
    """Return the marks around a tile, or around its back, once the sheet is turned."""
    x_mm, y_mm, bleed = tile.slot
    (wide_mm, high_mm), (width_mm, height_mm) = tiling.trim, tiling.way.paper
    shown = bleed.around(Rect(x_mm, y_mm, wide_mm, high_mm))
    across_seams, down_seams = tiling.seams()
    letters = [chr(65 + index % 26) for index in range(len(across_seams) + len(down_seams))]
    across_letters, down_letters = letters[: len(across_seams)], letters[len(across_seams) :]
    across = _places(x_mm, wide_mm, shown.x_mm, shown.right_mm, zip(across_seams, across_letters, strict=True))
    down = _places(y_mm, high_mm, shown.y_mm, shown.bottom_mm, zip(down_seams, down_letters, strict=True))
    if is_back and turns_left_right(tiling.way.paper, job.turn):
        shown = shown._replace(x_mm=width_mm - shown.right_mm)
        across = [(width_mm - place_mm, letter) for place_mm, letter in across]
    elif is_back:
        shown = shown._replace(y_mm=height_mm - shown.bottom_mm)
        down = [(height_mm - place_mm, letter) for place_mm, letter in down]
    return Group((*_strokes(shown, across, down), *_letters(shown, across, down, job.typeset)))


def _places(
    start_mm: float, length_mm: float, from_mm: float, to_mm: float, seams: Iterable[tuple[float, str]]
) -> _Places:
    """Return the marks that belong to what a tile shows: the board's edges and the seams that lie in it."""
    places = [(start_mm, ""), (start_mm + length_mm, ""), *((start_mm + seam_mm, letter) for seam_mm, letter in seams)]
    return [(place_mm, letter) for place_mm, letter in places if from_mm - 1e-6 <= place_mm <= to_mm + 1e-6]


def _strokes(shown: Rect, across: _Places, down: _Places) -> list[Item]:
    """Return the crop marks and the marks of seams."""
    ends = ends_beside(shown, MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM)
    items: list[Item] = []
    for is_seam, paint in ((False, MARK_PAINT), (True, SEAM_PAINT)):
        columns, rows = ([place_mm for place_mm, letter in some if bool(letter) is is_seam] for some in (across, down))
        strokes = marks_at(columns, rows, *ends)
        items += [stroked(strokes, paint)] if strokes else []
    return items


def _letters(shown: Rect, across: _Places, down: _Places, typeset: Typeset) -> list[Item]:
    """Return each seam's letter: to the right of an upright mark, above a level one."""
    near_mm, far_mm = MARK_OFFSET_MM, MARK_OFFSET_MM + MARK_MM
    ys_mm = (shown.y_mm - near_mm - _LETTER_GAP_MM, shown.bottom_mm + near_mm + _LETTER_GAP_MM + _CAPITAL_MM)
    xs_mm = (shown.x_mm - far_mm, shown.right_mm + near_mm)
    places = [(letter, x_mm + _LETTER_GAP_MM, y_mm) for x_mm, letter in across if letter for y_mm in ys_mm]
    places += [(letter, x_mm, y_mm - _LETTER_GAP_MM) for y_mm, letter in down if letter for x_mm in xs_mm]
    return [Group(typeset(letter, _LETTER_PT, True)[0], translation(x_mm, y_mm)) for letter, x_mm, y_mm in places]
