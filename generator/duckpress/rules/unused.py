"""What nothing asks for: cards that no setup uses, amounts for player counts that the game does not have."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.model.setup import Amount
from duckpress.problems import Level, Problem
from duckpress.rules.book import Book
from duckpress.rules.runs import Runs


def unused_cards(runs: Runs) -> Iterator[Problem]:
    """Yield an `unused-cards` for each deck with cards that no step takes, at any player count or in any variant.

    Nothing is said where a run broke off, and nothing about sheets that are no components.
    """
    game = runs.book.game
    every = [run for players in game.players for run in runs.at(players)]
    if not all(run.is_complete for run in every):
        return
    used = {(key.deck, key.position) for run in every for key in run.top.used}
    for deck in game.decks.values():
        unused = [card for index, card in enumerate(deck.cards) if (deck.id, index) not in used and card.copies]
        if not deck.is_component or not unused:
            continue
        count = sum(card.copies for card in unused)
        if len(unused) == len(deck.cards):
            what = f"no step takes any of the {count} cards of deck {deck.id!r}"
            fix = "take them in setup.yaml, or mark the deck 'component: no' where it is a sheet"
            yield Problem("unused-cards", deck.source, what, fix, Level.WARNING, game=game.id)
            continue
        names = ", ".join(repr(card.id) for card in unused[:3]) + (", ..." if len(unused) > 3 else "")
        what = f"no step takes {count} of the {deck.count} cards of deck {deck.id!r}: {names}"
        fix = "take them in setup.yaml, or leave them out of the deck"
        yield Problem("unused-cards", unused[0].source, what, fix, Level.WARNING, game=game.id)


def extra_counts(book: Book) -> Iterator[Problem]:
    """Yield an `extra-count` for each amount that is given for a player count the game does not have."""
    variants = book.setup.variants.values()
    amounts: list[Amount | None] = []
    for step in (*book.setup.steps, *(step for variant in variants for step in variant.steps)):
        amounts += [*(take.amount for take in step.takes), step.remove, step.slots]
    expectations = (*book.setup.expectations, *(one for variant in variants for one in variant.expectations))
    amounts += [expectation.is_ for expectation in expectations]
    for amount in amounts:
        for players, expression in amount.by_players.items() if amount is not None else ():
            if players is not None and players not in book.game.players:
                what = f"an amount is given for {players} players, and the game is not for {players}"
                fix = "delete it, or correct 'players' in game.yaml"
                yield Problem("extra-count", expression.source, what, fix, Level.WARNING, game=book.game.id)
