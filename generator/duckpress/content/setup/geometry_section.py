"""`geometry:` of `setup.yaml` -> boards with their contents, lists of shapes, and decks of cards with a shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duckpress.content.setup.step_section import EXPRESSION, NONE
from duckpress.content.yaml.declared_shapes import (
    Kind,
    NamesOf,
    Plain,
    Shape,
    as_mapping,
    optional,
    read_shape,
    required,
)
from duckpress.content.yaml.kinds import TEXT, TEXT_OR_TEXTS, TEXTS, choice, made, named, shape, whole
from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, quoted
from duckpress.core.coordinates import LETTERS, ORIGINS
from duckpress.core.problems import Problem, ProblemList, Read, Source
from duckpress.model.setup import Board, Expression, ShapeCards, ShapeList, Sign, SpaceContents, SpreadRule

MAX_PARTS = 20
_PARTS = re.compile(r"([0-9]{1,2})\s*x\s*([0-9]{1,2})")


class SignKeys(Shape):
    """What a letter of a map stands for, in full."""

    holds = required(TEXT, "what lies on the space")
    amount = optional(whole(1, 1000), 1, "how many of it")


class SpreadKeys(Shape):
    """A board parted into columns and rows, in full."""

    parts = required(TEXT, f"columns x rows, at most {MAX_PARTS}x{MAX_PARTS}")
    at_least = optional(EXPRESSION, None, "how many coordinates each part has at least; 1 without it")


def _signs(node: Node, label: str) -> Read[dict[str, Sign] | None]:
    """Return the meanings of a map's letters, from `{d: duck, 2: {holds: duck, amount: 2}}`."""
    problems = ProblemList()
    signs = {}
    mapping = problems.take(as_mapping(node, label))
    for sign, (value, _) in mapping.entries.items() if mapping is not None else ():
        if not isinstance(value, Mapping):
            signs[sign] = Sign(problems.take(required(TEXT, "", name=sign).read(value, label)), 1, value.source)
        elif (written := problems.take(read_shape(value, SignKeys, f"the sign {sign!r}"))) is not None:
            signs[sign] = written.as_record(Sign)
        if len(sign) != 1:
            what = f"the sign {sign!r} has {len(sign)} letters"
            problems.add("wrong-type", value.source, what, "a sign is one letter of the map's rows")
    return Read(signs, problems)


def _spread(node: Node, label: str) -> Read[SpreadRule | None]:
    """Return `2x2`, or `{parts: 2x2, at_least: 2}`."""
    problems = ProblemList()
    if isinstance(node, Mapping):
        written = problems.take(read_shape(node, SpreadKeys, "'spread'"))
        assert written is not None
        text, source, at_least = written.parts, written.at("parts"), written.at_least or Expression("1", node.source)
    else:
        text, source = problems.take(TEXT.read(node, label)) or "", node.source
        at_least = Expression("1", source)
    match = _PARTS.fullmatch(text)
    columns, rows = (int(match[1]), int(match[2])) if match else (0, 0)
    if 1 <= columns <= MAX_PARTS and 1 <= rows <= MAX_PARTS:
        return Read(SpreadRule(columns, rows, at_least, source), problems)
    if text:
        what = f"a board is parted into columns x rows, and this says {quoted(text)}"
        problems.add("wrong-type", source, what, f"write 2x2 or 3x2, at most {MAX_PARTS}x{MAX_PARTS}")
    return Read(None, problems)


def _side(node: Node, label: str) -> Read[Expression | None]:
    text, problems = TEXT.read(node, label)
    inset = 0 if isinstance(node, Scalar) and node.is_plain else 1
    return Read(Expression(text or "0", node.source, inset), problems)


_SIGNS: Kind[dict[str, Sign]] = Kind(_signs, {}, takes=(NamesOf((TEXT, SignKeys), "^.$"),))
_SPREAD: Kind[SpreadRule] = Kind(_spread, takes=(Plain(("string",), f"^{_PARTS.pattern}$"), SpreadKeys))
_SIDE: Kind[Expression | None] = Kind(_side, takes=(TEXT,), is_scalar=True)


class ContentsKeys(Shape):
    """What the spaces of a board hold."""

    one_of = ("list", "deck", "map")
    list = optional(TEXT, None, "a list of game.yaml that says it, ...")
    deck = optional(TEXT, None, "... or a deck ...")
    map = optional(TEXT, None, "... or a fact with rows of text, a letter for each space")
    at_ = optional(TEXT, "id", "the key with the coordinate of the space")
    holds = optional(TEXT, "holds", "the key with what is there")
    amount = optional(TEXT, "amount", "the key with how many")
    kinds = optional(TEXTS, (), "what a space can hold; anything without it")
    signs = optional(_SIGNS, NONE, "what the letters of a map stand for")

    @property
    def origins(self) -> dict[str, str]:
        """The named origins of the contents, by kind: there must be exactly one."""
        named = {"list": self.list, "deck": self.deck, "map": self.map}
        return {kind: name for kind, name in named.items() if name is not None}

    def check(self) -> Iterator[Problem]:
        if len(self.origins) != 1:
            what = f"{self.what} names {' and '.join(self.origins) or 'neither a list, a deck nor a map'}"
            fix = "name the one list, deck or map that says what each space holds: 'list: ...'"
            yield Problem("missing-key", self.source, what, fix)

    def contents(self) -> SpaceContents | None:
        if len(self.origins) != 1:
            return None
        ((kind, origin),) = self.origins.items()
        return self.as_record(SpaceContents, origin=origin, kind=kind)


class BoardKeys(Shape):
    """A board of square spaces."""

    columns = required(_SIDE, "spaces across: a number, or an expression of facts and lists")
    rows = required(_SIDE, "spaces down")
    coordinates = optional(choice(("spaces", "points")), "spaces", "what the coordinates of cards name")
    first = optional(TEXT, "A1", "the coordinate where counting begins")
    letters = optional(choice(LETTERS), "across", "which way letters run")
    origin = optional(choice(ORIGINS), "top-left", "the corner where counting begins")
    contents = optional(made(ContentsKeys, ContentsKeys.contents), None, "what the spaces hold")


class ShapeListKeys(Shape):
    """A list of game.yaml whose records are shapes."""

    list = optional(TEXT, None, "the list; the one it is named after without it")
    cells = optional(TEXT, "cells", "the key with the rows of spaces")
    spaces = optional(TEXT, "spaces", "the key with the number of spaces")
    perimeter = optional(TEXT, "perimeter", "the key with the length of the outline")
    board = optional(TEXT, None, "the board that each of them has to fit")


class ShapeCardsKeys(Shape):
    """A deck whose cards name a shape and a coordinate."""

    board = required(TEXT, "the board")
    shape = required(TEXT, "the field with a shape")
    at_ = required(TEXT, "the field with a coordinate")
    among = optional(TEXT_OR_TEXTS, (), "lists that a shape has to be in")
    at_most = optional(EXPRESSION, None, "or else the most spaces it may have")
    spread = optional(_SPREAD, None, "parts of the board, none of them without a coordinate: 2x2")


def _board(name: str, source: Source, written: BoardKeys) -> Board:
    return written.as_record(
        Board,
        name=name,
        columns=written.columns or Expression("0", written.at("columns"), 1),
        rows=written.rows or Expression("0", written.at("rows"), 1),
        is_by_points=written.coordinates == "points",
        first_source=written.at("first"),
        source=source,
    )


def _shapes(name: str, source: Source, written: ShapeListKeys) -> ShapeList:
    return written.as_record(ShapeList, name=name, list=name if written.list is None else written.list, source=source)


def _deck(name: str, source: Source, written: ShapeCardsKeys) -> ShapeCards:
    return written.as_record(ShapeCards, deck=name, source=source)


class GeometryKeys(Shape):
    """Boards, shapes and coordinates."""

    boards = optional(named(shape(BoardKeys), "the board", _board), NONE, "boards of square spaces")
    shapes = optional(named(shape(ShapeListKeys), "the shapes", _shapes), NONE, "lists of shapes")
    decks = optional(
        named(shape(ShapeCardsKeys), "the deck", _deck), NONE, "decks whose cards name a shape and a coordinate"
    )


def data_places(game: Node | None) -> dict[tuple[str, ...], Source]:
    """Return the source of each record, value and row in the lists of `game.yaml`, by its path: list, id, key, index.

    The values of `facts` are there too, as if they were the records of a list without a name.
    """
    places: dict[tuple[str, ...], Source] = {}
    for key, path in (("lists", ()), ("facts", ("",))):
        entry = game.entries.get(key) if isinstance(game, Mapping) else None
        if entry is not None:
            _walk(path, entry.value, places)
    return places


def _walk(path: tuple[str, ...], node: Node, places: dict[tuple[str, ...], Source]) -> None:
    places[path] = node.source
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            _walk((*path, key), entry.value, places)
            if len(path) == 1 and path[0]:
                places[(*path, key)] = entry.source  # a record is named by its id
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            _walk((*path, str(index)), item, places)
