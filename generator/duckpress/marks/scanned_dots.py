"""A picture of a sheet -> the places of what may be its dots: small, dark, and alone on light paper.

Everything is asked of whole pictures: what is darker than its surroundings, as dark and as small as a dot, and has
nothing else near it. A page has some hundred such specks among millions of pixels; only they are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import dist

from PIL import Image, ImageChops, ImageFilter

from duckpress.core.geometry import Point
from duckpress.core.units import MM_PER_INCH

DPI = 300
"""So many pixels to the inch a picture has to have here: all sizes below are of such pixels."""

_SHARP = 0.7  # evens out the grain of a scan, and leaves a dot of three pixels
_AROUND = 6  # half a millimetre, which is free around a dot
_FAINTEST = 12  # what is less darker than its surroundings is paper
_FACTOR = 8  # so that what is dark counts as much, however dark
_MOST_NEAR = 30  # of 255: what a dot and its edge make of the square around it; a letter makes more
_LEAST, _MOST = 2, 30  # pixels of a dot
_WIDEST = 6
_PART = 24  # two millimetres
_DARKEST = 0.8  # paper, of the lightest on the sheet
NEAREST_MM = 1.9
_SPECK = re.compile(b"\xff+")


def dots_in(grey: Image.Image, contrast: int) -> list[Point]:
    """Return the middles of what may be dots, in mm from the top left of a grey picture, darker by so much of 255."""
    even = grey.filter(ImageFilter.GaussianBlur(_SHARP))
    inked = ImageChops.subtract(_paper(grey), even).point(
        [min(255, max(0, (level - _FAINTEST) * _FACTOR)) for level in range(256)]
    )
    alone = inked.filter(ImageFilter.BoxBlur(_AROUND)).point([255 * (level < _MOST_NEAR) for level in range(256)])
    dark = ImageChops.subtract(grey.filter(ImageFilter.BoxBlur(_AROUND)), even)
    specks = ImageChops.multiply(dark.point([255 * (level > contrast) for level in range(256)]), alone)
    width, darkness = grey.width, dark.tobytes()
    each = MM_PER_INCH / DPI
    points = []
    for pixels in _clusters(specks.tobytes(), width):
        columns, rows = [at % width for at in pixels], [at // width for at in pixels]
        if max(max(columns) - min(columns), max(rows) - min(rows)) < _WIDEST:
            weights = [darkness[at] for at in pixels]
            across, down = (sum(map(int.__mul__, weights, places)) / sum(weights) for places in (columns, rows))
            points.append(((across + 0.5) * each, (down + 0.5) * each))
    return _apart(points)


def _paper(grey: Image.Image) -> Image.Image:
    """Return how light the paper is everywhere, also under what is printed on it."""
    small = grey.reduce(_PART)
    lightest = small.filter(ImageFilter.MaxFilter(9))
    counts = lightest.histogram()
    least = int(max(level for level in range(256) if counts[level]) * _DARKEST)
    even = lightest.point([max(level, least) for level in range(256)]).filter(ImageFilter.GaussianBlur(3))
    return even.resize(grey.size, Image.Resampling.BILINEAR)


def _apart(points: Sequence[Point]) -> list[Point]:
    """Return the points that have no other one nearer than dots ever are."""
    cells: dict[tuple[int, int], list[Point]] = {}
    for x, y in points:
        cells.setdefault((int(x / NEAREST_MM), int(y / NEAREST_MM)), []).append((x, y))
    lone = []
    for (column, row), some in cells.items():
        around = [
            other
            for across in (column - 1, column, column + 1)
            for down in (row - 1, row, row + 1)
            for other in cells.get((across, down), ())
        ]
        lone += [one for one in some if sum(dist(one, other) < NEAREST_MM for other in around) == 1]
    return lone


def _clusters(specks: bytes, width: int) -> Iterator[list[int]]:
    """Yield the pixels of each speck that is as large as a dot, by their places in the picture."""
    left = {at for run in _SPECK.finditer(specks) for at in range(*run.span())}
    beside = (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1)
    while left:
        cluster = [left.pop()]
        for at in cluster:
            for step in beside:
                if at + step in left:
                    left.remove(at + step)
                    cluster.append(at + step)
        if _LEAST <= len(cluster) <= _MOST:
            yield cluster
