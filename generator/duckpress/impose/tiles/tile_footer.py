"""The footer of a tile: what every footer says, how the tile is joined to its neighbours, and a map of the tiles."""

from __future__ import annotations

from duckpress.core.frame import Group, Item, Outline, Paint
from duckpress.core.geometry import scaling, translation
from duckpress.core.paths import Path, joined, rectangle
from duckpress.core.units import added
from duckpress.impose.footer import COLOUR, TEXT_PT, TWO_ROWS, Footer, Typeset
from duckpress.language import program

STRIP_MM = 7.1  # three rows of type
_BASELINE_MM = 6.4
_MAP_MM = STRIP_MM - 0.2
_MAP_WIDEST_MM = 16.0
_MAP_GAP_MM = 3.0
_MAP_PAINT = Paint(stroke=COLOUR, stroke_mm=0.15)
_HERE_PAINT = Paint(fill=COLOUR)
MAP_ROOM_MM = _MAP_WIDEST_MM + _MAP_GAP_MM
SHORTEST_MM = TWO_ROWS.shortest_mm + MAP_ROOM_MM

_JOINING = {
    (False, False): program.JOIN_FIRST,
    (True, False): program.JOIN_LEFT,
    (False, True): program.JOIN_UPPER,
    (True, True): program.JOIN_BOTH,
}

STRIP = TWO_ROWS._replace(thickness_mm=STRIP_MM)


class TileFooter:
    """The footers of a board in so many `columns` and `rows` of tiles; `shape` is its width over its height."""

    def __init__(
        self, footer: Footer, typeset: Typeset, length_mm: float, columns: int, rows: int, shape: float
    ) -> None:
        self._footer = footer
        self._typeset = typeset
        self._length_mm = length_mm
        self._columns = columns
        self._rows = rows
        self._width_mm = min(_MAP_WIDEST_MM, _MAP_MM * shape)
        self._height_mm = self._width_mm / shape

    def items(
        self, number: int, total: int, column: int, row: int, *, is_back: bool, place: tuple[int, int]
    ) -> tuple[Item, ...]:
        """Return the footer of a tile in its own coordinates; `place` is its column and row as this side is read."""
        footer = self._footer.items(number, total, is_back=is_back)
        return (*footer, *self._join(column, row), *self._map(place))

    def _join(self, column: int, row: int) -> list[Item]:
        """Return the line that says which tile this is, and what to do with it."""
        at = row * self._columns + column + 1
        said = self._footer.speech.program
        tile = said(program.TILE, {"number": at, "total": self._columns * self._rows})
        where = said(program.TILE_PLACE, {"row": row + 1, "column": column + 1})
        parts = [self._typeset(tile, TEXT_PT, True)]
        parts.append(self._typeset(f"· {where} · {said(joining(column, row))}", TEXT_PT, False))
        room_mm = self._length_mm - MAP_ROOM_MM
        full_mm = added(width_mm for _, width_mm in parts) + 0.6
        scale = min(1.0, room_mm / full_mm)
        items: list[Item] = []
        x_mm = 0.0
        for part, width_mm in parts:
            items.append(Group(part, translation(x_mm, _BASELINE_MM).after(scaling(scale))))
            x_mm += (width_mm + 0.6) * scale
        return items

    def _map(self, place: tuple[int, int]) -> list[Item]:
        """Return the board in small, with this tile filled."""
        wide_mm, high_mm = self._width_mm / self._columns, self._height_mm / self._rows
        left_mm, top_mm = self._length_mm - self._width_mm - 0.1, (STRIP_MM - self._height_mm) / 2
        cells = [(column, row) for row in range(self._rows) for column in range(self._columns)]

        def box(column: int, row: int) -> Path:
            return rectangle(left_mm + column * wide_mm, top_mm + row * high_mm, wide_mm, high_mm, is_mark=True)

        return [Outline(box(*place), _HERE_PAINT), Outline(joined(box(*cell) for cell in cells), _MAP_PAINT)]


def joining(column: int, row: int) -> str:
    """Return what to do with a tile: the upper and the left edge are cut at the seam and laid over the neighbour."""
    return _JOINING[column > 0, row > 0]
