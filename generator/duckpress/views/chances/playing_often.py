"""The playouts of a game as somebody asks for them: at some player counts, in one setup."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.check import check_game
from duckpress.check.setup.combinations import counts_for
from duckpress.core.problems import Problem, has_errors
from duckpress.playtest import Playouts, playtest
from duckpress.press.reading import GameFindings, Loaded, named

_MOST_BARS = 20  # for each player count


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
    counts = counts_for(game.setup, variant, game.players) if players is None else (players,)
    for count in () if has_errors(problems) else counts:
        played = playtest(game, count, variant, runs, seed, jobs)
        if isinstance(played, Problem):
            problems.append(played)
            break
        playouts.append(played)
    return PlayedOften(game.id, game, named(game.id, problems), tuple(playouts))


def shares_of_rounds(playouts: Sequence[Playouts]) -> tuple[list[str], list[dict[str, float]]]:
    """Return numbers of rounds in order, and for each of the playouts the percentage of its games that had so many.

    Where there are many different numbers, several that follow each other are taken together: `40-49`.
    """
    least = min(one.rounds.least for one in playouts)
    most = max(one.rounds.most for one in playouts)
    widths = (step * 10**power for power in range(8) for step in (1, 2, 5))
    width = next(width for width in widths if most - least < _MOST_BARS * width)
    starts = range(least - least % width, most + 1, width)
    names = [str(start) if width == 1 else f"{start}-{start + width - 1}" for start in starts]
    shares: list[dict[str, float]] = []
    for one in playouts:
        share = dict[str, float]()
        for rounds, games in one.rounds.counts.items():
            name = names[(rounds - starts[0]) // width]
            share[name] = share.get(name, 0) + 100 * games / one.runs
        shares.append(share)
    return names, shares
