"""docs/odds.md: its examples say what the page says, of the bundled games, and its words are those of the program."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import ROOT, Page

from duckpress.chance import checked_question
from duckpress.check.setup.rule_book import Book
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import open_workspace
from duckpress.model.setup import Expression
from duckpress.press.reading import load
from running import run, run_json

PAGE = Page("odds").text
GAMES = sorted(path.parent.name for path in (ROOT / "content").glob("*/game.yaml"))


def test_the_json_has_the_keys_of_the_page() -> None:
    data = run_json(ROOT, "odds", "duck-pens", "roll of 3 die has >= 1 where red")
    cells = re.findall(r"(?m)^\| ([^|]+) \|", PAGE.partition("## JSON")[2])
    assert [key for cell in cells for key in re.findall(r"`([^`]+)`", cell)] == list(data["odds"][0])
    assert data["odds"][1]["probability"] == 0.875
    assert set(data) == {"game", "odds", "problems"}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_asks_three_questions_that_are_exact(game: str) -> None:
    odds = run_json(ROOT, "odds", game)["odds"]
    assert len({one["question"] for one in odds}) == 3
    assert {one["method"] for one in odds} == {"exact"}


@pytest.fixture(scope="module")
def problems_of() -> Callable[[str], list[Problem]]:
    """Return a function that reads a question about a bundled game and gives what is wrong with it."""
    game = load(open_workspace(ROOT), "duck-blind").game
    assert game is not None
    assert game.setup is not None
    book = Book(game, game.setup)

    def read(question: str) -> list[Problem]:
        read = checked_question(book, Expression(question, Source("question", 1, 1)), [None])
        return read if isinstance(read, list) else []

    return read


def test_conditions_of_the_page_can_be_read(problems_of: Callable[[str], list[Problem]]) -> None:
    section = PAGE.partition("## What it has")[2].partition("What stands")[0]
    rows = re.findall(r"(?m)^\| `(.+?)`(?:, `(.+?)`)? \|", section)
    conditions = [condition for row in rows for condition in row if condition and "A" not in condition]
    assert len(conditions) >= 6
    assert [one for one in conditions if problems_of(f"hand of 5 from play deck has {one}")] == []


@pytest.mark.parametrize(
    ("question", "column", "says"),
    [
        ("hand of 5 from ply deck has a pair of species", 16, "did you mean 'play deck'"),
        ("hand of 5 from play deck has a pear of species", 32, "did you mean 'pair'"),
        ("hand of 5 from play deck has a pair of speces", 30, "did you mean 'species'"),
        ("hand of 5 from play deck has >= 1 where card.rara", 46, "did you mean 'rare'"),
        ("hand of 5 from play deck has >= x where card.rare", 33, "a number"),
        ("hand of 5 from play deck has >= 1 were card.rare", 35, "did you mean 'where'"),
        ("hand of 5 from play deck", 25, "has no 'has'"),
        ("2 hands of 5 from play deck has a pair of species", 29, "each has"),
        ("hand of 5 from play deck has (a pair of species", 48, "parenthesis"),
        ("roll of 2 duck has a pair of face", 11, "no deck of dice"),
        ("hand of 5 from play deck has a pair of species nd no where card.rare", 48, "did you mean 'and'"),
    ],
)
def test_a_question_that_is_wrong_says_where(
    question: str, column: int, says: str, problems_of: Callable[[str], list[Problem]]
) -> None:
    (problem,) = problems_of(question)
    assert problem.source.column == column
    assert says in f"{problem.what} {problem.fix}"


def test_a_command_says_where_a_question_is_wrong() -> None:
    done = run(ROOT, "odds", "duck-blind", "hand of 99 from play deck has a pair of species", status=2)
    assert "column 9:" in done.output
    assert "99 are drawn" in done.output


def test_a_chart_is_drawn(tmp_path: Path) -> None:
    for name, begins in (("odds.svg", b"<svg"), ("odds.png", b"\x89PNG")):
        run(ROOT, "odds", "duck-pens", "--chart", str(tmp_path / name), status=0)
        assert (tmp_path / name).read_bytes().startswith(begins)
    run(ROOT, "odds", "duck-pens", "--chart", str(tmp_path / "odds.pdf"), status=2)
