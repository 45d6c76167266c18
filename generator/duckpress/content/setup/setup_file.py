"""`setup.yaml` -> the steps of a setup, the named values, what must come out, the table's columns and the variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from duckpress.content.setup.amounts import (
    everything,
    excess,
    read_amount,
    read_expression,
    read_level,
    read_player_counts,
)
from duckpress.content.setup.geometry_section import read_geometry
from duckpress.content.setup.seats import read_seats
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping, Node, Scalar
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem, Source
from duckpress.model.setup import (
    Balance,
    Column,
    Expectation,
    Expression,
    NamedValue,
    PlaceKind,
    Setup,
    Step,
    Take,
    Total,
    Variant,
    as_name,
)

_Part = TypeVar("_Part")
_KINDS = {kind.value: kind for kind in PlaceKind}


def read_setup(node: Node, problems: list[Problem]) -> Setup | None:
    """Give a game's setup as it was written; a part that cannot be read is reported and left out.

    Problems: those of `Reader` and of `setup_amounts`; `setup-too-large`; `no-place` and `several-places` for steps.
    """
    before = len(problems)
    reader = Reader.of(node, "the setup", problems)
    if reader is None:
        return None
    place = excess(node, limit("setup-size"))
    if place is not None:
        what = f"the setup has more than {limit('setup-size')} parts, a range of player counts as many as it names"
        fix = f"write fewer steps and expectations; {how_to_raise('setup-size')}"
        problems.append(Problem("setup-too-large", place, what, fix))
        return None
    setup = Setup(
        title=reader.text("title", "Setup"),
        values=_values(reader, problems),
        steps=_steps(reader, problems),
        totals=_totals(reader, problems),
        expectations=_parts(reader, "expect", _expectation, problems),
        balances=_parts(reader, "balanced", _balance, problems),
        columns=_columns(reader, problems),
        variants=_variants(reader, problems),
        notes=_notes(reader, problems),
        source=reader.source,
        seats=read_seats(reader, problems),
        geometry=read_geometry(reader, problems),
    )
    reader.finish()
    return replace(setup, is_whole=len(problems) == before)


def _named(reader: Reader | None) -> Iterator[tuple[str, Node, Source]]:
    """Yield the entries of a mapping whose keys are the game's own names, with the place of each key."""
    if reader is None:
        return
    for key in tuple(reader.keys()):
        node = reader.node(key)
        if node is not None:
            yield key, node, reader.key_at(key)


def _parts(
    reader: Reader, key: str, read: Callable[[Reader, list[Problem]], _Part | None], problems: list[Problem]
) -> tuple[_Part, ...]:
    """Give what `read` makes of each mapping in a list."""
    found = []
    for item in reader.items(key):
        inner = Reader.of(item, f"an entry of {key!r}", problems)
        part = read(inner, problems) if inner is not None else None
        if part is not None:
            found.append(part)
    return tuple(found)


def _steps(reader: Reader, problems: list[Problem]) -> tuple[Step, ...]:
    return _parts(reader, "setup", _step, problems)


def _step(reader: Reader, problems: list[Problem]) -> Step | None:
    kinds = [kind for kind in _KINDS if reader.node(kind) is not None]
    if len(kinds) != 1:
        code, has = ("several-places", " and ".join(kinds)) if kinds else ("no-place", "none")
        what = f"a step fills one place, and this one names {has}"
        problems.append(Problem(code, reader.source, what, f"open it with one of: {', '.join(_KINDS)}"))
        return None
    kind = _KINDS[kinds[0]]
    place = reader.text(kind.value)
    each = reader.choice("each", ("player",), None)
    takes = _takes(reader, problems)
    replaces = reader.text("replaces", None)
    step = Step(
        kind=kind,
        place=place,
        takes=takes,
        source=reader.at(kind.value),
        is_for_each_player=kind is PlaceKind.HAND or each is not None,
        remove=read_amount(reader.node("remove"), "'remove'", problems),
        slots=read_amount(reader.node("slots"), "'slots'", problems),
        only=read_player_counts(reader.node("only"), "'only'", problems),
        when=read_expression(reader.node("when"), "'when'", problems),
        note=read_expression(reader.node("note"), "'note'", problems),
        replaces=replaces,
        replaces_source=reader.at("replaces") if replaces is not None else None,
    )
    reader.finish()
    return step if place else None


def _takes(reader: Reader, problems: list[Problem]) -> tuple[Take, ...]:
    inner = reader.reader("take")
    found = []
    for origin, node, source in _named(inner):
        label = f"the amount of {origin!r}"
        where: Expression | None = None
        if isinstance(node, Mapping) and node.entries.keys() & {"count", "where"}:
            long = Reader(node, f"'take' of {origin!r}", problems)
            where = read_expression(long.node("where"), "'where'", problems)
            count = long.node("count")
            amount = everything(where.source if where else node.source)
            amount = amount if count is None else read_amount(count, label, problems) or amount
            long.finish()
            found.append(Take(origin, amount, where, source))
        elif (short := read_amount(node, label, problems)) is not None:
            found.append(Take(origin, short, None, source))
    return tuple(found)


def _values(reader: Reader, problems: list[Problem]) -> dict[str, NamedValue]:
    inner = reader.reader("values")
    found = {}
    for name, node, source in _named(inner):
        expression = read_expression(node, f"the value {name!r}", problems)
        if expression is not None:
            found[name] = NamedValue(name, expression, source)
    return found


def _totals(reader: Reader, problems: list[Problem]) -> tuple[Total, ...]:
    inner = reader.reader("totals")
    found = []
    for name, node, source in _named(inner):
        decks: tuple[str, ...] = (name,)
        where = count = None
        if isinstance(node, Mapping):
            long = Reader(node, f"the total {name!r}", problems)
            count = read_expression(long.node("count"), "'count'", problems)
            if count is None and long.node("count") is None:
                what = f"the total {name!r} has no 'count'"
                problems.append(Problem("missing-key", node.source, what, "add 'count: ...'"))
            of = long.node("of")
            decks = (of.text,) if isinstance(of, Scalar) else long.texts("of", decks)
            where = read_expression(long.node("where"), "'where'", problems)
            long.finish()
        else:
            count = read_expression(node, f"the total {name!r}", problems)
        if count is not None:
            found.append(Total(name, decks, where, count, source))
    return tuple(found)


def _expectation(reader: Reader, problems: list[Problem]) -> Expectation | None:
    that = read_expression(reader.node("that"), "'that'", problems)
    if that is None and reader.node("that") is None:
        what = f"{reader.what} has no 'that'"
        problems.append(Problem("missing-key", reader.source, what, "add 'that: a condition'"))
    found = Expectation(
        that=that or Expression("", reader.source),
        source=that.source if that is not None else reader.source,
        is_=read_amount(reader.node("is"), "'is'", problems),
        say=read_expression(reader.node("say"), "'say'", problems),
        fix=read_expression(reader.node("fix"), "'fix'", problems),
        level=Level(read_level(reader, "error")),
        only=read_player_counts(reader.node("only"), "'only'", problems),
        when=read_expression(reader.node("when"), "'when'", problems),
        is_for_each_player=reader.choice("each", ("player",), None) is not None,
    )
    reader.finish()
    return found if that is not None else None


def _balance(reader: Reader, _: list[Problem]) -> Balance | None:
    deck, by, field = reader.text("deck"), reader.text("by"), reader.text("field")
    level = Level(read_level(reader, "error"))
    reader.finish()
    return Balance(deck, by, field, level, reader.source, reader.sources()) if deck and by and field else None


def _columns(reader: Reader, problems: list[Problem]) -> tuple[Column, ...]:
    inner = reader.reader("table")
    found = []
    for key, node, source in _named(inner):
        column = Reader.of(node, f"the column {key!r}", problems)
        if column is None:
            continue
        shows = read_expression(column.node("shows"), "'shows'", problems)
        title = column.text("title", key)
        found.append(Column(key, title, column.text("short", title), shows or Expression(as_name(key), source), source))
        column.finish()
    return tuple(found)


def _variants(reader: Reader, problems: list[Problem]) -> dict[str, Variant]:
    inner = reader.reader("variants")
    found = {}
    for key, node, source in _named(inner):
        variant = Reader.of(node, f"the variant {key!r}", problems)
        if variant is None:
            continue
        drops = [(item.text, item.source) for item in variant.items("drops") if isinstance(item, Scalar)]
        found[key] = Variant(
            id=key,
            title=variant.text("title", key),
            about=variant.text("about", ""),
            drops=tuple(drops),
            steps=_steps(variant, problems),
            expectations=_parts(variant, "expect", _expectation, problems),
            balances=_parts(variant, "balanced", _balance, problems),
            columns=_columns(variant, problems),
            source=source,
        )
        variant.finish()
    return found


def _notes(reader: Reader, problems: list[Problem]) -> tuple[Expression, ...]:
    notes = (read_expression(item, "a note", problems) for item in reader.items("notes"))
    return tuple(note for note in notes if note is not None)
