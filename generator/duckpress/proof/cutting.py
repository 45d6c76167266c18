"""Layers, cut lines and folds: every cut has its mark or line, and what may be left out in print is a layer that is.

The marks are read from the page's stream, the layers from the document's catalog. A fold is the longest straight stroke
in its layer. Nothing is known of where it should be; only that every face keeps its distance from it (and, in
`placing`, that what comes to lie behind a front is that front's back).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.geometry import Rect
from duckpress.core.problems import Problem
from duckpress.proof.expected import TOLERANCE_MM, Expected, fault
from duckpress.proof.used_things import LayerRead, Number

_CLEAR_MM = 5.0  # beside a fold

Line = tuple[float, float, float]
"""A straight stroke: where it is, and from where to where it goes."""

CUT, FOLD = "L-cut", "L-fold"
"""The names by which pages call the layers of cut lines and of the fold line."""


def check_layers(
    layers: Mapping[Number, LayerRead], used: Iterable[tuple[str, Number]], expected: Expected
) -> Iterator[Problem]:
    """Yield a `proof-layer` for a layer that pages use (names and numbers): its title, and whether it is printed."""
    by_name: dict[str, Number] = {}
    for name, number in used:
        if by_name.setdefault(name, number) != number:
            yield fault("proof-layer", f"two different layers go by the name {name}")
    for name, number in by_name.items():
        layer = layers.get(number)
        if layer is None or not layer.is_listed:
            yield fault("proof-layer", f"the layer {name} is not in the document's list of layers")
            continue
        title = expected.layers.get(name)
        if title is not None and layer.title != title:
            yield fault("proof-layer", f"the layer {name} is called {layer.title!r} in the file, not {title!r}")
        if not layer.is_shown:
            yield fault("proof-layer", f"the layer {name} does not show on a screen")
        if layer.is_printed is not expected.prints_layers:
            wanted = "be printed" if expected.prints_layers else "be left out in print"
            yield fault("proof-layer", f"the layer {name} should {wanted}")


def check_cuts(trims: Sequence[Rect], strokes: Sequence[Rect], cut: str, number: int) -> Iterator[Problem]:
    """Yield a `proof-cut` for an edge of a face of a page without its mark, or without a line along all of it."""
    for what in _uncut(tuple(trims), tuple(strokes), is_lined=cut == "lines"):
        yield fault("proof-cut", f"page {number}: {what}")


@lru_cache(maxsize=64)
def _uncut(trims: tuple[Rect, ...], strokes: tuple[Rect, ...], *, is_lined: bool) -> tuple[str, ...]:
    upright = _by_place((mark.x_mm, mark.y_mm, mark.bottom_mm) for mark in strokes if mark.width_mm <= TOLERANCE_MM)
    level = _by_place((mark.y_mm, mark.x_mm, mark.right_mm) for mark in strokes if mark.height_mm <= TOLERANCE_MM)
    missing = []
    for trim in trims:
        edges = (
            (upright, "across", (trim.x_mm, trim.right_mm), (trim.y_mm, trim.bottom_mm)),
            (level, "down", (trim.y_mm, trim.bottom_mm), (trim.x_mm, trim.right_mm)),
        )
        for lines, way, places, (first, last) in edges:
            for place in places:
                if not _is_marked(lines, place, first, last, is_lined=is_lined):
                    kind = "line along" if is_lined else "mark at"
                    missing.append(f"there is no {kind} the cut {place:.2f} mm {way}")
    return tuple(dict.fromkeys(missing))


def _by_place(strokes: Iterable[Line]) -> dict[int, list[Line]]:
    """Return strokes (place, from, to) under their place in hundredths of a millimetre."""
    places: dict[int, list[Line]] = {}
    for stroke in strokes:
        places.setdefault(round(stroke[0] * 100), []).append(stroke)
    return places


def _is_marked(lines: Mapping[int, Sequence[Line]], place: float, first: float, last: float, *, is_lined: bool) -> bool:
    near = round(place * 100)
    for key in range(near - 6, near + 7):
        for at, start, end in lines.get(key, ()):
            if abs(at - place) <= TOLERANCE_MM and (
                not is_lined or (start <= first + TOLERANCE_MM and end >= last - TOLERANCE_MM)
            ):
                return True
    return False


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


def fold_of(strokes: Sequence[Rect]) -> Fold | None:
    """Return the fold that a page shows, from the strokes of its fold layer; None where it shows none."""
    straight = [stroke for stroke in strokes if min(stroke.width_mm, stroke.height_mm) <= TOLERANCE_MM]
    longest = max(straight, key=lambda stroke: max(stroke.width_mm, stroke.height_mm), default=None)
    if longest is None:
        return None
    is_upright = longest.height_mm > longest.width_mm
    return Fold(longest.x_mm if is_upright else longest.y_mm, is_upright)


def check_clearance(fold: Fold, boxes: Sequence[Rect], number: int) -> Iterator[Problem]:
    """Yield a `proof-fold` where faces are nearer to the fold than paper lies flat."""
    nearest_mm = min((fold.distance_mm(box) for box in boxes), default=_CLEAR_MM)
    if nearest_mm < _CLEAR_MM - TOLERANCE_MM:
        what = f"page {number}: a face comes as near as {nearest_mm:.1f} mm to the fold, not {_CLEAR_MM:g} mm"
        yield fault("proof-fold", what)
