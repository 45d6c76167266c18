"""What colour a face is along its edges: whether a drift over the cut would show.

Two butted cards forgive a drift when the strip that comes over the cut looks like what it replaces: when both are one
flat colour from their bleed to `DRIFT_MM` inside the trim. Only a rectangle that fills the strip counts as that;
anything else that touches it, if it may be invisible, makes the rim many-coloured. So equal rims are sure, and
different ones may still look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Picture, Text
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.impose.grid import DRIFT_MM

_TOLERANCE_MM = 1e-3


class Rims:
    """The rims of a piece's faces, each looked at once."""

    def __init__(self, frames: Mapping[str, Frame], drawings: Mapping[str, Drawing]) -> None:
        self._frames = frames
        self._drawings = drawings
        self._known: dict[str, str | None] = {}

    def are_alike(self, frames: Iterable[str]) -> bool:
        """Tell whether the rims of all these frames are one and the same flat colour."""
        colours: set[str | None] = set()
        for frame in frames:
            if frame not in self._known:
                self._known[frame] = rim_colour(self._frames[frame], self._drawings)
            colours.add(self._known[frame])
            if None in colours or len(colours) > 1:
                return False
        return True


def rim_colour(frame: Frame, drawings: Mapping[str, Drawing]) -> str | None:
    """Give the colour of a face from its bleed to `DRIFT_MM` inside the trim, None where it is not one."""
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
    """Give the colour of an opaque rectangle without an outline of another colour, None for anything else."""
    if not isinstance(item, Outline) or not item.d.endswith(" re") or item.d.count(" ") != 4:
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
            if item.clip:
                yield item, here.around(_path_box(item.clip))
            elif item.opacity < 1:
                yield from ((item, box) for _, box in inner)
            else:
                yield from inner
        elif isinstance(item, Outline):
            half_mm = item.paint.stroke_mm / 2 if item.paint.stroke is not None else 0.0
            yield item, matrix.around(_path_box(item.d).grown(half_mm))
        elif isinstance(item, Text):
            yield item, matrix.around(Rect(item.x_mm, item.y_mm - item.size_mm, item.width_mm, 1.4 * item.size_mm))
        elif isinstance(item, Picture):
            yield item, matrix.around(Rect(item.x_mm, item.y_mm, item.width_mm, item.height_mm))
        else:
            yield item, matrix.after(item.matrix).around(drawings[item.key].box)


@lru_cache(maxsize=8192)
def _path_box(path: str) -> Rect:
    """Give a box around a path, its control points included."""
    xs: list[float] = []
    ys: list[float] = []
    numbers: list[float] = []
    for word in path.split():
        if word[-1].isdigit() or word[-1] == ".":
            numbers.append(float(word))
            continue
        if word == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y + height]
        xs += numbers[::2]
        ys += numbers[1::2]
        numbers = []
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)) if xs else Rect(0.0, 0.0, 0.0, 0.0)
