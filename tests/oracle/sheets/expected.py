"""What the sheets of a file have to show and say, taken from its pieces and not from how they were imposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from duckpress.core.sizes import Paper
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import faces_by_piece
from duckpress.press.request import CopyMark
from duckpress.press.sheets.copy_marks import COLOUR, copy_words
from duckpress.press.sheets.margin_codes import MarginWords
from duckpress.proof.expected import ExpectedFace
from duckpress.store import ALL_PIECES, GANG
from oracle.reading.marks import Around
from oracle.reading.placing import PageLayout


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

    `paper` has the margins that are kept free. `backs` and `turn` are as asked for. `game` is its title; `id`,
    `version` and the `numbers` of pieces stand in codes; `printer` is the name of the one that pages are corrected for,
    and `say` puts words of the program, with values, into the language of the sheets. `drawn` leaves out
    of words in margins what no font has. What `is_mirrored` is in a language that is written from right to left.
    """

    pieces: tuple[ExpectedPiece, ...]
    paper: Paper
    backs: str
    turn: str
    game: str
    id: str
    version: str
    numbers: Mapping[str, int]
    printer: str
    say: Callable[..., str]
    drawn: Callable[[str], str] = str
    is_mirrored: bool = False


class SheetPages(NamedTuple):
    """A sheet of paper: the number of its first page, its piece, and its one or two sides."""

    page: int
    piece: ExpectedPiece
    sides: Sequence[PageLayout]


class SheetSide(NamedTuple):
    """A side with something on it: its page, the number of its sheet, what its footer calls it, and whether a back."""

    page: int
    number: int
    title: str
    layout: PageLayout
    is_back: bool


def is_empty(page: PageLayout) -> bool:
    return not page.faces and page.around == Around()


def expected_sheets(job: PrintJob, file: ImposedFile) -> ExpectedSheets:
    """Return what is known of the sheets of a file."""
    game, request = job.game, job.request
    own = {piece.id for piece in game.pieces}
    pieces = []
    for one, faces in faces_by_piece(job, file):
        piece, is_read = one.laid_out.piece, bool(one.laid_out.piece.book)
        is_shared = file.piece in (GANG, ALL_PIECES) and not is_read and piece.id not in own
        pages = tuple(frame.hash for frame in one.laid_out.pages.get(file.paper.name, ())) if is_read else ()
        pieces.append(
            ExpectedPiece(
                piece.title,
                GANG if is_shared else piece.id,
                tuple(faces),
                pages,
                piece.is_booklet,
                is_shared,
                None if one.copy is None else _expected_copy(job, one.copy),
                job.bookmark(one) if one.owner else "",
            )
        )
    return ExpectedSheets(
        tuple(pieces),
        file.paper,
        request.backs,
        request.turn,
        game.title,
        game.id,
        game.version,
        {piece.id: number for number, piece in enumerate(game.pieces, 1)},
        request.printer.name if request.printer is not None else "",
        game.speech.program,
        MarginWords(job.fonts, job.game.speech).drawn,
        game.speech.is_mirrored,
    )


def _expected_copy(job: PrintJob, copy: CopyMark) -> ExpectedCopy:
    """Return what must be on the sheets of a copy of an edition."""
    speech = job.game.speech
    drawn = MarginWords(job.fonts, speech, COLOUR).drawn
    words = copy_words(copy, speech.program) if copy.has_line else ()
    return ExpectedCopy(copy.number, tuple(map(drawn, words)))
