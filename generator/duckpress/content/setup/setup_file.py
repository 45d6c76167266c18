"""`setup.yaml` -> the steps of a setup, the named values, what must come out, the table's columns and the variants."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.content.setup.geometry_section import geometry_of
from duckpress.content.setup.setup_keys import (
    BalanceKeys,
    ColumnKeys,
    ExpectationKeys,
    SeatsKeys,
    SetupKeys,
    StepKeys,
    TotalKeys,
    VariantKeys,
)
from duckpress.content.setup.setup_kinds import excess
from duckpress.content.yaml.declared_shapes import read_shape
from duckpress.content.yaml.kinds import Named
from duckpress.content.yaml.nodes import Mapping, Node, Scalar
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problem_list import Read
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import (
    Balance,
    Column,
    Expectation,
    Expression,
    Knowledge,
    NamedValue,
    PlaceKind,
    Seats,
    Setup,
    Step,
    Total,
    Variant,
    as_name,
)


def read_setup(node: Node) -> Read[Setup | None]:
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
    setup = written.as_record(
        Setup,
        values=_named_values(written.values_),
        steps=_steps(written.setup),
        totals=_totals(written.totals),
        expectations=_expectations(written.expect),
        balances=_balances(written.balanced),
        columns=_columns(written.table),
        variants={name: _variant(name, source, variant) for name, source, variant in written.variants},
        seats=_seats(written.seats) if written.seats is not None else None,
        geometry=geometry_of(written.geometry) if written.geometry is not None else None,
        is_whole=not problems,
    )
    return Read(setup, problems)


def _named_values(entries: Iterable[Named[Expression]]) -> dict[str, NamedValue]:
    return {name: NamedValue(name, expression, source) for name, source, expression in entries}


def _steps(entries: Iterable[StepKeys]) -> tuple[Step, ...]:
    """Return the steps, those left out whose place has no name."""
    return tuple(_step(entry, place) for entry in entries if (place := entry.values[entry.kind.value]))


def _step(entry: StepKeys, place: str) -> Step:
    return entry.as_record(
        Step,
        place=place,
        kind=entry.kind,
        takes=entry.take,
        source=entry.at(entry.kind.value),
        is_for_each_player=entry.kind is PlaceKind.HAND or entry.each is not None,
        replaces_source=entry.at("replaces") if entry.replaces is not None else None,
    )


def _totals(entries: Iterable[Named[Expression | TotalKeys]]) -> tuple[Total, ...]:
    totals = []
    for name, source, total in entries:
        if isinstance(total, Expression):
            totals.append(Total(name, (name,), None, total, source))
        elif total.count is not None:
            totals.append(Total(name, (name,) if total.of is None else total.of, total.where, total.count, source))
    return tuple(totals)


def _expectations(entries: Iterable[ExpectationKeys]) -> tuple[Expectation, ...]:
    return tuple(
        entry.as_record(
            Expectation,
            source=entry.that.source,
            is_=entry.is_,
            level=Level(entry.level),
            is_for_each_player=entry.each is not None,
        )
        for entry in entries
        if entry.that is not None
    )


def _balances(entries: Iterable[BalanceKeys]) -> tuple[Balance, ...]:
    return tuple(
        entry.as_record(Balance, level=Level(entry.level))
        for entry in entries
        if entry.deck and entry.by and entry.field
    )


def _columns(entries: Iterable[Named[ColumnKeys]]) -> tuple[Column, ...]:
    columns = []
    for key, source, entry in entries:
        title = key if entry.title is None else entry.title
        short = title if entry.short is None else entry.short
        columns.append(Column(key, title, short, entry.shows or Expression(as_name(key), source), source))
    return tuple(columns)


def _variant(name: str, source: Source, entry: VariantKeys) -> Variant:
    return entry.as_record(
        Variant,
        id=name,
        title=name if entry.title is None else entry.title,
        drops=tuple((item.text, item.source) for item in entry.drops if isinstance(item, Scalar)),
        steps=_steps(entry.setup),
        expectations=_expectations(entry.expect),
        balances=_balances(entry.balanced),
        columns=_columns(entry.table),
        source=source,
    )


def _seats(entry: SeatsKeys) -> Seats:
    knows = tuple(Knowledge(place, whose, source) for place, source, whose in entry.knows)
    return Seats(_named_values(entry.relations), knows, entry.shuffled, entry.source)
