"""How far paths and items reach, never too little, and which points lie inside a path."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from duckpress.core.frame import Drawing, Item, Outline, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Point, Rect, Size, box_of_points, hexagon, rect_around
from duckpress.core.paths import CLOSE, CURVE, LINE, MOVE, RECTANGLE, Path

# Ink above and below the baseline in type sizes; generous capitals and descenders of the usual text faces.
_ASCENT, _DESCENT = 0.74, 0.24
_STEPS = 6  # straight lines for a curve: a tenth of a millimetre off on the largest corner


class FlatPath(NamedTuple):
    """A path as straight lines: its edges, the points of each of its closed lines, and of every line that is stroked.

    A line without an area is no ring.
    """

    left: float
    top: float
    right: float
    bottom: float
    rings: tuple[tuple[Point, ...], ...]
    lines: tuple[tuple[Point, ...], ...] = ()

    def holds(self, x: float, y: float, *, even_odd: bool) -> bool:
        """Return whether a point lies inside."""
        if not (self.left <= x <= self.right and self.top <= y <= self.bottom):
            return False
        winding = crossings = 0
        for ring in self.rings:
            x1, y1 = ring[-1]
            for x2, y2 in ring:
                if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                    crossings += 1
                    winding += 1 if y2 > y1 else -1
                x1, y1 = x2, y2
        return crossings % 2 == 1 if even_odd else winding != 0

    def is_near(self, x: float, y: float, reach: float) -> bool:
        """Return whether a point lies so near to a line, ends included."""
        if not (self.left - reach <= x <= self.right + reach and self.top - reach <= y <= self.bottom + reach):
            return False
        for line in self.lines:
            for (x1, y1), (x2, y2) in pairwise(line):
                dx, dy = x2 - x1, y2 - y1
                length = dx * dx + dy * dy
                part = min(1.0, max(0.0, ((x - x1) * dx + (y - y1) * dy) / length)) if length else 0.0
                if (x1 + part * dx - x) ** 2 + (y1 + part * dy - y) ** 2 <= reach * reach:
                    return True
        return False


@lru_cache(maxsize=4096)
def flattened(path: Path) -> FlatPath:
    """Return a path as straight lines; one without points holds nothing."""
    lines: list[list[Point]] = []
    for kind, numbers in path.segments():
        if kind == RECTANGLE:
            corners = Rect(*numbers).corners
            lines.append([*corners, corners[0]])
        elif kind == MOVE:
            lines.append([(numbers[0], numbers[1])])
        elif kind == LINE:
            lines[-1].append((numbers[0], numbers[1]))
        elif kind == CURVE:
            (x0, y0), (x1, y1, x2, y2, x3, y3) = lines[-1][-1], numbers
            for step in range(1, _STEPS + 1):
                t = step / _STEPS
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                lines[-1].append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
        elif kind == CLOSE:
            lines[-1].append(lines[-1][0])
    points = [point for line in lines for point in line]
    if not points:
        return FlatPath(1.0, 1.0, 0.0, 0.0, ())
    xs, ys = [x for x, _ in points], [y for _, y in points]
    rings = tuple(tuple(line) for line in lines if len(line) > 2)
    return FlatPath(min(xs), min(ys), max(xs), max(ys), rings, tuple(map(tuple, lines)))


@lru_cache(maxsize=8192)
def path_bounds(path: Path, margin: float = 0.0) -> Rect | None:
    """Return the box around a path's points, control points included, and a margin; None where it has no points."""
    points: list[Point] = []
    for kind, numbers in path.segments():
        points += Rect(*numbers).corners if kind == RECTANGLE else zip(numbers[::2], numbers[1::2], strict=True)
    return box_of_points(points).grown(margin) if points else None


def item_bounds(item: Item, drawings: Mapping[str, Drawing]) -> Rect | None:
    """Return the box around an item, or None where nothing is painted; a drawing reaches as far as its box."""
    if isinstance(item, Outline):
        return path_bounds(item.path, item.paint.stroke_mm / 2 if item.paint.stroke else 0.0)
    if isinstance(item, Text):
        top_mm = item.y_mm - _ASCENT * item.size_mm
        return Rect(item.x_mm, top_mm, item.width_mm, (_ASCENT + _DESCENT) * item.size_mm)
    if isinstance(item, Picture):
        return Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm)
    if isinstance(item, PlacedDrawing):
        return item.matrix.around(drawings[item.key].box)
    inner = items_bounds(item.items, drawings)
    if inner is not None and item.clip:
        clip = path_bounds(item.clip)
        inner = None if clip is None or inner.is_apart(clip) else inner.shared(clip)
    return item.matrix.around(inner) if inner is not None else None


def items_bounds(items: Iterable[Item], drawings: Mapping[str, Drawing]) -> Rect | None:
    """Return the box around several items, or None where nothing is painted."""
    boxes = [box for item in items if (box := item_bounds(item, drawings)) is not None]
    return rect_around(boxes) if boxes else None


def lies_in_disc(box: Rect, cx_mm: float, cy_mm: float, radius_mm: float) -> bool:
    """Return whether a box lies inside a disc: whether its farthest corner does."""
    dx_mm = max(abs(box.x_mm - cx_mm), abs(box.right_mm - cx_mm))
    dy_mm = max(abs(box.y_mm - cy_mm), abs(box.bottom_mm - cy_mm))
    return math.hypot(dx_mm, dy_mm) <= radius_mm + 1e-6


def lies_in_hexagon(box: Rect, trim: Size, inset_mm: float) -> bool:
    """Return whether all corners of a box lie at least so far inside the hexagon that fills a trim."""
    corners = hexagon(trim)
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length_mm = math.hypot(x2 - x1, y2 - y1)
        for x, y in box.corners:
            if ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length_mm < inset_mm - 1e-6:
                return False
    return True
