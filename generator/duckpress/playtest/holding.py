"""The bounds of `rounds`, held against a modest number of games: a `playout` where they are surely broken."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.check.setup.rule_book import Book
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Level, Problem
from duckpress.model import Game
from duckpress.model.setup import Amount, PlayBound, Rounds
from duckpress.playtest.playouts import Playouts, playtest
from duckpress.playtest.way_rounds import no_event, rounds_of

CHECK_RUNS = 25
CHECK_SEED = "check"


def playout_problems(game: Game, players: int | None = None, variant: str | None = None) -> list[Problem]:
    """Return what is wrong with the rounds of a game: what cannot be played, and figures beyond their bounds.

    Each variant is played by itself where it has rounds of its own. Code: `playout`, and those of expressions.
    """
    setup = game.setup
    if setup is None:
        return []
    book = Book(game, setup)
    own = [part for part in setup.variants.values() if part.rounds is not None]
    names = [None, *(part.id for part in own)] if variant is None else [None if variant == "base" else variant]
    problems: list[Problem] = []
    for name in names:
        rounds = rounds_of(book, name)
        if rounds is None:
            continue
        problems += [] if problems else no_event(rounds)
        for count in game.players if players is None else (players,):
            played = playtest(game, count, name, CHECK_RUNS if rounds.bounds else 1, CHECK_SEED, 1, is_check=True)
            found = [played] if isinstance(played, Problem) else [*_endless(played, rounds), *_held_all(played, rounds)]
            problems += [one for one in found if all((one.source, one.what) != (p.source, p.what) for p in problems)]
            if isinstance(played, Problem):
                break
    return [problem._replace(game=game.id) for problem in problems]


def _endless(played: Playouts, rounds: Rounds) -> Iterator[Problem]:
    """Yield a warning where games are not over after as many rounds as are allowed."""
    if played.unfinished:
        what = f"a game may not be over after {limit('playout-rounds')} rounds, and is broken off"
        fix = f"say with 'until' when it ends; {how_to_raise('playout-rounds')}"
        source = rounds.until.source if rounds.until is not None else rounds.source
        yield Problem("playout", source, what, fix, Level.WARNING)


def _held_all(played: Playouts, rounds: Rounds) -> Iterator[Problem]:
    for bound in rounds.bounds.values():
        yield from _held(played, bound)


def _held(played: Playouts, bound: PlayBound) -> Iterator[Problem]:
    """Yield a problem where a figure is beyond its bound, and a note where so many games cannot tell."""
    is_rounds = bound.name == "rounds"
    event = played.events.get(bound.name)
    if event is None and not is_rounds:
        return
    figure = played.rounds if event is None else event
    mean = played.rounds.mean if event is None else event.share
    for amount, sign, words in ((bound.at_least, 1, "at least"), (bound.at_most, -1, "at most")):
        wanted = _number(amount, played.players)
        if amount is None or wanted is None:
            continue
        worst, best = (figure.low, figure.high) if sign > 0 else (figure.high, figure.low)
        if sign * (worst - wanted) >= -1e-9:
            continue
        is_sure = sign * (best - wanted) < -1e-9
        has = f"{mean:.1f} rounds are played" if is_rounds else f"{bound.name!r} happens {mean:.1%} of the times"
        should = f"{wanted:g}" if is_rounds else f"{wanted:.1%}"
        span = f"{figure.low:.1f} to {figure.high:.1f}" if is_rounds else f"{figure.low:.1%} to {figure.high:.1%}"
        what = f"{has}, and it should be {words} {should}"
        if not is_sure:
            what = f"{has}, which may be {words} {should} or not"
        at = f"{played.players} players" if played.players != 1 else "1 player"
        what = f"{at}: {what} ({span} in {played.runs} games)"
        fix = "change the amounts or the rounds, or the bound"
        level = bound.level if is_sure else Level.NOTE
        yield Problem("playout", amount.source, what, "" if level is Level.NOTE else fix, level,
                      players=played.players, variant=played.variant)  # fmt: skip


def _number(amount: Amount | None, players: int) -> float | None:
    expression = amount.expression(players) if amount is not None else None
    if expression is None:
        return None
    number = float(expression.text.rstrip("% "))
    return number / 100 if expression.text.endswith("%") else number
