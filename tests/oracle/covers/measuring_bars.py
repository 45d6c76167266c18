"""Bars that a ruler is held against: as long as the words beside them say, with a tick at each end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from duckpress.core.geometry import Matrix, Point
from duckpress.core.paths import LINE, MOVE, Path
from duckpress.proof.expected import TOLERANCE_MM

BARS_MM = {"50 mm": 50.0, "2 in": 50.8}
_BESIDE_MM = 3.0  # from a bar to its words
_TICK_MM = 5.0  # what is shorter is no bar

Stroke = tuple[Point, Point]


def strokes_of(path: Path, matrix: Matrix) -> Iterator[Stroke]:
    """Yield the straight lines of a path where they lie."""
    at = (0.0, 0.0)
    for kind, numbers in path.segments():
        if kind in (MOVE, LINE):
            point = matrix.apply(*numbers)
            if kind == LINE:
                yield at, point
            at = point


def bar_faults(words: Iterable[tuple[str, Point]], strokes: Sequence[Stroke]) -> Iterator[str]:
    """Yield what is wrong with the bars beside words that name a length; `words` are texts and where they begin."""
    for text, place in words:
        length_mm = BARS_MM.get(" ".join(text.split()))
        if length_mm is None:
            continue
        bars = [ends for ends in strokes if math.dist(*ends) > _TICK_MM and _distance(ends, place) < _BESIDE_MM]
        if not any(abs(math.dist(*ends) - length_mm) <= TOLERANCE_MM for ends in bars):
            shown = ", ".join(f"{math.dist(*ends):.2f} mm" for ends in bars) or "nothing"
            yield f"beside {text!r} is a bar of {shown}"
        elif any(not _has_tick(end, strokes) for ends in bars for end in ends):
            yield f"the bar beside {text!r} lacks a tick at its end"


def _distance(ends: Stroke, place: Point) -> float:
    return min(math.dist(end, place) for end in ends)


def _has_tick(end: Point, strokes: Sequence[Stroke]) -> bool:
    """Return whether a short stroke has its middle at the end of a bar."""
    return any(
        math.dist(((x1 + x2) / 2, (y1 + y2) / 2), end) <= TOLERANCE_MM
        for (x1, y1), (x2, y2) in strokes
        if math.dist((x1, y1), (x2, y2)) < _TICK_MM
    )
