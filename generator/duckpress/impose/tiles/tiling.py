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
from duckpress.impose.duplex import turns_left_right
from duckpress.impose.footer import FooterPlace
from duckpress.impose.grid import FOOTER_CLEAR_MM, Slot, line_length
from duckpress.impose.sheets import Edges, Turn
from duckpress.impose.tiles.tile_footer import SHORTEST_MM, STRIP_MM

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
    """One tile: its column and row, what it shows of the board, and the place of the whole board on its sheet."""

    column: int
    row: int
    shown: Rect
    slot: Slot


class Tiling(Struct, frozen=True):
    """A board in tiles on a paper as it lies; `columns` and `rows` say what they show, `place` where the footer is.

    `room` is where the tiles and their marks lie, on the front.
    """

    paper: Size
    place: FooterPlace
    room: Rect
    trim: Size
    bleed_mm: float
    columns: tuple[Span, ...]
    rows: tuple[Span, ...]

    @property
    def tile_count(self) -> int:
        """How many tiles there are."""
        return len(self.columns) * len(self.rows)

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
        shown = Rect(across.start_mm, down.start_mm, across.length_mm, down.length_mm)
        return Tile(column, row, shown, slot)


def plan_tiles(format_: Format, paper: Paper, overlap_mm: float, turn: Turn | None) -> Tiling | None:
    """Return the tiles of a board, `turn` being None where it is printed on one side only.

    None where the paper is too small for the footer, or for tiles that show more than they share.
    """
    best: tuple[tuple[float, ...], Tiling] | None = None
    for size in (paper.size, paper.size.turned()):
        for place in FooterPlace:
            room = _room(size, paper.margins(size), place, turn)
            columns = _spans(format_.trim.width_mm, room.width_mm - 2 * EDGE_MM, overlap_mm)
            rows = _spans(format_.trim.height_mm, room.height_mm - 2 * EDGE_MM, overlap_mm)
            if not columns or not rows or line_length(size, paper.margins(size), place) < SHORTEST_MM:
                continue
            tiling = Tiling(size, place, room, format_.trim, format_.bleed_mm, columns, rows)
            seams_mm = (len(columns) - 1) * format_.trim.height_mm + (len(rows) - 1) * format_.trim.width_mm
            score = (
                -tiling.tile_count,
                -round(seams_mm, 2),
                size.width_mm <= size.height_mm,
                place is FooterPlace.BOTTOM,
            )
            if best is None or score > best[0]:
                best = (score, tiling)
    return best[1] if best is not None else None


def tile_rooms(paper: Paper, turn: Turn | None) -> tuple[Size, ...]:
    """Return the largest tiles a paper has room for, one for every way it can lie and the footer can stand.

    Ways in which the footer has no room are left out, unless there is no other.
    """
    rooms: dict[Size, bool] = {}
    for size in (paper.size, paper.size.turned()):
        for place in FooterPlace:
            room = _room(size, paper.margins(size), place, turn)
            sides = sorted((room.width_mm - 2 * EDGE_MM, room.height_mm - 2 * EDGE_MM))
            has_footer = line_length(size, paper.margins(size), place) >= SHORTEST_MM
            tile = Size(round(sides[0], 2), round(sides[1], 2))
            rooms[tile] = rooms.get(tile, False) or has_footer
    return tuple(tile for tile, has_footer in rooms.items() if has_footer) or tuple(rooms)


def longest_line(paper: Paper) -> float:
    """Return the longest line that a paper has for the footer of a tile, in millimetres."""
    sizes = (paper.size, paper.size.turned())
    return max(line_length(size, paper.margins(size), place) for size in sizes for place in FooterPlace)


def _room(paper: Size, margins: Size, place: FooterPlace, turn: Turn | None) -> Rect:
    """Return what a sheet has for a tile and its marks: the printable area without the footer.

    Where turning the sheet brings the footer's edge to the other side, the back's footer lies there: room is kept
    for it on both sides.
    """
    room = Rect(0.0, 0.0, *paper).inside(margins)
    taken_mm = STRIP_MM + FOOTER_CLEAR_MM
    if place is FooterPlace.BOTTOM:
        top_mm = taken_mm if turn is not None and not turns_left_right(paper, turn) else 0.0
        return Rect(room.x_mm, room.y_mm + top_mm, room.width_mm, room.height_mm - taken_mm - top_mm)
    right_mm = taken_mm if turn is not None and turns_left_right(paper, turn) else 0.0
    return Rect(room.x_mm + taken_mm, room.y_mm, room.width_mm - taken_mm - right_mm, room.height_mm)


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
