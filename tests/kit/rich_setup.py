"""A game whose setup uses all that steps can do: per-player decks, conditions, removals, random draws, a variant."""

from __future__ import annotations

from duckpress.model import Deck, Game
from small_games import owned_deck, small_deck, small_game

SETUP = """
seats:
  relations: {left: seat + 1, facing: seat + players // 2}
  knows: {hand: [left, facing], market: yes}
setup:
  - {pile: stock, take: {duck: all}, remove: players}
  - {hand: hand, take: {kit: 2, stock: 2}}
  - {pile: own, each: player, take: {blind: {where: card.owner == seat}}}
  - {row: market, slots: 6, take: {own: 1}}
  - {row: market, take: {stock: 1}}
  - {hand: hand, take: {own: seat}, remove: 1}
  - {row: row, when: players > 2, take: {stock: {where: card.sex == 'hen', count: 1}}}
  - {aside: pot, only: [2, 3], take: {hand: 2, market: 1}}
  - {aside: gone, when: variant == 'long' and players < 4, take: {pot: players, kit: 1}, remove: all}
  - {pile: draw, take: {stock: all}}
  - {aside: rest, take: {market: left('market')}}
variants:
  long:
    setup:
      - {pile: stock, replaces: stock, take: {duck: {where: card.value != 4}}, remove: 1}
"""


def rich_game(setup: str = SETUP, *decks: Deck) -> Game:
    """Return the game for two to four: forty ducks, five cards for each owner, four of a kit for each player."""
    kit = small_deck("kit", [{"id": "boat", "copies": 2}, {"id": "call"}, {"id": "dog"}], per="player")
    ducks = [
        {"id": f"{kind}-{sex}", "copies": 5, "sex": sex, "value": value}
        for value, kind in enumerate(("teal", "smew", "scaup", "eider"), 1)
        for sex in ("drake", "hen")
    ]
    return small_game(setup, *decks, small_deck("duck", ducks), owned_deck(), kit)
