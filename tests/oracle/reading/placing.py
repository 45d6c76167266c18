"""What lies where on a page: its faces, and whatever is around them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.proof.expected import TOLERANCE_MM
from oracle.reading.marks import Around

FOLD = "L-fold"
"""The name by which pages call the layer of the fold line."""


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
        return tuple([box for path in self.around.paths if path.layer == FOLD for box in path.boxes])


@lru_cache(maxsize=4096)
def _trim_on_page(matrix: Matrix, trim: Size) -> Rect:
    return matrix.around(Rect(0.0, 0.0, *trim))


@lru_cache(maxsize=4096)
def shown_part(matrix: Matrix, shown: Rect, trim: Size) -> Rect | None:
    """Return what of a trim a page shows, counted from the trim's top left; None where it shows all of it."""
    part = matrix.inverse().around(shown)
    whole = Rect(0.0, 0.0, *trim)
    return None if part.holds(whole, TOLERANCE_MM) else part.shared(whole)
