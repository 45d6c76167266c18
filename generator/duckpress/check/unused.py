"""What nothing asks for: cards that no setup uses, amounts for player counts that the game does not have."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import Amount, Expectation, Step


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
    """Yield an `extra-count` for each amount, step or expectation for a player count the game does not have."""
    variants = book.setup.variants.values()
    steps = (*book.setup.steps, *(step for variant in variants for step in variant.steps))
    expectations = (*book.setup.expectations, *(one for variant in variants for one in variant.expectations))
    for step in steps:
        yield from _extra_only(book, "step", step)
    for expectation in expectations:
        yield from _extra_only(book, "expectation", expectation)
    amounts: list[Amount | None] = []
    for step in steps:
        amounts += [*(take.amount for take in step.takes), step.remove, step.slots]
    amounts += [expectation.is_ for expectation in expectations]
    for amount in amounts:
        for players, expression in amount.by_players.items() if amount is not None else ():
            if players is not None and players not in book.game.players:
                what = f"an amount is given for {players} players, and the game is not for {players}"
                fix = "delete it, or correct 'players' in game.yaml"
                yield Problem("extra-count", expression.source, what, fix, Level.WARNING, game=book.game.id)


def _extra_only(book: Book, kind: str, one: Step | Expectation) -> Iterator[Problem]:
    """Yield an `extra-count` where `only` names other player counts than the game's, or none."""
    extra = [str(players) for players in one.only or () if players not in book.game.players]
    if extra or (one.only == () and book.setup.is_whole):  # none is left, too, where a count could not be read
        counts = ", ".join(extra[:3]) + (", ..." if len(extra) > 3 else "")
        named = f"{counts}, and the game has no such player count" if extra else "no player count"
        what = f"'only' of this {kind} names {named}"
        fix = f"correct 'only', delete the {kind}, or correct 'players' in game.yaml"
        yield Problem("extra-count", one.source, what, fix, Level.WARNING, game=book.game.id)
