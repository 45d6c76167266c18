"""What lies where on a page: its faces, and its fold, which is the longest straight stroke in its layer.

That each card lies there in all its copies, its back behind it, all of it printable, is proven whenever files are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.proof.expected import TOLERANCE_MM
from oracle.reading.marks import Around

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


class FaceSeat(Struct, frozen=True):
    """Where a face lies, whatever it shows: its matrix (mm, from the top left), its trim, what it paints."""

    matrix: Matrix
    trim: Size
    shown: Rect

    @property
    def trim_box(self) -> Rect:
        return _trim_on_page(self.matrix, self.trim)


class Lying(NamedTuple):
    """A face on a page: its frame's hash, and where it lies."""

    frame: str
    seat: FaceSeat


class PageLayout(Struct, frozen=True):
    """The faces of a page, and what is around them."""

    size: Size
    faces: tuple[Lying, ...]
    around: Around = Around()

    @property
    def folds(self) -> tuple[Rect, ...]:
        return tuple([part.box for path in self.around.strokes(FOLD) for part in path.parts])

    @property
    def seats(self) -> tuple[FaceSeat, ...]:
        return tuple([face.seat for face in self.faces])

    def as_planned(self) -> PageLayout:
        """Return the page as its sheet was planned: one that was stood up for a printer is laid on its side again."""
        turns = {face.seat.matrix.b != 0.0 for face in self.faces}
        turns |= {run.degrees == 90 for run in self.around.runs if not turns}
        if True not in turns:
            return self
        down = Matrix(0.0, -1.0, 1.0, 0.0, 0.0, self.size.width_mm)
        faces = []
        for key, seat in self.faces:
            matrix = Matrix(*[round(part, 5) for part in down.after(seat.matrix)])
            faces.append(Lying(key, FaceSeat(matrix, seat.trim, down.around(seat.shown))))
        return PageLayout(self.size.turned(), tuple(faces), self.around.turned_back(down))


@lru_cache(maxsize=4096)
def _trim_on_page(matrix: Matrix, trim: Size) -> Rect:
    return matrix.around(Rect(0.0, 0.0, *trim))


@lru_cache(maxsize=4096)
def shown_part(matrix: Matrix, shown: Rect, trim: Size) -> Rect | None:
    """Return what of a trim a page shows, counted from the trim's top left; None where it shows all of it."""
    part = matrix.inverse().around(shown)
    whole = Rect(0.0, 0.0, *trim)
    return None if part.holds(whole, TOLERANCE_MM) else part.shared(whole)
