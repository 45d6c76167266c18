"""Shortages under a condition: the figures are true, and the cards that the fix asks for are enough and no more."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.model import Game
from small_games import small_deck, small_game

RARE = """
setup:
  - row: market
    take: {bird: MARKET}
  - hand: hand
    take: {bird: {where: card.kind == 'rare', count: 1}}
  - pile: blind
    take: {bird: {where: card.kind == 'rare', count: BLIND}}
  - aside: rest
    take: {bird: all}
"""


def rare_birds(setup: str, *, market: int, blind: int, rare: int, common: int = 10) -> Game:
    """Return a game of common and rare birds for two, with a random draw before the rare ones are asked for."""
    kinds = {"rare": rare, "common": common}
    cards = [{"id": kind, "kind": kind, "copies": copies} for kind, copies in kinds.items()]
    setup = setup.replace("MARKET", str(market)).replace("BLIND", str(blind))
    return small_game(setup, small_deck("bird", cards), players=[2])


@pytest.mark.parametrize(
    ("market", "blind", "rare", "what", "to_add"),
    [
        (12, 3, 10, "'hand' needs 2 cards of 'bird' where card.kind == 'rare' (1 for each player), "
                    "which surely has 0 left of 10 such cards: 2 too few", 7),
        (0, 9, 10, "'blind' needs 9 cards of 'bird' where card.kind == 'rare', "
                   "which has 8 left of 10 such cards: 1 too few", 1),
        (0, 2, 1, "'hand' needs 2 cards of 'bird' where card.kind == 'rare' (1 for each player), "
                  "which has 1 such card: 1 too few", 3),
        (4, 3, 0, "'hand' needs 2 cards of 'bird' where card.kind == 'rare' (1 for each player), "
                  "which has 0 such cards: 2 too few", 9),
        (7, 3, 10, "'blind' needs 3 cards of 'bird' where card.kind == 'rare', "
                   "which surely has 1 left of 10 such cards: 2 too few", 2),
    ],
)  # fmt: skip
def test_cards_to_add_under_a_condition_are_enough_and_no_more(
    market: int, blind: int, rare: int, what: str, to_add: int
) -> None:
    (problem,) = check_game(rare_birds(RARE, market=market, blind=blind, rare=rare))
    assert problem.what == f"2 players: {what}"
    cards = "1 card" if to_add == 1 else f"{to_add} cards"
    assert problem.fix.startswith(f"add {cards} where card.kind == 'rare' to 'bird', ")
    codes = [
        [one.code for one in check_game(rare_birds(RARE, market=market, blind=blind, rare=rare + added))]
        for added in (to_add - 1, to_add)
    ]
    assert codes == [["not-enough"], []]


def test_cards_to_put_into_a_pile_under_a_condition() -> None:
    setup = """
setup:
  - pile: draw
    take: {bird: all}
  - row: market
    take: {draw: MARKET}
  - pile: blind
    take: {draw: {where: card.kind == 'rare', count: BLIND}}
"""
    (problem,) = check_game(rare_birds(setup, market=9, blind=5, rare=10))
    assert problem.what.endswith("which surely holds 1 such card: 4 too few")
    assert problem.fix.startswith("put 4 cards more where card.kind == 'rare' into 'draw', ")
    (problem,) = check_game(rare_birds(setup, market=12, blind=3, rare=10))
    assert problem.fix.startswith("put 5 cards more where card.kind == 'rare' into 'draw', ")
    assert check_game(rare_birds(setup, market=12, blind=3, rare=15)) == []
