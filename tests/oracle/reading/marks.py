"""What a page paints, where it lies on paper: drawings, pictures, texts, paths; and what stands around its faces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import Matrix, Point, Rect, box_of_points
from duckpress.core.paths import LONG_PATH, RECTANGLE, Path


class Drawn(Struct, frozen=True):
    """A form or an image on a page: the name it is called by, its matrix, and the box it is clipped to (None: none)."""

    name: str
    matrix: Matrix
    clip: Rect | None


class Lettering(Struct, frozen=True):
    """A run of glyphs: the name of its font, size, the body of its `TJ`, its colour and matrix (y upwards in it)."""

    font: str
    size: float
    body: str
    matrix: Matrix
    fill: str


class Part(Struct, frozen=True):
    """A part of a path that begins anew: the kinds of its segments, all their points, and the box around those.

    The points of a rectangle are two of its corners.
    """

    kinds: str
    points: tuple[Point, ...]
    box: Rect


class Painted(Struct, frozen=True, cache_hash=True):
    """A painted path: the name of the layer that it belongs to, empty for none, its parts, and how it is painted."""

    layer: str
    parts: tuple[Part, ...]
    paint: Paint


Mark = Drawn | Lettering | Painted


def painted(outline: Outline, matrix: Matrix, layer: str) -> Painted:
    """Return a path where it lies, to a thousandth of a mm."""
    return (_known if len(outline.path.kinds) < LONG_PATH else _painted_path)(outline, matrix, layer)


def _painted_path(outline: Outline, matrix: Matrix, layer: str) -> Painted:
    parts = []
    for kinds, points in points_of_parts(outline.path):
        on_page = tuple([(round(x, 3), round(y, 3)) for x, y in (matrix.apply(*point) for point in points)])
        parts.append(Part(kinds, on_page, box_of_points(on_page)))
    return Painted(layer, tuple(parts), outline.paint)


_known = lru_cache(maxsize=1024)(_painted_path)


def points_of_parts(path: Path) -> Iterator[tuple[str, list[Point]]]:
    """Yield the kinds and the points of each part of a path that begins anew; of a rectangle two of its corners."""
    for part in path.subpaths():
        numbers = part.numbers
        if part.kinds[0] == RECTANGLE:
            x, y, width, height = numbers[:4]
            numbers = (x, y, x + width, y + height, *numbers[4:])
        yield part.kinds, list(zip(numbers[::2], numbers[1::2], strict=True))


class Run(Struct, frozen=True):
    """A text: what it says, where its baseline begins and in which direction it is read, and its box.

    That is to the right (0 degrees), downwards (90), to the left (180) or upwards (270).
    """

    words: str
    size_mm: float
    x_mm: float
    y_mm: float
    degrees: int
    colour: str
    box: Rect


class SheetCode(Struct, frozen=True):
    """A code: the square of its modules, and its bits, so many a row; the last bit of a row is the lowest."""

    box: Rect
    rows: tuple[bytes, ...]
    across: int


class Around(Struct, frozen=True):
    """All that stands around the faces of a page."""

    runs: tuple[Run, ...] = ()
    paths: tuple[Painted, ...] = ()
    codes: tuple[SheetCode, ...] = ()

    def strokes(self, layer: str) -> tuple[Painted, ...]:
        """Return the paths of a layer; of none where its name is empty."""
        return tuple([path for path in self.paths if path.layer == layer])

    def turned_back(self, matrix: Matrix) -> Around:
        """Return it under a matrix that turns it by a quarter, anticlockwise."""
        runs = []
        for run in self.runs:
            (x_mm, y_mm), box = matrix.apply(run.x_mm, run.y_mm), matrix.around(run.box)
            runs.append(replace(run, x_mm=x_mm, y_mm=y_mm, degrees=(run.degrees - 90) % 360, box=box))
        paths = []
        for path in self.paths:
            turned = [(part.kinds, tuple(matrix.apply(*point) for point in part.points)) for part in path.parts]
            parts = tuple(Part(kinds, points, box_of_points(points)) for kinds, points in turned)
            paths.append(replace(path, parts=parts))
        codes = tuple(replace(code, box=matrix.around(code.box)) for code in self.codes)
        return Around(tuple(runs), tuple(paths), codes)
