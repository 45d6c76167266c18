"""How often deals come out as they may, held against the probabilities of all that may come of a setup."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

from duckpress.check import Deal, deal_cards
from enumerator.comparing import game_of, lying, places_in
from enumerator.enumerating import run
from enumerator.laying import Cards, Cell
from enumerator.looking import Play
from enumerator.own_reading import read_rules
from enumerator.random_setups import Setup

_DEALS = 300
_FEW = 5  # outcomes that are expected more seldom are counted as one
_MOST_OFF = 6  # standard deviations of chi-square: beyond that no chance leads, in all the setups that are tried

Lying = frozenset[tuple[Cell, Cards]]


def hold_frequencies(setup: Setup, most_states: int) -> bool:
    """Hold how often each outcome of the basic game is dealt; return whether there was anything to hold.

    Nothing is there where cards fall short, or only one thing can come out. Raises `TooMuch`.
    """
    play = Play(read_rules(setup.text), setup.decks, setup.players[-1], ())
    outcome, game = run(play, most_states=most_states), game_of(setup)
    odds: dict[Lying, Fraction] = {}
    for state, share in outcome.odds.items():
        odds[places_in(state)] = odds.get(places_in(state), Fraction(0)) + share
    if outcome.shorts or len(odds) == 1:
        return False
    dealt = Counter[Lying]()
    for seed in range(_DEALS):
        deal = deal_cards(game, play.players, str(seed))
        assert isinstance(deal, Deal)
        dealt[lying(play, deal)] += 1
    common = {outcome: share for outcome, share in odds.items() if share * _DEALS >= _FEW}
    rare = 1 - sum(common.values())
    expected = [(share, dealt[outcome]) for outcome, share in common.items()]
    expected += [(rare, _DEALS - sum(number for _, number in expected))] if rare * _DEALS >= _FEW else []
    off = sum((number - _DEALS * share) ** 2 / (_DEALS * share) for share, number in expected)
    free = len(expected) - 1
    assert free < 1 or (float(off) - free) / sqrt(2 * free) < _MOST_OFF, expected
    return True
