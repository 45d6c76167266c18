"""A game laid out for its page, and its pieces in other languages, inks and papers when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping

from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.reading import Loaded, spoken
from duckpress.press.typeset_task import TypesetTask
from duckpress.press.typesetting import lay_out_faces
from duckpress.views.export_files import ExportRequest, chosen_pieces
from duckpress.views.face_pictures import begin_game, lay_out_page

_LANGUAGE, _INK = "lang=", "ink="


class GamePieces:
    """A game as its page shows it (`shown`): every face that can be drawn, whatever is wrong with it or with others.

    `loaded` is the game as its files say it, in its first language. With `most`, so many cards are laid out, for a page
    that is to be seen at once.
    """

    def __init__(self, workspace: Workspace, loaded: Loaded, request: ExportRequest, most: int | None = None) -> None:
        self.loaded = loaded
        self.request = request
        self.is_begun = most is not None
        if most is not None:
            self.shown = begin_game(workspace, loaded, request.language, request.ink, request.pieces, most)
        else:
            self.shown = lay_out_page(workspace, loaded, request.language, request.ink, request.pieces)
        self._workspace = workspace
        self._spoken: dict[str, Game] = {}
        self._others: dict[tuple[str, ...], LaidOut | None] = {}

    @property
    def every(self) -> list[LaidOut]:
        """The pieces that are shown: those with cards, and those that are read."""
        checked = self.shown.checked
        if self.is_begun:
            return [one for one in checked.pieces if self.request.pieces or one.piece.instead_of is None]
        return [*chosen_pieces(checked, self.request), *(one for one in checked.pieces if one.pages)]

    @property
    def beside(self) -> list[str]:
        """What cards are shown in besides, as the request says: other languages (`lang=fr`), other inks (`ink=low`)."""
        request, game = self.request, self.shown.checked.game
        codes = [one.code for one in game.languages] if game is not None and request.every_language else []
        inks = [f"{_INK}{ink}" for ink in request.other_inks if ink != request.ink]
        return [*(f"{_LANGUAGE}{code}" for code in codes if game is not None and code != game.language), *inks]

    def faces_beside(self, shown: LaidOut, name: str) -> Mapping[tuple[str, str], tuple[LaidOut, Face]]:
        """Return the faces of a piece that is shown, by deck and card, in one of `beside`: those that can be drawn."""
        language = name.removeprefix(_LANGUAGE) if name.startswith(_LANGUAGE) else None
        ink = name.removeprefix(_INK) if name.startswith(_INK) else self.request.ink
        one = self._laid_out(shown, language, ink)
        return {(face.deck, face.card): (one, face) for face in one.faces} if one is not None else {}

    def in_ink(self, shown: LaidOut, ink: str) -> LaidOut | None:
        """Return a piece that is shown as it is in an ink; None where none of it can be drawn. Books are as shown."""
        return self._laid_out(shown, None, ink)

    def printed(self, paper: str, ink: str) -> list[LaidOut]:
        """Return the pieces that are shown as they are on a paper and in an ink, those that can be drawn."""
        every = (self._laid_out(one, None, ink, paper) for one in self.every)
        return [one for one in every if one is not None]

    def _laid_out(self, shown: LaidOut, language: str | None, ink: str, paper: str = "") -> LaidOut | None:
        """Return a piece in a language (None: as it is shown) and an ink; a book as it is shown, or for a paper."""
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
            self._spoken[language], _ = spoken(self._workspace, self.loaded.game, language)
        return self._spoken[language]
