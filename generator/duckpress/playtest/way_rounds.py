"""The rounds of a way to play: those of the game, with what its variant and modules change."""

from __future__ import annotations

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import unknown
from duckpress.core.problems import Problem
from duckpress.model.setup import Rounds


def rounds_of(book: Book, variant: str | None) -> Rounds | None:
    """Return the rounds of a setup: the basic game's, and what its variant and modules add and replace."""
    whole: Rounds | None = None
    for part in book.parts_of(variant):
        more = part.rounds
        if more is None or whole is None:
            whole = more or whole
            continue
        replaced = {step.replaces for step in more.steps if step.replaces}
        steps = [step for step in whole.steps if step.place not in replaced]
        first = min((at for at, step in enumerate(whole.steps) if step.place in replaced), default=len(steps))
        new = [step for step in more.steps if step.replaces]
        whole = Rounds(
            (*steps[:first], *new, *steps[first:], *(step for step in more.steps if not step.replaces)),
            more.until or whole.until,
            {**whole.reshuffles, **more.reshuffles},
            whole.ends_short if more.ends_short is None else more.ends_short,
            {**whole.events, **more.events},
            {**whole.bounds, **more.bounds},
            more.source,
            more.sources,
        )
    return whole


def no_event(rounds: Rounds) -> list[Problem]:
    """Return a problem for each bound of something that is not counted."""
    known = ("rounds", *rounds.events)
    return [
        unknown("unknown-name", bound.name, known, f"no event is named {bound.name!r}").problem(bound.source)
        for bound in rounds.bounds.values()
        if bound.name not in known
    ]
