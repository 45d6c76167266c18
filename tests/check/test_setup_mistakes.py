"""Setups with mistakes: every problem at the line and column that its comment names, and no other.

What is found in small setups, in full, is text that is looked at when it changes: the files of `golden/findings` have a
setup after each line of `===`, and what is found in it after `---`. Another setup there and --update-golden say it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.check import check_game
from duckpress.core.problems import Level, Problem
from duckpress.model import Deck
from rich_setup import rich_game
from small_games import SETUP, duck_deck, owned_deck, small_deck, small_game

_FILES = sorted(Path(__file__).with_name("mistakes").glob("*.yaml"))
_EXPECT = re.compile(r"([a-z-]+) at (\d+)")


def _decks(line: str) -> list[Deck]:
    made = []
    for words in line.removeprefix("# decks: ").split(", "):
        name, *count = words.split()
        made.append(small_deck(name, int(count[0])) if count else {"duck": duck_deck, "blind": owned_deck}[name]())
    return made


@pytest.mark.parametrize("path", _FILES, ids=[path.stem for path in _FILES])
def test_mistakes_are_found_where_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    expected = {
        (number, int(column), code)
        for number, line in enumerate(lines, 1)
        if "# expect: " in line
        for code, column in _EXPECT.findall(line.split("# expect: ")[1])
    }
    game = small_game(text, *_decks(lines[0]), facts={"hand size": 4})
    problems = check_game(game)
    found = {(one.source.line, one.source.column, one.code) for one in problems if one.source.file == SETUP}
    assert found == expected
    assert len(problems) == len({(one.code, one.source, one.players, one.variant) for one in problems})


GOLDEN = Path(__file__).with_name("golden") / "findings"


def setups(path: Path) -> dict[str, str]:
    parts = path.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text.partition("---\n")[0] for name, _, text in (part.partition("\n") for part in parts)}


def line(problem: Problem) -> str:
    at = f"{problem.source.line}:{problem.source.column} {problem.level.value} {problem.code}"
    if problem.players is not None and str(problem.players) not in problem.what:
        at = f"{at} at {problem.players}"
    return f"{at}: {problem.what}\n    {problem.fix}\n"


def found(name: str, setup: str) -> str:
    """Return what is found in a setup with the decks of the rich game, and one of kinds."""
    is_about_cards = "cards" in name  # that most setups take no card of a deck is told once
    kinds = [{"id": f"k{at}", "copies": at % 3, "kind": f"kind {at}", "of": "a"} for at in range(14)]
    kinds += [{"id": "extra", "kind": "kind 1", "of": "b"}, {"id": "none", "kind": None, "of": None}]
    problems = check_game(rich_game(setup, small_deck("kinds", kinds)))
    return "".join(line(problem) for problem in problems if is_about_cards or problem.code != "unused-cards")


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.stem)
def test_what_is_found_is_what_was_found(path: Path, golden: Callable[[Path, str], None]) -> None:
    every = {name: (setup, found(name, setup)) for name, setup in setups(path).items()}
    assert {name: problems for name, (_, problems) in every.items() if name.startswith("sound") and problems} == {}
    golden(path, "".join(f"=== {name}\n{setup}---\n{problems}" for name, (setup, problems) in every.items()))


def test_a_total_is_the_same_at_every_player_count() -> None:
    text = "setup:\n  - pile: draw\n    take: {cards: all}\ntotals:\n  cards: 2 * players\n"
    game = small_game(text, cards=4, players=[2, 3, 4])
    assert [(one.code, one.level, one.what, one.players) for one in check_game(game)] == [
        ("wrong-total", Level.WARNING, "'cards' should have 6 cards, and the cards come to 4", 3)
    ]
