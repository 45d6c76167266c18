"""Folds as a page shows them: the longest straight stroke in their layer, wherever it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.geometry import Rect
from duckpress.proof.expected import TOLERANCE_MM

CUT, FOLD = "L-cut", "L-fold"
"""The names by which pages call the layers of cut lines and of the fold line."""


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
