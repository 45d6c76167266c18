"""Frozen records: a game and its parts as the content says them, every field with the place it came from."""

from duckpress.model.game import (
    RULES_TEXT,
    STOCKS,
    Accepted,
    BoxPlan,
    BundlePlan,
    Card,
    Credit,
    Deck,
    Field,
    FieldKind,
    Game,
    Language,
    Note,
    Piece,
    SheetText,
    Value,
    texts_in,
)
