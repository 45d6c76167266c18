"""What is found in small setups, in full: every word, place and way out, as text that is looked at when it changes.

`golden/findings.txt` has a setup after each line of `===`, and what is found in it after `---`; another setup there and
--update-golden say what is found in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.check import check_game
from duckpress.core.problems import Problem
from rich_setup import rich_game
from small_games import small_deck

GOLDEN = Path(__file__).with_name("golden") / "findings.txt"
SETUPS = {
    name: text.partition("---\n")[0]
    for name, _, text in (part.partition("\n") for part in GOLDEN.read_text(encoding="utf-8").split("=== ")[1:])
}


def line(problem: Problem) -> str:
    at = f"{problem.source.line}:{problem.source.column} {problem.level.value} {problem.code}"
    return f"{at}: {problem.what}\n    {problem.fix}\n"


def found(name: str) -> str:
    """Return what is found in a setup with the decks of the rich game, and one of kinds."""
    is_about_cards = "cards" in name  # that most setups take no card of a deck is told once
    kinds = [{"id": f"k{at}", "copies": at % 3, "kind": f"kind {at}", "of": "a"} for at in range(14)]
    kinds += [{"id": "extra", "kind": "kind 1", "of": "b"}, {"id": "none", "kind": None, "of": None}]
    problems = check_game(rich_game(SETUPS[name], small_deck("kinds", kinds)))
    return "".join(line(problem) for problem in problems if is_about_cards or problem.code != "unused-cards")


def test_what_is_found_is_what_was_found(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN, "".join(f"=== {name}\n{setup}---\n{found(name)}" for name, setup in SETUPS.items()))


@pytest.mark.parametrize("name", [name for name in SETUPS if name.startswith("sound")])
def test_a_sound_setup_has_no_findings(name: str) -> None:
    assert found(name) == ""
