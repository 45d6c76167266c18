"""What lies under a point of a face: the colour of the last thing painted there before the words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.frame import Drawing, Group, Item, Outline, Picture, Placed, Text
from duckpress.geometry import IDENTITY, Matrix

PAPER = "#ffffff"
_BESIDE = (0.1, 0.9)  # where on a run of words it is looked at besides the middle
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


class Words(Struct, frozen=True):
    """A run of words as it is printed: what it says, its colour, its size in points, and the middle of its letters."""

    text: str
    colour: str
    size_pt: float
    middle: tuple[float, float]
    after: int  # how many items of the face were painted before
    item: Text
    matrix: Matrix

    def others(self) -> Iterator[tuple[float, float]]:
        """Yield points on its letters away from the middle."""
        for part in _BESIDE:
            yield _point(self.item, part, self.matrix)


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
    return _seen(_topmost(items, x, y, drawings, 1.0, sheer), sheer)


def _seen(found: str | None, sheer: Sequence[tuple[str, float]]) -> str | None:
    """Give the colour of what `_topmost` found, seen through what is sheer above it, the topmost first."""
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


def ends_of(items: Sequence[Item]) -> list[Words]:
    """Give the runs of words of a face without those inside a paragraph: of lines that follow each other, the ends."""
    found: list[Words] = []
    last: tuple[int, Text] | None = None
    is_inside = False  # the last run follows the one before it
    for index, item in enumerate(items):
        if type(item) is Text:
            if item.text.isspace() or not item.text:
                continue
            follows = last is not None and last[0] == index - 1 and _follow(last[1], item)
            if last is not None and not (is_inside and follows):
                found.append(_words(last[1], IDENTITY, last[0]))
            last, is_inside = (index, item), follows
        elif isinstance(item, Group):
            if last is not None:
                found.append(_words(last[1], IDENTITY, last[0]))
                last = None
            # What the group itself paints under its words counts too, so its own items go along.
            found += _words_within(item, IDENTITY, index + 1)
    if last is not None:
        found.append(_words(last[1], IDENTITY, last[0]))
    return found


def _words_within(group: Group, matrix: Matrix, after: int) -> Iterator[Words]:
    matrix = matrix.after(group.matrix)
    for item in group.items:
        if isinstance(item, Group):
            yield from _words_within(item, matrix, after)
        elif isinstance(item, Text) and item.text.strip():
            yield _words(item, matrix, after)


def _words(item: Text, matrix: Matrix, after: int) -> Words:
    size_mm = item.size_mm
    if matrix is not IDENTITY:
        size_mm *= abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
    return Words(item.text, item.fill, size_mm * 72 / 25.4, _point(item, 0.5, matrix), after, item, matrix)


def _follow(one: Text, other: Text) -> bool:
    """Tell whether a run of words is set as the one before it, and no further from it than lines of a paragraph."""
    return one.fill == other.fill and one.size_mm == other.size_mm and abs(other.y_mm - one.y_mm) < 2 * one.size_mm


def _point(item: Text, part: float, matrix: Matrix) -> tuple[float, float]:
    """Give the point that so much of a run of words lies before, half way up the small letters."""
    x, y = item.x_mm + item.width_mm * part, item.y_mm - 0.3 * item.size_mm
    return (x, y) if matrix is IDENTITY else matrix.apply(x, y)


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
        """Give the colour at a point once so many items of the face are painted; None where a raster picture shows."""
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
                found = _topmost((cover.item,), x, y, self.drawings, 1.0, above)
                known = cover.known[column, row] = found, above
            sheer += known[1]
            if known[0] is not None:
                return _seen(known[0], sheer)
        return _seen(None, sheer)


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""

_EVERYWHERE = (-math.inf, -math.inf, math.inf, math.inf)


class _Cover(Struct, frozen=True):
    """An item, the box that it does not paint outside of, and what it leaves where it was asked for."""

    item: Item
    box: Box
    known: dict[tuple[int, int], tuple[str | None, list[tuple[str, float]]]]


def box_of(item: Item, drawings: Mapping[str, Drawing]) -> Box:
    """Give a box that an item fills nothing outside of."""
    if isinstance(item, Outline):
        shape = shape_of(item.d)
        return shape.left, shape.top, shape.right, shape.bottom
    if isinstance(item, Picture):
        return item.x_mm, item.y_mm, item.x_mm + item.width_mm, item.y_mm + item.height_mm
    if isinstance(item, Placed):
        (a, b, c, d, e, f), box = item.matrix, drawings[item.key].box
        if not (b or c) and a > 0 and d > 0:
            return a * box.x_mm + e, d * box.y_mm + f, a * box.right_mm + e, d * box.bottom_mm + f
        box = item.matrix.around(box)
        return box.x_mm, box.y_mm, box.right_mm, box.bottom_mm
    return _EVERYWHERE
