"""`rounds` in setup.yaml: the steps of a round, when the game is over, what is counted, and within what bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from duckpress.content.setup.setup_kinds import AMOUNT, EXPRESSION
from duckpress.content.setup.step_section import MoveKeys, TakeKeys, not_together, takes_of
from duckpress.content.yaml.declared_shapes import Shape, optional
from duckpress.content.yaml.kinds import TEXT, by_name, choice, converted, either, list_of, made, named, shape
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import setup as records
from duckpress.model.amounts import Expression

_NONE: dict[str, Any] = {}
_PICK = re.compile(r"any|(?:highest|lowest) of \w+")
NUMBER = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(%?)")


class PickKeys(TakeKeys):
    """Cards that a step of a round takes, in full."""

    pick = optional(TEXT, "", "which ones people pick: any, highest of FIELD or lowest of FIELD")

    def check(self) -> Iterator[Problem]:
        yield from super().check()
        yield from not_together(self, "choose", "pick", "say how many with 'count'")
        if self.pick and not _PICK.fullmatch(self.pick):
            fix = "write any, highest of FIELD or lowest of FIELD"
            yield Problem("unknown-choice", self.at("pick"), f"nobody can pick {self.pick!r}", fix)

    def take(self, origin: str, source: Source) -> records.Take:
        """Return what is taken."""
        return replace(super().take(origin, source), pick=self.pick)


class RoundStepKeys(MoveKeys):
    """A step of a round."""

    takes = optional(takes_of(PickKeys), (), "deck or place -> how many cards", name="take")


class EventKeys(Shape):
    """Something that may happen in a round."""

    one_of = ("that",)
    that = optional(EXPRESSION, None, "what is true where it happens; required")
    after = optional(TEXT, None, "a place: it is looked at after each step that fills it, not at the end of the round")


def _event(name: str, source: Source, event: Expression | EventKeys) -> records.Event | None:
    if isinstance(event, Expression):
        return records.Event(name, event, source)
    return None if event.that is None else records.Event(name, event.that, source, event.after)


class BoundKeys(Shape):
    """Between what a figure has to be."""

    at_least = optional(AMOUNT, None, "a number, or a share as 5%", name="at least")
    at_most = optional(AMOUNT, None, "a number, or a share as 5%", name="at most")
    level = optional(choice((Level.ERROR, Level.WARNING, Level.NOTE)), Level.ERROR, "how much it weighs")

    def check(self) -> Iterator[Problem]:
        for amount in (self.at_least, self.at_most):
            for expression in amount.by_players.values() if amount is not None else ():
                if not NUMBER.fullmatch(expression.text):
                    what = f"{expression.text!r} is no bound"
                    yield Problem("wrong-type", expression.source, what, "write a number (8), or a share (5%)")


def _bound(name: str, source: Source, bound: BoundKeys) -> records.PlayBound:
    return bound.as_record(records.PlayBound, name=name, source=source)


class RoundsKeys(Shape):
    """How cards flow while a game is played."""

    steps = optional(list_of(made(RoundStepKeys, MoveKeys.step), "a step of 'rounds'"), (), "a round, in order")
    until = optional(EXPRESSION, None, "the game is over after the round in which this is true; `round` counts them")
    reshuffles = optional(
        converted(by_name(TEXT), lambda entries: {entry.name: entry.value for entry in entries}, _NONE),
        _NONE,
        "place -> the place whose cards are shuffled into it where it runs dry",
        name="reshuffle",
    )
    short = optional(choice(("play", "end")), None, "where a step wants more than there is: play on, or end the game")
    events = optional(
        named(either(EXPRESSION, EventKeys), "the event", _event), _NONE, "what may happen in a round, by name"
    )
    bounds = optional(
        named(shape(BoundKeys), "the bound", _bound), _NONE, "`rounds` or an event -> its bounds", name="expect"
    )

    def play(self) -> records.Rounds:
        """Return the rounds."""
        events = {name: event for name, event in self.events.items() if event is not None}
        ends = None if self.short is None else self.short == "end"
        return self.as_record(records.Rounds, events=events, ends_short=ends)
