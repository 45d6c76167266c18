"""The odds of a game as somebody asks for them: one question, or those of its setup, at some player counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.chance import Odds, Playouts, checked_question, knows_place, odds_of, playtest, variants_for
from duckpress.check import check_game
from duckpress.check.setup.combinations import counts_for
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model.setup import Expression
from duckpress.press.reading import GameFindings, Loaded, named

_STEPS = 10**9  # of the budget of expressions: whoever asks for more runs waits for them
ASKED = Source("question", 1, 1)


class Answered(GameFindings, frozen=True):
    """A game and the odds, by the name of each question, or its text where it has no name."""

    odds: Mapping[str, Sequence[Odds]] = {}


def ask_odds(
    loaded: Loaded, text: str | None, players: int | None, variant: str | None, *, runs: int, seed: str
) -> Answered:
    """Return the odds of a question, or of those of setup.yaml; none where an error stands.

    Problems of the question itself have the place `ASKED`, with the column.
    """
    game = loaded.game
    if game is None or game.setup is None or loaded.has_errors:
        return Answered(loaded.game_id, game, loaded.problems)
    found = check_game(game, None, variant or "base")
    problems = [*loaded.problems, *(one for one in found if players is None or one.players in (None, players))]
    if has_errors(problems):
        return Answered(game.id, game, named(game.id, problems))
    book = Book(game, game.setup, Calculator(SETUP, _STEPS))
    asked: list[tuple[str, Expression, tuple[int, ...] | None]] = []
    if text is not None:
        asked.append((text, Expression(text, ASKED), None))
    for rule in game.setup.odds if text is None else ():
        if variant in variants_for(book, rule):
            asked.append((rule.name, rule.ask, rule.only))
    answers: dict[str, list[Odds]] = {}
    for name, expression, only in asked:
        question = checked_question(book, expression, [variant])
        if isinstance(question, list):
            problems += question if text is not None or not _is_elsewhere(book, expression) else ()
            continue
        for count in book.counts_of(variant) if players is None else (players,):
            if (only is None or count in only) and knows_place(book, question, variant):
                odds = odds_of(book, question, count, variant, runs=runs, seed=seed)
                if isinstance(odds, Problem):
                    problems.append(odds)
                    break
                answers.setdefault(name, []).append(odds)
    return Answered(game.id, game, named(game.id, problems), answers)


def _is_elsewhere(book: Book, expression: Expression) -> bool:
    """Return whether a question that cannot be asked in one way to play can be asked in another."""
    return not isinstance(checked_question(book, expression, book.combinations()), list)


_MOST_BARS = 20  # for each player count


class PlayedOften(GameFindings, frozen=True):
    """A game and its playouts at each player count."""

    playouts: tuple[Playouts, ...] = ()


def play_often(
    loaded: Loaded, players: int | None, variant: str | None, runs: int, seed: str, jobs: int
) -> PlayedOften:
    """Return the playouts of `runs` games at each player count; none with an error, or if the game cannot be played."""
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
    """Return numbers of rounds in order, and for each of the playouts the percentage of its games with that number.

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
