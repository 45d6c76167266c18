"""What a template may look at: plain data only (dict, list, str, int, float, bool, None), made once per piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duckpress.core.sizes import Format
from duckpress.core.tuckbox import TuckBox
from duckpress.expressions.sandbox import LazyValue
from duckpress.model import Card, Deck, Game, Piece


def plain(value: Any) -> Any:
    """Return a value of the model as plain data: tuples as lists, mappings as dicts."""
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value]


def card_values(card: Card, deck: Deck) -> dict[str, Any]:
    """Return a card's fields with its id and copies; a declared field that the card leaves out has its default."""
    values: dict[str, Any] = {name: plain(field.default) for name, field in deck.fields.items()}
    for name, value in card.values.items():
        values[name] = value if type(value) in (str, int) else plain(value)
    values["id"] = card.id
    values["copies"] = card.copies
    return values


def piece_values(game: Game, piece: Piece, tables: object, language: str) -> dict[str, Any]:
    """Return the variables that are the same for every face of a piece."""
    credits_ = [{"role": credit.role, "name": credit.name} for credit in game.credits]
    notes = [{"subject": note.subject, "choice": note.choice, "reason": note.reason} for note in game.notes]
    return {
        "game": {
            "id": game.id,
            "title": game.title,
            "version": game.version,
            "designer": game.designer,
            "players": list(game.players),
            "languages": [item.code for item in game.languages],
            "facts": plain(game.facts),
            "lists": plain(game.lists),
            "credits": credits_,
            "notes": notes,
            "about": game.about,
            "licence": game.licence,
        },
        "piece": {"id": piece.id, "title": piece.title},
        "decks": LazyValue(lambda: _every_deck(game)),
        "setup": tables,
        "language": language,
    }


def _every_deck(game: Game) -> dict[str, Any]:
    return {
        deck.id: {
            "title": deck.title,
            "count": deck.count,
            "cards": [card_values(card, deck) for card in deck.cards],
        }
        for deck in game.decks.values()
    }


def deck_values(deck: Deck, format_: Format) -> dict[str, Any]:
    """Return the variables that are the same for every face of a deck."""
    return {
        "deck": {"id": deck.id, "title": deck.title, "count": deck.count},
        "trim": {"width": format_.trim.width_mm, "height": format_.trim.height_mm},
        "bleed": format_.bleed_mm,
        "safe": format_.safe_mm,
        "corner": format_.corner_mm,
        **({} if deck.box is None else {"box": _box_values(deck.box)}),
    }


def _box_values(box: TuckBox) -> dict[str, Any]:
    return {"count": box.cards, "width": box.width_mm, "height": box.height_mm, "depth": box.depth_mm}
