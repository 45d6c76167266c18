"""What lies under a point of a face: the colour of the last thing painted there before the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from duckpress.frame import Drawing, Group, Item, Outline, Picture, Placed, Text
from duckpress.geometry import IDENTITY, Matrix

PAPER = "#ffffff"
_ALONG = (0.5, 0.1, 0.9)  # where on a run of words it is looked at, the middle first
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


class Words(NamedTuple):
    """A run of words as it is printed: what it says, its colour, its size in points, and points on its letters."""

    text: str
    colour: str
    size_pt: float
    points: tuple[tuple[float, float], ...]
    after: int  # how many items of the face were painted before


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


def ground_at(items: Sequence[Item], x: float, y: float, drawings: Mapping[str, Drawing]) -> str | None:
    """Give the colour that items leave at a point on white paper; None where a raster picture shows."""
    sheer: list[tuple[str, float]] = []
    found = _topmost(items, x, y, drawings, 1.0, sheer)
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
    opacity: float,
    sheer: list[tuple[str, float]],
) -> str | None:
    """Give the colour of the topmost thing at a point that nothing shines through: None for none, "" for a picture.

    What is sheer above it goes to `sheer`, the topmost first.
    """
    for item in reversed(items):
        found: str | None = None
        if isinstance(item, Outline):
            paint = item.paint
            if paint.fill is None or not shape_of(item.d).holds(x, y, even_odd=paint.even_odd):
                continue
            if paint.fill_opacity * opacity < 1:
                sheer.append((paint.fill, paint.fill_opacity * opacity))
                continue
            found = paint.fill
        elif isinstance(item, Picture):
            if 0 <= x - item.x_mm <= item.width_mm and 0 <= y - item.y_mm <= item.height_mm:
                found = ""
        elif not isinstance(item, Text):
            found = _topmost_inside(item, x, y, drawings, opacity, sheer)
        if found is not None:
            return found
    return None


def _topmost_inside(
    item: Placed | Group,
    x: float,
    y: float,
    drawings: Mapping[str, Drawing],
    opacity: float,
    sheer: list[tuple[str, float]],
) -> str | None:
    inner = _back_through(item.matrix, x, y)
    if inner is None:
        return None
    if isinstance(item, Group):
        if item.clip and not shape_of(item.clip).holds(*inner, even_odd=False):
            return None
        return _topmost(item.items, *inner, drawings, opacity * item.opacity, sheer)
    box = drawings[item.key].box
    if not (0 <= inner[0] - box.x_mm <= box.width_mm and 0 <= inner[1] - box.y_mm <= box.height_mm):
        return None
    return _topmost(drawings[item.key].items, *inner, drawings, opacity, sheer)


def _over(colour: str, opacity: float, under: str) -> str:
    pairs = ((int(colour[i : i + 2], 16), int(under[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(top * opacity + below * (1 - opacity)):02x}" for top, below in pairs)


def _back_through(matrix: Matrix, x: float, y: float) -> tuple[float, float] | None:
    """Give the point that a matrix maps to this one; None for a matrix that flattens."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    if not area:
        return None
    x, y = x - e, y - f
    return (d * x - c * y) / area, (a * y - b * x) / area


def words_of(items: Sequence[Item], matrix: Matrix = IDENTITY, after: int | None = None) -> list[Words]:
    """Give the runs of words of a face, those in groups too, with points on them in the face's own millimetres."""
    found = []
    for index, item in enumerate(items):
        before = index if after is None else after
        if isinstance(item, Text) and item.text.strip():
            middle_mm = item.y_mm - 0.3 * item.size_mm  # half way up the small letters
            points = tuple((item.x_mm + item.width_mm * part, middle_mm) for part in _ALONG)
            size_mm = item.size_mm
            if matrix is not IDENTITY:
                points = tuple(matrix.apply(*point) for point in points)
                size_mm *= abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
            found.append(Words(item.text, item.fill, size_mm * 72 / 25.4, points, before))
        elif isinstance(item, Group):
            # What the group itself paints under its words counts too, so its own items go along.
            found += words_of(item.items, matrix.after(item.matrix), before + 1 if after is None else after)
    return found
