"""What the steps take of the cards: how many copies have to be printed, and which cards no step takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.steps import Runs
from duckpress.check.setup_expressions import Spent
from duckpress.core.problems import Level, Problem
from duckpress.model import Game


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
            what = f"no step takes any of the {count} cards of deck {deck.id!r}"
            fix = "take them in setup.yaml, or mark the deck 'component: no' where it is a sheet"
            yield Problem("unused-cards", deck.source, what, fix, Level.WARNING)
            continue
        names = ", ".join(repr(card.id) for card in unused[:3]) + (", ..." if len(unused) > 3 else "")
        what = f"no step takes {count} of the {deck.count} cards of deck {deck.id!r}: {names}"
        fix = "take them in setup.yaml, or leave them out of the deck"
        yield Problem("unused-cards", unused[0].source, what, fix, Level.WARNING)
