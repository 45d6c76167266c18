"""What lies under a point of a face: the colour of the last thing painted there before the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.core.bounds import flattened, item_bounds
from duckpress.core.frame import Drawing, Item, Outline, Picture, PlacedDrawing, Text

PAPER = "#ffffff"
_ROUNDING_MM = 1e-6


_Sheer = list[tuple[str, float]]
"""Colours that something shines through, each with its opacity, the topmost first."""

_Look = tuple[str | None, _Sheer]
"""The topmost colour at a point that nothing shines through (None for none, "" for a picture), and what is above it."""


def _seen(look: _Look) -> str | None:
    """Return the colour that is seen, None where a picture is."""
    solid, sheer = look
    if solid == "":
        return None
    colour = solid or PAPER
    for over, opacity in reversed(sheer):
        colour = _over(over, opacity, colour)
    return colour


def _topmost(items: Sequence[Item], x: float, y: float, drawings: Mapping[str, Drawing]) -> _Look:
    """Return what several items show at a point."""
    sheer: _Sheer = []
    for item in reversed(items):
        solid, above = _look_at(item, x, y, drawings)
        sheer += above
        if solid is not None:
            return solid, sheer
    return None, sheer


def _look_at(item: Item, x: float, y: float, drawings: Mapping[str, Drawing]) -> _Look:
    """Return what an item shows at a point."""
    if isinstance(item, Outline):
        paint = item.paint
        if paint.fill is None or not flattened(item.path).holds(x, y, even_odd=paint.even_odd):
            return None, []
        return (paint.fill, []) if paint.fill_opacity == 1 else (None, [(paint.fill, paint.fill_opacity)])
    if isinstance(item, Picture):
        is_there = 0 <= x - item.x_mm <= item.width_mm and 0 <= y - item.y_mm <= item.height_mm
        return "" if is_there else None, []
    inner = None if isinstance(item, Text) else item.matrix.undo(x, y)
    if isinstance(item, Text) or inner is None:
        return None, []
    if isinstance(item, PlacedDrawing):
        (x, y), box = inner, drawings[item.key].box
        if not (0 <= x - box.x_mm <= box.width_mm and 0 <= y - box.y_mm <= box.height_mm):
            return None, []
        return _topmost(drawings[item.key].items, x, y, drawings)
    if item.clip and not flattened(item.clip).holds(*inner, even_odd=False):
        return None, []
    solid, sheer = _topmost(item.items, *inner, drawings)
    if item.opacity == 1 or solid == "":
        return solid, sheer if item.opacity == 1 else []
    return None, _as_one(solid, sheer, item.opacity)


def _as_one(solid: str | None, sheer: _Sheer, of_group: float) -> _Sheer:
    """Return what a group shows that shines through as a whole."""
    if not solid and not sheer:
        return []
    colour, opacity = solid or PAPER, 1.0 if solid else 0.0
    for over, part in reversed(sheer):
        if part > 0:
            opacity = part + opacity * (1 - part)
            colour = _over(over, part / opacity, colour)
    return [(colour, opacity * of_group)]


def _over(colour: str, opacity: float, under: str) -> str:
    pairs = ((int(colour[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(top * opacity + below * (1 - opacity)):02x}" for top, below in pairs)


class Grounds:
    """The colours under words; what cards of one layout have in common is looked at once.

    The ground is looked at by the half millimetre, whatever face asks first.
    """

    def __init__(self, drawings: Mapping[str, Drawing]) -> None:
        self.drawings = drawings
        self._covers: dict[Item, _Cover] = {}
        self._painted: list[_Cover] = []
        self._ranks: list[int] = []

    def open(self, items: Sequence[Item]) -> None:
        """Turn to the items of a face."""
        painted, ranks = [], [0]
        for item in items:
            if not isinstance(item, Text):
                cover = self._covers.get(item)
                if cover is None:
                    bounds = item_bounds(item, self.drawings)
                    box = (1.0, 1.0, 0.0, 0.0) if bounds is None else bounds.grown(_ROUNDING_MM).edges
                    cover = self._covers[item] = _Cover(item, box, {})
                painted.append(cover)
            ranks.append(len(painted))
        self._painted, self._ranks = painted, ranks

    def under(self, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point once so many items are painted, or None where a raster picture shows."""
        column, row = int(2 * point[0] // 1), int(2 * point[1] // 1)
        x, y = (column + 0.5) / 2, (row + 0.5) / 2
        sheer: _Sheer = []
        for cover in self._painted[: self._ranks[after]][::-1]:
            left, top, right, bottom = cover.box
            if not (left <= x <= right and top <= y <= bottom):
                continue
            known = cover.known.get((column, row))
            if known is None:
                known = cover.known[column, row] = _look_at(cover.item, x, y, self.drawings)
            sheer += known[1]
            if known[0] is not None:
                return _seen((known[0], sheer))
        return _seen((None, sheer))

    def over(self, item: Item, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point with an item over the first so many of the face; None as in `under`."""
        solid, sheer = _look_at(item, *point, self.drawings)
        below = self.under(point, after) if solid is None else solid
        return None if below is None else _seen((below, sheer))


class _Cover(Struct, frozen=True):
    """An item, the edges of a box that it does not paint outside of, and what it leaves where it was asked for."""

    item: Item
    box: tuple[float, float, float, float]
    known: dict[tuple[int, int], _Look]
