"""The cover sheets of a build: the pages of each, for a bundle of pieces on a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from duckpress.check import copies_for
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.cover import CoverMaker, How, Printed
from duckpress.files.workspace import Workspace
from duckpress.fonts import FontLibrary
from duckpress.impose import Backs, Sheet, Turn
from duckpress.layout import LaidOut, load_theme
from duckpress.model import Game
from duckpress.press.request import Request


class Covers:
    """Makes the cover sheets of one game in one language and ink; what is wrong with their words goes to `problems`."""

    def __init__(self, workspace: Workspace, game: Game, request: Request, fonts: FontLibrary) -> None:
        self.problems: list[Problem] = []
        self._workspace = workspace
        self._game = game
        self._request = request
        self._fonts = fonts

    @cached_property
    def _maker(self) -> CoverMaker | None:
        game, request = self._game, self._request
        theme, problems = load_theme(self._workspace, game.id, game.theme, game.at("theme"))
        if theme is None:
            self.problems += problems
            return None
        maker = CoverMaker(self._workspace, game, theme, self._fonts, request.ink, copies_for(game, request.players))
        self.problems = maker.problems
        return maker

    def cover(
        self, pieces: Sequence[LaidOut], sheets: Mapping[str, Sequence[Sheet]], paper: Paper, file: str
    ) -> tuple[LaidOut | None, bool]:
        """Return the cover sheet of these pieces in a file, and whether that is printed on both sides."""
        if self._maker is None:
            return None, False
        printed = [Printed(one.piece.title, (one,), tuple(sheets[one.piece.id])) for one in pieces]
        is_double_sided = any(sheet.back is not None for one in printed for sheet in one.sheets)
        how = How(file, paper, Backs(self._request.backs), Turn(self._request.turn))
        return self._maker.cover(printed, how, is_double_sided=is_double_sided), is_double_sided
