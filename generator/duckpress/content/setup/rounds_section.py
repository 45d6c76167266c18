"""`rounds` in setup.yaml: the steps of a round, when the game is over, what is counted, and within what bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from duckpress.content.setup.setup_kinds import AMOUNT, EXPRESSION, PLAYER_COUNTS, read_amount
from duckpress.content.yaml.declared_shapes import Kind, Shape, as_mapping, omittable, optional, read_shape
from duckpress.content.yaml.kinds import TEXT, YES_NO, by_name, choice, converted, either, list_of, made, named, shape
from duckpress.content.yaml.nodes import Mapping, Node
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import setup as records
from duckpress.model.setup import ALL, Amount, Each, Expression, PlaceKind

_NONE: dict[str, Any] = {}
_PICK = re.compile(r"any|(?:highest|lowest) of \w+")
NUMBER = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(%?)")


class PickKeys(Shape):
    """Cards that a step of a round takes, in full."""

    where = optional(EXPRESSION, None, "only the cards for which this is true")
    count = optional(AMOUNT, None, "how many: an amount, or `any`; without it all that is left")
    pick = optional(TEXT, "", "which ones people pick: any, highest of FIELD or lowest of FIELD")

    def check(self) -> Iterator[Problem]:
        if self.pick and not _PICK.fullmatch(self.pick):
            fix = "write any, highest of FIELD or lowest of FIELD"
            yield Problem("unknown-choice", self.at("pick"), f"nobody can pick {self.pick!r}", fix)

    def take(self, origin: str, source: Source) -> records.Take:
        """Return what is taken."""
        at = self.where.source if self.where else self.source
        return records.Take(
            origin, self.count or Amount({None: Expression(ALL, at)}, at), self.where, source, pick=self.pick
        )


def _takes(node: Node, label: str) -> Read[tuple[records.Take, ...] | None]:
    problems = ProblemList()
    takes = []
    mapping = problems.take(as_mapping(node, label))
    for origin, (value, source) in mapping.entries.items() if mapping is not None else ():
        if isinstance(value, Mapping) and value.entries.keys() & PickKeys.keys.keys():
            written = problems.take(read_shape(value, PickKeys, f"'take' of {origin!r}"))
            takes += [] if written is None else [written.take(origin, source)]
        else:
            amount = problems.take(read_amount(value, f"the amount of {origin!r}"))
            takes += [] if amount is None else [records.Take(origin, amount, None, source)]
    return Read(tuple(takes), problems)


_TAKES: Kind[tuple[records.Take, ...]] = Kind("mapping by names", _takes, (), of=PickKeys)


class RoundStepKeys(Shape):
    """A step of a round: what is taken, and the one place where it goes."""

    pile = omittable(TEXT, "a place: cards face down")
    hand = omittable(TEXT, "a place: what each player holds")
    row = omittable(TEXT, "a place: cards laid out on the table")
    slot = omittable(TEXT, "a place: a space of a board")
    aside = omittable(TEXT, "a place: beside the table")
    each = optional(choice((Each.PLAYER,)), Each.NOBODY, "player: each player has such a place")
    takes = optional(_TAKES, (), "deck or place -> how many cards", name="take")
    is_shuffled = optional(YES_NO, True, "no: what a pile gets goes under it as it lay", name="shuffled")
    replaces = optional(TEXT, None, "in a variant: the place whose steps of a round fall away for this one")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition; with `each: player` for each player")

    @classmethod
    def form(cls, node: Mapping, _what: str) -> type[Shape] | Problem:
        places = [kind.value for kind in PlaceKind if kind.value in cls.keys and kind.value in node.entries]
        if len(places) == 1:
            return cls
        code, has = ("several-places", " and ".join(places)) if places else ("no-place", "none")
        what = f"a step of a round fills one place, and this one names {has}"
        return Problem(code, node.source, what, "open it with one of: pile, hand, row, slot, aside")

    def step(self) -> records.Step | None:
        """Return the step, None where its place has no name."""
        kind = next(kind for kind in PlaceKind if self.has(kind.value))
        place = self.values[kind.value]
        each = Each.PLAYER if kind is PlaceKind.HAND else self.each
        at = self.at("replaces") if self.replaces is not None else None
        own = {"kind": kind, "place": place, "each": each, "source": self.at(kind.value), "replaces_source": at}
        return self.as_record(records.Step, **own) if place else None


class EventKeys(Shape):
    """Something that may happen in a round."""

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

    steps = optional(list_of(made(RoundStepKeys, RoundStepKeys.step), "a step of 'rounds'"), (), "a round, in order")
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
