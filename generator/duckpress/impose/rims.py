"""What colour a face is along its edges: whether a drift over the cut would show.

Two butted cards forgive a drift when the strip that comes over the cut looks like what it replaces: when both are one
flat colour from their bleed to `DRIFT_MM` inside the trim. Only a rectangle that fills the strip counts as that;
anything else that touches it, if it may be invisible, makes the rim many-coloured. So equal rims are sure, and
different ones may still look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from duckpress.core.bounds import item_bounds, path_bounds
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, PlacedDrawing, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import RECTANGLE
from duckpress.impose.grid import DRIFT_MM

_TOLERANCE_MM = 1e-3


class Rims:
    """The rims of a piece's faces, each looked at once."""

    def __init__(self, frames: Mapping[str, Frame], drawings: Mapping[str, Drawing]) -> None:
        self._colour = cache(lambda key: rim_colour(frames[key], drawings))

    def are_alike(self, frames: Iterable[str]) -> bool:
        """Return whether the rims of all these frames are one and the same flat colour."""
        colours = map(self._colour, frames)
        first = next(colours, "")
        return first is not None and all(colour == first for colour in colours)


def rim_colour(frame: Frame, drawings: Mapping[str, Drawing]) -> str | None:
    """Return the colour of a face from its bleed to `DRIFT_MM` inside the trim, None where it is not one."""
    inside = Rect(0.0, 0.0, *frame.trim).grown(-DRIFT_MM)
    colour: str | None = "#ffffff"
    for item, box in _boxes(frame.items, IDENTITY, drawings):
        if inside.holds(box, _TOLERANCE_MM):
            continue
        fill = _flat_fill(item)
        if fill is not None and box.holds(frame.bleed_box, _TOLERANCE_MM):
            colour = fill
        elif fill is None or fill != colour:
            colour = None
    return colour


def _flat_fill(item: Item) -> str | None:
    """Return the colour of an opaque rectangle without an outline of another colour, None for anything else."""
    if not isinstance(item, Outline) or item.path.kinds != RECTANGLE:
        return None
    paint = item.paint
    is_plain = paint.fill_opacity == 1.0 and (
        paint.stroke is None or paint.stroke_mm == 0 or paint.stroke == paint.fill
    )
    return paint.fill if is_plain else None


def _boxes(items: Iterable[Item], matrix: Matrix, drawings: Mapping[str, Drawing]) -> Iterator[tuple[Item, Rect]]:
    """Yield what is painted with a box around it; a group that is clipped or seen through counts as a whole."""
    for item in items:
        if isinstance(item, Group):
            here = matrix.after(item.matrix)
            inner = _boxes(item.items, here, drawings)
            clip = path_bounds(item.clip)
            if clip is not None:
                yield item, here.around(clip)
            elif item.opacity < 1:
                yield from ((item, box) for _, box in inner)
            else:
                yield from inner
        elif isinstance(item, Text):
            yield item, matrix.around(Rect(item.x_mm, item.y_mm - item.size_mm, item.width_mm, 1.4 * item.size_mm))
        elif isinstance(item, PlacedDrawing):
            yield item, matrix.after(item.matrix).around(drawings[item.key].box)
        elif (box := item_bounds(item, drawings)) is not None:
            yield item, matrix.around(box)
