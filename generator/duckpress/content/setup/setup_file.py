"""`setup.yaml` -> what it may hold, and the setup it says: steps, expectations, totals, columns, variants and seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from duckpress.content.setup.geometry_section import GeometryKeys
from duckpress.content.setup.odds_section import OddsKeys, odds_rule
from duckpress.content.setup.rounds_section import RoundsKeys
from duckpress.content.setup.setup_kinds import AMOUNT, EXPRESSION, KNOWERS, PLAYER_COUNTS, excess
from duckpress.content.setup.step_section import StepKeys
from duckpress.content.yaml.declared_shapes import Shape, optional, read_shape, required
from duckpress.content.yaml.kinds import (
    PLACED_OR_LIST,
    TEXT,
    TEXT_OR_TEXTS,
    YES_NO,
    by_name,
    choice,
    converted,
    either,
    list_of,
    made,
    named,
    record,
    shape,
)
from duckpress.content.yaml.nodes import Mapping, Node
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problem_list import Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import setup as records
from duckpress.model.amounts import Amount, Expression, as_name
from duckpress.model.boards import Geometry

_NONE: dict[str, Any] = {}
_EACH = converted(choice(("player",)), bool)
_LEVEL = choice((Level.ERROR, Level.WARNING, Level.NOTE))


class TotalKeys(Shape):
    """How many cards there have to be, in full."""

    one_of = ("count",)
    count = optional(EXPRESSION, None, "how many; required")
    of = optional(TEXT_OR_TEXTS, None, "the decks whose cards are counted; without it the deck it is named after")
    where = optional(EXPRESSION, None, "only the cards for which this is true")

    def check(self) -> Iterator[Problem]:
        if not self.has("count"):
            yield Problem("missing-key", self.source, f"{self.what} has no 'count'", "add 'count: ...'")


class ExpectationKeys(Shape):
    """What has to come out."""

    one_of = ("that",)
    that = optional(EXPRESSION, None, "what has to be true, or to equal `is`; required")
    is_ = optional(AMOUNT, None, "what it has to equal")
    say = optional(EXPRESSION, None, "the words where it does not hold")
    fix = optional(EXPRESSION, None, "what to do then")
    level = optional(_LEVEL, Level.ERROR, "how much it weighs")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition")
    is_for_each_player = optional(_EACH, False, "player: it holds for each player", name="each")
    belongs_to = optional(TEXT_OR_TEXTS, None, "the variants and modules that it is for, or base", name="for")

    def check(self) -> Iterator[Problem]:
        if not self.has("that"):
            yield Problem("missing-key", self.source, f"{self.what} has no 'that'", "add 'that: a condition'")

    def expectation(self) -> records.Expectation | None:
        """Return what has to come out, None where nothing is said."""
        if self.that is None:
            return None
        at = self.at("for") if self.belongs_to is not None else None
        return self.as_record(records.Expectation, source=self.that.source, belongs_source=at)


class BalanceKeys(Shape):
    """A balanced set: within each value of one field, every value of another has as many cards."""

    deck = required(TEXT, "the deck")
    by = required(TEXT, "the field within whose values is counted")
    field = required(TEXT, "the field whose values are as many")
    level = optional(_LEVEL, Level.ERROR, "how much it weighs")

    def balance(self) -> records.Balance | None:
        """Return the balanced set, None where one of its names is missing."""
        return self.as_record(records.Balance) if self.deck and self.by and self.field else None


class ColumnKeys(Shape):
    """A column of the setup table."""

    shows = optional(EXPRESSION, None, "what it shows; without it the value or place that it is named after")
    title = optional(TEXT, None, "its heading")
    short = optional(TEXT, None, "its heading where there is little room")


def _total(name: str, source: Source, total: Expression | TotalKeys) -> records.Total | None:
    if isinstance(total, Expression):
        return records.Total(name, (name,), None, total, source)
    if total.count is None:
        return None
    return records.Total(name, (name,) if total.of is None else total.of, total.where, total.count, source)


def _column(name: str, source: Source, column: ColumnKeys) -> records.Column:
    title = name if column.title is None else column.title
    short = title if column.short is None else column.short
    return records.Column(name, title, short, column.shows or Expression(as_name(name), source), source)


def _value(name: str, source: Source, amount: Amount) -> records.NamedValue:
    return records.NamedValue(name, amount, source)


def _relation(name: str, source: Source, expression: Expression) -> records.Relation:
    return records.Relation(name, expression, source)


class PartsKeys(Shape):
    """What a setup and its variants have in common; what a variant has comes besides, or replaces steps."""

    steps = optional(
        list_of(made(StepKeys, StepKeys.step), "an entry of 'setup'"), (), "the steps, in order", name="setup"
    )
    expectations = optional(
        list_of(made(ExpectationKeys, ExpectationKeys.expectation), "an entry of 'expect'"),
        (),
        "what has to come out",
        name="expect",
    )
    balances = optional(
        list_of(made(BalanceKeys, BalanceKeys.balance), "an entry of 'balanced'"), (), "balanced sets", name="balanced"
    )
    columns = optional(
        named(shape(ColumnKeys), "the column", _column), _NONE, "the columns of the setup table", name="table"
    )
    rounds = optional(made(RoundsKeys, RoundsKeys.play), None, "how it is played on: docs/playtests.md")


class VariantKeys(PartsKeys):
    """Another way to play, or a module of one."""

    title = optional(TEXT, None, "its name")
    about = optional(TEXT, "", "what is different")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    needs = optional(PLACED_OR_LIST, (), "the variants and modules without which it is not played")
    excludes = optional(PLACED_OR_LIST, (), "the variants and modules with which it is not played")
    drops = optional(PLACED_OR_LIST, (), "places whose steps fall away")


def _variant(name: str, source: Source, variant: VariantKeys) -> records.Variant:
    title = name if variant.title is None else variant.title
    columns = tuple(variant.columns.values())
    return variant.as_record(records.Variant, id=name, title=title, columns=columns, source=source)


def _module(name: str, source: Source, module: VariantKeys) -> records.Variant:
    return replace(_variant(name, source, module), is_module=True)


class SeatsKeys(Shape):
    """Who sits where, and who is told what."""

    relations = optional(
        named(EXPRESSION, "the relation", _relation), _NONE, "what one seat calls another: `left: seat + 1`"
    )
    knows = optional(by_name(KNOWERS, "who is told"), (), "place -> whose cards there each player is told")
    teams = optional(EXPRESSION, None, "the team of a seat: seat % 2 + 1")
    is_shuffled = optional(YES_NO, True, "whether who sits where is drawn by lot", name="shuffled")

    def seats(self) -> records.Seats:
        """Return the seats."""
        return self.as_record(
            records.Seats, knows=tuple(records.Knowledge(place, whose, source) for place, source, whose in self.knows)
        )


class SetupKeys(PartsKeys):
    """`setup.yaml`."""

    title = optional(TEXT, "Setup", "heads the setup table")
    values_ = optional(named(AMOUNT, "the value", _value), _NONE, "named numbers, for every expression")
    totals = optional(
        named(either(EXPRESSION, TotalKeys), "the total", _total), _NONE, "how many cards there have to be"
    )
    variants = optional(
        named(shape(VariantKeys), "the variant", _variant), _NONE, "other ways to play, one of them at a time"
    )
    modules = optional(
        named(shape(VariantKeys), "the module", _module), _NONE, "like variants; any of them are played together"
    )
    notes = optional(list_of(EXPRESSION, "a note"), (), "sentences below the setup table")
    seats = optional(made(SeatsKeys, SeatsKeys.seats), None, "who sits where, and who is told what")
    odds = optional(named(shape(OddsKeys), "the odds", odds_rule), _NONE, "how likely things are: docs/odds.md")
    geometry = optional(record(GeometryKeys, Geometry), None, "boards, shapes and coordinates")

    def check(self) -> Iterator[Problem]:
        for part in (*self.variants.values(), *self.modules.values()):
            if part.id == "base" or "," in part.id:
                what = f"a variant or module cannot be called {part.id!r}"
                why = "names are joined by commas" if "," in part.id else "it means the game without any"
                yield Problem("bad-name", part.source, what, f"choose another name: {why}")
            elif part.is_module and part.id in self.variants:
                what = f"{part.id!r} is a variant and a module"
                yield Problem("duplicate-id", part.source, what, "give one of them another name")


def read_setup(node: Node) -> Read[records.Setup | None]:
    """Return a game's setup as it was written; a part that is wrong is left out.

    Problems: those of `read_shape` and of the kinds of a setup; `setup-too-large`; `no-place` and `several-places`.
    """
    place = excess(node, limit("setup-size"))
    if place is not None and isinstance(node, Mapping):
        what = f"the setup has more than {limit('setup-size')} parts, a range of player counts as many as it names"
        fix = f"write fewer steps and expectations; {how_to_raise('setup-size')}"
        return Read(None, [Problem("setup-too-large", place, what, fix)])
    written, problems = read_shape(node, SetupKeys, "the setup")
    if written is None:
        return Read(None, problems)
    columns, totals = tuple(written.columns.values()), tuple(filter(None, written.totals.values()))
    odds = tuple(filter(None, written.odds.values()))
    parts = {"columns": columns, "totals": totals, "odds": odds}
    return Read(written.as_record(records.Setup, **parts, is_whole=not problems), problems)
