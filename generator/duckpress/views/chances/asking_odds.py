"""The odds of a game as somebody asks for them: one question, or those of its setup, at some player counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duckpress.check import check_game
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model.amounts import Expression
from duckpress.odds import Odds, checked_question, knows_place, odds_of, variants_for
from duckpress.press.reading import GameFindings, Loaded, named

_STEPS = 10**9  # of the budget of expressions: whoever asks for more runs waits for them
ASKED = Source("question", 1, 1)


class Answered(GameFindings, frozen=True):
    """A game, and the odds by the name of what was asked (its text, where it has none)."""

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
