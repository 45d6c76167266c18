"""Ducks in a Row: its table number by number, and the rule as written, which cannot be dealt to six."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from duckpress.check import check_game, copies_for, setup_table
from duckpress.content import load_game
from duckpress.core.problems import Source
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from small_games import said, small_game

AS_WRITTEN = """
setup:
  - hand: hand
    take: {cards: 9}
  - aside: set aside
    take: {cards: all}
"""


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    found, problems = load_game(project, "ducks-in-a-row")
    assert found is not None, problems
    return found


def test_the_table(game: Game) -> None:
    table = setup_table(game)
    assert [column.key for column in table.columns] == ["dealt", "left", "jokers"]
    assert {row.players: tuple(row.cells.values()) for row in table.rows} == {
        3: (27, 25, 0),
        4: (36, 16, 0),
        5: (45, 7, 0),
        6: (54, 0, 2),
    }


def test_no_findings(game: Game) -> None:
    assert said(check_game(game)) == []


def test_jokers_are_printed_only_for_six(game: Game) -> None:
    def jokers(players: int | None) -> int:
        return sum(copies for (deck, _), copies in copies_for(game, players).items() if deck == "jokers")

    assert [jokers(players) for players in (3, 4, 5, 6, None)] == [0, 0, 0, 2, 2]


def test_aids_are_printed_one_for_each_player(game: Game) -> None:
    assert sum(n for (deck, _), n in copies_for(game, 4).items() if deck == "aid") == 4
    assert sum(n for (deck, _), n in copies_for(game, None).items() if deck == "aid") == 6


def test_the_rule_as_written_cannot_be_dealt_to_six() -> None:
    (problem,) = check_game(small_game(AS_WRITTEN, cards=52, players=(3, 4, 5, 6)))
    assert str(problem) == (
        "content/small/setup.yaml:4:19: error[not-enough]: 6 players: 'hand' needs 54 cards of 'cards' "
        "(9 for each player), which has 52: 2 too few\n"
        "    fix: add 2 cards to 'cards', or play with at most 5 players"
    )
    assert (problem.players, problem.variant, problem.game) == (6, None, "small")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("hand", [8, 10])
def test_another_hand_breaks_the_arithmetic_of_the_rounds(game: Game, hand: int) -> None:
    assert game.facts["hand size"] == 9
    problems = check_game(replace(game, facts={**game.facts, "hand size": hand}))
    whats = [problem.what for problem in problems]
    assert f"7 rounds, one card for the row and one discarded should use a hand of {hand} up" in whats
    assert all(problem.source != Source("") and re.match(r"content/", problem.source.file) for problem in problems)
