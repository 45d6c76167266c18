"""Pieces laid out -> the sheets they come to: imposed, labelled, coded, and corrected for the printer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from duckpress.core.frame import Frame, Item
from duckpress.core.geometry import Size
from duckpress.core.sizes import Paper
from duckpress.fonts import FontLibrary
from duckpress.impose import Backs, Gang, Leaf, Share, Sheet, SheetLabel, Turn, impose_gang, impose_piece
from duckpress.language import program
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.faces.rulebooks import BOOKLET
from duckpress.press.request import Request
from duckpress.press.sheets.backs import emptied, manner_of
from duckpress.press.sheets.printer_correction import corrected
from duckpress.press.sheets.read_sheets import impose_rules
from duckpress.press.sheets.sheet_codes import SheetCodes
from duckpress.store import GANG
from duckpress.text import TextStyle, Typesetter

_NOTE_PT = 11.0
_FOOTER_FAMILY = "Alegreya Sans"  # bundled, so it is there whatever fonts a game brings


class Imposer:
    """Lays the pieces of one game on sheets, as one request asks for; those of a draft say so."""

    def __init__(self, game: Game, request: Request, fonts: FontLibrary, *, is_draft: bool) -> None:
        self._game = game
        self._request = request
        self._note = game.speech.program(program.DRAFT) if is_draft else ""
        self._codes = SheetCodes(game.id, game.version, [piece.id for piece in game.pieces])
        language = request.language or game.languages[0].code
        self._typesetter = Typesetter(fonts, lambda _name, _colour: None, language)
        self._footer_style = TextStyle(_FOOTER_FAMILY, colour="#333333")

    def impose(self, one: LaidOut, paper: Paper, *, is_double_sided: bool | None = None) -> tuple[Sheet, ...]:
        """Return the sheets of a piece on a paper; `is_double_sided` holds for pages that are read (None: as asked)."""
        if one.piece.book:
            note = self._typeset_line(self._note, _NOTE_PT, True)[0] if self._note else ()
            turn = Turn(self.turn_of([one]))
            if is_double_sided is None:
                is_double_sided = self._request.backs == "duplex"
            pages = impose_rules(one, paper, turn, note, is_double_sided=is_double_sided)
            if self._request.backs == "only":
                return self._corrected(emptied(pages), turn)
            return self._corrected(self._codes.coded_pages(pages, one, paper), turn)
        turn = Turn(self._request.turn)
        sheets = impose_piece(
            leaves_of(one),
            paper,
            Backs(self._request.backs),
            turn,
            self._label(one.piece.title),
            self._typeset_line,
            manner_of(self._request, frames_of(one), one.drawings),
        )
        return self._corrected(self._codes.coded(sheets, one.piece.id, paper, _trims(frames_of(one))), turn)

    def impose_shared(self, pieces: Sequence[LaidOut], paper: Paper) -> Gang:
        """Lay pieces on sheets that they share; the codes on those stand for all of them."""
        turn = Turn(self._request.turn)
        shares = [Share(one.piece.title, leaves_of(one)) for one in pieces]
        frames = {key: frame for one in pieces for key, frame in frames_of(one).items()}
        drawings = {key: drawing for one in pieces for key, drawing in one.drawings.items()}
        manner = manner_of(self._request, frames, drawings)
        backs = Backs(self._request.backs)
        gang = impose_gang(shares, paper, backs, turn, self._label(""), self._typeset_line, manner)
        trims = _trims(frames)
        bundles = tuple(
            replace(bundle, sheets=self._corrected(self._codes.coded(bundle.sheets, GANG, paper, trims), turn))
            for bundle in gang.bundles
        )
        return replace(gang, bundles=bundles)

    def turn_of(self, pieces: Sequence[LaidOut]) -> str:
        """Return the edge that the sheets of a file are turned about; a booklet's is the one it is not folded along."""
        return "short" if all(one.piece.book == BOOKLET for one in pieces) else self._request.turn

    def _label(self, title: str) -> SheetLabel:
        """Return what the footers say."""
        printer = self._request.printer.name if self._request.printer is not None else ""
        return SheetLabel(self._game.title, title, self._game.version, self._note, self._game.speech, printer)

    def _corrected(self, sheets: tuple[Sheet, ...], turn: Turn) -> tuple[Sheet, ...]:
        """Return sheets as the printer has to be given them."""
        printer = self._request.printer
        return sheets if printer is None else corrected(sheets, printer, turn, Backs(self._request.backs))

    def _typeset_line(self, text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        weight = "bold" if is_bold else "regular"
        line = self._typesetter.line(text, self._footer_style._replace(size_pt=size_pt, weight=weight))
        return line.items, line.width_mm


def leaves_of(one: LaidOut) -> list[Leaf]:
    """Return what imposing needs of a piece's faces."""
    return [
        Leaf(
            face.format,
            face.copies,
            face.front.hash,
            face.back.hash if face.back is not None else None,
            face.overlap_mm,
        )
        for face in one.faces
    ]


def frames_of(one: LaidOut) -> dict[str, Frame]:
    """Return the frames of a piece by their hashes."""
    frames = {face.front.hash: face.front for face in one.faces}
    frames |= {frame.hash: frame for pages in one.pages.values() for frame in pages}
    return frames | {face.back.hash: face.back for face in one.faces if face.back is not None}


def _trims(frames: Mapping[str, Frame]) -> dict[str, Size]:
    return {key: frame.trim for key, frame in frames.items()}
