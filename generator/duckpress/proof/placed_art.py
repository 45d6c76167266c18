"""How large pictures and drawings are printed, by the matrices of the frames that place them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from duckpress.core.frame import Drawing, Group, Item, Picture, PlacedDrawing
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.problems import Level, Problem
from duckpress.core.units import MM_PER_INCH
from duckpress.proof.expected import NOWHERE, Expected, FrameOfCard

LOWEST_DPI = 150.0


def resolution_warnings(face: FrameOfCard, expected: Expected) -> Iterator[Problem]:
    """Yield a warning `picture-resolution` for the coarsest picture of a face in which something enlarges one.

    `layout` warns of a coarse picture at its element (`low-resolution`), where it cannot see what enlarges it.
    """
    coarsest = LOWEST_DPI
    for key, (a, b, c, d, _, _) in _placed(face.frame.items, expected.drawings, IDENTITY):
        picture = expected.pictures.get(key)
        if picture is not None and a * d != b * c:
            dots = min(picture.width_px / math.hypot(a, b), picture.height_px / math.hypot(c, d))
            coarsest = min(coarsest, dots * MM_PER_INCH)
    if coarsest < LOWEST_DPI - 0.5:  # a picture of just so many pixels is not told of
        what = f"{face}: a picture is printed at {coarsest:.0f} dpi; below {LOWEST_DPI:.0f} it looks coarse"
        yield Problem("picture-resolution", NOWHERE, what, "use a larger picture, or print it smaller", Level.WARNING)


def largest_scale(key: str, shown: Iterable[Iterable[Item]], drawings: Mapping[str, Drawing]) -> float:
    """Return how much a drawing is enlarged where it is printed largest."""
    placed = (one for items in shown for one in _placed(items, drawings, IDENTITY))
    scales = [max(math.hypot(m.a, m.b), math.hypot(m.c, m.d)) for drawing, m in placed if drawing == key]
    return max(scales, default=1.0)


def _placed(items: Iterable[Item], drawings: Mapping[str, Drawing], matrix: Matrix) -> Iterator[tuple[str, Matrix]]:
    """Yield the pictures (of one mm) and the drawings that items place, and what these place, with their matrices."""
    for item in items:
        if isinstance(item, Picture):
            yield item.key, matrix.after(Matrix(item.width_mm, 0.0, 0.0, item.height_mm))
        elif isinstance(item, PlacedDrawing):
            inner = matrix.after(item.matrix)
            yield item.key, inner
            if item.key in drawings:
                yield from _placed(drawings[item.key].items, drawings, inner)
        elif isinstance(item, Group) and item.opacity > 0:
            yield from _placed(item.items, drawings, matrix.after(item.matrix))
