"""The language says the setups of other games: kept here as setups only, with decks of equal cards."""

from __future__ import annotations

import pytest

from duckpress.check import check_game, copies_for, setup_table
from small_games import said, small_deck, small_game

COLOURED = [{"id": f"colour-{number}", "copies": 6, "colour": number} for number in range(1, 7)]

# Six colours of six cards; each player starts with one card and shuffles the other five into the pile, with water.
LINE_GAME = """
setup:
  - slot: own
    each: player
    take: {duck: {where: card.colour == seat, count: 1}}
  - pile: pile
    take:
      duck: {where: card.colour <= players, count: 5 * players}
      water: {2-3: 2, 4: 3, 5: 4, 6: 5}
  - hand: hand
    take: {action: 3}
  - row: line
    take: {pile: 6}
    slots: 6
  - slot: targets
    take: {target: 6}
table:
  ducks: {shows: taken('duck') - players}
  water: {shows: taken('water')}
  whole: {shows: pile + line}
  left: {shows: pile}
  actions: {shows: left('action')}
totals:
  action: 59
  duck cards: {of: [duck, water], count: 41}
expect:
  - {that: pile + line, is: {2: 12, 3: 17, 4: 23, 5: 29, 6: 35}}
  - {that: pile, is: {2: 6, 3: 11, 4: 17, 5: 23, 6: 29}}
  - {that: left('action'), is: {2: 53, 3: 50, 4: 47, 5: 44, 6: 41}}
"""

# Forty numbers, five doubling and five negation cards in one deck: five each for exactly ten, none left over.
BLIND_MATCH = """
setup:
  - pile: deck
    take: {number: all, doubling: all, negation: all}
  - hand: hand
    take: {deck: 5}
expect:
  - that: deck == 0
    say: "{{ deck }} cards are left over"
  - that: count('number', where="card.value == 1") == 4
  - that: sum('number', 'value') == 4 * 55
totals:
  match: {of: [number, doubling, negation], count: 50}
"""
NUMBERS = [{"id": f"n-{value}", "copies": 4, "value": value} for value in range(1, 11)]


def test_a_line_of_ducks_comes_out_at_every_player_count() -> None:
    game = small_game(LINE_GAME, small_deck("duck", COLOURED), water=5, action=59, target=6, players=range(2, 7))
    assert said(check_game(game)) == []
    table = setup_table(game)
    assert [tuple(row.cells.values()) for row in table.rows] == [
        (10, 2, 12, 6, 53),
        (15, 2, 17, 11, 50),
        (20, 3, 23, 17, 47),
        (25, 4, 29, 23, 44),
        (30, 5, 35, 29, 41),
    ]


def test_unused_colours_stay_in_the_box() -> None:
    game = small_game(LINE_GAME, small_deck("duck", COLOURED), water=5, action=59, target=6, players=range(2, 7))
    copies = copies_for(game, 3)
    assert [copies["duck", f"colour-{number}"] for number in range(1, 7)] == [6, 6, 6, 0, 0, 0]
    assert copies["action", "card"] == 59
    assert copies_for(game, None)["duck", "colour-6"] == 6


def test_one_water_card_too_few() -> None:
    game = small_game(LINE_GAME, small_deck("duck", COLOURED), water=4, action=59, target=6, players=range(2, 7))
    assert said(check_game(game)) == [
        "9:38 not-enough 6 players: 'pile' needs 5 cards of 'water', which has 4: 1 too few",
    ]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (10, []),
        (9, ["8:11 expectation 5 cards are left over"]),
        (11, ["6:18 not-enough 'hand' needs 55 cards of 'deck' (5 for each player), which holds 50: 5 too few"]),
    ],
)
def test_a_match_for_exactly_ten(players: int, expected: list[str]) -> None:
    decks = (small_deck("number", NUMBERS), small_deck("doubling", 5), small_deck("negation", 5))
    problems = check_game(small_game(BLIND_MATCH, *decks, players=(players,)))
    assert [text.replace(f"{players} players: ", "") for text in said(problems)][: len(expected)] == expected
    assert bool(problems) == bool(expected)


def test_a_player_count_that_the_game_is_not_for_is_refused() -> None:
    decks = (small_deck("number", NUMBERS), small_deck("doubling", 5), small_deck("negation", 5))
    game = small_game(BLIND_MATCH, *decks, players=(10,))
    assert said(check_game(game, players=9)) == [
        "4:10 player-count the game is for 10 players, and 9 are asked for",
        "8:11 expectation 9 players: 5 cards are left over",
    ]


def test_one_deck_and_three_dice_for_one_or_two() -> None:
    setup = """
setup:
  - pile: automa
    only: 1
    take: {automa: all}
  - slot: dice
    take: {die: 3}
  - hand: aid
    take: {aid: 1}
totals: {automa: 18, die: 3}
"""
    game = small_game(setup, small_deck("aid", 1, per="player"), automa=18, die=3, players=(1, 2))
    assert said(check_game(game)) == []
    assert dict(copies_for(game, 2)) == {("aid", "card"): 2, ("automa", "card"): 0, ("die", "card"): 3}
    assert dict(copies_for(game, None)) == {("aid", "card"): 2, ("automa", "card"): 18, ("die", "card"): 3}
