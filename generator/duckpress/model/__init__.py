"""Frozen records: a game and its parts as the content says them, every field with the place it came from."""

from duckpress.model.deck import Card, Deck, Field, FieldKind, Value
from duckpress.model.game import Accepted, Credit, Game, Language, Note, Piece

__all__ = ["Accepted", "Card", "Credit", "Deck", "Field", "FieldKind", "Game", "Language", "Note", "Piece", "Value"]
