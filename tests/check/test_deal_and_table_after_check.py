"""What `deal` and `table` do where the check has passed, or its findings are accepted: no exception, nothing untrue."""

from __future__ import annotations

import pytest

from duckpress.check import Deal, check_game, deal_cards, setup_table
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.model import Accepted, Game
from small_games import small_game

SKIPPED = """\
setup:
  - row: river
    only: 2
    take: {duck: 1}
  - pile: rest
    take: {river: all, duck: 2}
  - row: never
    when: players > 9
    take: {duck: 3}
    note: Lay out three.
"""


def game(setup: str, *accepted: str) -> Game:
    notes = [Accepted(code, "so be it", Source("content/small/game.yaml")) for code in accepted]
    return small_game(setup, accepted=notes, duck=12)


def test_all_of_a_place_that_no_step_has_formed_is_nothing() -> None:
    assert not has_errors(check_game(game(SKIPPED)))
    for players, count in ((2, 3), (3, 2)):
        deal = deal_cards(game(SKIPPED), players, "x")
        assert isinstance(deal, Deal)
        assert [len(held.cards) for held in deal.places if held.place == "rest"] == [count]


def test_the_note_of_a_step_that_never_happens_is_not_said() -> None:
    assert setup_table(game(SKIPPED)).notes == ()


@pytest.mark.parametrize(
    ("amount", "code"),
    [("3 / players", "not-whole"), ("2 - players", "negative-amount"), ("{2: 1}", "missing-count"),
     ("nix", "unknown-name")],
)  # fmt: skip
def test_what_cannot_be_computed_is_told_even_where_it_is_accepted(amount: str, code: str) -> None:
    setup = f"setup:\n  - row: river\n    take: {{duck: {amount}}}\n"
    assert not has_errors(check_game(game(setup, code)))
    told = deal_cards(game(setup, code), 4, "x")
    assert isinstance(told, Problem)
    assert told.code == (code if code != "unknown-name" else "setup-stopped")
    assert (told.source.line, told.players) == (3, 4)
    cells = {row.players: set(row.cells.values()) for row in setup_table(game(setup, code)).rows}
    assert cells[4] == {None}


def test_no_place_holds_less_than_no_cards() -> None:
    setup = "setup:\n  - pile: stock\n    take: {duck: 4}\n  - row: river\n    take: {stock: 5}\n"
    table = setup_table(game(setup, "not-enough"))
    assert [dict(row.cells)["stock size"] for row in table.rows] == [0, 0, 0]


@pytest.mark.parametrize(
    "more", ["table:\n  odd: {shows: 6 // (players - 2)}\n", "notes: ['Take {{ 6 // (players - 2) }}.']\n"]
)
def test_what_a_table_cannot_show_is_told(more: str) -> None:
    (problem,) = check_game(game("setup:\n  - row: river\n    take: {duck: all}\n" + more))
    assert (problem.code, problem.players) == ("bad-expression", 2)
