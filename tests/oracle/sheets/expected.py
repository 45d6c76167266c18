"""What the sheets of a file have to show and say, taken from its pieces and not from how they were imposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import faces_by_piece
from duckpress.press.sheets.margin_codes import MarginWords
from duckpress.proof.expected import ExpectedFace
from duckpress.store import ALL_PIECES, GANG
from oracle.reading.placing import PageLayout


class ExpectedPiece(NamedTuple):
    """A piece of a file: what its bookmark and its footers call it, its id in the codes of sheets, and its faces.

    `pages` are the frames of one that is read, in the order of reading, folded as a booklet or not. What `is_shared` is
    a part of several pieces, whose sheets are counted through. Among several copies its `bookmark` says more than its
    title.
    """

    title: str
    code: str
    faces: tuple[ExpectedFace, ...]
    pages: tuple[str, ...] = ()
    is_booklet: bool = False
    is_shared: bool = False
    bookmark: str = ""


class ExpectedSheets(NamedTuple):
    """What is known of the sheets of a file without their plan: what lies on which, and what they say.

    `backs` and `turn` are as asked for. `game` is its title; `id`, `version` and the `numbers` of pieces stand in
    codes; `printer` is the name of the one that pages are corrected for, and `say` puts words of the program, with
    values, into the language of the sheets. `drawn` leaves out of words in margins what no font has. What
    `is_mirrored` is in a language that is written from right to left.
    """

    pieces: tuple[ExpectedPiece, ...]
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


def expected_sheets(job: PrintJob, file: ImposedFile) -> ExpectedSheets:
    """Return what is known of the sheets of a file."""
    game, request = job.game, job.request
    own = {piece.id for piece in game.pieces}
    pieces = []
    for one, faces in faces_by_piece(job, file):
        piece, is_read = one.laid_out.piece, bool(one.laid_out.piece.book)
        is_shared = file.piece in (GANG, ALL_PIECES) and not is_read and piece.id not in own
        pages = tuple(frame.hash for frame in one.laid_out.pages.get(file.paper.name, ())) if is_read else ()
        code, bookmark = GANG if is_shared else piece.id, job.bookmark(one) if one.owner else ""
        pieces.append(ExpectedPiece(piece.title, code, tuple(faces), pages, piece.is_booklet, is_shared, bookmark))
    return ExpectedSheets(
        tuple(pieces),
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
