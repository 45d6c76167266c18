"""Frames: a face that was laid out elsewhere is kept as bytes, and read by whoever wants to see it."""

from __future__ import annotations

from duckpress.core.frame import Frame, Text, written_items
from duckpress.core.geometry import Size


def test_items_are_read_when_they_are_wanted_and_not_kept() -> None:
    """A build has all faces of a game in memory: their items take three times what their bytes take."""
    items = (Text(1.0, 2.0, 3.0, "f", "#000000", "<0012>", "a", 1.5),)
    frame = Frame.of_hash(Size(63.0, 88.0), 3.0, written_items(items), Frame(Size(63.0, 88.0), 3.0, items).hash)
    assert frame.items == items
    assert frame.items is not frame.items
    assert frame.overprinted(items).items == items * 2
