"""The geometry of a setup as it was written: boards and their contents, lists of shapes, decks of shape cards.

`check` reads the shapes and coordinates and measures them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import Source
from duckpress.model.amounts import Expression


class Sign(Struct, frozen=True):
    """What a letter of a map stands for."""

    holds: str
    amount: int
    source: Source


class SpaceContents(Struct, frozen=True):
    """What the spaces of a board hold: records of a list, or cards of a deck, and which of their keys say what.

    Or a map: a fact that holds rows of text with a letter for each space, and what the letters stand for.
    """

    origin: str
    kind: str  # `list`, `deck` or `map`
    at: str  # the key with the coordinate of the space; `id` is the record's or card's id
    holds: str
    amount: str
    kinds: tuple[str, ...]  # the words that `holds` may be; any where there are none
    signs: Mapping[str, Sign]
    source: Source
    sources: Mapping[str, Source]


class Board(Struct, frozen=True):
    """A grid of square spaces. `is_by_points` tells that coordinates of cards name points of its lines, not spaces."""

    name: str
    columns: Expression
    rows: Expression
    is_by_points: bool
    first: str  # the coordinate where counting begins
    letters: str  # which way letters run: `across` or `down`
    origin: str  # the corner where counting begins, such as `top-left`
    first_source: Source
    contents: SpaceContents | None
    source: Source


class ShapeList(Struct, frozen=True):
    """A list of game.yaml whose records are shapes, and the keys that hold their rows of cells and stated numbers."""

    name: str
    list: str
    cells: str
    spaces: str
    perimeter: str
    board: str | None  # that each of the shapes has to fit
    source: Source
    sources: Mapping[str, Source]


class SpreadRule(NamedTuple):
    """A board parted into columns x rows, each part of which has to have at least so many coordinates."""

    columns: int
    rows: int
    at_least: Expression
    source: Source


class ShapeCards(Struct, frozen=True):
    """A deck whose cards hold a shape and a coordinate of a board, and what has to be true of them."""

    deck: str
    board: str
    shape: str
    at: str
    among: tuple[str, ...]  # a shape has to be one of these lists' ...
    at_most: Expression | None  # ... or have at most so many spaces; any shape will do where neither is given
    spread: SpreadRule | None
    source: Source
    sources: Mapping[str, Source]


class Geometry(Struct, frozen=True):
    """All that a setup says about boards, shapes and coordinates."""

    boards: Mapping[str, Board]
    shapes: Mapping[str, ShapeList]
    decks: Mapping[str, ShapeCards]
