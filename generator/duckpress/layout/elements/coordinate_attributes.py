"""How a board of a layout names its spaces or points, from the attributes of its element."""

from __future__ import annotations

from duckpress.core.coordinates import LETTERS, ORIGINS, Coordinates, column_letters, counted_from, letters_column
from duckpress.layout.elements.layout_context import Attributes, Desk

__all__ = ["ORIGINS", "Coordinates", "column_letters", "letters_column", "read_coordinates"]


def read_coordinates(desk: Desk, attributes: Attributes, columns: int, rows: int) -> Coordinates:
    """Return how a board names its spaces; problems `bad-choice`, `unknown-coordinate`."""
    letters = desk.choice(attributes, "letters", LETTERS, "across")
    origin = desk.choice(attributes, "origin", ORIGINS, "top-left")
    first = attributes.get("first", "A1")
    names = counted_from(first, columns, rows, letters=letters, origin=origin)
    if names is None:
        desk.say("unknown-coordinate", f"first={first[:40]!r} is no coordinate", "write letters and a number: A1")
    return names or Coordinates(columns, rows)
