"""Games laid out for a screen, as for print; for a page also in other languages, inks and papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.check import check_game
from duckpress.core.problems import has_errors
from duckpress.files.recording import RecordingWorkspace
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.checking import USUAL_PAPERS, all_findings, before_layout
from duckpress.press.reading import Checked, Loaded, named, translate
from duckpress.press.request import Request
from duckpress.press.sheets.piece_sheets import oversize_pieces
from duckpress.press.typesetting import TypesetTask, lay_out_faces, typeset
from duckpress.text.fonts import FontLibrary
from duckpress.views.export_files import ExportRequest, chosen_pieces


class ShownGame(NamedTuple):
    """A game laid out in one language, and its fonts."""

    checked: Checked
    fonts: FontLibrary


def lay_out_game(
    workspace: Workspace,
    loaded: Loaded,
    *,
    language: str | None = None,
    ink: str = "color",
    pieces: Sequence[str] = (),
    papers: Sequence[str] = ("a4",),
    is_draft: bool = False,
) -> ShownGame:
    """Lay out the named pieces (by default all) that need no deal; none if there is an error.

    A draft has every face that can be drawn, whatever is wrong with it or with others. Without names, pieces that
    stand for another one are left out by those who show cards, not here.
    """
    request = ExportRequest("", language=language, ink=ink, pieces=tuple(pieces))
    return _lay_out(workspace, loaded, request, papers, is_draft=is_draft)[0]


def _lay_out_page(workspace: Workspace, loaded: Loaded, request: ExportRequest) -> ShownGame:
    """Lay out every face that can be drawn, with the findings of a check.

    A check does not look at cards while a file cannot be read; the page shows them and tells what is wrong with them.
    """
    shown, task = _lay_out(workspace, loaded, request, USUAL_PAPERS, is_draft=True)
    checked, game = shown.checked, loaded.game
    if game is None or task is None:
        return shown
    problems = before_layout(task.workspace, loaded)
    if loaded.has_errors:
        of_faces = [problem for problem in checked.problems if problem not in checked.before_layout]
        return shown._replace(checked=replace(checked, problems=named(game.id, [*problems, *of_faces])))
    problems += [*checked.problems, *oversize_pieces(game, checked.pieces, Request())]
    checked = replace(checked, problems=named(game.id, problems))
    return shown._replace(checked=all_findings(checked, task, game))


def _lay_out(
    workspace: Workspace, loaded: Loaded, request: ExportRequest, papers: Sequence[str], *, is_draft: bool
) -> tuple[ShownGame, TypesetTask | None]:
    if loaded.frames is not None and not isinstance(workspace, RecordingWorkspace):
        workspace = RecordingWorkspace(workspace)  # the next run knows by its answers which cards are as they were
        workspace.add(loaded.answers)
    fonts = FontLibrary(workspace)
    if loaded.game is None or (loaded.has_errors and not is_draft):
        return ShownGame(Checked(loaded.game_id, loaded.game, loaded.problems), fonts), None
    game, findings = translate(workspace, loaded.game, request.language)
    # What the setup says of cards that could not be read is no news.
    problems = [*loaded.problems, *(() if loaded.has_errors else check_game(loaded.game)), *findings]
    before = named(game.id, problems)
    laid_out: list[LaidOut] = []
    wanted = [piece for piece in game.chosen_pieces(request.pieces) if game.dealt_to(piece) is None]
    task = TypesetTask(
        workspace, game, fonts, wanted, language=request.language, ink=request.ink, papers=papers, frames=loaded.frames
    )
    if is_draft or not has_errors(problems):
        laid_out, findings = typeset(task)
        problems += findings
    if has_errors(problems) and not is_draft:
        laid_out = []
    return ShownGame(Checked(game.id, game, named(game.id, problems), tuple(laid_out), before), fonts), task


def _begin_game(workspace: Workspace, loaded: Loaded, request: ExportRequest, most: int) -> ShownGame:
    """Lay out the first cards of each deck of the first piece; the other cards are included without faces."""
    fonts = FontLibrary(workspace)
    if loaded.game is None:
        return ShownGame(Checked(loaded.game_id, None, loaded.problems), fonts)
    game, findings = translate(workspace, loaded.game, request.language)
    wanted = [piece for piece in game.chosen_pieces(request.pieces) if piece.decks and game.dealt_to(piece) is None]
    problems = named(game.id, [*loaded.problems, *findings])
    first = TypesetTask(
        workspace, game, fonts, wanted[:1], language=request.language, ink=request.ink, papers=(), most=most
    )
    laid_out, findings = typeset(first)
    pieces_now = (*laid_out, *(LaidOut(piece, (), {}, {}, ()) for piece in wanted[1:]))
    return ShownGame(Checked(game.id, game, named(game.id, [*problems, *findings]), pieces_now, problems), fonts)


_LANGUAGE, _INK = "lang=", "ink="


class GamePieces:
    """A game as its web page shows it (`shown`): with every face that can be drawn, whatever its problems.

    `loaded` is the game as its files say it, in its first language. With `most`, so many cards are laid out, for a page
    that is to be seen at once.
    """

    def __init__(self, workspace: Workspace, loaded: Loaded, request: ExportRequest, most: int | None = None) -> None:
        self.loaded = loaded
        self.request = request
        self.is_begun = most is not None
        if most is not None:
            self.shown = _begin_game(workspace, loaded, request, most)
        else:
            self.shown = _lay_out_page(workspace, loaded, request)
        self._workspace = workspace
        self._spoken: dict[str, Game] = {}
        self._others: dict[tuple[str, ...], LaidOut | None] = {}

    @property
    def every(self) -> list[LaidOut]:
        """The pieces on the page: those with cards, and typeset texts."""
        checked = self.shown.checked
        if self.is_begun:
            return [one for one in checked.pieces if self.request.pieces or one.piece.instead_of is None]
        return [*chosen_pieces(checked, self.request), *(one for one in checked.pieces if one.pages)]

    @property
    def beside(self) -> list[str]:
        """The other languages (`lang=fr`) and inks (`ink=low`) of cards, as requested."""
        request, game = self.request, self.shown.checked.game
        codes = [one.code for one in game.languages] if game is not None and request.every_language else []
        inks = [f"{_INK}{ink}" for ink in request.other_inks if ink != request.ink]
        return [*(f"{_LANGUAGE}{code}" for code in codes if game is not None and code != game.language), *inks]

    def faces_beside(self, shown: LaidOut, name: str) -> Mapping[tuple[str, str], tuple[LaidOut, Face]]:
        """Return the faces of a piece by deck and card in one of `beside`, as far as they can be drawn."""
        language = name.removeprefix(_LANGUAGE) if name.startswith(_LANGUAGE) else None
        ink = name.removeprefix(_INK) if name.startswith(_INK) else self.request.ink
        one = self._laid_out(shown, language, ink)
        return {(face.deck, face.card): (one, face) for face in one.faces} if one is not None else {}

    def in_ink(self, shown: LaidOut, ink: str) -> LaidOut | None:
        """Return a piece in another ink; None if it cannot be drawn. Books stay as they are."""
        return self._laid_out(shown, None, ink)

    def printed(self, paper: str, ink: str) -> list[LaidOut]:
        """Return the pieces on the page for a paper and an ink, as far as they can be drawn."""
        every = (self._laid_out(one, None, ink, paper) for one in self.every)
        return [one for one in every if one is not None]

    def _laid_out(self, shown: LaidOut, language: str | None, ink: str, paper: str = "") -> LaidOut | None:
        """Return a piece in a language (None: the page's) and an ink; a book as on the page, or for a paper."""
        piece, now = shown.piece, self.shown.checked.game
        is_book = bool(piece.book)
        is_as_shown = language is None and ink == self.request.ink and (not is_book or paper in shown.pages)
        if now is None or is_as_shown or (is_book and not paper):
            return shown
        game = now if language is None else self._in_language(language)
        papers = (paper,) if is_book else ()
        key = piece.id, game.language, ink, *papers
        if key not in self._others:
            other = next(one for one in game.pieces if one.id == piece.id)
            task = TypesetTask(
                self._workspace, game, self.shown.fonts, [other], ink=ink, papers=papers,
                frames=self.loaded.frames,
            )  # fmt: skip
            self._others[key] = next(iter(lay_out_faces(task).pieces), None)
        return self._others[key]

    def _in_language(self, language: str) -> Game:
        assert self.loaded.game is not None
        if language not in self._spoken:
            self._spoken[language], _ = translate(self._workspace, self.loaded.game, language)
        return self._spoken[language]
