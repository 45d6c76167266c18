"""The first stage: a game's files are read, and findings that its designer accepts become notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check import SetupTable, accept_findings, check_game, setup_table
from duckpress.content import load_game
from duckpress.content.loading import ReadGame, read_games
from duckpress.core.problems import Problem, has_errors, sorted_problems
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.pool.parallel import jobs

if TYPE_CHECKING:
    from duckpress.layout import LaidOut
    from duckpress.press.build_cache import BuildCache


class GameFindings(Struct, frozen=True):
    """A game and all findings about it so far; `game` is None if its files are too broken."""

    game_id: str
    game: Game | None
    problems: tuple[Problem, ...]

    @property
    def has_errors(self) -> bool:
        return has_errors(self.problems)


class Loaded(GameFindings, frozen=True):
    """A game as read from its files, and the problems of form.

    `answers` are what reading it in another process asked of the workspace. `frames` are the faces that earlier runs
    left, for whoever lays the game out: those that are still the same are not laid out again.
    """

    frames: BuildCache | None = None
    answers: Mapping[str, str] = {}


class Checked(GameFindings, frozen=True):
    """A checked game; `pieces` are typeset (none if it could not be loaded).

    `before_layout` are the problems that were found before it was laid out for a screen.
    """

    pieces: tuple[LaidOut, ...] = ()
    before_layout: tuple[Problem, ...] = ()

    @property
    def shrunk(self) -> list[dict[str, Any]]:
        """Every text set smaller than its style, as JSON; the common back of all cards has no card id."""
        return [
            {"game": self.game_id, "piece": one.piece.id, **fit._asdict()} for one in self.pieces for fit in one.fits
        ]


def load(workspace: Workspace, game_id: str) -> Loaded:
    return _loaded(game_id, ReadGame(*load_game(workspace, game_id), {}))


def load_all(workspace: Workspace, games: Sequence[str], next_module: str = "") -> list[Loaded]:
    """Return several games, read by other processes while this one imports the next stage."""
    return [_loaded(*pair) for pair in zip(games, read_games(workspace, games, jobs(), next_module), strict=True)]


def _loaded(game_id: str, read: ReadGame) -> Loaded:
    problems = accept_findings(read.game, read.problems) if read.game is not None else read.problems
    return Loaded(game_id, read.game, named(game_id, problems), answers=read.answers)


def named(game_id: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems sorted, each with its game's id."""
    return tuple(sorted_problems(problem if problem.game else problem._replace(game=game_id) for problem in problems))


def player_counts(counts: Sequence[int]) -> str:
    """Return `2-6`, `10` or `2, 4`."""
    if len(counts) > 1 and [*counts] == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))


def variants_of(game: Game) -> tuple[str, ...]:
    return tuple(game.setup.all_variants) if game.setup is not None else ()


def tables(loaded: Loaded, way: str | None = None) -> tuple[Loaded, list[SetupTable]]:
    """Return a game with the problems of its setup, and its setup tables: the plain one, each variant's and module's.

    `way` is the name of a variant and modules of which the table is asked for alone.
    """
    game = loaded.game
    if game is None or game.setup is None:
        return loaded, []
    problems = named(game.id, [*loaded.problems, *check_game(game, None, way)])
    ways = (None, *variants_of(game)) if way is None else (way,)
    return replace(loaded, problems=problems), [setup_table(game, one) for one in ways]


def apply_finish(loaded: Loaded, finish: str | None) -> Loaded:
    """Return a game to be printed in a finish (None: its own): all later stages take it from the game."""
    if finish is None or loaded.game is None:
        return loaded
    return replace(loaded, game=replace(loaded.game, finish=finish))


def translate(workspace: Workspace, game: Game, language: str | None) -> tuple[Game, Sequence[Problem]]:
    """Return a game in a language (None: its first), and the problems of the translation."""
    if language is None or language == game.language:
        return game, []
    from duckpress.content.translations.translation_file import in_language

    translated = in_language(workspace, game, language)
    return translated.game, translated.problems
