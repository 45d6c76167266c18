"""`geometry:` of `setup.yaml` -> boards with their contents, lists of shapes, and decks of cards with a shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from duckpress.content.setup.amounts import read_expression
from duckpress.content.yaml.mapping_reader import Reader
from duckpress.content.yaml.nodes import Mapping as MappingNode
from duckpress.content.yaml.nodes import Node, Scalar, Sequence
from duckpress.content.yaml.scalars import quoted
from duckpress.core.coordinates import LETTERS, ORIGINS
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Expression
from duckpress.model.spaces import Board, Contents, Geometry, ShapeCards, ShapeList, Sign, Spread

MAX_PARTS = 20
_PARTS = re.compile(r"([0-9]{1,2})\s*x\s*([0-9]{1,2})")
_Part = TypeVar("_Part")


def read_geometry(setup: Reader, problems: list[Problem]) -> Geometry | None:
    """Give what a setup says about boards and shapes; None where it says nothing. Problems: those of `Reader`."""
    reader = setup.reader("geometry")
    if reader is None:
        return None
    geometry = Geometry(
        boards=_parts(reader, "boards", "the board", _board, problems),
        shapes=_parts(reader, "shapes", "the shapes", _shapes, problems),
        decks=_parts(reader, "decks", "the deck", _cards, problems),
    )
    reader.finish()
    return geometry


def data_places(game: Node | None) -> dict[tuple[str, ...], Source]:
    """Give the place of each record, value and row of the lists of `game.yaml`, by its path: list, id, key, index.

    The values of `facts` are there too, as if they were the records of a list without a name.
    """
    found: dict[tuple[str, ...], Source] = {}
    for key, path in (("lists", ()), ("facts", ("",))):
        entry = game.entries.get(key) if isinstance(game, MappingNode) else None
        if entry is not None:
            _walk(path, entry.value, found)
    return found


def _walk(path: tuple[str, ...], node: Node, found: dict[tuple[str, ...], Source]) -> None:
    found[path] = node.source
    if isinstance(node, MappingNode):
        for key, entry in node.entries.items():
            _walk((*path, key), entry.value, found)
            if len(path) == 1 and path[0]:
                found[(*path, key)] = entry.source  # a record is named by its id
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            _walk((*path, str(index)), item, found)


def _parts(
    reader: Reader, key: str, label: str, read: Callable[[str, Reader, Source], _Part], problems: list[Problem]
) -> dict[str, _Part]:
    inner = reader.reader(key)
    found: dict[str, _Part] = {}
    for name, node in inner.nodes() if inner is not None else ():
        assert inner is not None
        part = Reader.of(node, f"{label} {name!r}", problems)
        if part is not None:
            found[name] = read(name, part, inner.key_at(name))
            part.finish()
    return found


def _board(name: str, reader: Reader, source: Source) -> Board:
    columns, rows = _required(reader, "columns"), _required(reader, "rows")
    by = reader.choice("coordinates", ("spaces", "points"), "spaces")
    contents = reader.reader("contents")
    return Board(
        name=name,
        columns=columns,
        rows=rows,
        is_by_points=by == "points",
        first=reader.text("first", "A1"),
        letters=reader.choice("letters", LETTERS, "across"),
        origin=reader.choice("origin", ORIGINS, "top-left"),
        first_source=reader.at("first"),
        contents=_contents(contents) if contents is not None else None,
        source=source,
    )


def _contents(reader: Reader) -> Contents | None:
    named = {kind: name for kind in ("list", "deck", "map") if (name := reader.text(kind, None)) is not None}
    if len(named) != 1:
        has = " and ".join(named) or "neither a list, a deck nor a map"
        what = f"{reader.what} names {has}"
        fix = "name the one list, deck or map that says what each space holds: 'list: ...'"
        reader.problems.append(Problem("missing-key", reader.source, what, fix))
    kind, origin = next(iter(named.items()), ("list", ""))
    contents = Contents(
        origin=origin,
        kind=kind,
        at=reader.text("at", "id"),
        holds=reader.text("holds", "holds"),
        amount=reader.text("amount", "amount"),
        kinds=reader.texts("kinds", ()),
        signs=_signs(reader),
        source=reader.source,
        sources=reader.sources(),
    )
    reader.finish()
    return contents if len(named) == 1 else None


def _signs(contents: Reader) -> dict[str, Sign]:
    """Give what the letters of a map mean, from `{d: duck, 2: {holds: duck, amount: 2}}`."""
    reader = contents.reader("signs")
    found = {}
    for sign, node in reader.nodes() if reader is not None else ():
        if isinstance(node, MappingNode):
            long = Reader(node, f"the sign {sign!r}", contents.problems)
            found[sign] = Sign(long.text("holds"), long.whole("amount", low=1, high=1000, default=1), node.source)
            long.finish()
        elif reader is not None:
            found[sign] = Sign(reader.text(sign), 1, node.source)
        if len(sign) != 1:
            what = f"the sign {sign!r} has {len(sign)} letters"
            fix = "a sign is one letter of the map's rows"
            contents.problems.append(Problem("wrong-type", node.source, what, fix))
    return found


def _shapes(name: str, reader: Reader, source: Source) -> ShapeList:
    return ShapeList(
        name=name,
        list=reader.text("list", name),
        cells=reader.text("cells", "cells"),
        spaces=reader.text("spaces", "spaces"),
        perimeter=reader.text("perimeter", "perimeter"),
        board=reader.text("board", None),
        source=source,
        sources=reader.sources(),
    )


def _cards(name: str, reader: Reader, source: Source) -> ShapeCards:
    among = reader.node("among")
    return ShapeCards(
        deck=name,
        board=reader.text("board"),
        shape=reader.text("shape"),
        at=reader.text("at"),
        among=(among.text,) if isinstance(among, Scalar) else reader.texts("among", ()),
        at_most=read_expression(reader.node("at_most"), "'at_most'", reader.problems),
        spread=_spread(reader),
        source=source,
        sources=reader.sources(),
    )


def _spread(reader: Reader) -> Spread | None:
    """Give `2x2`, or `{parts: 2x2, at_least: 2}`."""
    node = reader.node("spread")
    if not isinstance(node, MappingNode):
        text, source = reader.text("spread", None), reader.at("spread")
        return None if text is None else _parted(text, Expression("1", source), source, reader)
    inner = Reader(node, "'spread'", reader.problems)
    at_least = read_expression(inner.node("at_least"), "'at_least'", reader.problems)
    spread = _parted(inner.text("parts"), at_least or Expression("1", inner.source), inner.at("parts"), inner)
    inner.finish()
    return spread


def _parted(text: str, at_least: Expression, source: Source, reader: Reader) -> Spread | None:
    match = _PARTS.fullmatch(text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if 1 <= columns <= MAX_PARTS and 1 <= rows <= MAX_PARTS:
        return Spread(columns, rows, at_least, source)
    if text:
        what = f"a board is parted into columns x rows, and this says {quoted(text)}"
        fix = f"write 2x2 or 3x2, at most {MAX_PARTS}x{MAX_PARTS}"
        reader.problems.append(Problem("wrong-type", source, what, fix))
    return None


def _required(reader: Reader, key: str) -> Expression:
    """Give an expression that has to be there."""
    text, node = reader.text(key), reader.node(key)
    return Expression(text or "0", reader.at(key), 0 if isinstance(node, Scalar) and node.is_plain else 1)
