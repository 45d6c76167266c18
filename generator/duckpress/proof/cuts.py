"""Cuts and folds: every cut has its mark or line, and every face keeps its distance from a fold.

Nothing is known of where a fold should be: it is the longest straight stroke in its layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.bounds import path_bounds
from duckpress.core.frame import Group, Item, Outline
from duckpress.core.geometry import Matrix, Rect
from duckpress.core.paths import Path
from duckpress.impose import FOLD_LAYER, Layer, Side
from duckpress.proof.expected import TOLERANCE_MM
from duckpress.proof.planned_pages import PlannedPage, Seat

CLEAR_MM = 5.0
"""How far from a fold paper lies flat; source: github.com/ernierasta/pnp-howto."""

_Line = tuple[float, float, float]
"""A straight stroke: where it is, and from where to where it goes."""


class Fold(Struct, frozen=True):
    """A fold line: where it is from the left (upright) or from the top."""

    at_mm: float
    is_upright: bool

    def distance_mm(self, box: Rect) -> float:
        """Return how far a box stays from the line; less than nothing where it crosses it."""
        first, last = (box.x_mm, box.right_mm) if self.is_upright else (box.y_mm, box.bottom_mm)
        return max(self.at_mm - last, first - self.at_mm)

    def is_before(self, box: Rect) -> bool:
        """Return whether a box lies left of the line, or above it: where the fronts are."""
        middle_mm = box.x_mm + box.width_mm / 2 if self.is_upright else box.y_mm + box.height_mm / 2
        return middle_mm < self.at_mm


def fold_of(page: PlannedPage) -> Fold | None:
    """Return the fold that a page shows; None where it shows none."""
    straight = [box for box in strokes_of(page.side, FOLD_LAYER, page.map) if min(box[2:]) <= TOLERANCE_MM]
    longest = max(straight, key=lambda box: max(box[2:]), default=None)
    if longest is None:
        return None
    is_upright = longest.height_mm > longest.width_mm
    return Fold(longest.x_mm if is_upright else longest.y_mm, is_upright)


def strokes_of(side: Side, name: str, to_page: Matrix) -> tuple[Rect, ...]:
    """Return the boxes of all lines in a layer, each line of a path by itself, without the width of their ink."""
    layers = (item for item in side.items if isinstance(item, Layer) and item.name == name)
    return tuple([box for layer in layers for box in _strokes(layer.items, to_page)])


@lru_cache(maxsize=64)
def _strokes(items: tuple[Item, ...], matrix: Matrix) -> tuple[Rect, ...]:
    boxes: list[Rect] = []
    for item in items:
        if isinstance(item, Group):
            boxes += _strokes(item.items, matrix.after(item.matrix))
        elif isinstance(item, Outline) and item.paint.stroke is not None and item.paint.stroke_opacity > 0:
            boxes += map(matrix.around, lines_of(item.path))
    return tuple(boxes)


@lru_cache(maxsize=1024)
def lines_of(path: Path) -> tuple[Rect, ...]:
    """Return the boxes around the lines of a path, each part that begins anew by itself."""
    return tuple([box for part in path.subpaths() if (box := path_bounds(part)) is not None])


@lru_cache(maxsize=64)
def missing_marks(seats: tuple[Seat, ...], strokes: tuple[Rect, ...], *, is_lined: bool) -> tuple[str, ...]:
    """Return the cuts of faces that have no mark, or no line along all of it; of a tile, those that lie on its page."""
    upright = _by_place((mark.x_mm, mark.y_mm, mark.bottom_mm) for mark in strokes if mark.width_mm <= TOLERANCE_MM)
    level = _by_place((mark.y_mm, mark.x_mm, mark.right_mm) for mark in strokes if mark.height_mm <= TOLERANCE_MM)
    missing: dict[str, None] = {}
    for seat in seats:
        trim, shown = seat.trim_box, seat.shown.grown(TOLERANCE_MM)
        along = is_lined and shown.holds(trim)  # the seams of tiles are joined, not cut
        across, down = (trim.x_mm, trim.right_mm), (trim.y_mm, trim.bottom_mm)
        for lines, way, places, ends in ((upright, "across", across, down), (level, "down", down, across)):
            first, last = (shown.x_mm, shown.right_mm) if way == "across" else (shown.y_mm, shown.bottom_mm)
            for place in places:
                if first <= place <= last and not _is_marked(lines, place, ends if along else None):
                    missing[f"there is no {'line along' if along else 'mark at'} the cut {place:.2f} mm {way}"] = None
    return tuple(missing)


def _by_place(strokes: Iterable[_Line]) -> dict[int, list[_Line]]:
    """Return strokes (place, from, to) under their place in hundredths of a millimetre."""
    places: dict[int, list[_Line]] = {}
    for stroke in strokes:
        places.setdefault(round(stroke[0] * 100), []).append(stroke)
    return places


def _is_marked(lines: Mapping[int, Sequence[_Line]], place: float, ends: tuple[float, float] | None) -> bool:
    """Return whether there is a line at a place, from one end to the other where these are given."""
    near, off = round(place * 100), round(TOLERANCE_MM * 100)
    return any(
        ends is None or (start <= ends[0] + TOLERANCE_MM and end >= ends[1] - TOLERANCE_MM)
        for key in range(near - off, near + off + 1)
        for _, start, end in lines.get(key, ())
    )
