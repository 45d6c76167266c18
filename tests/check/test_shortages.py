"""Shortages under a condition: the figures are true, and the cards that the fix asks for are enough and no more."""

from __future__ import annotations

import re

import pytest

from duckpress.check import Deal, check_game, deal_cards
from duckpress.core import limits
from duckpress.model import Game
from small_games import small_deck, small_game

RARE = """
setup:
  - {row: market, take: {bird: MARKET}}
  - {hand: hand, take: {bird: {where: card.kind == 'rare', count: 1}}}
  - {pile: blind, take: {bird: {where: card.kind == 'rare', count: BLIND}}}
  - {aside: rest, take: {bird: all}}
"""


def rare_birds(setup: str, *, market: int, blind: int, rare: int, common: int = 10) -> Game:
    """Return a game of common and rare birds for two, with a random draw before the rare ones are asked for."""
    kinds = {"rare": rare, "common": common}
    cards = [{"id": kind, "kind": kind, "copies": copies} for kind, copies in kinds.items()]
    setup = setup.replace("MARKET", str(market)).replace("BLIND", str(blind))
    return small_game(setup, small_deck("bird", cards), players=[2])


@pytest.mark.parametrize(
    ("market", "blind", "rare", "whats", "numbers"),
    [
        (12, 3, 10, ["in 83 of 8398 draws: 'hand' needs 2 cards of 'bird' where card.kind == 'rare' "
                     "(1 for each player), which has 0 left of 10 such cards: 2 too few",
                     "in 147 of 221 draws: 'blind' needs 3 cards of 'bird' where card.kind == 'rare', "
                     "which has 0 left of 10 such cards: 3 too few"], [4, 3]),
        (0, 9, 10, ["'blind' needs 9 cards of 'bird' where card.kind == 'rare', "
                    "which has 8 left of 10 such cards: 1 too few"], [1]),
        (0, 2, 1, ["'hand' needs 2 cards of 'bird' where card.kind == 'rare' (1 for each player), "
                   "which has 1 such card: 1 too few",
                   "'blind' needs 2 cards of 'bird' where card.kind == 'rare', "
                   "which has 0 left of 1 such card: 2 too few"], [1, 2]),
        (7, 3, 10, ["in 37 of 1292 draws: 'blind' needs 3 cards of 'bird' where card.kind == 'rare', "
                    "which has 1 left of 10 such cards: 2 too few"], [2]),
    ],
)  # fmt: skip
def test_cards_to_add_under_a_condition_are_enough_and_no_more(
    market: int, blind: int, rare: int, whats: list[str], numbers: list[int]
) -> None:
    setup = RARE if market else RARE.replace("  - {row: market, take: {bird: MARKET}}\n", "")
    problems = check_game(rare_birds(setup, market=market, blind=blind, rare=rare))
    assert [problem.what for problem in problems] == [f"2 players: {what}" for what in whats]
    added = [int(number) for one in problems for number in re.findall(r"^(?:add|put) (\d+) card", one.fix)]
    assert added == numbers
    for more, is_enough in ((sum(numbers) - 1, False), (sum(numbers), True)):
        assert (check_game(rare_birds(setup, market=market, blind=blind, rare=rare + more)) == []) is is_enough


CHOICE = """
setup:
  - {hand: faction, take: {faction: {choose: 1}}}
  - {hand: army, take: {soldier: {per: faction, where: card.kind == drawn.kind, count: 4}}}
  - {row: allies, take: {faction: {choose: 1}}}
expect:
  - {that: "count('allies', where='card.kind == \\"owl\\"')", is: 0}
"""


def factions(**missing: int) -> Game:
    """Return a game in which players choose factions, with four soldiers of each, but for those that are missing."""
    kinds = ("owl", "fox", "hen", "emu")
    soldiers = [{"id": f"s{kind}", "kind": kind, "copies": 4 - missing.get(kind, 0)} for kind in kinds]
    decks = small_deck("faction", [{"id": kind, "kind": kind} for kind in kinds]), small_deck("soldier", soldiers)
    return small_game(CHOICE, *decks, players=[2])


def test_what_only_some_choices_break_says_which_and_nothing_that_does_not_matter() -> None:
    found = [one for one in check_game(factions(fox=1)) if one.code != "name-taken"]
    expected, short = sorted(found, key=lambda one: one.source, reverse=True)
    assert {one.code for one in (expected, short)} == {"poor-choice"}
    assert "if somebody picks 'owl': count('allies'" in expected.what
    assert "if player 1 picks 'fox': player 1's 'army' needs 4 cards" in short.what
    assert short.fix.startswith("add 1 card where card.kind == drawn.kind (drawn: 'fox') to 'soldier'")


def test_a_choice_of_which_cards_depend_is_dealt_as_it_was_made() -> None:
    deal = deal_cards(factions(), 2, "autumn-ponds")
    assert isinstance(deal, Deal)
    armies = {at.seat: {card.card for card in at.cards} for at in deal.places if at.place == "army"}
    assert armies == {at.seat: {f"s{at.cards[0].card}"} for at in deal.places if at.place == "faction"}


@pytest.mark.soak
def test_each_player_count_has_steps_of_its_own_for_all_its_draws() -> None:
    setup = """setup:
  - {row: kingdom, take: {kind: 4}}
  - {row: supply, take: {pile: {per: kingdom, where: card.kind == drawn.id, count: 10}}}
"""
    drawn = small_deck("kind", [{"id": f"k{at}"} for at in range(12)])
    cards = small_deck("pile", [{"id": f"p{at}", "kind": f"k{at}", "copies": 10 - (at == 3)} for at in range(12)])
    limits.use({"setup-steps": 110_000})
    problems = check_game(small_game(setup, drawn, cards, players=range(2, 5)))
    assert [problem.code for problem in problems] == ["unlucky-draw"] * 3
    assert set(re.findall(r"of (\d+) draws tried", str(problems))) == {"400"}
    assert all(problem.fix.startswith("add 1 card where card.kind == drawn.id (drawn: ") for problem in problems)


KITTENS = """\
setup:
  - {pile: draw, take: {card: {where: "card.kind in ['action', 'cat', 'defuse']"}}}
  - {hand: hand, take: {draw: 7}}
  - {hand: hand, take: {card: {where: card.kind == 'defuse', count: 1}}}
  - {pile: draw, take: {card: {where: card.kind == 'kitten', count: players - 1}}}
expect:
  - {each: player, that: "count('hand', where='card.kind == \\"defuse\\"') >= 1"}
  - {each: player, that: "count('hand', where='card.kind == \\"cat\\"') < 8"}
"""


@pytest.mark.soak
def test_a_certain_shortage_is_found_without_working_out_draws() -> None:
    limits.use({"setup-steps": 250_000})  # to work out the draws before it, too, takes more than a million
    kinds = {"kitten": 4, "defuse": 6, "action": 26, "cat": 20}
    deck = small_deck("card", [{"id": kind, "kind": kind, "copies": copies} for kind, copies in kinds.items()])
    problems = check_game(small_game(KITTENS, deck, players=[2, 3, 4, 5]))
    assert {(one.code, one.source.line) for one in problems} >= {("not-enough", 4)}
    assert "too-many-steps" not in {one.code for one in problems}
    first = next(one for one in problems if one.source.line == 4)
    assert "'hand' needs 2 cards of 'card' where card.kind == 'defuse' (1 for each player), " in first.what
    assert first.what.endswith("which has 0 left of 6 such cards: 2 too few")
