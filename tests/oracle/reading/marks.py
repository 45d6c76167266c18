"""What a page paints, where it lies on paper: drawings, pictures, texts, paths; and what stands around its faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect, Size, box_of_points, rect_around
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
    """A painted path: the box of its points with its stroke, its parts, and how it is painted.

    `layer` is the name of the layer that it belongs to, empty for none. A mask of bits has no parts.
    """

    box: Rect
    layer: str = ""
    parts: tuple[Part, ...] = ()
    paint: Paint = Paint()


Mark = Drawn | Lettering | Painted


def marks_in(items: Iterable[Item], matrix: Matrix, layer: str = "", clip: Rect | None = None) -> Iterator[Mark]:
    """Yield what items paint, in order, in the coordinates outside a matrix."""
    for item in items:
        if isinstance(item, Outline) and not item.path:
            continue
        if isinstance(item, Outline):
            yield painted(item, matrix, layer, clip)
        elif isinstance(item, PlacedDrawing):
            yield Drawn(f"D-{item.key}", matrix.after(item.matrix), clip)
        elif isinstance(item, Picture):
            square = Matrix(item.width_mm, 0.0, 0.0, -item.height_mm, item.x_mm, item.y_mm + item.height_mm)
            yield Drawn(f"P-{item.key}", matrix.after(square), clip)
        elif isinstance(item, Group):
            inner = matrix if item.matrix == IDENTITY else matrix.after(item.matrix)
            yield from marks_in(item.items, inner, layer, _clipped(item.clip, inner, clip))
        else:
            place = Matrix(1.0, 0.0, 0.0, -1.0, item.x_mm, item.y_mm)
            yield Lettering(f"F-{item.font}", item.size_mm, item.glyphs, matrix.after(place), item.fill)


def _clipped(path: Path, matrix: Matrix, clip: Rect | None) -> Rect | None:
    if not path:
        return clip
    box = matrix.around(rect_around(boxes_of_parts(path)))
    return box if clip is None else clip.shared(box)


def painted(outline: Outline, matrix: Matrix, layer: str, clip: Rect | None) -> Painted:
    return (_known if len(outline.path.kinds) < LONG_PATH else _painted_path)(outline, matrix, layer, clip)


def _painted_path(outline: Outline, matrix: Matrix, layer: str, clip: Rect | None) -> Painted:
    """Return the box of a path; a level or upright line with flat ends is wider for its stroke, but not longer."""
    parts, paint = boxes_of_parts(outline.path), outline.paint
    grown = parts
    if paint.stroke is not None:
        half = paint.stroke_mm / 2
        grown = [
            part.inside(
                Size(
                    -half if part.height_mm > 0 or paint.cap else 0.0, -half if part.width_mm > 0 or paint.cap else 0.0
                )
            )
            for part in parts
        ]
    box = matrix.around(rect_around(grown))
    mapped = []
    for kinds, points in points_of_parts(outline.path):
        on_page = tuple([(round(x, 3), round(y, 3)) for x, y in (matrix.apply(*point) for point in points)])
        mapped.append(Part(kinds, on_page, box_of_points(on_page)))
    return Painted(box if clip is None else clip.shared(box), layer, tuple(mapped), paint)


_known = lru_cache(maxsize=1024)(_painted_path)


def boxes_of_parts(path: Path) -> list[Rect]:
    return [box_of_points(points) for _, points in points_of_parts(path)]


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
            paths.append(replace(path, box=matrix.around(path.box), parts=parts))
        codes = tuple(replace(code, box=matrix.around(code.box)) for code in self.codes)
        return Around(tuple(runs), tuple(paths), codes)
