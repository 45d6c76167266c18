"""The sheets of a tiled board: one tile a sheet, its back behind it, with marks, footer and map."""

from __future__ import annotations

from duckpress.core.frame import Group, Item
from duckpress.impose.duplex import behind, turns_left_right
from duckpress.impose.footer import TWO_ROWS, placing
from duckpress.impose.grid import line_length
from duckpress.impose.job import ImpositionJob
from duckpress.impose.sheets import CUT_LAYER, Layer, Sheet, Side
from duckpress.impose.tiles.tile_footer import MAP_ROOM_MM, STRIP, TileFooter
from duckpress.impose.tiles.tile_marks import tile_marks
from duckpress.impose.tiles.tiling import Tile, plan_tiles


class TileLayout:
    """A face in tiles, as often as it has copies."""

    def __init__(self, job: ImpositionJob, index: int, overlap_mm: float) -> None:
        face = job.faces[index]
        self._job = job
        self._index = index
        tiling = plan_tiles(face.format, job.paper, overlap_mm, job.planned_turn)
        if tiling is None:
            raise ValueError(f"{face.format.trim} cannot be tiled on {job.paper.name}")
        self._tiling = tiling
        length_mm = line_length(tiling.paper, job.paper.margins(tiling.paper), tiling.place)
        footer = job.footer(TWO_ROWS, length_mm - MAP_ROOM_MM)
        shape = tiling.trim.width_mm / tiling.trim.height_mm
        self._footer = TileFooter(footer, job.typeset, length_mm, len(tiling.columns), len(tiling.rows), shape)
        self._placing = placing(tiling.place, STRIP, tiling.paper, job.paper.margins(tiling.paper))

    @property
    def count(self) -> int:
        """How many sheets it takes."""
        return self._tiling.tile_count * self._job.faces[self._index].copies * self._job.sheets_each

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on: all tiles of one copy, then those of the next."""
        tiles = self._tiling.tiles() * self._job.faces[self._index].copies
        each = self._job.sheets_each
        return [sheet for at, tile in enumerate(tiles) for sheet in self._sheets(tile, first + at * each, total)]

    def _sheets(self, tile: Tile, number: int, total: int) -> list[Sheet]:
        job, paper, face = self._job, self._tiling.paper, self._job.faces[self._index]
        front = Side(job.fronts([(self._index, tile.slot)]), self._items(tile, number, total, is_back=False))
        if not job.is_double_sided:
            return job.sheets_of(paper, front, None, number, total)
        backs = job.backs_behind([(self._index, behind(tile.slot, face.format.trim, paper, job.turn))])
        behind_it = Side(backs, self._items(tile, number + job.sheets_each - 1, total, is_back=True))
        return job.sheets_of(paper, front, behind_it, number, total)

    def _items(self, tile: Tile, number: int, total: int, *, is_back: bool) -> tuple[Item | Layer, ...]:
        tiling, turn = self._tiling, self._job.turn
        column, row = tile.column, tile.row
        if is_back and turns_left_right(tiling.paper, turn):
            column = len(tiling.columns) - 1 - column
        elif is_back:
            row = len(tiling.rows) - 1 - row
        footer = self._footer.items(number, total, tile.column, tile.row, is_back=is_back, place=(column, row))
        marks = tile_marks(tiling, tile, self._job.typeset, turn if is_back else None)
        return Layer(CUT_LAYER, (marks,)), Group(footer, self._placing)
