"""What `setup.yaml` may hold: steps and what they take, expectations, totals, columns, variants and seats."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.content.setup.geometry_section import GeometryKeys
from duckpress.content.setup.setup_kinds import AMOUNT, EXPRESSION, PLAYER_COUNTS, read_amount, read_expression
from duckpress.content.yaml.declared_shapes import Kind, Shape, as_mapping, omittable, optional, read_shape, required
from duckpress.content.yaml.kinds import (
    NODE,
    TEXT,
    TEXT_OR_TEXTS,
    YES_NO,
    by_name,
    choice,
    either,
    list_of,
    shape,
)
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence
from duckpress.core.problem_list import ProblemList, Read
from duckpress.core.problems import Level, Problem
from duckpress.model.setup import ALL, Amount, Expression, PlaceKind, Take

_EACH = choice(("player",))
_LEVEL = choice([level.value for level in (Level.ERROR, Level.WARNING, Level.NOTE)])


class TakeKeys(Shape):
    """Cards that a step takes, in full."""

    where = optional(EXPRESSION, None, "only the cards for which this is true")
    count = optional(NODE, None, "how many: an amount; without it all that is left")


def _takes(node: Node, label: str) -> Read[tuple[Take, ...] | None]:
    problems = ProblemList()
    takes = []
    mapping = problems.take(as_mapping(node, label))
    for origin, (value, source) in mapping.entries.items() if mapping is not None else ():
        where: Expression | None = None
        amount: Amount | None = None
        label = f"the amount of {origin!r}"
        if isinstance(value, Mapping) and value.entries.keys() & TakeKeys.keys.keys():
            written = problems.take(read_shape(value, TakeKeys, f"'take' of {origin!r}"))
            where, count = (written.where, written.count) if written is not None else (None, None)
            amount = None if count is None else problems.take(read_amount(count, label))
            at = where.source if where else value.source
            amount = amount or Amount({None: Expression(ALL, at)}, at)
        else:
            amount = problems.take(read_amount(value, label))
        if amount is not None:
            takes.append(Take(origin, amount, where, source))
    return Read(tuple(takes), problems)


def _knowers(node: Node, label: str) -> Read[tuple[Expression, ...] | None]:
    """Return whose cards are told: none for `yes` (of a place common to all), or expressions for seats."""
    if isinstance(node, Scalar) and node.text in ("yes", "true"):
        return Read(())
    problems = ProblemList()
    items = node.items if isinstance(node, Sequence) else [node]
    whose = (problems.take(read_expression(item, label)) for item in items)
    return Read(tuple(expression for expression in whose if expression is not None), problems)


TAKES: Kind[tuple[Take, ...]] = Kind(_takes, (), of=TakeKeys)
_KNOWERS: Kind[tuple[Expression, ...]] = Kind(_knowers, ())


class StepKeys(Shape):
    """A step: what is taken, and the one place where it goes."""

    pile = omittable(TEXT, "a place: cards face down")
    hand = omittable(TEXT, "a place: what each player holds")
    row = omittable(TEXT, "a place: cards laid out on the table")
    slot = omittable(TEXT, "a place: a space of a board")
    aside = omittable(TEXT, "a place: beside the table, out of play for now")
    each = optional(_EACH, None, "player: each player has such a place")
    take = optional(TAKES, (), "deck or place -> how many cards are taken from it")
    replaces = optional(TEXT, None, "in a variant: the place whose steps fall away for this one")
    remove = optional(AMOUNT, None, "how many are removed again unseen, at random")
    slots = optional(AMOUNT, None, "the most that fits")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition")
    note = optional(EXPRESSION, None, "a sentence for the setup table")

    @classmethod
    def form(cls, node: Mapping, _what: str) -> type[Shape] | Problem:
        places = [kind.value for kind in PlaceKind if kind.value in node.entries]
        if len(places) == 1:
            return cls
        code, has = ("several-places", " and ".join(places)) if places else ("no-place", "none")
        fix = f"open it with one of: {', '.join(kind.value for kind in PlaceKind)}"
        return Problem(code, node.source, f"a step fills one place, and this one names {has}", fix)

    @property
    def kind(self) -> PlaceKind:
        """The kind of the place that it fills."""
        return next(kind for kind in PlaceKind if self.has(kind.value))


class TotalKeys(Shape):
    """How many cards there have to be, in full."""

    count = optional(EXPRESSION, None, "how many; required")
    of = optional(TEXT_OR_TEXTS, None, "the decks whose cards are counted; without it the deck it is named after")
    where = optional(EXPRESSION, None, "only the cards for which this is true")

    def check(self) -> Iterator[Problem]:
        if not self.has("count"):
            yield Problem("missing-key", self.source, f"{self.what} has no 'count'", "add 'count: ...'")


class ExpectationKeys(Shape):
    """What has to come out."""

    that = optional(EXPRESSION, None, "what has to be true, or to equal `is`; required")
    is_ = optional(AMOUNT, None, "what it has to equal")
    say = optional(EXPRESSION, None, "the words where it does not hold")
    fix = optional(EXPRESSION, None, "what to do then")
    level = optional(_LEVEL, Level.ERROR.value, "how much it weighs")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition")
    each = optional(_EACH, None, "player: it holds for each player")

    def check(self) -> Iterator[Problem]:
        if not self.has("that"):
            yield Problem("missing-key", self.source, f"{self.what} has no 'that'", "add 'that: a condition'")


class BalanceKeys(Shape):
    """A balanced set: within each value of one field, every value of another has as many cards."""

    deck = required(TEXT, "the deck")
    by = required(TEXT, "the field within whose values is counted")
    field = required(TEXT, "the field whose values are as many")
    level = optional(_LEVEL, Level.ERROR.value, "how much it weighs")


class ColumnKeys(Shape):
    """A column of the setup table."""

    shows = optional(EXPRESSION, None, "what it shows; without it the value or place that it is named after")
    title = optional(TEXT, None, "its heading")
    short = optional(TEXT, None, "its heading where there is little room")


_STEPS = list_of(shape(StepKeys), "an entry of 'setup'")
_EXPECTATIONS = list_of(shape(ExpectationKeys), "an entry of 'expect'")
_BALANCES = list_of(shape(BalanceKeys), "an entry of 'balanced'")
_COLUMNS = by_name(shape(ColumnKeys), "the column")


class VariantKeys(Shape):
    """Another way to play."""

    title = optional(TEXT, None, "its name")
    about = optional(TEXT, "", "what is different")
    drops = optional(list_of(NODE), (), "places whose steps fall away")
    setup = optional(_STEPS, (), "steps that are added, or replace others")
    expect = optional(_EXPECTATIONS, (), "what has to come out, besides")
    balanced = optional(_BALANCES, (), "balanced sets, besides")
    table = optional(_COLUMNS, (), "columns, besides")


class SeatsKeys(Shape):
    """Who sits where, and who is told what."""

    relations = optional(by_name(EXPRESSION, "the relation"), (), "what one seat calls another: `left: seat + 1`")
    knows = optional(by_name(_KNOWERS, "who is told"), (), "place -> whose cards there each player is told")
    shuffled = optional(YES_NO, True, "whether who sits where is drawn by lot")


class SetupKeys(Shape):
    """`setup.yaml`."""

    title = optional(TEXT, "Setup", "heads the setup table")
    values_ = optional(by_name(EXPRESSION, "the value"), (), "named numbers, for every expression")
    setup = optional(_STEPS, (), "the steps, in order")
    totals = optional(by_name(either(EXPRESSION, TotalKeys), "the total"), (), "how many cards there have to be")
    expect = optional(_EXPECTATIONS, (), "what has to come out")
    balanced = optional(_BALANCES, (), "balanced sets")
    table = optional(_COLUMNS, (), "the columns of the setup table")
    variants = optional(by_name(shape(VariantKeys), "the variant"), (), "other ways to play")
    notes = optional(list_of(EXPRESSION, "a note"), (), "sentences below the setup table")
    seats = optional(shape(SeatsKeys), None, "who sits where, and who is told what")
    geometry = optional(shape(GeometryKeys), None, "boards, shapes and coordinates")
