"""The request for a build, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from duckpress.core.backs import Backs
from duckpress.core.printer_profile import Printer
from duckpress.core.sizes import Paper, Sleeve, paper_of

if TYPE_CHECKING:
    from duckpress.model import Game
    from duckpress.press.reading import Checked
    from duckpress.store import FileFacts

Step = Callable[[str], None]
"""Is told the name of each step as it begins."""


def silent(_name: str) -> None:
    """Do nothing: a `Step` without progress output."""


class CopyMark(Struct, frozen=True):
    """The printed copy of an edition: its `number`, of `total`, and the name of its recipient, if any.

    `has_line` says whether the copy is named in print. Numbers are counted from 1.
    """

    number: int
    total: int
    name: str = ""
    has_line: bool = True


class Request(Struct, frozen=True):
    """What to print, and how: names as on the command line."""

    papers: tuple[str, ...] = ("a4", "letter")
    backs: Backs = Backs.DUPLEX
    turn: str = "long"
    gaps: str = "auto"  # between cards, for a drift
    cut: str = "marks"  # what shows where to cut
    prints_cuts: bool = True  # else marks, lines and folds show on a screen only
    ink: str = "color"
    language: str | None = None
    players: int | None = None
    pieces: tuple[str, ...] = ()
    is_forced: bool = False
    seed: str | None = None  # of the deal whose packet is printed too
    variant: str | None = None  # of that deal
    printer: Printer | None = None  # the pages are corrected for
    is_ganged: bool = False  # pieces share sheets
    sleeve: Sleeve | None = None  # that the cards have to slide into
    is_scaled_for_sleeve: bool = False  # rather than trimmed
    finish: str | None = None  # clean or prototype; None: as the game says
    has_cover: bool | None = None  # whether bundles begin with a cover sheet; None: as the game says
    copy: CopyMark | None = None  # of an edition
    keeps_papers: bool = False  # files for other papers stay, also where they show what has changed since

    def paper(self, name: str) -> Paper:
        """Return the paper of a name, with the printer's margins."""
        paper = paper_of(name)
        if self.printer is None:
            return paper
        return self.printer.paper(paper, has_backs=not self.backs.is_folded)

    def wants_cover(self, game: Game) -> bool:
        """Return whether bundles of sheets begin with a cover sheet: as requested, by default as the game says.

        With some pieces only there is no bundle; backs printed alone lie behind fronts that had theirs.
        """
        is_wanted = game.has_cover if self.has_cover is None else self.has_cover
        return is_wanted and not self.pieces and self.backs.has_fronts

    @property
    def run(self) -> str:
        """The words that distinguish this build's files from the game's plain ones; empty for those.

        Corrected and fitted files must not be taken for plain ones: they go into a folder of this name, and have it in
        their own names.
        """
        parts = [] if self.printer is None else [f"printer-{self.printer.name}"]
        parts += [] if self.sleeve is None else [f"sleeve-{self.sleeve.name}"]
        return "-".join(parts)


class PieceSummary(Struct, frozen=True):
    """The result of a piece: the number of cards, and of sheets of each paper."""

    piece: str
    title: str
    cards: int
    sheets: Mapping[str, int]
    pages: Mapping[str, int] = {}  # of a piece that is read, by paper


class Built(Struct, frozen=True):
    """The result of a build: findings, and (unless an error stopped it) the names of the files in `folder`.

    `sheets_in_all` counts by paper the sheets of everything but pieces that stand for another.
    """

    checked: Checked
    folder: Path
    files: tuple[str, ...] = ()
    pieces: tuple[PieceSummary, ...] = ()
    sheets_in_all: Mapping[str, int] = field(default_factory=dict)
    saved: Mapping[str, int] = field(default_factory=dict)  # sheets, by paper, where pieces share them
    shared: Mapping[str, int] = field(default_factory=dict)  # sheets of those pieces, by paper
    language: str = ""
    printed: tuple[FileFacts, ...] = ()  # all files but those of a packet
    request: Request = Request()

    @property
    def game_id(self) -> str:
        return self.checked.game_id

    @property
    def has_errors(self) -> bool:
        return self.checked.has_errors
