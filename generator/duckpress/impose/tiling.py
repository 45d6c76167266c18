"""A board too large for the paper -> tiles: which part of it each sheet shows, and where.

Neighbouring tiles share a strip, so that a drift of the printer or the scissors leaves no gap. In each direction a
board of length L, in tiles that share o, needs the least n for which (L + (n - 1) o) / n fits the paper; the tiles
are then made equally long, so that the seams lie evenly. Of all ways to lay the paper and the footer the best is the
one with the fewest sheets; then with the shortest seams; then upright, footer below.
"""

from __future__ import annotations

import math
from itertools import pairwise

from msgspec import Struct

from duckpress.core.geometry import Rect, Size
from duckpress.core.sizes import Format, Paper
from duckpress.impose.paper_ways import TWO_ROWS, PaperWay, every_way, ways_of
from duckpress.impose.sheets import Edges, Slot, Turn, turns_left_right

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
        """How long it is."""
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
        """How many tiles there are."""
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


def longest_line(paper: Paper) -> float:
    """Return the longest line that a paper has for the footer of a tile, in millimetres."""
    return max(way.line_mm for way in every_way(paper, (STRIP,)))


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
