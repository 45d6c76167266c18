"""Layers and cut lines: every cut has its mark or line, and what may be left out in print is a layer that is.

The marks are read from the page's stream, the layers from the document's catalog.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from duckpress.core.geometry import Rect
from duckpress.proof.expected import Expected
from duckpress.proof.opened import LayerRead, Number
from duckpress.proof.proof_findings import ProofFindings

TOLERANCE_MM = 0.05
Line = tuple[float, float, float]
"""A straight stroke: where it is, and from where to where it goes."""

CUT, FOLD = "L-cut", "L-fold"
"""The names by which pages call the layers of cut lines and of the fold line."""


def check_layers(
    layers: Mapping[Number, LayerRead], used: Iterable[tuple[str, Number]], expected: Expected, findings: ProofFindings
) -> None:
    """Check every layer that pages use (names and numbers): its title, and whether it is printed; `proof-layer`."""
    by_name: dict[str, Number] = {}
    for name, number in used:
        if by_name.setdefault(name, number) != number:
            findings.add("proof-layer", f"two different layers go by the name {name}")
    for name, number in by_name.items():
        layer = layers.get(number)
        if layer is None or not layer.is_listed:
            findings.add("proof-layer", f"the layer {name} is not in the document's list of layers")
            continue
        title = expected.layers.get(name)
        if title is not None and layer.title != title:
            findings.add("proof-layer", f"the layer {name} is called {layer.title!r} in the file, not {title!r}")
        if not layer.is_shown:
            findings.add("proof-layer", f"the layer {name} does not show on a screen")
        if layer.is_printed is not expected.prints_layers:
            wanted = "be printed" if expected.prints_layers else "be left out in print"
            findings.add("proof-layer", f"the layer {name} should {wanted}")


def check_cuts(trims: Sequence[Rect], strokes: Sequence[Rect], cut: str, number: int, findings: ProofFindings) -> None:
    """Check that every edge of every face of a page has its mark, or a line along all of it; problem `proof-cut`."""
    for what in _uncut(tuple(trims), tuple(strokes), is_lined=cut == "lines"):
        findings.add("proof-cut", f"page {number}: {what}")


@lru_cache(maxsize=64)
def _uncut(trims: tuple[Rect, ...], strokes: tuple[Rect, ...], *, is_lined: bool) -> tuple[str, ...]:
    upright = _by_place((one.x_mm, one.y_mm, one.bottom_mm) for one in strokes if one.width_mm <= TOLERANCE_MM)
    level = _by_place((one.y_mm, one.x_mm, one.right_mm) for one in strokes if one.height_mm <= TOLERANCE_MM)
    found = []
    for trim in trims:
        edges = (
            (upright, "across", (trim.x_mm, trim.right_mm), (trim.y_mm, trim.bottom_mm)),
            (level, "down", (trim.y_mm, trim.bottom_mm), (trim.x_mm, trim.right_mm)),
        )
        for lines, way, places, (first, last) in edges:
            for place in places:
                if not _is_marked(lines, place, first, last, is_lined=is_lined):
                    kind = "line along" if is_lined else "mark at"
                    found.append(f"there is no {kind} the cut {place:.2f} mm {way}")
    return tuple(dict.fromkeys(found))


def _by_place(strokes: Iterable[Line]) -> dict[int, list[Line]]:
    """Return strokes (place, from, to) under their place in hundredths of a millimetre."""
    found: dict[int, list[Line]] = {}
    for stroke in strokes:
        found.setdefault(round(stroke[0] * 100), []).append(stroke)
    return found


def _is_marked(lines: Mapping[int, Sequence[Line]], place: float, first: float, last: float, *, is_lined: bool) -> bool:
    near = round(place * 100)
    for key in range(near - 6, near + 7):
        for at, start, end in lines.get(key, ()):
            if abs(at - place) <= TOLERANCE_MM and (
                not is_lined or (start <= first + TOLERANCE_MM and end >= last - TOLERANCE_MM)
            ):
                return True
    return False
