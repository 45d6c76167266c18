"""What a worker is told to lay out, and what it answers: declared shapes, as a template may have taken it over.

It answers what the one it works for would know if it had done it itself: faces, drawings, pictures, problems, and what
was asked of files, fonts and words meanwhile. Everything but the faces of a task is told once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Item
from duckpress.core.geometry import Rect
from duckpress.core.paths import Record
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.layout.elements.art_shelf import Taken
from duckpress.layout.faces.face_cache import KnownEntry, KnownFaces, NewFaces
from duckpress.layout.laid_out import Origin
from duckpress.layout.theme import Theme
from duckpress.model import Game, Piece
from duckpress.text.fonts import FontLibrary


class Wanted(Struct, frozen=True):
    """A piece to be laid out, its theme, how many of each (deck, card) are wanted, and the faces known of it.

    In `copies` none means that the card is left out; no entry, and the deck's own number holds.
    """

    piece: Piece
    theme: Theme
    copies: Mapping[tuple[str, str], int]
    known: KnownFaces = field(default_factory=KnownFaces)
    game: Game | None = None  # whose piece it is, where that is a copy of the batch's game with other cards
    tables: object = None  # its setup


class Batch(NamedTuple):
    """Pieces of one game to be laid out in one language and ink; `tables` is its setup as plain data, for templates."""

    workspace: Workspace
    game: Game
    fonts: FontLibrary | None
    tables: object
    language: str
    ink: str
    pieces: Sequence[Wanted]

    def of(self, wanted: Wanted) -> Batch:
        return self if wanted.game is None else self._replace(game=wanted.game, tables=wanted.tables)

    def __reduce__(self) -> tuple[Any, ...]:
        """Go without fonts to a process that is started afresh: what is loaded of them cannot go with it."""
        return Batch, (*self[:2], None, *self[3:])


class LayoutTask(Record, frozen=True):
    """Cards of a deck of a piece by their numbers, the sizes that texts have in common, known faces to be forgotten.

    `cards` are what is written of them (`packed_cards`), where the worker may know something else.
    """

    piece: int
    deck: str
    forced_pt: dict[str, float]
    numbers: list[int]
    forget: list[str]
    cards: bytes = b""


class MadeSide(Record, frozen=True):
    """One side made: the key of its face among the known ones, or the face itself where it is not kept there.

    `face` is None for a kept face, and for none at all (`is_there` tells). `once` is told of the first card only.
    `same` is what tells sides apart that were made of the same text; empty where a text makes each card's own.
    """

    key: str
    is_there: bool = True
    face: KnownEntry | None = None
    problems: tuple[Problem, ...] = ()
    once: tuple[Problem, ...] = ()
    same: str = ""
    bare: str | None = None  # its hash without a version, where the template wrote one; else it is the frame's own
    origin: Origin | None = None  # of each card's own; None for what is no side


class MetArt(Record, frozen=True):
    """What is wrong with art that a card (-1: opening the deck) met first, and what that takes."""

    number: int
    problems: list[Problem]
    taken: list[Taken]


class LayoutAnswer(Record, frozen=True):
    """What came of a task: `made` faces had to be laid out; `opened` is what is wrong with the templates.

    `has_looked_at_cards`: a template of the piece asked for the cards of all decks.
    """

    made: int
    new_faces: NewFaces
    opened: list[Problem]
    back: MadeSide | None
    cards: list[tuple[MadeSide, MadeSide | None]]
    art: list[MetArt]
    drawings: list[tuple[str, Rect, tuple[Item, ...]]]  # their keys, their boxes
    pictures: list[PictureData]
    decorations: list[tuple[str, str]]
    files: dict[str, str]
    fonts: list[str]
    asked: list[str]
    missing: list[str]
    has_looked_at_cards: bool = False
