"""Laid-out pieces -> all files of a build: for each paper one of every piece, and one with all, under a cover.

Of files with `--gaps never`, the faces that touch on their sheets and differ there are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from duckpress.check import accept_findings, copies_for
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.impose import Gang, Sheet, fit_grid
from duckpress.impose.rims import Rims, differing_neighbours
from duckpress.impose.sheets import Gaps
from duckpress.layout import Face, LaidOut, load_theme
from duckpress.press.drawn_pictures import with_drawn_pictures
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.press.sheets.kept_sheets import KeptSheets
from duckpress.press.sheets.piece_sheets import Imposer, frames_of
from duckpress.store import ALL_PIECES, COVER, GANG

if TYPE_CHECKING:
    from duckpress.press.cover import CoverMaker


_MOST_FILES = 4


def touching_edges(job: PrintJob, files: Sequence[ImposedFile]) -> list[Problem]:
    """Return a `touching-edges` for each side of a deck whose cards touch cards with different edges.

    Only whoever asks for `--gaps never` has such sheets: all others leave room between faces that differ.
    """
    if job.request.gaps != Gaps.NEVER:
        return []
    order, rims = [*job.game.decks], dict[tuple[str, ...], Rims]()
    found: dict[tuple[str, str], dict[str, tuple[Face, Face]]] = {}
    for file in files:
        for imposed in file.pieces:
            one = imposed.laid_out
            frames = {} if one.piece.book else frames_of(one)
            trims = {key: frame.trim for key, frame in frames.items()}
            rim = rims.setdefault(tuple(frames), Rims(frames, one.drawings))  # of all papers
            for touching in differing_neighbours(imposed.sheets if frames else (), trims, rim):
                faces = (one.faces[placed.face] for placed in (touching.one, touching.other))
                first, second = sorted(faces, key=lambda face: order.index(face.deck))
                side = "back" if touching.one.is_back else "front"
                found.setdefault((first.deck, side), {}).setdefault(file.name, (first, second))
    problems = [_problem(job, side, in_files) for (_, side), in_files in found.items()]
    return accept_findings(job.game, problems, job.request.ink)


def _problem(job: PrintJob, side: str, files: dict[str, tuple[Face, Face]]) -> Problem:
    one, other = next(iter(files.values()))
    cards = f"cards {one.card!r} and {other.card!r} of deck {one.deck!r}"
    if one.deck != other.deck:
        cards = f"card {one.card!r} of deck {one.deck!r} and card {other.card!r} of deck {other.deck!r}"
    elif one.card == other.card:
        cards = f"copies of card {one.card!r} of deck {one.deck!r}"
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    what = (
        f"the {side}s of {cards} touch in {', '.join([*files][:_MOST_FILES])}{more}, and their colours differ there: "
        "a cut half a millimetre off shows the neighbour"
    )
    fix = f"leave out '--gaps {Gaps.NEVER}', or give all that touch one colour along their edges"
    return Problem("touching-edges", job.game.decks[one.deck].at(side), what, fix, Level.WARNING, game=job.game.id)


class Imposition(Struct, frozen=True):
    """All files of a build, paper by paper, and the problems of their cover sheets."""

    papers: Sequence[ImposedPaper]
    problems: tuple[Problem, ...]

    @property
    def files(self) -> list[ImposedFile]:
        return [file for one in self.papers for file in one.files]

    @property
    def shared(self) -> dict[str, int]:
        """The number of shared sheets, by paper, if there are any."""
        return {one.paper: one.shared for one in self.papers if one.shared is not None}

    @property
    def saved(self) -> dict[str, int]:
        return {one.paper: one.saved for one in self.papers}

    def sheets_in_all(self, pieces: Sequence[LaidOut]) -> dict[str, int]:
        """Return the total number of sheets by paper, without pieces that replace another."""
        whole = [one.piece.id for one in pieces if one.piece.instead_of is None]
        sums = {one.paper: sum(one.sheets.get(id_, 0) for id_ in whole) + one.cover_sheets for one in self.papers}
        return {one.paper: sums[one.paper] + (-one.saved if one.shared is None else one.shared) for one in self.papers}


def cover_maker(workspace: Workspace, job: PrintJob) -> tuple[CoverMaker | None, list[Problem]]:
    """Return the maker of the bundles' cover sheets, None if they have none, and its problems."""
    game, request = job.game, job.request
    if not request.wants_cover(game):
        return None, []
    from duckpress.press.cover import CoverMaker  # what has no cover begins sooner without it

    theme, problems = load_theme(workspace, game.id, game.theme, game.at("theme"))
    if theme is None:
        return None, problems
    return CoverMaker(workspace, job, theme, copies_for(game, request.players)), []


def impose(
    job: PrintJob, pieces: Sequence[LaidOut], covers: CoverMaker | None, kept: KeptSheets | None = None, *,
    is_draft: bool, is_unproven: bool = False,
) -> Imposition:  # fmt: skip
    """Return the sheets of all pieces, file by file; with `covers`, bundles begin with a cover sheet.

    Those that are `kept` are taken as they are, and new ones are kept; drafts have sheets of their own.
    """
    kept = None if is_draft else kept
    imposer = Imposer(job, is_draft=is_draft, is_unproven=is_unproven, kept=kept)
    papers = [ImposedPaper(job, imposer, covers, job.request.paper(name), pieces) for name in job.request.papers]
    if kept is not None:
        kept.save()
    return Imposition(papers, () if covers is None else tuple(dict.fromkeys(covers.problems)))


class ImposedPaper:
    """The pieces on one paper: files in order, sheets by piece, and shared sheets."""

    def __init__(
        self, job: PrintJob, imposer: Imposer, covers: CoverMaker | None, paper: Paper, pieces: Sequence[LaidOut]
    ) -> None:
        self.paper = paper.name
        self.files: list[ImposedFile] = []
        self.sheets: dict[str, int] = {}
        self.cover: LaidOut | None = None
        self.cover_sheets = 0
        self.shared: int | None = None  # None: nothing shares sheets
        self.saved = 0  # sheets that sharing saves, in the file of what shares them or in that of everything
        self._job, self._imposer, self._covers, self._paper = job, imposer, covers, paper
        self._imposed: dict[str, tuple[Sheet, ...]] = {}
        sharing = [one for one in pieces if job.request.is_ganged and _may_share(one, paper)]
        of_shared = {one.piece.id for one in sharing} if len(sharing) > 1 else set()
        alone = [one for one in pieces if one.piece.id not in of_shared]
        for one in alone:
            imposed = self._imposed[one.piece.id] = imposer.impose(one, paper)
            self.sheets[one.piece.id] = 0 if job.is_blank([one]) else len(imposed)
        if of_shared:
            self._share(sharing, [one for one in alone if one.piece.instead_of is None])
        for one in alone:
            self._add(one.piece.id, [one])
        whole = [one for one in pieces if one.piece.instead_of is None]
        if whole and not job.request.pieces and not job.request.is_ganged:
            self._add_whole(whole)

    def _add(self, name: str, pieces: Sequence[LaidOut]) -> None:
        if not self._job.is_blank(pieces):
            self.files.append(self._job.file(name, pieces, self._imposed, self._paper))

    def _add_whole(self, pieces: Sequence[LaidOut]) -> None:
        """Add the file with all pieces, which share sheets if that saves any.

        Where it is one piece, its file gets a second name and is not made twice.
        """
        groups: dict[str, list[LaidOut]] = {}
        for one in pieces:
            if _may_share(one, self._paper):
                groups.setdefault(self._stock(one), []).append(one)
        lying = {one.piece.id: [one] for one in pieces}
        for sharing in groups.values():
            gang = self._imposer.impose_shared(sharing, self._paper)
            if gang.sheets < gang.sheets_alone:
                self.saved += gang.sheets_alone - gang.sheets
                first = sharing[0].piece.id
                lying |= {one.piece.id: [] for one in sharing} | {first: self._bundles(sharing, gang)}
        pieces = self._covered(ALL_PIECES, [one for bundle in lying.values() for one in bundle])
        alone = next((file for file in self.files if file.piece == pieces[0].piece.id), None)
        if len(pieces) == 1 and alone is not None:
            self.files.append(self._job.renamed(alone, ALL_PIECES))
        else:
            self._add(ALL_PIECES, pieces)

    def _share(self, sharing: Sequence[LaidOut], others: Sequence[LaidOut]) -> None:
        """Add the file of pieces that share sheets.

        Behind a cover stand the others, too: it is for somebody who was sent nothing but this file.
        """
        gang = self._imposer.impose_shared(sharing, self._paper)
        bundle = self._bundles(sharing, gang)
        self._add(GANG, bundle if self._covers is None else self._covered(GANG, [*bundle, *others]))
        self.shared, self.saved = gang.sheets, gang.sheets_alone - gang.sheets

    def _stock(self, one: LaidOut) -> str:
        """Return the declared stock of a piece, else `paper` if that suits all its decks; empty for ordinary cards."""
        from duckpress.press.cover import stock_of

        game = self._job.game
        stocks = {stock_of(game, deck) for deck in one.piece.decks}
        return one.piece.stock or ("paper" if stocks == {"paper"} else "")

    def _bundles(self, sharing: Sequence[LaidOut], gang: Gang) -> list[LaidOut]:
        """Return shared sheets as pieces of their own, each named for the pieces on its sheets.

        Any sheet may need any face, so all have all of them; the first is the one that says how many there must be.
        """
        drawings = {key: drawing for one in sharing for key, drawing in one.drawings.items()}
        pictures = {key: picture for one in sharing for key, picture in one.pictures.items()}
        faces = tuple(face for one in sharing for face in one.faces)
        bundles = []
        for number, bundle in enumerate(gang.bundles, 1):
            id_ = f"{GANG}-{sharing[0].piece.id}-{number}"
            piece = sharing[0].piece._replace(id=id_, title=bundle.title)
            shown = faces if number == 1 else tuple(face._replace(copies=0) for face in faces)
            bundles.append(sharing[0]._replace(piece=piece, faces=shown, drawings=drawings, pictures=pictures))
            self._imposed[id_] = bundle.sheets
        return bundles

    def _covered(self, name: str, pieces: Sequence[LaidOut]) -> list[LaidOut]:
        """Return a bundle's pieces, after a cover sheet if there is one; add the cover sheet's file, too."""
        if self._covers is None:
            return list(pieces)
        printed = [(one, self._imposed[one.piece.id]) for one in pieces]
        is_double_sided = any(sheet.back is not None for _, sheets in printed for sheet in sheets)
        file = self._job.file_name(name, self._paper)
        cover = self._covers.cover(printed, file, self._paper, is_double_sided=is_double_sided)
        (cover,), undrawn = with_drawn_pictures([cover], self._job.fonts, None)
        self._covers.problems += undrawn
        self.cover = cover
        self._imposed[COVER] = self._imposer.impose(cover, self._paper, is_double_sided=is_double_sided)
        self.cover_sheets = len(self._imposed[COVER])
        self._add(COVER, [cover])
        return [cover, *pieces]


def _may_share(one: LaidOut, paper: Paper) -> bool:
    """Return whether a piece may share sheets: not a replacement, not rules, and not tiled on this paper."""
    is_tiled = any(face.overlap_mm is not None and fit_grid(face.format, paper) is None for face in one.faces)
    return one.piece.instead_of is None and not one.piece.book and bool(one.faces) and not is_tiled
