"""The first stage: a game's files are read, and what its designer accepts is left out of what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from duckpress.check import accept_findings
from duckpress.content import load_game
from duckpress.content.parallel_load import ReadGame, read_games
from duckpress.core.problems import Problem, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.pool.parallel import jobs

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.press.faces.frame_store import FrameStore


class Loaded(Struct, frozen=True):
    """A game as its files say it, and the problems of form; `game` is None where they are too broken to go on.

    `answers` are what reading it in another process asked of the workspace. `frames` are the faces that earlier runs
    left, for whoever lays the game out: those that are still the same are not laid out again.
    """

    game_id: str
    game: Game | None
    problems: tuple[Problem, ...]
    frames: FrameStore | None = None
    answers: Mapping[str, str] = {}

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


class Checked(Struct, frozen=True):
    """A game with everything found about it; `pieces` are typeset (none where the game could not be loaded)."""

    game_id: str
    game: Game | None
    problems: tuple[Problem, ...]
    pieces: tuple[LaidOut, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


def load(workspace: Workspace, game_id: str) -> Loaded:
    """Return a game as its files say it."""
    return _loaded(game_id, ReadGame(*load_game(workspace, game_id), {}))


def load_all(workspace: Workspace, games: Sequence[str], next_module: str = "") -> list[Loaded]:
    """Return several games as their files say them, read by other processes while this one imports the next stage."""
    return [_loaded(*pair) for pair in zip(games, read_games(workspace, games, jobs(), next_module), strict=True)]


def _loaded(game_id: str, read: ReadGame) -> Loaded:
    game, problems, answers = read
    problems = accept_findings(game, problems) if game is not None else problems
    return Loaded(game_id, game, named(game_id, problems), answers=answers)


def named(game_id: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems sorted, each naming its game."""
    return tuple(sorted_problems(problem if problem.game else problem._replace(game=game_id) for problem in problems))


def variants_of(game: Game) -> tuple[str, ...]:
    """Return the ids of a game's variants."""
    return tuple(game.setup.variants) if game.setup is not None else ()
