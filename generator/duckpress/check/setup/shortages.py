"""Shortages as problems: what is needed, what is there, by how much it falls short, and the two ways out."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.check.rule_book import Book
from duckpress.check.setup.steps import SetupRun, Shortage
from duckpress.core.problems import Problem


def shortage_problems(book: Book, run: SetupRun, all_runs: Iterable[SetupRun]) -> list[Problem]:
    """Return a `not-enough` for each deck or place that a run asks too much of; `all_runs` are the variant's others."""
    runs = list(all_runs)
    return [run.scene.problem(_problem(book, run, shortage, runs)) for shortage in run.shortages]


def _problem(book: Book, run: SetupRun, shortage: Shortage, runs: list[SetupRun]) -> Problem:
    is_deck = shortage.origin in book.game.decks and not shortage.is_removal
    if is_deck:
        first_way = f"add {_cards(shortage.to_add)}{_such(shortage)} to {shortage.origin!r}{_for_each(book, shortage)}"
    else:
        first_way = f"put {_cards(shortage.to_add)} more{_such(shortage)} into {shortage.origin!r}"
    fix = f"{first_way}, {_other_way(run, shortage, runs)}"
    return Problem("not-enough", shortage.source, _what(shortage, is_deck=is_deck), fix)


def _what(shortage: Shortage, *, is_deck: bool) -> str:
    whose = f"player {shortage.seat}'s " if shortage.seat else ""
    short = f"{shortage.need - shortage.supply} too few"
    if shortage.is_removal:
        held = f"{whose}{shortage.origin!r}, which holds {shortage.supply}"
        return f"{_cards(shortage.need)} are to be removed from {held}: {short}"
    each = f" ({shortage.each} for each player)" if shortage.each is not None else ""
    surely = "" if shortage.is_sure else "surely "
    has, counted = f"which {surely}{'has' if is_deck else 'holds'} {shortage.supply}", shortage.supply
    if is_deck and not shortage.is_untouched:
        has, counted = f"{has} left of {shortage.whole}", shortage.whole
    if shortage.where is not None:
        has = f"{has} such {'card' if counted == 1 else 'cards'}"
    need = f"{_cards(shortage.need)} of {whose}{shortage.origin!r}{_such(shortage)}{each}"
    return f"{shortage.place!r} needs {need}, {has}: {short}"


def _such(shortage: Shortage) -> str:
    return f" where {shortage.where}" if shortage.where is not None else ""


def _for_each(book: Book, shortage: Shortage) -> str:
    deck = book.game.decks.get(shortage.origin)
    return " (each player's)" if deck is not None and deck.is_per_player else ""


def _other_way(run: SetupRun, shortage: Shortage, runs: list[SetupRun]) -> str:
    """Say at which player count the setup works; the largest, or all where only larger ones do."""
    fine = sorted(other.players for other in runs if other.is_complete and shortage.origin not in other.short)
    smaller = [players for players in fine if players < run.players]
    if smaller:
        return f"or play with at most {smaller[-1]} players"
    if fine:
        return f"or play with at least {fine[0]} players"
    return "for no player count works as it is"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"
