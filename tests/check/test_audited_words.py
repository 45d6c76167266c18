"""What a setup is told is true and of use: beside rare shortages, in variants, for some seats, with rounded numbers."""

from __future__ import annotations

import pytest

from duckpress.check import Deal, check_game, deal_cards, setup_table
from duckpress.core.problems import Problem, Source
from duckpress.views.grouping import grouped
from small_games import small_deck, small_game

KINDS = small_deck("duck", [{"id": "a", "copies": 20, "kind": "a"}, {"id": "b", "copies": 10, "kind": "b"}])
DRAW = """\
setup:
  - {pile: draw, take: {duck: 14}}
  - {row: shown, take: {duck: {where: card.kind == 'b', count: 1}}}
"""


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("that", "is_", "what"),
    [
        ("count('duck')", 31, "count('duck') is 30, and should be 31"),
        ("taken('duck')", 16, "taken('duck') is 15, and should be 16"),
        ("draw + shown", 16, "draw + shown is 15, and should be 16"),
        ("left('duck')", 15, ""),
    ],
)
def test_what_is_expected_beside_a_shortage_of_some_draws_is_looked_at_in_the_others(
    that: str, is_: int, what: str
) -> None:
    """A few draws of which too few cards are left used to silence whatever was expected of that deck."""
    setup = f"{DRAW}expect:\n  - that: {that}\n    is: {is_}\n"
    unlucky, *others = check_game(small_game(setup, KINDS, players=[2]))
    assert unlucky.code == "unlucky-draw"
    assert [(one.code, what in one.what) for one in others] == ([("expectation", True)] if what else [])


def test_a_table_has_the_numbers_of_the_choices_that_leave_enough() -> None:
    setup = "setup:\n  - {slot: flag, each: player, take: {side: {choose: 1}}}\n"
    setup += "  - {hand: coins, take: {coin: \"sum('flag', 'start')\"}}\n"
    sides = small_deck("side", [{"id": f"s{start}", "start": start} for start in (3, 4, 5, 7)])
    (row,) = setup_table(small_game(setup, sides, players=[3], coin=13)).rows
    assert row.cells["coins size"] == "3-5"  # with 7 there are too few


def test_what_the_basic_game_holds_and_a_variant_not_may_be_for_the_basic_game() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: 2}}
expect:
  - {that: hand, is: 2}
variants:
  open: {setup: [{hand: hand, replaces: hand, take: {duck: 3}}]}
"""
    (failed,) = check_game(small_game(setup, duck=12))
    assert failed.fix.endswith("or say with 'for' what it is for, such as 'for: base'")
    assert check_game(small_game(setup.replace("is: 2}", "is: 2, for: base}"), duck=12)) == []
    spoken = setup.replace("is: 2}", "is: 2 if variant == '' else 4}")
    assert check_game(small_game(spoken, duck=12))[0].fix.endswith("or expect 3")


def test_a_place_that_there_is_not_has_no_number_in_the_table() -> None:
    setup = """\
setup:
  - {pile: draw, take: {duck: all}}
  - {row: dummy, only: 2, take: {draw: 1}}
  - {row: some, take: {draw: players - 2}}
table:
  dummy: {title: A}
  counted: {title: B, shows: "count('dummy')"}
  some: {title: C}
  more: {title: D, shows: dummy + players}
"""
    rows = setup_table(small_game(setup, duck=12, players=[2, 3])).rows
    assert [list(row.cells.values()) for row in rows] == [[1, 1, 0, 3], ["", "", 1, 3]]


def test_each_player_count_has_its_own_figure_of_an_amount_below_nothing() -> None:
    problems = check_game(small_game("setup:\n  - {row: a, take: {duck: 2 - players}}\n", duck=12, players=[2, 3, 4]))
    told = [(one.code, one.players, one.what[-2:]) for one in problems if one.code != "unused-cards"]
    assert told == [("negative-amount", 3, "-1"), ("negative-amount", 4, "-2")]
    assert len({one.cause for one in problems if one.code == "negative-amount"}) == 1


def test_one_is_one() -> None:
    setup = "setup:\n  - {pile: draw, take: {duck: {1: 1, 2: 3}}}\n"
    setup += "  - {slot: b, take: {draw: {where: card.kind == 'b', count: 1}}}\n"
    extra = check_game(small_game(setup, KINDS, players=[2]))[0]
    assert extra.what.startswith("an amount is given for 1 player, ")
    told = [deal_cards(small_game(setup, KINDS, players=[2]), 2, str(seed)) for seed in range(12)]
    assert {type(one) for one in told} == {Deal, Problem}
    assert "needs 1 card, and there are 0" in next(one.what for one in told if isinstance(one, Problem))


def test_whose_something_is_is_no_figure_that_grows() -> None:
    setup = "setup:\n  - {hand: hand, take: {duck: {choose: 1}}}\n"
    setup += "  - {row: row, take: {duck: {where: card.kind == 'a', count: 1}}}\n  - {pile: rest, take: {duck: all}}\n"
    ducks = small_deck("duck", [{"id": kind, "copies": 2, "kind": kind} for kind in "abc"])
    (told,) = grouped(check_game(small_game(setup, ducks, players=[2, 3])))
    assert told.what.startswith("at every player count; at worst, 3 players: if player 2 picks 'a' and player 3 picks")


def test_what_is_expected_of_a_place_of_each_knows_whose_it_is() -> None:
    setup = """\
seats: {teams: seat % 2 + 1}
setup:
  - {pile: bag, each: team, take: {duck: 2 * team}}
  - {row: stack, each: 3, take: {duck: nth}}
  - {hand: hand, take: {duck: 1}, remove: seat - seat}
expect:
  - {that: bag, is: 2 * team}
  - {that: stack == nth}
  - {that: bag, is: 3, when: team == 1}
  - {that: count('hand') == 1 and seat > 1}
"""
    problems = check_game(small_game(setup, duck=24, players=[2]))
    told = [(one.source.line, one.what.partition(", ")[0]) for one in problems]
    assert told == [(9, "2 players: for team 1"), (10, "2 players: for player 1")]
    common = check_game(small_game(setup.replace("count('hand')", "total('hand')"), duck=24, players=[2]))
    assert "unknown-name" in {one.code for one in common}


def test_shares_of_as_many_draws_are_one_range() -> None:
    problems = [
        Problem("unlucky-draw", Source("x", 1), f"{n} players: in {n * 50} of 400 draws tried: short", "", players=n,
                cause="c", occurs="at 2 and 3 players")
        for n in (2, 3)
    ]  # fmt: skip
    (told,) = grouped(problems)
    assert told.what == "at 2 and 3 players: in 100 to 150 of 400 draws tried: short"
