"""Folded sheets: what lies behind what once a sheet is folded back along the line that it shows.

The line is read from the page: the longest straight stroke in the fold's layer. Nothing is known of where it should be;
only that every face keeps its distance from it, and that what comes to lie behind a front is that front's back.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.geometry import Rect
from duckpress.proof.proof_findings import ProofFindings

CLEAR_MM = 5.0
TOLERANCE_MM = 0.05


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


def check_clearance(fold: Fold, boxes: Sequence[Rect], number: int, findings: ProofFindings) -> None:
    """Return a `proof-fold` for faces nearer to the fold than paper lies flat."""
    nearest_mm = min((fold.distance_mm(box) for box in boxes), default=CLEAR_MM)
    if nearest_mm < CLEAR_MM - TOLERANCE_MM:
        what = f"page {number}: a face comes as near as {nearest_mm:.1f} mm to the fold, not {CLEAR_MM:g} mm"
        findings.add("proof-fold", what)
