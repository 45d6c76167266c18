"""The cover sheets of a build: whether there is one, and its pages for a bundle of pieces on a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from duckpress.check import copies_for
from duckpress.core.problems import Problem
from duckpress.core.sizes import Paper
from duckpress.files.workspace import Workspace
from duckpress.press.request import Request
from duckpress.store import COVER

if TYPE_CHECKING:
    from duckpress.cover import CoverMaker
    from duckpress.fonts import FontLibrary
    from duckpress.impose import Sheet
    from duckpress.layout import LaidOut
    from duckpress.model import Game


def wants_cover(game: Game, request: Request) -> bool:
    """Tell whether bundles of sheets begin with a cover sheet: as asked for, else as the game says.

    With some pieces only there is no bundle; backs printed alone lie behind fronts that had theirs.
    """
    is_wanted = game.has_cover if request.has_cover is None else request.has_cover
    return is_wanted and not request.pieces and request.backs != "only"


def cover_problems(game: Game, request: Request) -> list[Problem]:
    """Give what keeps a cover sheet from being printed. Problem: `duplicate-id` where a piece bears its id."""
    what = f"the piece id {COVER!r} is taken by the cover sheet"
    return [
        Problem("duplicate-id", piece.source, what, "call the piece otherwise, or build with --no-cover")
        for piece in game.pieces
        if piece.id == COVER and wants_cover(game, request)
    ]


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
        from duckpress.cover import CoverMaker
        from duckpress.layout import load_theme

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
        from duckpress.cover import How, Printed
        from duckpress.impose import Backs, Turn

        if self._maker is None:
            return None, False
        printed = [Printed(one.piece.title, (one,), tuple(sheets[one.piece.id])) for one in pieces]
        is_double_sided = any(sheet.back is not None for one in printed for sheet in one.sheets)
        how = How(file, paper, Backs(self._request.backs), Turn(self._request.turn))
        return self._maker.cover(printed, how, is_double_sided=is_double_sided), is_double_sided
