"""How far items reach: upright rectangles around outlines, texts, pictures and groups, never too small."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from duckpress.core.frame import Drawing, Item, Outline, Picture, Placed, Text
from duckpress.core.geometry import Matrix, Rect, Size, hexagon

# Ink above and below the baseline in type sizes; generous capitals and descenders of the usual text faces.
_ASCENT, _DESCENT = 0.74, 0.24


def outline_bounds(d: str, margin: float = 0.0) -> Rect | None:
    """Give the box around a path's points, control points included; None where it has none."""
    xs: list[float] = []
    ys: list[float] = []
    numbers: list[float] = []
    for word in d.split():
        if word in ("m", "l", "c"):
            xs += numbers[::2]
            ys += numbers[1::2]
            numbers = []
        elif word == "re":
            x, y, width, height = numbers
            xs += (x, x + width)
            ys += (y, y + height)
            numbers = []
        elif word != "h":
            numbers.append(float(word))
    return _around(xs, ys, margin)


def item_bounds(item: Item, drawings: Mapping[str, Drawing]) -> Rect | None:
    """Give the box around an item; a drawing reaches as far as its box; None where nothing is painted."""
    if isinstance(item, Outline):
        margin = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
        return outline_bounds(item.d, margin)
    if isinstance(item, Text):
        top_mm = item.y_mm - _ASCENT * item.size_mm
        return Rect(item.x_mm, top_mm, item.width_mm, (_ASCENT + _DESCENT) * item.size_mm)
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm)
    if isinstance(item, Placed):
        return moved_bounds(drawings[item.key].box, item.matrix)
    inner = items_bounds(item.items, drawings)
    if inner is not None and item.clip:
        inner = _common(inner, outline_bounds(item.clip))
    return moved_bounds(inner, item.matrix) if inner is not None else None


def items_bounds(items: Iterable[Item], drawings: Mapping[str, Drawing]) -> Rect | None:
    """Give the box around several items; None where nothing is painted."""
    boxes = [box for item in items if (box := item_bounds(item, drawings)) is not None]
    if not boxes:
        return None
    x_mm, y_mm = min(box.x_mm for box in boxes), min(box.y_mm for box in boxes)
    return Rect(x_mm, y_mm, max(box.right_mm for box in boxes) - x_mm, max(box.bottom_mm for box in boxes) - y_mm)


def moved_bounds(box: Rect, matrix: Matrix) -> Rect:
    """Give the upright box around a box under a matrix."""
    corners = [matrix.apply(x, y) for x in (box.x_mm, box.right_mm) for y in (box.y_mm, box.bottom_mm)]
    found = _around([x for x, _ in corners], [y for _, y in corners], 0.0)
    assert found is not None
    return found


def is_apart(box: Rect, other: Rect) -> bool:
    """Tell whether two boxes have no point in common."""
    return (
        box.x_mm > other.right_mm
        or box.right_mm < other.x_mm
        or box.y_mm > other.bottom_mm
        or box.bottom_mm < other.y_mm
    )


def lies_in_disc(box: Rect, cx_mm: float, cy_mm: float, radius_mm: float) -> bool:
    """Tell whether a box lies inside a disc: whether its farthest corner does."""
    dx_mm = max(abs(box.x_mm - cx_mm), abs(box.right_mm - cx_mm))
    dy_mm = max(abs(box.y_mm - cy_mm), abs(box.bottom_mm - cy_mm))
    return math.hypot(dx_mm, dy_mm) <= radius_mm + 1e-6


def lies_in_hexagon(box: Rect, trim: Size, inset_mm: float) -> bool:
    """Tell whether all corners of a box lie at least so far inside the hexagon that fills a trim."""
    corners = hexagon(trim)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length_mm = math.hypot(x2 - x1, y2 - y1)
        for x in (box.x_mm, box.right_mm):
            for y in (box.y_mm, box.bottom_mm):
                if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length_mm < inset_mm - 1e-6:
                    return False
    return True


def _common(box: Rect, other: Rect | None) -> Rect | None:
    if other is None or is_apart(box, other):
        return None
    x_mm, y_mm = max(box.x_mm, other.x_mm), max(box.y_mm, other.y_mm)
    return Rect(x_mm, y_mm, min(box.right_mm, other.right_mm) - x_mm, min(box.bottom_mm, other.bottom_mm) - y_mm)


def _around(xs: list[float], ys: list[float], margin: float) -> Rect | None:
    if not xs:
        return None
    x_mm, y_mm = min(xs) - margin, min(ys) - margin
    return Rect(x_mm, y_mm, max(xs) + margin - x_mm, max(ys) + margin - y_mm)
