"""The print job of one game: decided once, read by all stages that make files; and the resulting files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.backs import Backs
from duckpress.core.geometry import IDENTITY, Size
from duckpress.core.language import program
from duckpress.core.printer_profile import Printer, stood_up
from duckpress.core.sizes import Format, Paper
from duckpress.impose import Sheet, Turn, page_leaves
from duckpress.impose.sheets import turns_left_right
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.request import CopyMark, Request, Step, silent
from duckpress.store import ALL_PIECES, GANG, file_name
from duckpress.text import spaced
from duckpress.text.fonts import FontLibrary
from duckpress.text.letters import SOFT_HYPHEN, ZERO_WIDTH_SPACE


class ImposedPiece(Struct, frozen=True):
    """A piece in a file: its sheets, and the faces that must be on them (for rules: its pages).

    `copy` is the one of an edition that the sheets say they are of. Its `owner` is named in a file with several copies,
    of which each has its own `game`.
    """

    laid_out: LaidOut
    sheets: tuple[Sheet, ...]
    faces: Sequence[Face]
    copy: CopyMark | None = None
    owner: str = ""
    game: Game | None = None


class ImposedFile(Struct, frozen=True):
    """A file to be rendered: pieces on one paper. `duplex` is the edge about which sheets are turned, if any."""

    piece: str
    name: str
    title: str
    paper: Paper
    pieces: tuple[ImposedPiece, ...]
    duplex: str | None
    second_name_of: str = ""  # the name of an earlier file that has the same bytes

    @property
    def sheets(self) -> int:
        return sum(len(one.sheets) for one in self.pieces)

    @property
    def pages(self) -> int:
        return self.sheets * (1 if self.duplex is None else 2)


class PrintJob(Struct, frozen=True):
    """A game in its printed language, the request, its fonts, and the callback for progress.

    `copies` is how many of each card are printed, by deck and card, where that is not what the decks say.
    """

    game: Game
    request: Request
    fonts: FontLibrary
    step: Step = silent
    copies: Mapping[tuple[str, str], int] | None = None

    @property
    def language(self) -> str:
        return self.request.language or self.game.languages[0].code

    def is_blank(self, pieces: Sequence[LaidOut]) -> bool:
        """Return whether all pages of a file would be empty: only backs, and no piece has any.

        The pages of a piece that is read are all fronts but in duplex.
        """
        cards = (face for one in pieces if not one.piece.book for face in one.faces if face.copies)
        return not self.request.backs.has_fronts and all(face.back is None for face in cards)

    def turn_of(self, pieces: Sequence[LaidOut]) -> str:
        """Return the edge about which a file's sheets are turned: as requested, for booklets alone the short one."""
        return "short" if all(one.piece.is_booklet for one in pieces) else self.request.turn

    def file(
        self, name: str, pieces: Sequence[LaidOut], sheets: Mapping[str, tuple[Sheet, ...]], paper: Paper
    ) -> ImposedFile:
        """Return the file of some pieces; `name` is the id of a piece, or of a bundle."""
        printer, backs = self.request.printer, self.request.backs
        imposed = tuple(
            _imposed_piece(one, corrected(sheets[one.piece.id], printer, Turn(self.turn_of([one])), backs), paper)
            for one in pieces
        )
        is_duplex = any(sheet.back is not None for one in imposed for sheet in one.sheets)
        duplex = self.turn_of(pieces) if is_duplex else None
        return ImposedFile(name, self.file_name(name, paper), self._title(name, pieces), paper, imposed, duplex)

    def renamed(self, file: ImposedFile, name: str) -> ImposedFile:
        return replace(file, piece=name, name=self.file_name(name, file.paper), second_name_of=file.name)

    def joined(self, files: Mapping[str, tuple[Game, ImposedFile]], name: str) -> ImposedFile:
        """Return the files of several copies on one paper joined in order; they are given by the copies' ids."""
        _, first = next(iter(files.values()))
        pieces = tuple(
            replace(one, owner=owner, game=game) for owner, (game, file) in files.items() for one in file.pieces
        )
        duplex = next((file.duplex for _, file in files.values() if file.duplex is not None), None)
        return replace(first, name=self.file_name(name, first.paper), pieces=pieces, duplex=duplex)

    def bookmark(self, one: ImposedPiece) -> str:
        """Return the words of a piece's bookmark."""
        words = {"game": one.owner, "piece": one.laid_out.piece.title}
        return self.spaced(self.game.speech.program(program.TITLES, words) if one.owner else words["piece"])

    def file_name(self, name: str, paper: Paper) -> str:
        """Return the name of the file of a piece, or of a bundle."""
        request = self.request
        return file_name(self.game, name, paper.name, request.ink, self.language, run=request.run, backs=request.backs)

    def _title(self, name: str, pieces: Sequence[LaidOut]) -> str:
        title, speech = self.game.title, self.game.speech
        if name == GANG:
            words = {"game": title, "piece": speech.program(program.SHARED_SHEETS)}
            title = speech.program(program.TITLES, words)
        elif name != ALL_PIECES:
            title = speech.program(program.TITLES, {"game": title, "piece": pieces[0].piece.title})
        return self.spaced(title)

    def spaced(self, text: str) -> str:
        """Return a text for a file's properties, with its language's spaces and quotes, and without break points.

        PDF's own alphabet has no soft hyphen, and readers show it as anything.
        """
        return spaced(text.replace(SOFT_HYPHEN, "").replace(ZERO_WIDTH_SPACE, ""), self.language)


def _imposed_piece(one: LaidOut, sheets: tuple[Sheet, ...], paper: Paper) -> ImposedPiece:
    """Return a piece with the required faces of its sheets: its cards, or its pages, each with the one behind it."""
    if not one.piece.book:
        return ImposedPiece(one, sheets, one.faces)
    frames = one.pages.get(paper.name, ())
    is_double_sided = any(sheet.back is not None for sheet in sheets)
    faces = []
    for front, back in page_leaves(len(frames), is_folded=one.piece.is_booklet, is_double_sided=is_double_sided):
        format_ = Format(one.piece.book, frames[front].trim, 0.0, 0.0, 0.0)
        behind, name = None if back is None else frames[back], f"{paper.name}-page-{front + 1}"
        faces.append(Face(one.piece.id, name, 1, frames[front], behind, format_))
    return ImposedPiece(one, sheets, faces)


def corrected(sheets: tuple[Sheet, ...], printer: Printer | None, turn: Turn, backs: Backs) -> tuple[Sheet, ...]:
    """Return sheets corrected for a printer, if there is one; in files of only backs, each side is a back.

    A printer is measured with its paper upright. A page on its side would be turned by whatever prints it, either way,
    and nobody could tell in which direction its back drifts: so such pages are stood up here, both sides alike. Sheets
    that are folded have no backs that could drift, and stay as they lie.
    """
    if printer is None:
        return sheets
    upright = []
    for sheet in sheets:
        lying = sheet.paper
        size = lying if backs.is_folded else Size(min(lying), max(lying))
        stand = IDENTITY if lying == size else stood_up(lying)
        flips = turns_left_right(size, turn)
        front, back = (
            printer.correction(size, is_back=is_back, turns_left_right=flips).after(stand) for is_back in (False, True)
        )
        behind = None if sheet.back is None else sheet.back._replace(map=back)
        seen = sheet.front._replace(map=front if backs.has_fronts else back)
        upright.append(sheet._replace(paper=size, front=seen, back=behind))
    return tuple(upright)
