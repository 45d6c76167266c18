"""Checks that look at the game as a whole, setup or not; each yields the problems of one topic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from duckpress.core.problems import Problem, did_you_mean
from duckpress.model import Card, Deck, FieldKind, Game

_MENTION = re.compile(r"(?<!\\)\{=([^{}]*+)\}")


def unknown_fields_in_text(game: Game) -> Iterator[Problem]:
    """Yield an `unknown-field-in-text` for each `{=field}` in a card's text that names no field of its deck."""
    for deck in game.decks.values():
        names = [name for name, field in deck.fields.items() if field.kind in (FieldKind.TEXT, FieldKind.LIST)]
        for card in deck.cards:
            for name in names:
                yield from _unknown_mentions(game, deck, card, name)


def _unknown_mentions(game: Game, deck: Deck, card: Card, name: str) -> Iterator[Problem]:
    value = card.values.get(name)
    texts = value if isinstance(value, tuple) else (value,)
    telling = [text for text in texts if isinstance(text, str) and "{=" in text]
    for field in dict.fromkeys(found.strip() for text in telling for found in _MENTION.findall(text)):
        if field not in deck.fields and field not in ("id", "copies"):
            what = f"{name!r} of card {card.id!r} mentions {{={field}}}, and deck {deck.id!r} has no such field"
            fix = did_you_mean(field, deck.fields, else_say="its fields are")
            yield Problem("unknown-field-in-text", card.at(name), what, fix, game=game.id)


def decks_without_cards(game: Game) -> Iterator[Problem]:
    """Yield an `empty-deck` for each deck whose cards all have no copies; one without cards is a mistake of form."""
    for deck in game.decks.values():
        if deck.cards and deck.count == 0 and deck.is_whole:
            what = f"every card of deck {deck.id!r} has 0 copies"
            yield Problem("empty-deck", deck.at("cards"), what, "give them copies, or delete the deck", game=game.id)


CHECKS: tuple[Callable[[Game], Iterator[Problem]], ...] = (unknown_fields_in_text, decks_without_cards)
