"""Decks of dice: the field that holds the faces of each, and what is on them."""

from __future__ import annotations

from duckpress.model import Deck, FieldKind

FACE = "face"  # the field that a face has, in questions about rolls


def faces_field(deck: Deck) -> str | None:
    """Return the field of a deck that lists the faces of its dice: `faces`, else its first list; None without any."""
    lists = [name for name, field in deck.fields.items() if field.kind is FieldKind.LIST]
    return "faces" if "faces" in lists else next(iter(lists), None)


def faces_of(deck: Deck, position: int) -> tuple[str, ...]:
    """Return the faces of the die at a position of a deck."""
    faces = deck.cards[position].values.get(faces_field(deck) or "")
    return tuple(map(str, faces)) if isinstance(faces, tuple) else ()
