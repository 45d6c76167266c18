"""`setup.yaml` -> its keys, and the setup: steps, expectations, totals, columns, variants and seats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from duckpress.content.setup.geometry_section import GeometryKeys
from duckpress.content.setup.step_section import (
    AMOUNT,
    COUNT,
    EXPRESSION,
    KNOWERS,
    LEVEL,
    NONE,
    PLAYER_COUNTS,
    RoundsKeys,
    StepKeys,
    excess,
    read_amount,
)
from duckpress.content.yaml.declared_shapes import Kind, NamesOf, Plain, Shape, optional, read_shape, required
from duckpress.content.yaml.kinds import (
    PLACED_OR_LIST,
    TEXT,
    TEXT_OR_TEXTS,
    YES_NO,
    choice,
    converted,
    each_named,
    either,
    list_of,
    made,
    named,
    record,
    shape,
)
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described, quoted
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem, Read, Source
from duckpress.model import setup as records
from duckpress.model.setup import Amount, Expression, Geometry, OddsRule, as_name

_SHARE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?:(%)|/\s*([1-9][0-9]{0,8}))?")


def share_of(text: str) -> Fraction | None:
    """Return a probability written as `40%`, `2/5` or `0.4`, or None."""
    match = _SHARE.fullmatch(text.strip())
    return None if match is None else Fraction(match[1]) / (100 if match[2] else int(match[3] or 1))


def _bound(node: Node, label: str) -> Read[Amount | None]:
    """Return a probability, or probabilities by player count."""
    fix = "write it as 40%, 2/5 or 0.4, or several by player count: {2: 40%, 3-4: 50%}"
    if isinstance(node, Sequence) or (isinstance(node, Scalar) and node.is_null):
        return Read(None, [Problem("wrong-type", node.source, f"{label} is {described(node)}, not a probability", fix)])
    amount, problems = read_amount(node, label)
    wrong = list(problems)
    for expression in amount.by_players.values() if amount is not None else ():
        share = share_of(expression.text)
        if share is None:
            what = f"{label} is {quoted(expression.text)}, not a probability"
            wrong.append(Problem("wrong-type", expression.source, what, fix))
        elif share > 1:
            wrong.append(Problem("out-of-range", expression.source, f"{label} is more than 100 %", fix))
    return Read(None if wrong else amount, wrong)


_WRITTEN = Plain(("string", "number"), rf"^\s*{_SHARE.pattern}\s*$")
_BOUND: Kind[Amount] = Kind(_bound, takes=(_WRITTEN, NamesOf((_WRITTEN,), COUNT.pattern)))


class OddsKeys(Shape):
    """A question about odds, and between what its answer has to be."""

    one_of = ("ask",)
    ask = optional(EXPRESSION, None, "the question: docs/odds.md; required")
    at_least = optional(_BOUND, None, "how likely it has to be", name="at least")
    at_most = optional(_BOUND, None, "how likely it may be", name="at most")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    belongs_to = optional(TEXT_OR_TEXTS, None, "the variants and modules that it is for, or base", name="for")
    level = optional(LEVEL, Level.ERROR, "how much it weighs")

    def check(self) -> Iterator[Problem]:
        if not self.has("ask"):
            fix = "add 'ask: hand of 5 from ... has ...'"
            yield Problem("missing-key", self.source, f"{self.what} has no 'ask'", fix)


def _odds(name: str, _source: Source, written: OddsKeys) -> OddsRule | None:
    return None if written.ask is None else written.as_record(OddsRule, name=name, source=written.ask.source)


_EACH = converted(choice(("player",)), bool)


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
    level = optional(LEVEL, Level.ERROR, "how much it weighs")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    when = optional(EXPRESSION, None, "a condition")
    is_for_each_player = optional(_EACH, False, "player: it holds for each player", name="each")
    belongs_to = optional(TEXT_OR_TEXTS, None, "the variants and modules that it is for, or base", name="for")

    def check(self) -> Iterator[Problem]:
        if not self.has("that"):
            yield Problem("missing-key", self.source, f"{self.what} has no 'that'", "add 'that: a condition'")

    def expectation(self) -> records.Expectation | None:
        if self.that is None:
            return None
        at = self.at("for") if self.belongs_to is not None else None
        return self.as_record(records.Expectation, source=self.that.source, belongs_source=at)


class BalanceKeys(Shape):
    """A balanced set: within each value of one field, every value of another has as many cards."""

    deck = required(TEXT, "the deck")
    by = required(TEXT, "the field within whose values is counted")
    field = required(TEXT, "the field whose values are as many")
    level = optional(LEVEL, Level.ERROR, "how much it weighs")

    def balance(self) -> records.Balance | None:
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
        each_named(shape(ColumnKeys), "the column", _column), (), "the columns of the setup table", name="table"
    )
    rounds = optional(record(RoundsKeys, records.Rounds), None, "how it is played on: docs/playtests.md")


class VariantKeys(PartsKeys):
    """Another way to play, or a module of one."""

    title = optional(TEXT, None, "its name")
    about = optional(TEXT, "", "what is different")
    only = optional(PLAYER_COUNTS, None, "the player counts it is for")
    needs = optional(PLACED_OR_LIST, (), "the variants and modules without which it is not played")
    excludes = optional(PLACED_OR_LIST, (), "the variants and modules with which it is not played")
    drops = optional(PLACED_OR_LIST, (), "places whose steps fall away")


def _variant(name: str, source: Source, written: VariantKeys, *, is_module: bool = False) -> records.Variant:
    title = name if written.title is None else written.title
    return written.as_record(records.Variant, id=name, title=title, is_module=is_module, source=source)


class SeatsKeys(Shape):
    """Who sits where, and who is told what."""

    relations = optional(
        named(EXPRESSION, "the relation", records.Relation), NONE, "what one seat calls another: `left: seat + 1`"
    )
    knows = optional(
        each_named(KNOWERS, "who is told", records.Knowledge), (), "place -> whose cards there each player is told"
    )
    teams = optional(EXPRESSION, None, "the team of a seat: seat % 2 + 1")
    is_shuffled = optional(YES_NO, True, "whether who sits where is drawn by lot", name="shuffled")


class SetupKeys(PartsKeys):
    """`setup.yaml`."""

    title = optional(TEXT, "Setup", "heads the setup table")
    values_ = optional(named(AMOUNT, "the value", records.NamedValue), NONE, "named numbers, for every expression")
    totals = optional(
        each_named(either(EXPRESSION, TotalKeys), "the total", _total), (), "how many cards there have to be"
    )
    variants = optional(
        named(shape(VariantKeys), "the variant", _variant), NONE, "other ways to play, one of them at a time"
    )
    modules = optional(
        named(shape(VariantKeys), "the module", partial(_variant, is_module=True)),
        NONE,
        "like variants; any of them are played together",
    )
    notes = optional(list_of(EXPRESSION, "a note"), (), "sentences below the setup table")
    seats = optional(record(SeatsKeys, records.Seats), None, "who sits where, and who is told what")
    odds = optional(each_named(shape(OddsKeys), "the odds", _odds), (), "how likely things are: docs/odds.md")
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
    """Return a game's setup as written, without its invalid parts.

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
    return Read(written.as_record(records.Setup, is_whole=not problems), problems)
