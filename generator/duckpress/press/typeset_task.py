"""What is asked of typesetting, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.backs import PLAIN
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game, Piece
from duckpress.press.build_cache import BuildCache
from duckpress.text.fonts import FontLibrary

Copies = Mapping[tuple[str, str], int]
"""How many there are of each card, by deck and card."""


class TypesetTask(Struct, frozen=True):
    """Pieces to be typeset, each with its theme, in one language (None: the game's) and one ink.

    Faces that `frames` knows from earlier builds, and that are still the same, are not laid out again. Cards are called
    as those of the `named_after` game are, of which this one may be a copy. With `most`, so many cards of each deck are
    laid out, its first ones.
    """

    workspace: Workspace
    game: Game
    fonts: FontLibrary
    pieces: Sequence[Piece]
    players: int | None = None
    language: str | None = None
    ink: str = PLAIN
    papers: Sequence[str | Paper] = ("a4", "letter")
    frames: BuildCache | None = None
    named_after: Game | None = None
    most: int | None = None


class TypesetPieces(NamedTuple):
    """What could be laid out, and all problems."""

    pieces: list[LaidOut]
    problems: list[Problem]


def in_ink(ink: str) -> str:
    """Return the words that say in which ink a finding holds."""
    return f"with --ink {ink}: "
