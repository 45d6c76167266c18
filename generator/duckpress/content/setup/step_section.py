"""A step of `setup:` or `rounds:` in `setup.yaml`: its one place, whose it is, and the cards that go there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from duckpress.content.setup.setup_kinds import AMOUNT, EACH, EXPRESSION, PLAYER_COUNTS, looks_like_keys, read_amount
from duckpress.content.yaml.declared_shapes import (
    Kind,
    ListOf,
    NamesOf,
    Shape,
    as_mapping,
    omittable,
    optional,
    read_shape,
)
from duckpress.content.yaml.kinds import TEXT, YES_NO, by_name, choice, converted, either, list_of, made, named, shape
from duckpress.content.yaml.nodes import Mapping, Node, Sequence
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import setup as records
from duckpress.model.setup import ALL, EVEN, Amount, Each, Expression, PlaceKind, Step, Take


class TakeKeys(Shape):
    """Cards that a step takes, in full."""

    where = optional(EXPRESSION, None, "only the cards for which this is true")
    count = optional(AMOUNT, None, "how many: an amount; without it all that is left")
    choose = omittable(AMOUNT, "instead of count: how many, and people pick them freely")
    per = omittable(TEXT, "a place: as much is taken once for each card there, which where and count know as `drawn`")

    def check(self) -> Iterator[Problem]:
        if self.choose is not None:
            yield from not_together(self, "choose", "count", "say how many with one of the two")
            yield from not_together(self, "choose", "per", "say 'count', or choose in a step of its own")
        for key in ("choose", "per"):
            amount = self.count if key == "per" else self.choose
            if self.has(key) and amount is not None and _is_even(amount):
                what = f"'even' shares out all there is, and does not go with {key!r}"
                yield Problem("not-together", amount.source, what, "write a number, or an expression")

    def take(self, origin: str, source: Source) -> Take:
        at = self.where.source if self.where else self.source
        amount = self.choose or self.count or Amount({None: Expression(ALL, at)}, at)
        return Take(origin, amount, self.where, source, self.choose is not None, self.per)


def takes_of(keys: type[TakeKeys]) -> Kind[tuple[Take, ...]]:
    """Return the kind of `take`: decks or places, each with an amount, with such keys, or with a list of these."""
    return Kind(
        "mapping by names",
        lambda node, label: _takes(node, label, keys),
        (),
        takes=(NamesOf((AMOUNT, keys, ListOf((AMOUNT, keys), 1))),),
    )


def _takes(node: Node, label: str, keys: type[TakeKeys]) -> Read[tuple[Take, ...] | None]:
    problems = ProblemList()
    takes = []
    mapping = problems.take(as_mapping(node, label))
    for origin, (value, source) in mapping.entries.items() if mapping is not None else ():
        for part in value.items if isinstance(value, Sequence) else (value,):
            at = source if part is value else part.source  # each part of a list has its own place
            if isinstance(part, Mapping) and looks_like_keys(part, keys.keys):
                written = problems.take(read_shape(part, keys, f"'take' of {origin!r}"))
                take = None if written is None else written.take(origin, at)
            else:
                amount = problems.take(read_amount(part, f"the amount of {origin!r}"))
                take = None if amount is None else Take(origin, amount, None, at)
            takes += [] if take is None else [take]
        if isinstance(value, Sequence) and not value.items:
            problems.add("empty-value", value.source, f"the list of {origin!r} is empty", "write what is taken")
    return Read(tuple(takes), problems)


class MoveKeys(Shape):
    """A step of a setup or a round: what is taken, and the one place where it goes."""

    one_of = tuple(kind.value for kind in PlaceKind)
    pile = omittable(TEXT, "a place: cards face down")
    hand = omittable(TEXT, "a place: what each player holds")
    row = omittable(TEXT, "a place: cards laid out on the table")
    slot = omittable(TEXT, "a place: a space of a board")
    aside = omittable(TEXT, "a place: beside the table, out of play for now")
    box = omittable(TEXT, "the cards go back into the decks that they came from; this is the name by which they count")
    each = optional(EACH, (Each.NOBODY, None), "player, team, or how many such places there are")
    takes = optional(takes_of(TakeKeys), (), "deck or place -> how many cards are taken from it", name="take")
    is_shuffled = optional(YES_NO, True, "no: what a pile gets goes under it as it lay", name="shuffled")
    replaces = optional(TEXT, None, "in a variant: the place whose steps fall away for this one")
    remove = optional(AMOUNT, None, "how many are removed again unseen, at random")
    slots = optional(AMOUNT, None, "the most that fits")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition")

    @classmethod
    def form(cls, node: Mapping, _what: str) -> type[Shape] | Problem:
        places = [place for place in cls.one_of if place in node.entries]
        if len(places) == 1:
            return cls
        code, has = ("several-places", " and ".join(places)) if places else ("no-place", "none")
        fix = f"open it with one of: {', '.join(cls.one_of)}"
        return Problem(code, node.source, f"a step fills one place, and this one names {has}", fix)

    def check(self) -> Iterator[Problem]:
        for key in ("each", "remove", "slots"):
            yield from not_together(self, "box", key, f"delete {key!r}: what is in the box again is in no place")
        if self.kind is not PlaceKind.PILE:
            yield from not_together(self, self.kind.value, "shuffled", "only a pile is shuffled, or is not: delete it")
        for take in self.takes if self.owner is Each.NOBODY else ():
            if _is_even(take.amount):
                what = "'even' shares cards out, and there is one place only"
                fix = "say for whom with 'each: player', 'each: team' or 'each: 4', or take 'all'"
                yield Problem("not-together", take.amount.source, what, fix)

    @property
    def kind(self) -> PlaceKind:
        return next(kind for kind in PlaceKind if self.has(kind.value))

    @property
    def owner(self) -> Each:
        """What has such a place of its own: a hand is each player's unless it is said to be a team's."""
        return Each.PLAYER if self.kind is PlaceKind.HAND and self.each[0] is Each.NOBODY else self.each[0]

    def step(self) -> Step | None:
        """Return the step, None where its place has no name."""
        place = self.values[self.kind.value]
        if not place:
            return None
        at = self.at("replaces") if self.replaces is not None else None
        own = {"kind": self.kind, "place": place, "source": self.at(self.kind.value), "replaces_source": at}
        return self.as_record(Step, **own, each=self.owner, instances=self.each[1])


class StepKeys(MoveKeys):
    """A step of the setup."""

    note = optional(EXPRESSION, None, "a sentence for the setup table")


def not_together(written: Shape, key: str, other: str, fix: str) -> Iterator[Problem]:
    """Yield a problem at the second of two keys if both are written."""
    if written.has(key) and written.has(other):
        what = f"{key!r} and {other!r} do not go together"
        yield Problem("not-together", written.node.entries[other].source, what, fix)


def _is_even(amount: Amount) -> bool:
    return any(expression.text == EVEN for expression in amount.by_players.values())


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
