"""A step of `setup:` or `rounds:` in `setup.yaml`: its place, the place's owner, and the cards that go there.

The kinds of values that only `setup.yaml` has stand here too: expressions, amounts per player count, player counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from duckpress.content.yaml.declared_shapes import (
    Kind,
    ListOf,
    NamesOf,
    Plain,
    Shape,
    as_mapping,
    omittable,
    optional,
    read_shape,
)
from duckpress.content.yaml.kinds import TEXT, YES_NO, choice, converted, either, list_of, made, named, shape
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, nearest
from duckpress.model import setup as records
from duckpress.model.setup import ALL, EVEN, MOST_PLAYERS, Amount, Each, Expression, PlaceKind, Step, Take

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=Shape)

MAX_PLAYERS = 1000
NONE: dict[str, Any] = {}
LEVEL = choice((Level.ERROR, Level.WARNING, Level.NOTE))
_COUNTS = re.compile(r"([0-9]{1,4})(?:\s*(?:-|\.\.)\s*([0-9]{1,4})|(\+))?")


def read_expression(node: Node, label: str) -> Read[Expression | None]:
    """Return an expression, or a text with expressions. Problems: `wrong-type`, `empty-value`."""
    if not isinstance(node, Scalar):
        is_table = isinstance(node, Mapping) and node.entries and all(map(_COUNTS.fullmatch, node.entries))
        table = "numbers by player count cannot stand here: give them a name under 'values', and write the name here"
        fix = table if is_table else "write one expression; put text that begins with { or [ in quotes"
        what = f"{label} is {described(node)}, not an expression"
        return Read(None, [Problem("wrong-type", node.source, what, fix)])
    if node.is_null or not node.text.strip():
        fix = "write an expression, or delete the key"
        return Read(None, [Problem("empty-value", node.source, f"{label} is empty", fix)])
    return Read(Expression(node.text, node.source, 0 if node.is_plain else 1))


def read_amount(node: Node, label: str) -> Read[Amount | None]:
    """Return an amount: one for all, or a mapping from player counts (`2`, `2-4`, `2..4`, `3+`) to amounts.

    Problems: `wrong-type`, `empty-value`, `bad-player-count`, `repeated-count`.
    """
    if not isinstance(node, Mapping):
        expression, wrong = read_expression(node, label)
        return Read(None if expression is None else Amount({None: expression}, expression.source), wrong)
    problems = ProblemList()
    by_players: dict[int | None, Expression] = {}
    for key, entry in node.entries.items():
        expression = problems.take(read_expression(entry.value, f"{label} for {key} players"))
        for count in problems.take(_counts(key, entry.source)):
            if count in by_players:
                what = f"{label} for {count} players is given twice"
                problems.add("repeated-count", entry.source, what, "keep one of the two")
            elif expression is not None:
                by_players[count] = expression
    if not node.entries:
        problems.add("empty-value", node.source, f"{label} is empty", "write an amount")
    return Read(Amount(by_players, node.source) if by_players else None, problems)


def _each(node: Node, label: str) -> Read[tuple[Each, Amount | None] | None]:
    """Return the owner of a place, and for numbered places their number."""
    if isinstance(node, Scalar) and node.text in (Each.PLAYER, Each.TEAM):
        return Read((Each(node.text), None))
    amount, problems = read_amount(node, label)
    return Read(None if amount is None else (Each.NUMBER, amount), problems)


def looks_like_keys(node: Mapping, keys: Iterable[str]) -> bool:
    """Return whether the keys of a mapping resemble these keys, and are no player counts."""
    known = set(keys)
    return any(name in known or (name.isalpha() and nearest(name, known)) for name in node.entries)


def read_player_counts(node: Node, label: str) -> Read[tuple[int, ...] | None]:
    """Return player counts from `6`, `3-6` or a list of these. Problems: `bad-player-count`."""
    problems = ProblemList()
    counts: set[int] = set()
    for item in node.items if isinstance(node, Sequence) else [node]:
        if isinstance(item, Scalar):
            counts.update(problems.take(_counts(item.text, item.source)))
        else:
            what = f"{label} holds something that is not a player count"
            problems.add("bad-player-count", item.source, what, "write 6, 3-6 or [3, 5]")
    return Read(tuple(sorted(counts)), problems)


_WORDS = Plain(pattern=r"\S")
COUNT = Plain(("integer", "string"), rf"^\s*{_COUNTS.pattern}\s*$")
_BY_COUNT = NamesOf((_WORDS,), COUNT.pattern)
EXPRESSION: Kind[Expression] = Kind(read_expression, takes=(_WORDS,), reads_null=True, has_bare_label=True)
EACH: Kind[tuple[Each, Amount | None]] = Kind(_each, takes=(_WORDS, _BY_COUNT), has_bare_label=True)
AMOUNT: Kind[Amount] = Kind(read_amount, takes=(_WORDS, _BY_COUNT), reads_null=True, has_bare_label=True)
PLAYER_COUNTS: Kind[tuple[int, ...]] = Kind(
    read_player_counts, takes=(COUNT, ListOf((COUNT,))), reads_null=True, has_bare_label=True
)


def _knowers(node: Node, label: str) -> Read[tuple[Expression, ...] | None]:
    """Return the seats whose cards are visible: empty for `yes` (a place common to all), else expressions."""
    if isinstance(node, Scalar) and node.text in ("yes", "true"):
        return Read(())
    problems = ProblemList()
    items = node.items if isinstance(node, Sequence) else [node]
    whose = (problems.take(read_expression(item, label)) for item in items)
    return Read(tuple(expression for expression in whose if expression is not None), problems)


KNOWERS: Kind[tuple[Expression, ...]] = Kind(_knowers, (), takes=(_WORDS, ListOf((_WORDS,))))


def excess(node: Node, most: int) -> Source | None:
    """Return the place at which a setup exceeds so many parts, or None.

    A range of player counts is as many parts as it names: that is what becomes of it.
    """
    count = 0
    waiting = [node]
    while waiting:
        here = waiting.pop()
        count += 1
        if isinstance(here, Mapping):
            count += sum(_span(key) for key in here.entries)
            waiting += [entry.value for entry in reversed(here.entries.values())]
        elif isinstance(here, Sequence):
            waiting += reversed(here.items)
        else:
            count += _span(here.text)
        if count > most:
            return here.source
    return None


def _span(text: str) -> int:
    match = _COUNTS.fullmatch(text) if len(text) < 20 else None
    return max(0, int(match[2] or MOST_PLAYERS) - int(match[1])) if match and (match[2] or match[3]) else 0


def _counts(text: str, source: Source) -> Read[range]:
    match = _COUNTS.fullmatch(text.strip())
    low = int(match[1]) if match else 0
    high = (int(match[2]) if match[2] else MOST_PLAYERS if match[3] else low) if match else 0
    if 0 < low <= high <= MAX_PLAYERS:
        return Read(range(low, high + 1))
    fix = f"write a number of players from 1 to {MAX_PLAYERS} (6), or a range (3-6)"
    return Read(range(0), [Problem("bad-player-count", source, f"{text!r} is not a player count", fix)])


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
    """Return the kind of `take`: decks or places, each with an amount, with keys, or with a list of these."""

    def take(origin: str, source: Source, written: Amount | TakeKeys) -> Take:
        return Take(origin, written, None, source) if isinstance(written, Amount) else written.take(origin, source)

    parts = in_parts(AMOUNT, keys, take, ("the amount", "'take'", "write what is taken"))
    return converted(parts, lambda takes: tuple(part for parts in takes.values() for part in parts), ())


def in_parts(
    kind: Kind[T], keys: type[S], convert: Callable[[str, Source, T | S], R], words: tuple[str, str, str]
) -> Kind[dict[str, tuple[R, ...]]]:
    """Return the kind of mappings by names of decks or places, each with a value, with keys, or with a list of these.

    `words` are those for a value and for keys, and what to do about an empty list.
    """
    in_short, in_full, fix = words

    def read(node: Node, label: str) -> Read[dict[str, tuple[R, ...]] | None]:
        problems = ProblemList()
        mapping = problems.take(as_mapping(node, label))
        results: dict[str, tuple[R, ...]] = {}
        for origin, (value, source) in mapping.entries.items() if mapping is not None else ():
            results[origin] = ()
            for part in value.items if isinstance(value, Sequence) else (value,):
                written: T | S | None
                if isinstance(part, Mapping) and looks_like_keys(part, keys.keys):
                    written = problems.take(read_shape(part, keys, f"{in_full} of {origin!r}"))
                else:
                    written = problems.take(kind.read(part, f"{in_short} of {origin!r}"))
                at = source if part is value else part.source  # each part of a list has its own place
                results[origin] += () if written is None else (convert(origin, at, written),)
            if isinstance(value, Sequence) and not value.items:
                problems.add("empty-value", value.source, f"the list of {origin!r} is empty", fix)
        return Read(results, problems)

    return Kind(read, {}, takes=(NamesOf((kind, keys, ListOf((kind, keys), 1))),))


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
        """The owner of the place: a hand is each player's by default."""
        return Each.PLAYER if self.kind is PlaceKind.HAND and self.each[0] is Each.NOBODY else self.each[0]

    def step(self) -> Step | None:
        """Return the step, or None if its place has no name."""
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
    level = optional(LEVEL, Level.ERROR, "how much it weighs")

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
        named(TEXT, "", lambda _name, _source, place: place),
        NONE,
        "place -> the place whose cards are shuffled into it where it runs dry",
        name="reshuffle",
    )
    ends_short = optional(
        converted(choice(("play", "end")), lambda word: word == "end"),
        None,
        "where a step wants more than there is: play on, or end the game",
        name="short",
    )
    events = optional(
        named(either(EXPRESSION, EventKeys), "the event", _event), NONE, "what may happen in a round, by name"
    )
    bounds = optional(
        named(shape(BoundKeys), "the bound", _bound), NONE, "`rounds` or an event -> its bounds", name="expect"
    )
