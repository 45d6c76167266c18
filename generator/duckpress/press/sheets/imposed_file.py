"""Sheets of pieces -> a file to be: which pieces are in it, on which sheets, and what it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.sizes import Paper
from duckpress.impose import Sheet
from duckpress.layout import Face, LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.sheets.imposing import Imposer
from duckpress.press.sheets.read_sheets import page_faces


class ImposedPiece(Struct, frozen=True):
    """A piece in a file: its sheets, and the faces that must lie on them (those of a text that is read: its pages)."""

    laid_out: LaidOut
    sheets: tuple[Sheet, ...]
    faces: Sequence[Face]


class ImposedFile(Struct, frozen=True):
    """A file to be rendered: pieces on one paper. `duplex` is the edge its sheets are turned about, if they are."""

    piece: str
    name: str
    title: str
    paper: Paper
    pieces: tuple[ImposedPiece, ...]
    duplex: str | None
    second_name_of: str = ""  # the name of an earlier file that has the same bytes

    @property
    def sheets(self) -> int:
        """How many sheets of paper it takes."""
        return sum(len(one.sheets) for one in self.pieces)

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return self.sheets * (1 if self.duplex is None else 2)

    def under(self, piece: str, name: str) -> ImposedFile:
        """Return the same file under a second name."""
        return replace(self, piece=piece, name=name, second_name_of=self.name)


def imposed_file(
    job: PrintJob,
    imposer: Imposer,
    name: str,
    pieces: Sequence[LaidOut],
    sheets: Mapping[str, tuple[Sheet, ...]],
    paper: Paper,
) -> ImposedFile:
    """Return the file with some pieces; `name` is the id of a piece, or of a bundle of them."""
    imposed = tuple(ImposedPiece(one, sheets[one.piece.id], _faces(one, sheets[one.piece.id], paper)) for one in pieces)
    is_duplex = any(sheet.back is not None for one in imposed for sheet in one.sheets)
    duplex = imposer.turn_of(pieces) if is_duplex else None
    return ImposedFile(name, job.file_name(name, paper), job.title(name, pieces), paper, imposed, duplex)


def _faces(one: LaidOut, sheets: Sequence[Sheet], paper: Paper) -> Sequence[Face]:
    """Return what must lie on the sheets of a paper: the cards of a piece, or the pages of one that is read."""
    if not one.piece.book:
        return one.faces
    return page_faces(one, paper, is_double_sided=any(sheet.back is not None for sheet in sheets))
