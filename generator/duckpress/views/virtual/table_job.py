"""What is asked of a file for a virtual table: decks, where their cards lie, how fine their pictures are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from duckpress.fonts import FontLibrary
from duckpress.model import Game
from duckpress.press.request import Step
from duckpress.views.virtual.table_decks import TableDeck
from duckpress.views.virtual.table_dice import TableDie
from duckpress.views.virtual.table_stacks import TableStack


class SpriteGrid(NamedTuple):
    """How large a sheet may be: columns, rows, pixels a side, and dots per inch at most."""

    columns: int
    rows: int
    max_px: int
    dpi: float


class TableJob(NamedTuple):
    """A game for a virtual table: its decks of cards, tokens and boards, its dice, and where all of them lie."""

    game: Game
    decks: Sequence[TableDeck]
    dice: Sequence[TableDie]
    stacks: Sequence[TableStack]
    grid: SpriteGrid
    fonts: FontLibrary
    step: Step
