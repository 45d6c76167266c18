"""Coordinates as cards and lists write them: capital letters and a number, `C12`, of a board's spaces or points."""

from __future__ import annotations

import re

from msgspec import Struct

from duckpress.core.coordinates import Coordinates

MAX_SIDE = 100  # spaces
Cell = tuple[int, int]  # column and row, counted from 0 at the top left
_WRITTEN = re.compile(r"[A-Z]{1,2}(?:0|[1-9][0-9]{0,2})")


class CoordinateGrid(Struct, frozen=True):
    """The spaces of a board, or the points of its lines, with their names."""

    names: Coordinates
    of: str  # what a coordinate names, for messages: `space` or `point`

    def find(self, text: str) -> Cell | None:
        """Return the place that a coordinate names, on the board or beside it; None for what is no coordinate."""
        return self.names.locate(text) if _WRITTEN.fullmatch(text) else None

    def label(self, place: Cell) -> str:
        """Return the coordinate of a place."""
        return self.names.name(*place)


def better(text: str) -> str | None:
    """Return the coordinate that a text most likely means: `c 3` and `3C` mean C3."""
    letters, digits = re.sub(r"[^A-Za-z]", "", text).upper(), re.sub(r"[^0-9]", "", text)
    meant = f"{letters}{digits.lstrip('0') or digits[:1]}"
    return meant if _WRITTEN.fullmatch(meant) else None
