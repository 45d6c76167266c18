"""What the sheets of a file have to show and say, said without a look at their plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from duckpress.core.sizes import Paper
from duckpress.proof.expected import Expected, ExpectedFace


class ExpectedCopy(NamedTuple):
    """A copy of an edition: its number, and what is said of it in print.

    `words` are the ways to say it, in full and shorter and shorter; none where nothing is said.
    """

    number: int
    words: tuple[str, ...]


class ExpectedPiece(NamedTuple):
    """A piece of a file: what its bookmark and its footers call it, its id in the codes of sheets, and its faces.

    `pages` are the frames of one that is read, in the order of reading, folded as a booklet or not. What `is_shared` is
    a part of several pieces, whose sheets are counted through. `copy` is the one of an edition that its sheets belong
    to; among several copies its `bookmark` says more than its title.
    """

    title: str
    code: str
    faces: tuple[ExpectedFace, ...]
    pages: tuple[str, ...] = ()
    is_booklet: bool = False
    is_shared: bool = False
    copy: ExpectedCopy | None = None
    bookmark: str = ""


class ExpectedSheets(NamedTuple):
    """What is known of the sheets of a file without their plan: what lies on which, and what they say.

    `paper` has the margins that are kept free. `backs`, `turn` and `gaps` are as asked for. `game` is its title; `id`,
    `version` and the `numbers` of pieces stand in codes; `printer` is the name of the one that pages are corrected for,
    and `say` puts words of the program, with values, into the language of the sheets. `drawn` leaves out
    of words in margins what no font has. What `is_mirrored` is in a language that is written from right to left.
    """

    pieces: tuple[ExpectedPiece, ...]
    paper: Paper
    backs: str
    turn: str
    gaps: str
    game: str
    id: str
    version: str
    numbers: Mapping[str, int]
    printer: str
    say: Callable[..., str]
    drawn: Callable[[str], str] = str
    is_mirrored: bool = False


class ExpectedFile(NamedTuple):
    """What a file must hold, and its sheets; without `sheets` nothing is asked of these."""

    file: Expected
    sheets: ExpectedSheets | None
