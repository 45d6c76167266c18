"""A file of sheets -> what they have to show and say, taken from its pieces and not from how they were imposed."""

from __future__ import annotations

from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.printing import faces_by_piece
from duckpress.press.request import CopyMark
from duckpress.press.sheets.copy_marks import COLOUR, copy_words
from duckpress.press.sheets.margin_codes import MarginWords
from duckpress.store import ALL_PIECES, GANG
from oracle.sheets.expected_sheets import ExpectedCopy, ExpectedPiece, ExpectedSheets


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
        request.gaps,
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
