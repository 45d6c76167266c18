"""Amounts and conditions of a step that depend on cards which only a later step moves.

What they ask for is always nothing at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from duckpress.check.setup.rule_book import Book, remembered
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import Amount, Expression, Step

_OF_PLACES = ("count", "sum", "distinct", "most", "tally", "values", "left", "removed", "total")


class _Place(NamedTuple):
    """A place, or a deck in a question about its taken cards, and the offset in its expression."""

    name: str
    is_deck: bool
    offset: int


def later_places(book: Book) -> Iterator[Problem]:
    """Yield a `place-too-late` for each amount or condition with a place or deck that only a later step forms or takes.

    Nothing is said where an earlier step does so in another variant or module.
    """
    late: dict[tuple[Expression, _Place], Step] = {}
    early: set[tuple[Expression, _Place]] = set()
    for way in book.combinations():
        steps = book.steps(way)
        first = {key: step for step in reversed(steps) for key in _moved(step)}
        done: set[tuple[str, bool]] = set()
        for step in steps:
            done |= _moved(step)  # what it does itself may be meant as it was before
            for expression in step_expressions(step):
                for asked in _uses(book, expression.text, ()):
                    key = asked.name, asked.is_deck
                    if key in done:
                        early.add((expression, asked))
                    elif key in first:
                        late.setdefault((expression, asked), first[key])
    for (expression, asked), step in late.items():
        if (expression, asked) not in early:
            is_forming = "is formed only by" if not asked.is_deck else "is taken from only in"
            what = f"{asked.name!r} {is_forming} a later step (line {step.source.line}): here that is always 0"
            fix = "move that step up, before this one, or ask for something else"
            yield Problem("place-too-late", expression.at(asked.offset), what, fix, Level.WARNING)


def _moved(step: Step) -> set[tuple[str, bool]]:
    return {(step.place, False), *((take.origin, True) for take in step.takes)}


def step_expressions(step: Step) -> list[Expression]:
    amounts = (step.when, step.instances, step.remove, step.slots, *(take.where for take in step.takes))
    return [one for amount in (*amounts, *(take.amount for take in step.takes)) for one in written(amount)]


def written(amount: Amount | Expression | None) -> list[Expression]:
    """Return the expressions of an amount, by player count, or the only one."""
    return [] if amount is None else [amount] if isinstance(amount, Expression) else [*amount.by_players.values()]


def asks_what_lies(book: Book, variant: str | None) -> bool:
    """Return whether amounts or conditions of steps depend on the cards at places or left in decks."""
    texts = [expression.text for step in book.steps(variant) for expression in step_expressions(step)]
    texts += [part.text for value in book.setup.values.values() for part in written(value.amount)]
    return any(
        _uses(book, text, ()) or any(call.function == "left" for call in book.reading(text).calls) for text in texts
    )


@remembered
def _uses(book: Book, text: str, named: tuple[str, ...]) -> list[_Place]:
    """Return the places and decks that an expression depends on, also through named values."""
    book.spend(1)
    every: list[_Place] = []
    reading, (values, places, _) = book.reading(text), book.by_name
    for use in reading.names:
        if use.text in places and use.text not in values:
            every.append(_Place(places[use.text], False, use.offset))
        elif use.text in values and use.text not in named:
            for part in written(values[use.text].amount):
                deep = _uses(book, part.text, (*named, use.text))
                every += [asked._replace(offset=use.offset) for asked in deep]
    for call in reading.calls:
        name = call.origin.text if call.origin is not None else ""
        if call.function == "taken" and name in book.game.decks:
            every.append(_Place(name, True, call.offset))
        elif call.function in _OF_PLACES and name in book.all_places and name not in book.game.decks:
            every.append(_Place(name, False, call.offset))
        if call.where is not None:
            inner = _uses(book, call.where.text, named)
            every += [asked._replace(offset=call.where.offset) for asked in inner]
    return every
