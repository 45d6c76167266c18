"""Ways to play that are alike for some question: the same steps lead to what it asks about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from duckpress.check.setup.later_places import step_expressions, written
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import names_in
from duckpress.model.amounts import as_name
from duckpress.model.setup import Step

_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def what_leads_to(book: Book, way: str | None, players: int, names: Iterable[str], texts: Iterable[str]) -> object:
    """Return what tells a way to play from others for whoever asks about places and decks, and computes expressions.

    Two ways for which this is equal answer the same. It goes by the steps that move cards of anything that is named,
    and of what those steps name; where an expression asks which way it is, every way is another.
    """
    places = {as_name(name): name for name in (*book.all_places, *book.game.decks)}
    values, _, relations = book.by_name
    known, waiting, used = set(names), list(texts), set[str]()
    steps = [step for step in book.steps(way) if step.only is None or players in step.only]
    if book.setup.seats is not None and book.setup.seats.teams is not None:
        waiting.append(book.setup.seats.teams.text)
    chosen: list[Step] = []
    while True:
        while waiting:
            text = waiting.pop()
            quoted = [one for found in _QUOTED.findall(text) for one in found if one]
            words = {*names_in(text), *quoted} - used
            used |= words
            known |= {places.get(word, word) for word in words}
            waiting += [one for one in quoted if one in words]  # the condition of a function is an expression, too
            waiting += [part.text for word in words if word in values for part in written(values[word].amount)]
            waiting += [relations[word].expression.text for word in words if word in relations]
        more = [step for step in steps if step not in chosen and _names_of(step) & known]
        if not more:
            break
        chosen += more
        known.update(*map(_names_of, more))
        waiting += [expression.text for step in more for expression in step_expressions(step)]
    asks_which = bool(used & {"variant", "modules"})
    ids = set(map(id, chosen))
    return tuple(at for at in map(id, steps) if at in ids), way if asks_which else None


def is_part_of(way: str | None, other: str | None) -> bool:
    """Return whether all that is played in one way is played in another."""
    return set((way or "").split(",")) - {""} <= set((other or "").split(","))


def _names_of(step: Step) -> set[str]:
    return {step.place, *(take.origin for take in step.takes), *(take.per for take in step.takes if take.per)}
