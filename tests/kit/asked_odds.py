"""Questions about a small game of some decks: its book, and what comes of a question."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from duckpress.chance import Odds, checked_question, odds_of
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game
from duckpress.core.problems import Problem, Source
from duckpress.model.setup import Expression
from running import MakeWorkspace

HEAD = "title: D\nsize: poker\nfront: f\n"
GAME = "title: P\nversion: '0.1'\nplayers: 2-4\nlanguages: [en]\npieces: [{id: cards, title: Cards, decks: [%s]}]\n"


def book_of(make_workspace: MakeWorkspace, setup: str, decks: Mapping[str, str]) -> Book:
    """Return the book of a game of a setup and decks (id -> fields and cards)."""
    files = {"content/p/game.yaml": GAME % ", ".join(decks), "content/p/setup.yaml": setup}
    files |= {f"content/p/decks/{name}.yaml": HEAD + deck for name, deck in decks.items()}
    game, problems = load_game(make_workspace(files), "p")
    assert game is not None
    assert game.setup is not None
    assert not problems, problems
    return Book(game, game.setup)


def asked(book: Book, text: str, players: int = 3, **more: int) -> Odds | Problem | list[Problem]:
    question = checked_question(book, Expression(text, Source("question", 1, 1)), [None])
    return question if isinstance(question, list) else odds_of(book, question, players, None, **more)  # type: ignore[arg-type]


def exactly(book: Book, text: str, players: int = 3) -> Fraction:
    """Return how likely something is, which is known exactly."""
    odds = asked(book, text, players)
    assert isinstance(odds, Odds), odds
    assert (odds.method, odds.low, odds.high) == ("exact", odds.probability, odds.probability)
    return odds.probability
