"""Polyominoes: shapes of square spaces, turned and mirrored, with their outline; and where they fit on a board.

A cell is a space by its column and row, a point is a crossing of grid lines; both count from 0 at the top left. The
cell (0, 0) has the corners (0, 0), (1, 0), (0, 1) and (1, 1). Cards and lists name them by coordinates, capital letters
and a number: `C12`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from duckpress.core.coordinates import Coordinates

MAX_SIDE = 100  # spaces of a board
Cell = tuple[int, int]
Point = tuple[int, int]
Shape = frozenset[Cell]
_WRITTEN = re.compile(r"[A-Z]{1,2}(?:0|[1-9][0-9]{0,2})")


def cell_at(names: Coordinates, text: str) -> Cell | None:
    """Return the place that a coordinate names, on the board or beside it; None for what is no coordinate."""
    return names.locate(text) if _WRITTEN.fullmatch(text) else None


def better(text: str) -> str | None:
    """Return the coordinate that a text most likely means: `c 3` and `3C` mean C3."""
    letters, digits = re.sub(r"[^A-Za-z]", "", text).upper(), re.sub(r"[^0-9]", "", text)
    meant = f"{letters}{digits.lstrip('0') or digits[:1]}"
    return meant if _WRITTEN.fullmatch(meant) else None


class Reach(Struct, frozen=True):
    """An upright rectangle of coordinates, first and last included."""

    left: int
    top: int
    right: int
    bottom: int

    def nearest(self, point: Point) -> Point:
        """Return the coordinate of the rectangle that is nearest to a point."""
        x, y = point
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


def shape_of(rows: Iterable[str]) -> Shape:
    """Return the shape that rows of text show, an `X` for each space, moved to the top left."""
    return moved_home((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "X")


def moved_home(cells: Iterable[Cell]) -> Shape:
    """Return a shape moved so that its first column and row are 0."""
    every = list(cells)
    left, top = min((x for x, _ in every), default=0), min((y for _, y in every), default=0)
    return frozenset((x - left, y - top) for x, y in every)


def extent(shape: Shape) -> tuple[int, int]:
    """Return how many columns and rows a shape at the top left takes up."""
    return max((x for x, _ in shape), default=-1) + 1, max((y for _, y in shape), default=-1) + 1


@lru_cache(maxsize=1024)
def orientations(shape: Shape) -> tuple[Shape, ...]:
    """Return the different shapes that turning and mirroring make of a shape, in a fixed order: one to eight."""
    shapes = set()
    turned: Iterable[Cell] = shape
    for _ in range(4):
        turned = [(-y, x) for x, y in turned]
        shapes.add(moved_home(turned))
        shapes.add(moved_home((-x, y) for x, y in turned))
    return tuple(sorted(shapes, key=sorted))


def free_shape(shape: Shape) -> Shape:
    """Return one shape for all that are alike when turned and mirrored."""
    return orientations(shape)[0]


def parts(shape: Shape) -> list[Shape]:
    """Return the connected parts of a shape; spaces that only meet at a corner are not connected."""
    left = set(shape)
    pieces = []
    while left:
        part = {min(left)}
        waiting = list(part)
        while waiting:
            x, y = waiting.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left - part
            part |= near
            waiting += near
        pieces.append(frozenset(part))
        left -= part
    return pieces


def perimeter(shape: Shape) -> int:
    """Return the length of a shape's outline in sides of a space, the outline of holes included."""
    inner = sum(((x + 1, y) in shape) + ((x, y + 1) in shape) for x, y in shape)
    return 4 * len(shape) - 2 * inner


def outline(shape: Shape) -> frozenset[Point]:
    """Return the points of a shape's outline: of the spaces around each, some are in the shape and some not."""
    around: dict[Point, int] = {}
    for x, y in shape:
        for point in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)):
            around[point] = around.get(point, 0) + 1
    return frozenset(point for point, spaces in around.items() if spaces < 4)


def reaches(shape: Shape, columns: int, rows: int, *, by_points: bool) -> Iterator[Reach]:
    """Yield the coordinates of an empty board that a shape can have on its outline (else: on a space), as rectangles.

    Each is what one point of the outline of one orientation can be moved to; nothing where the shape does not fit.
    """
    for turned in orientations(shape):
        wide, high = extent(turned)
        if wide <= columns and high <= rows:
            for x, y in outline(turned) if by_points else turned:
                yield Reach(x, y, x + columns - wide, y + rows - high)


def nearest_reach(shape: Shape, columns: int, rows: int, at: Point, *, by_points: bool) -> Point | None:
    """Return the coordinate nearest to `at` that a shape can be placed at: `at` itself if it can, None for none."""

    def order(point: Point) -> tuple[int, int, int]:
        return (point[0] - at[0]) ** 2 + (point[1] - at[1]) ** 2, point[1], point[0]

    points = {reach.nearest(at) for reach in reaches(shape, columns, rows, by_points=by_points)}
    return min(points, key=order, default=None)
