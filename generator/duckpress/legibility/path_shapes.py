"""Paths as shapes: the straight lines that a path comes to, and the points that lie inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_STEPS = 6  # straight lines for a curve: a tenth of a millimetre off on the largest corner


class Shape(NamedTuple):
    """A path as straight lines: its box, and its rings of points."""

    left: float
    top: float
    right: float
    bottom: float
    rings: tuple[tuple[tuple[float, float], ...], ...]

    def holds(self, x: float, y: float, *, even_odd: bool) -> bool:
        """Tell whether a point lies inside."""
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


@lru_cache(maxsize=4096)
def shape_of(d: str) -> Shape:
    """Give a path in PDF's operators as straight lines; a path without points holds nothing."""
    rings: list[tuple[tuple[float, float], ...]] = []
    ring: list[tuple[float, float]] = []
    numbers: list[float] = []
    for word in d.split():
        if word == "re":
            x, y, width, height = numbers
            rings.append(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))
        elif word == "m":
            if len(ring) > 2:
                rings.append(tuple(ring))
            ring = [(numbers[0], numbers[1])]
        elif word == "l":
            ring.append((numbers[0], numbers[1]))
        elif word == "c":
            ring += _curve(ring[-1], numbers)
        elif word != "h":
            numbers.append(float(word))
            continue
        numbers = []
    if len(ring) > 2:
        rings.append(tuple(ring))
    xs = [x for one in rings for x, _ in one]
    ys = [y for one in rings for _, y in one]
    if not xs:
        return Shape(1.0, 1.0, 0.0, 0.0, ())
    return Shape(min(xs), min(ys), max(xs), max(ys), tuple(rings))


def _curve(start: tuple[float, float], numbers: Sequence[float]) -> list[tuple[float, float]]:
    x1, y1, x2, y2, x3, y3 = numbers
    points = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append((a * start[0] + b * x1 + c * x2 + d * x3, a * start[1] + b * y1 + c * y2 + d * y3))
    return points
