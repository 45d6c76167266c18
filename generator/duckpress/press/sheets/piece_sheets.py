"""Laid-out pieces -> their sheets: imposed, labelled and coded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec.structs import replace

from duckpress.core.backs import Backs
from duckpress.core.frame import Drawing, Frame, Item, Outline, Paint
from duckpress.core.language import program
from duckpress.core.paths import rectangle
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.impose import (
    Gang,
    GangedSheets,
    Leaf,
    Share,
    SheetLabel,
    check_fit,
    check_tiles,
    impose_gang,
    impose_piece,
)
from duckpress.impose.job import Manner
from duckpress.impose.read_pages import PageOf, impose_booklet, impose_pages
from duckpress.impose.rims import Rims
from duckpress.impose.sheets import Cut, Gaps, Sheet, Side, Turn
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.print_job import PrintJob
from duckpress.press.request import Request
from duckpress.press.sheets.free_places import page_boxes
from duckpress.press.sheets.kept_sheets import KeptSheets
from duckpress.press.sheets.margin_codes import MarginCodes, MarginWords
from duckpress.press.sheets.sheet_codes import SheetCodes
from duckpress.store import GANG

_NOTE_PT = 11.0
_NOTE_GROUND = Paint("#ffffff")
"""What is behind a word such as DRAFT, which lies on a page of any colour."""


class Imposer:
    """Lays the pieces of one game on sheets, as a request says; drafts and unproven files are marked.

    Sheets that are `kept` are taken as they are.
    """

    def __init__(
        self, job: PrintJob, *, is_draft: bool = False, is_unproven: bool = False, kept: KeptSheets | None = None
    ) -> None:
        game = job.game
        self._job, self._kept = job, kept
        self._frames: dict[str, Frame] = {}
        self._drawings: dict[str, Drawing] = {}
        # Of all papers and bundles: each face is looked at once.
        self._rims = Rims(self._frames, self._drawings, None if kept is None else kept.rims)
        self._request = job.request
        self._backs = job.request.backs
        self._turn = Turn(job.request.turn)
        words = (program.DRAFT, program.UNPROVEN) if is_unproven else (program.DRAFT,) if is_draft else ()
        self._note = " · ".join(map(game.speech.program, words))
        self._manner = Manner(Cut(job.request.cut), Gaps(job.request.gaps), self._rims)
        self._typeset_line = cache(MarginWords(job.fonts, job.game.speech).set)

    def impose(self, one: LaidOut, paper: Paper, *, is_double_sided: bool | None = None) -> tuple[Sheet, ...]:
        """Return the sheets of a piece on a paper; `is_double_sided` is for pages of rules (None: as requested)."""
        if one.piece.book:
            is_duplex = self._backs is Backs.DUPLEX if is_double_sided is None else is_double_sided
            return self._pages(one, paper, is_double_sided=is_duplex)
        label = self._label(one.piece.title)

        def make() -> Gang:
            plain = impose_piece(
                leaves_of(one), paper, self._backs, self._turn, label, self._typeset_line, self._manner
            )
            return Gang((GangedSheets("", plain),), 0)

        return self._finished(one.piece.id, paper, [one], make).bundles[0].sheets

    def impose_shared(self, pieces: Sequence[LaidOut], paper: Paper) -> Gang:
        """Lay pieces on shared sheets, with codes for all of them."""
        shares = [Share(one.piece.title, leaves_of(one)) for one in pieces]
        how = paper, self._backs, self._turn, self._label(""), self._typeset_line, self._manner
        return self._finished(GANG, paper, pieces, lambda: impose_gang(shares, *how))

    def _pages(self, one: LaidOut, paper: Paper, *, is_double_sided: bool) -> tuple[Sheet, ...]:
        """Return the sheets of pages of rules; in files of only backs, they are empty."""
        note: tuple[Item, ...] = ()
        if self._note:
            line, width_mm = self._typeset_line(self._note, _NOTE_PT, True)
            note = (Outline(rectangle(-1.0, -3.2, width_mm + 2.0, 4.4), _NOTE_GROUND), *line)
        turn = Turn(self._job.turn_of([one]))
        pages = [PageOf(frame.hash, frame.trim) for frame in one.pages.get(paper.name, ())]
        if one.piece.is_booklet:
            is_bound_right = self._job.game.speech.is_mirrored
            sheets = impose_booklet(
                pages, paper, turn, note, is_double_sided=is_double_sided, is_bound_right=is_bound_right
            )
        else:
            sheets = impose_pages(pages, paper, turn, note, is_double_sided=is_double_sided)
        if not self._backs.has_fronts:
            sheets = tuple(sheet._replace(front=Side((), ()), back=None) for sheet in sheets)
        elif not self._job.game.finish:  # else pages have no code that leads nowhere
            sheets = self._codes().coded(sheets, one.piece.id, paper, {}, page_boxes(one, paper))
        return sheets

    def _finished(self, name: str, paper: Paper, pieces: Sequence[LaidOut], make: Callable[[], Gang]) -> Gang:
        """Return the sheets of pieces with their sheet codes, and the codes of cards that show none."""
        frames = {key: frame for one in pieces for key, frame in frames_of(one).items()}
        self._frames |= frames
        self._drawings |= {key: drawing for one in pieces for key, drawing in one.drawings.items()}

        def coded() -> Gang:
            gang, trims = make(), {key: frame.trim for key, frame in frames.items()}
            # Places are found anew for each piece, whichever others there are: a kept one has none.
            codes, names = self._codes(), MarginCodes(self._typeset_line, self._job.game.version)
            faces = [face for one in pieces for face in one.faces]
            bundles = []
            for bundle in gang.bundles:
                sheets = codes.coded(bundle.sheets, name, paper, trims)
                if self._job.game.finish:
                    sheets = tuple(names.named(sheet, faces, paper, trims) for sheet in sheets)
                bundles.append(replace(bundle, sheets=sheets))
            return replace(gang, bundles=tuple(bundles))

        return coded() if self._kept is None else self._kept.gang(self._rims, name, paper, pieces, coded)

    def _codes(self) -> SheetCodes:
        game = self._job.game
        return SheetCodes(game.id, game.version, [piece.id for piece in game.pieces])

    def _label(self, title: str) -> SheetLabel:
        printer = self._request.printer.name if self._request.printer is not None else ""
        game = self._job.game
        return SheetLabel(game.title, title, game.version, self._note, game.speech, printer)


def leaves_of(one: LaidOut) -> list[Leaf]:
    """Return a piece's faces as imposition needs them."""
    return [
        Leaf(face.format, face.copies, face.front.hash, None if face.back is None else face.back.hash, face.overlap_mm)
        for face in one.faces
    ]


def frames_of(one: LaidOut) -> dict[str, Frame]:
    """Return the frames of a piece by their hashes."""
    frames = {face.front.hash: face.front for face in one.faces}
    frames |= {frame.hash: frame for pages in one.pages.values() for frame in pages}
    return frames | {face.back.hash: face.back for face in one.faces if face.back is not None}


def oversize_pieces(game: Game, pieces: Sequence[LaidOut], request: Request) -> list[Problem]:
    """Return a problem for each deck too large for a requested paper."""
    turn = None if not request.backs.has_backs else Turn(request.turn)
    problems = []
    for deck, format_, overlap_mm in {
        (face.deck, face.format, face.overlap_mm): None for one in pieces for face in one.faces
    }:
        card, source = f"a card of deck {deck!r}", game.decks[deck].at("size")
        for paper in map(request.paper, request.papers):
            if overlap_mm is None:
                problems.append(check_fit(format_, paper, card, source, request.paper))
            else:
                problems.append(check_tiles(format_, paper, overlap_mm, turn, card, source))
    return [problem for problem in problems if problem is not None]
