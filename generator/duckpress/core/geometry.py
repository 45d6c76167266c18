"""Lengths and plane geometry in millimetres: origin at the top left, y growing downwards, angles in degrees clockwise.

Text such as `"63.5mm"` becomes millimetres here, and millimetres become points: the only conversions in the program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import NamedTuple

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
PT_PER_MM = PT_PER_INCH / MM_PER_INCH
MM_PER_PT = MM_PER_INCH / PT_PER_INCH

_MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT, "": 1.0}
_LENGTH = re.compile(r"\s*+([+-]?(?:\d++\.?\d*+|\.\d++))\s*+(mm|cm|in|pt|)\s*+")


def parse_length(text: str) -> float | None:
    """Return a length in millimetres from text such as `63`, `63.5mm`, `2.5in` or `9pt`; None for other text."""
    match = _LENGTH.fullmatch(text)
    return float(match[1]) * _MM_PER_UNIT[match[2]] if match and len(text) <= 32 else None


def added(numbers: Iterable[float], start: float = 0) -> float:
    """Return the sum of numbers, added one after the other in their order.

    `sum` makes up for what floats lose, but only since Python 3.12: the last digit of a place, and with it the hash of
    a face, would depend on the Python. What is whole may be left to `sum`.
    """
    return reduce(add, numbers, start)


Point = tuple[float, float]
"""An x and a y in millimetres."""


class Size(NamedTuple):
    """A width and a height in millimetres."""

    width_mm: float
    height_mm: float

    def turned(self) -> Size:
        return Size(self.height_mm, self.width_mm)


class Rect(NamedTuple):
    """An upright rectangle in millimetres, named by its top left corner."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float

    @property
    def right_mm(self) -> float:
        return self.x_mm + self.width_mm

    @property
    def bottom_mm(self) -> float:
        return self.y_mm + self.height_mm

    @property
    def edges(self) -> tuple[float, float, float, float]:
        return self.x_mm, self.y_mm, self.right_mm, self.bottom_mm

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The corners, clockwise from the top left."""
        left, top, right, bottom = self.edges
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def grown(self, by_mm: float) -> Rect:
        """Return the rectangle with every edge moved outwards (inwards where negative)."""
        return Rect(self.x_mm - by_mm, self.y_mm - by_mm, self.width_mm + 2 * by_mm, self.height_mm + 2 * by_mm)

    def inside(self, margins: Size) -> Rect:
        """Return the rectangle without margins across and down."""
        x_mm, y_mm = margins
        return Rect(self.x_mm + x_mm, self.y_mm + y_mm, self.width_mm - 2 * x_mm, self.height_mm - 2 * y_mm)

    def turned(self) -> Rect:
        """Return the rectangle with across and down exchanged."""
        return Rect(self.y_mm, self.x_mm, self.height_mm, self.width_mm)

    def moved(self, dx_mm: float, dy_mm: float) -> Rect:
        return Rect(self.x_mm + dx_mm, self.y_mm + dy_mm, self.width_mm, self.height_mm)

    def holds(self, other: Rect, tolerance_mm: float = 1e-6) -> bool:
        """Return whether the other rectangle lies inside this one."""
        return (
            other.x_mm >= self.x_mm - tolerance_mm
            and other.y_mm >= self.y_mm - tolerance_mm
            and other.right_mm <= self.right_mm + tolerance_mm
            and other.bottom_mm <= self.bottom_mm + tolerance_mm
        )

    def is_apart(self, other: Rect) -> bool:
        return (
            self.x_mm > other.right_mm
            or self.right_mm < other.x_mm
            or self.y_mm > other.bottom_mm
            or self.bottom_mm < other.y_mm
        )

    def shared(self, other: Rect) -> Rect:
        """Return the intersection of the two rectangles; a rectangle of no size if they do not meet."""
        left, top = max(self.x_mm, other.x_mm), max(self.y_mm, other.y_mm)
        right, bottom = min(self.right_mm, other.right_mm), min(self.bottom_mm, other.bottom_mm)
        return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


class Matrix(NamedTuple):
    """An affine map x' = a x + c y + e, y' = b x + d y + f, as in SVG and PDF."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def after(self, inner: Matrix) -> Matrix:
        """Return the map that applies `inner` first and this one second."""
        return Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            self.a * inner.e + self.c * inner.f + self.e,
            self.b * inner.e + self.d * inner.f + self.f,
        )

    def apply(self, x: float, y: float) -> Point:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def undo(self, x: float, y: float) -> Point | None:
        """Return the point that the matrix maps to this one, or None if the matrix is singular."""
        area = self.a * self.d - self.b * self.c
        if abs(area) < _FLAT:
            return None
        x, y = x - self.e, y - self.f
        return (self.d * x - self.c * y) / area, (self.a * y - self.b * x) / area

    def around(self, rect: Rect) -> Rect:
        """Return the upright box around the image of a rectangle."""
        return box_of_points([self.apply(*corner) for corner in rect.corners])

    def inverse(self) -> Matrix:
        """Return the inverse matrix; the matrix must not be singular."""
        a, b, c, d, e, f = self
        scale = a * d - b * c
        return Matrix(d / scale, -b / scale, -c / scale, a / scale, (c * f - d * e) / scale, (b * e - a * f) / scale)


IDENTITY = Matrix()
_FLAT = 1e-12  # an area below it is none
_QUARTERS: dict[float, tuple[float, float]] = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}


def translation(dx_mm: float, dy_mm: float) -> Matrix:
    return Matrix(e=dx_mm, f=dy_mm)


def scaling(sx: float, sy: float | None = None) -> Matrix:
    return Matrix(a=sx, d=sx if sy is None else sy)


def rotation(degrees: float, cx_mm: float = 0.0, cy_mm: float = 0.0) -> Matrix:
    """Return the map that turns clockwise (as seen, y downwards) about a point; quarter turns are exact."""
    cos, sin = _QUARTERS.get(degrees % 360) or (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    return Matrix(cos, sin, -sin, cos, cx_mm - cos * cx_mm + sin * cy_mm, cy_mm - sin * cx_mm - cos * cy_mm)


def box_of_points(points: Iterable[Point]) -> Rect:
    """Return the smallest upright rectangle around one point or more."""
    xs, ys = zip(*points, strict=True)
    left, top = min(xs), min(ys)
    return Rect(left, top, max(xs) - left, max(ys) - top)


def rect_around(rects: Iterable[Rect]) -> Rect:
    """Return the smallest upright rectangle around one or more."""
    rects = tuple(rects)
    left, top = min([rect.x_mm for rect in rects]), min([rect.y_mm for rect in rects])
    right, bottom = max([rect.right_mm for rect in rects]), max([rect.bottom_mm for rect in rects])
    return Rect(left, top, right - left, bottom - top)


def hexagon(size: Size) -> tuple[Point, ...]:
    """Return the corners of the hexagon that fills a size, clockwise: two points at the ends of the longer side."""
    width_mm, height_mm = size
    if width_mm < height_mm:
        # Turned about its middle line, a hexagon runs the other way round.
        return tuple((x, y) for y, x in reversed(hexagon(size.turned())))
    quarter_mm, middle_mm = width_mm / 4, height_mm / 2
    return (
        (0.0, middle_mm),
        (quarter_mm, 0.0),
        (3 * quarter_mm, 0.0),
        (width_mm, middle_mm),
        (3 * quarter_mm, height_mm),
        (quarter_mm, height_mm),
    )
