"""What lies under a point of a face: the colour of the last thing painted there before the words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.core.bounds import flattened
from duckpress.core.frame import Drawing, Group, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Rect

PAPER = "#ffffff"


def _seen(found: str | None, sheer: Sequence[tuple[str, float]]) -> str | None:
    """Return the colour of what `_topmost` found, seen through what is sheer above it, the topmost first."""
    if found == "":
        return None
    colour = found or PAPER
    for over, opacity in reversed(sheer):
        colour = _over(over, opacity, colour)
    return colour


def _topmost(
    items: Sequence[Item],
    x: float,
    y: float,
    drawings: Mapping[str, Drawing],
    sheer: list[tuple[str, float]],
) -> str | None:
    """Return the colour of the topmost thing at a point that nothing shines through: None for none, "" for a picture.

    What is sheer above it goes to `sheer`, the topmost first.
    """
    for item in reversed(items):
        found: str | None = None
        if isinstance(item, Outline):
            paint = item.paint
            if paint.fill is None or not flattened(item.path).holds(x, y, even_odd=paint.even_odd):
                continue
            if paint.fill_opacity < 1:
                sheer.append((paint.fill, paint.fill_opacity))
                continue
            found = paint.fill
        elif isinstance(item, Picture):
            if 0 <= x - item.x_mm <= item.width_mm and 0 <= y - item.y_mm <= item.height_mm:
                found = ""
        elif not isinstance(item, Text):
            found = _topmost_inside(item, x, y, drawings, sheer)
        if found is not None:
            return found
    return None


def _topmost_inside(
    item: PlacedDrawing | Group,
    x: float,
    y: float,
    drawings: Mapping[str, Drawing],
    sheer: list[tuple[str, float]],
) -> str | None:
    inner = item.matrix.undo(x, y)
    if inner is None:
        return None
    if isinstance(item, Group):
        if item.clip and not flattened(item.clip).holds(*inner, even_odd=False):
            return None
        if item.opacity == 1:
            return _topmost(item.items, *inner, drawings, sheer)
        own: list[tuple[str, float]] = []
        found = _topmost(item.items, *inner, drawings, own)
        if found == "":
            return found
        if found or own:
            colour, opacity = _as_one(found, own)
            sheer.append((colour, opacity * item.opacity))
        return None
    box = drawings[item.key].box
    if not (0 <= inner[0] - box.x_mm <= box.width_mm and 0 <= inner[1] - box.y_mm <= box.height_mm):
        return None
    return _topmost(drawings[item.key].items, *inner, drawings, sheer)


def _as_one(found: str | None, sheer: Sequence[tuple[str, float]]) -> tuple[str, float]:
    """Return the colour and the opacity of what `_topmost` found in a group, which shines through as a whole."""
    colour, opacity = found or PAPER, 1.0 if found else 0.0
    for over, part in reversed(sheer):
        if part > 0:
            opacity = part + opacity * (1 - part)
            colour = _over(over, part / opacity, colour)
    return colour, opacity


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
                    cover = self._covers[item] = _Cover(item, box_of(item, self.drawings), {})
                painted.append(cover)
            ranks.append(len(painted))
        self._painted, self._ranks = painted, ranks

    def under(self, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point once so many items are painted, or None where a raster picture shows."""
        column, row = int(2 * point[0] // 1), int(2 * point[1] // 1)
        x, y = (column + 0.5) / 2, (row + 0.5) / 2
        sheer: list[tuple[str, float]] = []
        for cover in self._painted[: self._ranks[after]][::-1]:
            left, top, right, bottom = cover.box
            if not (left <= x <= right and top <= y <= bottom):
                continue
            known = cover.known.get((column, row))
            if known is None:
                above: list[tuple[str, float]] = []
                found = _topmost((cover.item,), x, y, self.drawings, above)
                known = cover.known[column, row] = found, above
            sheer += known[1]
            if known[0] is not None:
                return _seen(known[0], sheer)
        return _seen(None, sheer)

    def over(self, item: Item, point: tuple[float, float], after: int) -> str | None:
        """Return the colour at a point with an item over the first so many of the face; None as in `under`."""
        sheer: list[tuple[str, float]] = []
        found = _topmost((item,), *point, self.drawings, sheer)
        below = self.under(point, after) if found is None else found
        return None if below is None else _seen(below, sheer)


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)


class _Cover(Struct, frozen=True):
    """An item, the box that it does not paint outside of, and what it leaves where it was asked for."""

    item: Item
    box: Box
    known: dict[tuple[int, int], tuple[str | None, list[tuple[str, float]]]]


def box_of(item: Item, drawings: Mapping[str, Drawing]) -> Box:
    """Return a box that an item fills nothing outside of."""
    if isinstance(item, Outline):
        return flattened(item.path)[:4]
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm).edges
    if isinstance(item, PlacedDrawing):
        (a, b, c, d, e, f), box = item.matrix, drawings[item.key].box
        if not (b or c) and a > 0 and d > 0:
            return a * box.x_mm + e, d * box.y_mm + f, a * box.right_mm + e, d * box.bottom_mm + f
        return item.matrix.around(box).edges
    return _EVERYWHERE
