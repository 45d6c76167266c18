"""Checks of a game's cards and amounts, each of one topic; and how many copies the steps of its setup take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

from duckpress.check.foreign_markup import looks_like_markup
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.check.setup_expressions import Spent
from duckpress.core.problems import Level, Problem, did_you_mean
from duckpress.model import FieldKind, Game
from duckpress.model.amounts import Amount
from duckpress.model.setup import Expectation, OddsRule, Step, Variant

_MENTION = re.compile(r"(?<!\\)\{=([^{}]*+)\}")


def unknown_fields_in_text(game: Game) -> Iterator[Problem]:
    """Yield an `unknown-field-in-text` for each `{=field}` in a card's text that names no field of its deck."""
    for deck in game.decks.values():
        names = [name for name, field in deck.fields.items() if field.kind in (FieldKind.TEXT, FieldKind.LIST)]
        known = {*deck.fields, "id", "copies"}
        for card, name in product(deck.cards, names):
            value = card.values.get(name)
            texts = [text for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str)]
            mentions = dict.fromkeys(field.strip() for text in texts for field in _MENTION.findall(text))
            for field in (field for field in mentions if field not in known):
                what = f"{name!r} of card {card.id!r} mentions {{={field}}}, and deck {deck.id!r} has no such field"
                fix = did_you_mean(field, deck.fields, else_say="its fields are")
                yield Problem("unknown-field-in-text", card.at(name), what, fix)


def decks_without_cards(game: Game) -> Iterator[Problem]:
    """Yield an `empty-deck` for each deck whose cards all have no copies; one without cards is a mistake of form."""
    for deck in game.decks.values():
        if deck.cards and deck.count == 0 and deck.is_whole:
            what = f"every card of deck {deck.id!r} has 0 copies"
            yield Problem("empty-deck", deck.at("cards"), what, "give them copies, or delete the deck")


def extra_counts(book: Book) -> Iterator[Problem]:
    """Yield an `extra-count` for each amount, and each part with `only`, for a player count the game does not have."""
    parts = book.setup.all_variants.values()
    rounds = [one for one in (book.setup.rounds, *(part.rounds for part in parts)) if one is not None]
    steps = [step for part in (*book.parts, *rounds) for step in part.steps]
    expectations = [expectation for part in book.parts for expectation in part.expectations]
    for step in steps:
        yield from _extra_only(book, "step", step)
    for expectation in expectations:
        yield from _extra_only(book, "expectation", expectation)
    for question in book.setup.odds:
        yield from _extra_only(book, "question", question)
    for part in parts:
        yield from _extra_only(book, "module" if part.is_module else "variant", part)
    amounts: list[Amount | None] = [value.amount for value in book.setup.values.values()]
    for step in steps:
        amounts += [*(take.amount for take in step.takes), step.remove, step.slots]
    amounts += [expectation.is_ for expectation in expectations]
    bounds = [bound for played in rounds for bound in played.bounds.values()]
    amounts += [one for bound in bounds for one in (bound.at_least, bound.at_most)]
    amounts += [one for question in book.setup.odds for one in (question.at_least, question.at_most)]
    for amount in amounts:
        for players, expression in amount.by_players.items() if amount is not None else ():
            if players is not None and players not in book.game.players:
                counted = f"{players} player{'s' * (players != 1)}"
                what = f"an amount is given for {counted}, and the game is not for {players}"
                fix = "delete it, or correct 'players' in game.yaml"
                yield Problem("extra-count", expression.source, what, fix, Level.WARNING)


def _extra_only(book: Book, kind: str, part: Step | Expectation | OddsRule | Variant) -> Iterator[Problem]:
    """Yield an `extra-count` where `only` names other player counts than the game's, or none."""
    extra = [str(players) for players in part.only or () if players not in book.game.players]
    if extra or (part.only == () and book.setup.is_whole):  # none is left, too, where a count could not be read
        counts = ", ".join(extra[:3]) + (", ..." if len(extra) > 3 else "")
        named = f"{counts}, and the game has no such player count" if extra else "no player count"
        what = f"'only' of this {kind} names {named}"
        fix = f"correct 'only', delete the {kind}, or correct 'players' in game.yaml"
        yield Problem("extra-count", part.source, what, fix, Level.WARNING)


def copies_for(game: Game, players: int | None) -> Mapping[tuple[str, str], int]:
    """Return the copies to print of each card, by deck id and card id; None is for all player counts: the most of any.

    A deck per player counts once for each player. For one player count, a card is left out where its deck is in use,
    but no step of the basic game or of any variant can ever take the card at that player count: a random draw may take
    any card of its deck, `where` only those for which it holds. A card that no step takes at any player count, and a
    sheet that is no component, is printed in full: the setup does not tell when it is needed.
    """
    counts = game.players if players is None else (players,)
    try:
        used = (Runs(Book(game, game.setup)).used() if game.setup is not None else None) or {}
    except Spent:
        used = {}
    copies: dict[tuple[str, str], int] = {}
    for deck in game.decks.values():
        for index, card in enumerate(deck.cards):
            at = used.get((deck.id, index)) if deck.is_component else None
            fitting = counts
            if at is not None and not at.issuperset(counts):
                fitting = tuple(count for count in counts if count in at or count not in game.players)
            sets = max(fitting, default=0) if deck.is_per_player else min(1, len(fitting))
            key = (deck.id, card.id)
            copies[key] = max(copies.get(key, 0), card.copies * sets)
    return copies


def unused_cards(runs: Runs) -> Iterator[Problem]:
    """Yield an `unused-cards` for each deck with cards that no step takes, at any player count or in any variant.

    Nothing is said where a run broke off, and nothing about sheets that are no components.
    """
    used = runs.used()
    for deck in runs.book.game.decks.values() if used is not None else ():
        unused = [card for at, card in enumerate(deck.cards) if (deck.id, at) not in (used or {}) and card.copies]
        if not deck.is_component or not unused:
            continue
        count = sum(card.copies for card in unused)
        if len(unused) == len(deck.cards):
            cards = f"any of the {count} cards" if count > 1 else "the only card"
            what = f"no step takes {cards} of deck {deck.id!r}"
            fix = "take them in setup.yaml, or mark the deck 'component: no' where it is a sheet"
            yield Problem("unused-cards", deck.source, what, fix, Level.WARNING)
            continue
        names = ", ".join(repr(card.id) for card in unused[:3]) + (", ..." if len(unused) > 3 else "")
        what = f"no step takes {count} of the {deck.count} cards of deck {deck.id!r}: {names}"
        fix = "take them in setup.yaml, or leave them out of the deck"
        yield Problem("unused-cards", unused[0].source, what, fix, Level.WARNING)


CHECKS: tuple[Callable[[Game], Iterator[Problem]], ...] = (
    unknown_fields_in_text,
    decks_without_cards,
    looks_like_markup,
)
