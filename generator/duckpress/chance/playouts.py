"""Many games played, by several processes, and what they come to as figures with an interval of confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from duckpress.chance.playing import Player, Tally, rounds_of
from duckpress.check.expressions import Spent, Stopped
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem, Source
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Game
from duckpress.model.setup import Rounds
from duckpress.pool.parallel import in_parts, shares

_Z = 2.576  # of a normal distribution: so many standard deviations on both sides hold 99 % of it
_PARTS = 32


class Spread(Struct, frozen=True):
    """How a number is distributed over games: its mean with the interval that holds it with a confidence of 99 %."""

    least: int
    median: float
    most: int
    mean: float
    low: float
    high: float
    counts: Mapping[int, int]

    @staticmethod
    def of(counts: Mapping[int, int]) -> Spread:
        numbers = sorted(counts)
        runs = sum(counts.values())
        total = sum(number * count for number, count in counts.items())
        squares = sum(number * number * count for number, count in counts.items())
        mean = total / runs  # and the variance from whole numbers, so that no order of additions shows
        margin = _Z * sqrt((runs * squares - total * total) / runs / max(runs - 1, 1) / runs)
        middle = (_at(counts, numbers, (runs - 1) // 2) + _at(counts, numbers, runs // 2)) / 2
        return Spread(numbers[0], middle, numbers[-1], mean, mean - margin, mean + margin, dict(sorted(counts.items())))


class EventShare(Struct, frozen=True):
    """How often an event happened: of the times that it was looked at, with an interval, and in how many games."""

    share: float
    low: float
    high: float
    looks: int
    of_games: float
    times: Spread


class Playouts(Struct, frozen=True):
    """What came of many games of one setup at one player count."""

    players: int
    variant: str | None
    runs: int
    unfinished: int
    rounds: Spread
    dry: Mapping[str, Spread | None]  # place -> the round in which it first ran dry, in the games in which it did
    dry_games: Mapping[str, float]
    reshuffles: Mapping[str, Spread]
    left: Mapping[str, Spread]
    short: Mapping[str, float]  # place -> in how much of the games a step of it was not supplied in full
    events: Mapping[str, EventShare]
    idle_takes: Mapping[Source, Problem | None] = {}  # take that no round supplies -> that the setup leaves it nothing


def rounds_known(game: Game, variant: str | None) -> Rounds | None:
    """Return the rounds of a setup of a game; None where it says nothing of them."""
    return rounds_of(Book(game, game.setup), variant) if game.setup is not None else None


def playtest(
    game: Game, players: int, variant: str | None, runs: int, seed: str, jobs: int, *, is_check: bool = False
) -> Playouts | Problem:
    """Return what comes of many games, the same for any number of jobs; a problem where they cannot be played.

    Each game may take as many steps as a deal does; in a check all of them together.
    """
    assert game.setup is not None
    book = Book(game, game.setup, Calculator(SETUP))
    rounds = rounds_of(book, variant)
    assert rounds is not None
    try:
        player = Player(book, rounds, players, variant)
        parts = shares(runs, _PARTS if jobs > 1 else 1)
        whole = Tally()

        def work(part: int) -> Tally:
            return player.play(parts[part], seed, has_own_budget=not is_check)

        for tally in in_parts(work, len(parts), jobs):
            whole.add(tally)
        return replace(summed_up(whole, players, variant), idle_takes=player.idle_takes(whole))
    except Stopped as stopped:
        return stopped.problem or Problem("setup-stopped", rounds.source, "the rounds cannot be computed")
    except Spent as spent:
        return spent.problem


def summed_up(tally: Tally, players: int, variant: str | None) -> Playouts:
    runs = tally.runs
    dry = {place: {at: count for at, count in counts.items() if at} for place, counts in tally.figures["dry"].items()}
    return Playouts(
        players, variant, runs, tally.unfinished, Spread.of(tally.rounds),
        {place: Spread.of(counts) if counts else None for place, counts in dry.items()},
        {place: sum(counts.values()) / runs for place, counts in dry.items()},
        {place: Spread.of(counts) for place, counts in tally.figures["reshuffles"].items()},
        {place: Spread.of(counts) for place, counts in tally.figures["left"].items()},
        {place: sum(counts.values()) / runs for place, counts in tally.figures["short"].items()},
        {name: _share(counts, tally.looks[name], runs) for name, counts in tally.figures["events"].items()},
    )  # fmt: skip


def _share(counts: Counter[int], looks: int, runs: int) -> EventShare:
    """Return the share of an event, with Wilson's interval.

    Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    times, n, z = sum(number * count for number, count in counts.items()), max(looks, 1), _Z
    share = times / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    margin = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = max(0.0, middle - margin), min(1.0, middle + margin)
    return EventShare(share, low, high, looks, 1 - counts[0] / runs, Spread.of(counts))


def _at(counts: Mapping[int, int], numbers: list[int], index: int) -> int:
    for number in numbers:
        index -= counts[number]
        if index < 0:
            return number
    return numbers[-1]
