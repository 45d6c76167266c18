"""Frozen records: a game and its parts as the content says them, every field with the place it came from."""

from duckpress.model.decks import BoxPlan, Card, Deck, Field, FieldKind, Value, packed_cards, texts_in, unpacked_cards
from duckpress.model.game import (
    RULES_TEXT,
    STOCKS,
    Accepted,
    BundlePlan,
    Credit,
    Game,
    Language,
    Note,
    Piece,
    SheetText,
)

__all__ = [
    "RULES_TEXT",
    "STOCKS",
    "Accepted",
    "BoxPlan",
    "BundlePlan",
    "Card",
    "Credit",
    "Deck",
    "Field",
    "FieldKind",
    "Game",
    "Language",
    "Note",
    "Piece",
    "SheetText",
    "Value",
    "packed_cards",
    "texts_in",
    "unpacked_cards",
]
