"""Pieces laid out -> all files of a build: for each paper one of every piece, and one of everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.impose import Sheet
from duckpress.layout import LaidOut
from duckpress.press.print_job import PrintJob
from duckpress.press.sheets.backs import has_backs
from duckpress.press.sheets.covers import Covers
from duckpress.press.sheets.ganging import bundled, may_share
from duckpress.press.sheets.imposed_file import ImposedFile, imposed_file
from duckpress.press.sheets.imposing import Imposer
from duckpress.store import ALL_PIECES, COVER, GANG


class ImposedPaper(Struct, frozen=True):
    """What is printed on one paper: files in their order, sheets by piece, and those that pieces share."""

    paper: str
    files: tuple[ImposedFile, ...]
    sheets: Mapping[str, int]
    cover: LaidOut | None = None
    cover_sheets: int = 0
    shared: int | None = None  # None: nothing shares sheets
    saved: int = 0  # sheets that sharing saves


class Imposition(Struct, frozen=True):
    """All files of a build, paper by paper, and what is wrong with what only they have: cover sheets."""

    papers: tuple[ImposedPaper, ...]
    problems: tuple[Problem, ...]

    @property
    def files(self) -> list[ImposedFile]:
        """The files in the order in which they are printed."""
        return [file for one in self.papers for file in one.files]

    @property
    def covers(self) -> dict[str, LaidOut]:
        """The cover sheets, by paper."""
        return {one.paper: one.cover for one in self.papers if one.cover is not None}

    @property
    def shared(self) -> dict[str, int]:
        """The sheets that pieces share, by paper, where they do."""
        return {one.paper: one.shared for one in self.papers if one.shared is not None}

    @property
    def saved(self) -> dict[str, int]:
        """The sheets that sharing saves, by paper."""
        return {one.paper: one.saved for one in self.papers if one.shared is not None}

    def sheets_in_all(self, pieces: Sequence[LaidOut]) -> dict[str, int]:
        """Return by paper how many sheets there are of everything but pieces that stand for another."""
        whole = [one.piece.id for one in pieces if one.piece.instead_of is None]
        return {
            one.paper: (one.shared or 0) + sum(one.sheets.get(id_, 0) for id_ in whole) + one.cover_sheets
            for one in self.papers
        }


def impose(job: PrintJob, pieces: Sequence[LaidOut], covers: Covers | None, *, is_draft: bool) -> Imposition:
    """Return the sheets of all pieces, file by file; with `covers`, bundles begin with a cover sheet."""
    imposer = Imposer(job.game, job.request, job.fonts, is_draft=is_draft)
    papers = tuple(
        _PaperImposer(job, imposer, covers, job.request.paper(name)).impose(pieces) for name in job.request.papers
    )
    return Imposition(papers, () if covers is None else tuple(dict.fromkeys(covers.problems)))


class _PaperImposer:
    """Lays pieces on sheets of one paper, and gathers the files."""

    def __init__(self, job: PrintJob, imposer: Imposer, covers: Covers | None, paper: Paper) -> None:
        self._job = job
        self._imposer = imposer
        self._covers = covers
        self._paper = paper
        self._sheets: dict[str, tuple[Sheet, ...]] = {}
        self._files: list[ImposedFile] = []
        self._cover: LaidOut | None = None

    def impose(self, pieces: Sequence[LaidOut]) -> ImposedPaper:
        """Return what is printed of the pieces."""
        request, counts = self._job.request, dict[str, int]()
        sharing = [one for one in pieces if may_share(one, self._paper)] if request.is_ganged else []
        shared, saved = None, 0
        if len(sharing) >= 2:
            shared, saved = self._share(sharing)
        else:
            sharing = []
        of_shared = {one.piece.id for one in sharing}
        for one in pieces:
            if one.piece.id not in of_shared:
                imposed = self._sheets[one.piece.id] = self._imposer.impose(one, self._paper)
                counts[one.piece.id] = 0 if request.backs == "only" and not has_backs(one) else len(imposed)
                self._add(one.piece.id, [one])
        whole = [one for one in pieces if one.piece.instead_of is None]
        if whole and not request.pieces and not request.is_ganged:
            self._add_whole(whole)
        cover_sheets = len(self._sheets[COVER]) if self._cover is not None else 0
        return ImposedPaper(self._paper.name, tuple(self._files), counts, self._cover, cover_sheets, shared, saved)

    def _add(self, name: str, pieces: Sequence[LaidOut]) -> None:
        if self._job.request.backs == "only" and not any(map(has_backs, pieces)):
            return  # not one of its pages would have anything on it
        self._files.append(imposed_file(self._job, self._imposer, name, pieces, self._sheets, self._paper))

    def _add_whole(self, pieces: Sequence[LaidOut]) -> None:
        """Add the file with everything; where that is one piece, its file gets a second name and is not made twice."""
        pieces = self._covered(ALL_PIECES, pieces)
        alone = next((file for file in self._files if file.piece == pieces[0].piece.id), None)
        if len(pieces) == 1 and alone is not None:
            self._files.append(alone.under(ALL_PIECES, self._job.file_name(ALL_PIECES, self._paper)))
        else:
            self._add(ALL_PIECES, pieces)

    def _share(self, sharing: Sequence[LaidOut]) -> tuple[int, int]:
        """Add the file of pieces that share sheets; return how many those are, and how many are saved."""
        gang = self._imposer.impose_shared(sharing, self._paper)
        bundle = []
        for one, imposed in bundled(sharing, gang, GANG):
            self._sheets[one.piece.id] = imposed
            bundle.append(one)
        self._add(GANG, bundle if self._job.request.pieces else self._covered(GANG, bundle))
        return gang.sheets, gang.sheets_alone - gang.sheets

    def _covered(self, name: str, pieces: Sequence[LaidOut]) -> list[LaidOut]:
        """Return a bundle's pieces, with a cover sheet before them where one is wanted; add the file of that, too."""
        if self._covers is None:
            return list(pieces)
        file = self._job.file_name(name, self._paper)
        self._cover, is_double_sided = self._covers.cover(pieces, self._sheets, self._paper, file)
        if self._cover is None:
            return list(pieces)
        self._sheets[COVER] = self._imposer.impose(self._cover, self._paper, is_double_sided=is_double_sided)
        self._add(COVER, [self._cover])
        return [self._cover, *pieces]
