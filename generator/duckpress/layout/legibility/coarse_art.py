"""How large pictures and drawings are printed, by the matrices of what places them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Group, Item, Picture, PlacedDrawing
from duckpress.core.geometry import IDENTITY, Matrix
from duckpress.core.units import MM_PER_INCH

LOWEST_DPI = 150.0
_ENLARGED = 1.001


def coarsest_dpi(items: Iterable[Item], drawings: Mapping[str, Drawing], pictures: Mapping[str, PictureData]) -> float:
    """Return at how many dots per inch the coarsest picture of a face is printed that a group around it enlarges.

    It is `LOWEST_DPI` where none is coarser. What no group enlarges is the business of `layout`, which warns of it at
    its element (`low-resolution`).
    """
    coarsest = LOWEST_DPI
    for item in items if pictures else ():
        if isinstance(item, Group):
            for key, (a, b, c, d, _, _), outer in _placed([item], drawings, IDENTITY, IDENTITY):
                is_enlarged = max(math.hypot(outer.a, outer.b), math.hypot(outer.c, outer.d)) > _ENLARGED
                picture = pictures.get(key)
                if picture is not None and is_enlarged and a * d != b * c:
                    dots = min(picture.width_px / math.hypot(a, b), picture.height_px / math.hypot(c, d))
                    coarsest = min(coarsest, dots * MM_PER_INCH)
    return coarsest if coarsest < LOWEST_DPI - 0.5 else LOWEST_DPI  # a picture of just so many pixels is not told of


def largest_scale(key: str, shown: Iterable[Iterable[Item]], drawings: Mapping[str, Drawing]) -> float:
    """Return how much a drawing is enlarged where it is printed largest."""
    placed = (
        matrix for items in shown for name, matrix, _ in _placed(items, drawings, IDENTITY, IDENTITY) if name == key
    )
    return max([max(math.hypot(m.a, m.b), math.hypot(m.c, m.d)) for m in placed], default=1.0)


def _placed(
    items: Iterable[Item], drawings: Mapping[str, Drawing], matrix: Matrix, groups: Matrix
) -> Iterator[tuple[str, Matrix, Matrix]]:
    """Yield the pictures (of one mm) and the drawings that items place, and what these place.

    Each comes with its matrix, and with that of the groups around it alone.
    """
    for item in items:
        if isinstance(item, Picture):
            yield item.key, matrix.after(Matrix(item.width_mm, 0.0, 0.0, item.height_mm)), groups
        elif isinstance(item, PlacedDrawing):
            inner = matrix.after(item.matrix)
            yield item.key, inner, groups
            if item.key in drawings:
                yield from _placed(drawings[item.key].items, drawings, inner, groups)
        elif isinstance(item, Group) and item.opacity > 0:
            yield from _placed(item.items, drawings, matrix.after(item.matrix), groups.after(item.matrix))
