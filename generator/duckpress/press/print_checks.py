"""A game that has been read -> what stands against printing it, before its cards are laid out."""

from __future__ import annotations

from duckpress.check import check_game
from duckpress.core.problems import Problem
from duckpress.model import Game
from duckpress.press.reading import Checked, Loaded, named
from duckpress.press.request import Request, Step
from duckpress.store import COVER


def check_to_print(loaded: Loaded, request: Request, step: Step) -> Checked:
    """Return a game that has been read with everything that can be said of it before its cards are laid out."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return Checked(loaded.game_id, game, loaded.problems)
    step("checking")
    return Checked(game.id, game, named(game.id, [*loaded.problems, *check_game(game), *cover_problems(game, request)]))


def wants_cover(game: Game, request: Request) -> bool:
    """Return whether bundles of sheets begin with a cover sheet: as asked for, else as the game says.

    With some pieces only there is no bundle; backs printed alone lie behind fronts that had theirs.
    """
    is_wanted = game.has_cover if request.has_cover is None else request.has_cover
    return is_wanted and not request.pieces and request.backs != "only"


def cover_problems(game: Game, request: Request) -> list[Problem]:
    """Return what keeps a cover sheet from being printed. Problem: `duplicate-id` where a piece bears its id."""
    what = f"the piece id {COVER!r} is taken by the cover sheet"
    return [
        Problem("duplicate-id", piece.source, what, "call the piece otherwise, or build with --no-cover")
        for piece in game.pieces
        if piece.id == COVER and wants_cover(game, request)
    ]
