"""A page set from left to right -> the same page for a language that is written the other way: each item at its place.

Nothing is turned about but places: a picture shows what it shows, and words of a column count their places from its
right edge from the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from duckpress.core.frame import Drawing, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, box_of_points, rect_around, translation


def mirrored(item: Item, edges_mm: float, drawings: Mapping[str, Drawing]) -> Item:
    """Return an item as far from the right edge as it was from the left; `edges_mm` is the sum of both."""
    if isinstance(item, Outline):
        return replace(item, path=item.path.mapped(Matrix(-1.0, 0.0, 0.0, 1.0, edges_mm, 0.0)))
    box = _box_of(item, drawings)
    if isinstance(item, Text | Picture):
        return replace(item, x_mm=round(edges_mm - box.right_mm, 4))
    a, b, c, d, e, f = translation(edges_mm - box.right_mm - box.x_mm, 0.0).after(item.matrix)
    return replace(item, matrix=Matrix(a, b, c, d, round(e, 4), f))


def _box_of(item: Item, drawings: Mapping[str, Drawing]) -> Rect:
    if isinstance(item, Text):
        return Rect(item.x_mm, item.y_mm, item.width_mm, 0.0)
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm)
    if isinstance(item, PlacedDrawing):
        return item.matrix.around(drawings[item.key].box)
    if isinstance(item, Outline):
        numbers = item.path.numbers
        return box_of_points(zip(numbers[::2], numbers[1::2], strict=True))
    return item.matrix.around(rect_around([_box_of(inner, drawings) for inner in item.items]))
