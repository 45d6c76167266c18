"""The playouts of a game as somebody asks for them: at some player counts, in one setup."""

from __future__ import annotations

from duckpress.check import check_game
from duckpress.core.problems import Problem, has_errors
from duckpress.playtest import Playouts, playtest
from duckpress.press.reading import GameFindings, Loaded, named


class PlayedOften(GameFindings, frozen=True):
    """A game, and what came of playing it at each player count."""

    playouts: tuple[Playouts, ...] = ()


def play_often(
    loaded: Loaded, players: int | None, variant: str | None, runs: int, seed: str, jobs: int
) -> PlayedOften:
    """Return what comes of playing a game so often; nothing where an error stands, or it cannot be played."""
    game = loaded.game
    if game is None or loaded.has_errors:
        return PlayedOften(loaded.game_id, game, loaded.problems)
    found = check_game(game, None, variant or "base")
    problems = [*loaded.problems, *(one for one in found if players is None or one.players in (None, players))]
    playouts: list[Playouts] = []
    for count in () if has_errors(problems) else game.players if players is None else (players,):
        played = playtest(game, count, variant, runs, seed, jobs)
        if isinstance(played, Problem):
            problems.append(played)
            break
        playouts.append(played)
    return PlayedOften(game.id, game, named(game.id, problems), tuple(playouts))
