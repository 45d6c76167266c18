"""Paths as plain numbers: how they are built, moved, and written in the one way that hashes are made of.

Lengths are millimetres (in SVG art: units of the file). Numbers are rounded once, when a path is built, to four
decimals: a tenth of a micrometre is finer than any printer. Curves are cubic; arcs become curves here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

import msgspec

from duckpress.core.geometry import Matrix, Point, Rect

MOVE, LINE, CURVE, CLOSE, RECTANGLE = "mlchr"
NUMBERS_OF = {MOVE: 2, LINE: 2, CURVE: 6, CLOSE: 0, RECTANGLE: 4}

# Cubic approximation of a quarter circle: 4 (sqrt 2 - 1) / 3; it is at most 0.03 % of the radius off.
KAPPA = 0.5522847498

# Closer than this is the same place, and a radius below it none: 1e-300 is a number, too.
_NOTHING = 1e-9


class Record(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """Plain data that is written as the array of its fields, and read back with every field checked for its kind."""


LONG_PATH = 96
"""Of so many segments or more: nobody keeps what was made of such a path, as it would be large and seldom asked for."""


class Path(Record, frozen=True, cache_hash=True):
    """Lines and curves: a letter for the kind of each segment, and the numbers of all segments in one row.

    The numbers of marks on sheets (`is_mark`) are rounded to three decimals instead of four. A path without segments is
    false. Making one of other kinds, or with too few or too many numbers, raises `ValueError`.
    """

    kinds: str
    numbers: tuple[float, ...]
    is_mark: bool = False

    def __post_init__(self) -> None:
        """Raise `ValueError` for an invalid path: it may come from a worker that a template has taken over."""
        try:
            count = sum([NUMBERS_OF[kind] for kind in self.kinds])
        except KeyError as error:
            raise ValueError(f"a path has no segment {error}") from None
        if count != len(self.numbers):
            raise ValueError(f"a path {self.kinds[:20]!r} has {count} numbers, not {len(self.numbers)}")

    def __bool__(self) -> bool:
        return self.kinds != ""

    def segments(self) -> Iterator[tuple[str, tuple[float, ...]]]:
        """Yield the kind and the numbers of each segment, in order.

        `MOVE` and `LINE` have x and y, `CURVE` two control points before them, `CLOSE` has none, `RECTANGLE` has its
        top left, width and height.
        """
        start = 0
        for kind in self.kinds:
            end = start + NUMBERS_OF[kind]
            yield kind, self.numbers[start:end]
            start = end

    def subpaths(self) -> Iterator[Path]:
        """Yield the subpaths of the path."""
        start = first = end = 0
        for index, kind in enumerate(self.kinds):
            if kind in (MOVE, RECTANGLE) and index > first:
                yield Path(self.kinds[first:index], self.numbers[start:end], self.is_mark)
                first, start = index, end
            end += NUMBERS_OF[kind]
        if self.kinds:
            yield Path(self.kinds[first:], self.numbers[start:], self.is_mark)

    def mapped(self, matrix: Matrix) -> Path:
        """Return the path under a matrix; rectangles become closed lines, because they may no longer be upright."""
        builder = PathBuilder()
        for kind, numbers in self.segments():
            if kind == RECTANGLE:
                builder.polyline([matrix.apply(*corner) for corner in Rect(*numbers).corners], is_closed=True)
            else:
                builder.kinds.append(kind)
                for x, y in zip(numbers[::2], numbers[1::2], strict=True):
                    builder.numbers += matrix.apply(x, y)
        return builder.path()


NO_PATH = Path("", ())


class PathBuilder:
    """Builds a path segment by segment."""

    def __init__(self) -> None:
        self.kinds: list[str] = []
        self.numbers: list[float] = []

    def move(self, x: float, y: float) -> None:
        """Begin a subpath."""
        self.kinds.append(MOVE)
        self.numbers += (x, y)

    def line(self, x: float, y: float) -> None:
        """Add a straight line."""
        self.kinds.append(LINE)
        self.numbers += (x, y)

    def curve(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> None:
        """Add a cubic curve."""
        self.kinds.append(CURVE)
        self.numbers += (x1, y1, x2, y2, x, y)

    def close(self) -> None:
        self.kinds.append(CLOSE)

    def polyline(self, points: Iterable[Point], *, is_closed: bool = False) -> None:
        """Add a subpath of straight lines; no points add nothing."""
        start = len(self.kinds)
        for x, y in points:
            self.kinds.append(LINE)
            self.numbers += (x, y)
        if len(self.kinds) > start:
            self.kinds[start] = MOVE
            if is_closed:
                self.close()

    def path(self, *, is_mark: bool = False) -> Path:
        """Return the path, its numbers rounded."""
        if is_mark:
            return Path("".join(self.kinds), tuple([round(number, 3) for number in self.numbers]), True)
        return Path("".join(self.kinds), tuple([round(number, 4) + 0.0 for number in self.numbers]))  # without -0.0


def rectangle(
    x: float, y: float, width: float, height: float, rx: float = 0.0, ry: float | None = None, *, is_mark: bool = False
) -> Path:
    """Return a rectangle, its corners rounded by the radii (limited to half a side, as SVG 2 section 10.2 says)."""
    builder = PathBuilder()
    rx = min(rx, width / 2)
    ry = min(rx if ry is None else ry, height / 2)
    if rx <= 0 or ry <= 0:
        builder.kinds.append(RECTANGLE)
        builder.numbers += (x, y, width, height)
        return builder.path(is_mark=is_mark)
    right, bottom, kx, ky = x + width, y + height, rx * (1 - KAPPA), ry * (1 - KAPPA)
    builder.move(x + rx, y)
    builder.line(right - rx, y)
    builder.curve(right - kx, y, right, y + ky, right, y + ry)
    builder.line(right, bottom - ry)
    builder.curve(right, bottom - ky, right - kx, bottom, right - rx, bottom)
    builder.line(x + rx, bottom)
    builder.curve(x + kx, bottom, x, bottom - ky, x, bottom - ry)
    builder.line(x, y + ry)
    builder.curve(x, y + ky, x + kx, y, x + rx, y)
    builder.close()
    return builder.path(is_mark=is_mark)


def ellipse(cx: float, cy: float, rx: float, ry: float, *, is_mark: bool = False) -> Path:
    """Return an ellipse as four curves, clockwise from its right end."""
    builder = PathBuilder()
    kx, ky = rx * KAPPA, ry * KAPPA
    builder.move(cx + rx, cy)
    builder.curve(cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)
    builder.curve(cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)
    builder.curve(cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)
    builder.curve(cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)
    builder.close()
    return builder.path(is_mark=is_mark)


def polyline(points: Iterable[Point], *, is_closed: bool = False, is_mark: bool = False) -> Path:
    """Return straight lines through points."""
    builder = PathBuilder()
    builder.polyline(points, is_closed=is_closed)
    return builder.path(is_mark=is_mark)


def strokes(lines: Iterable[tuple[float, float, float, float]], *, is_mark: bool = False) -> Path:
    """Return separate straight lines (x1, y1, x2, y2) as one path."""
    builder = PathBuilder()
    for line in lines:
        builder.kinds += (MOVE, LINE)
        builder.numbers += line
    return builder.path(is_mark=is_mark)


def joined(paths: Iterable[Path]) -> Path:
    """Return several paths as one; it is a path of marks if all of them are."""
    parts = list(paths)
    if len(parts) == 1:
        return parts[0]
    numbers = tuple([number for path in parts for number in path.numbers])
    return Path("".join([path.kinds for path in parts]), numbers, bool(parts) and all(path.is_mark for path in parts))


def arc_curves(
    start: Point, rx: float, ry: float, turn: float, is_large: bool, is_sweep: bool, end: Point
) -> list[tuple[float, float, float, float, float, float]] | None:
    """Return an elliptical arc as cubic curves of at most a quarter turn each, or None for a straight line.

    Source: SVG 1.1, appendix F.6.5 (centre) and F.6.6 (radii too small are scaled up).
    """
    (x0, y0), (x, y) = start, end
    rx, ry = abs(rx), abs(ry)
    if start == end:
        return []
    if rx < _NOTHING or ry < _NOTHING or math.dist(start, end) < _NOTHING:
        return None
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half_x, half_y = (x0 - x) / 2, (y0 - y) / 2
    x1, y1 = cos * half_x + sin * half_y, -sin * half_x + cos * half_y
    excess = (x1 / rx) ** 2 + (y1 / ry) ** 2
    if excess > 1:
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    divisor = (rx * y1) ** 2 + (ry * x1) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 / divisor - 1)) * (-1 if is_large == is_sweep else 1)
    cx1, cy1 = root * rx * y1 / ry, -root * ry * x1 / rx
    cx, cy = cos * cx1 - sin * cy1 + (x0 + x) / 2, sin * cx1 + cos * cy1 + (y0 + y) / 2
    first = math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx)
    sweep = math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - first
    if is_sweep and sweep < 0:
        sweep += 2 * math.pi
    elif not is_sweep and sweep > 0:
        sweep -= 2 * math.pi
    count = max(1, math.ceil(abs(sweep) / (math.pi / 2) - 1e-9))
    step = sweep / count
    reach = 4 / 3 * math.tan(step / 4)  # length of the handles for an arc of `step` on the unit circle

    def on_ellipse(px: float, py: float) -> Point:
        return cx + cos * rx * px - sin * ry * py, cy + sin * rx * px + cos * ry * py

    curves = []
    for index in range(count):
        a, b = first + index * step, first + (index + 1) * step
        handle = on_ellipse(math.cos(a) - reach * math.sin(a), math.sin(a) + reach * math.cos(a))
        other = on_ellipse(math.cos(b) + reach * math.sin(b), math.sin(b) - reach * math.cos(b))
        last = (x, y) if index == count - 1 else on_ellipse(math.cos(b), math.sin(b))
        curves.append((*handle, *other, *last))
    return curves


@lru_cache(maxsize=512)
def canonical_text(path: Path) -> str:
    """Return a path as text for the hashes of frames and drawings.

    It is users' data for ever, as locks and manifests hold these hashes: `x y m`, `x y l`, `x1 y1 x2 y2 x y c`, `h` and
    `x y width height re`, with up to four decimals without trailing zeros; with exactly three for marks.
    """
    numbers = map("{:.3f}".format if path.is_mark else _few_decimals, path.numbers)
    words: list[str] = []
    for kind in path.kinds:
        words += islice(numbers, NUMBERS_OF[kind])
        words.append("re" if kind == RECTANGLE else kind)
    return " ".join(words)


@lru_cache(maxsize=16384)  # the same coordinates recur: the modules of a code stand in a grid
def _few_decimals(value: float) -> str:
    return f"{value + 0.0:.4f}".rstrip("0").rstrip(".")
