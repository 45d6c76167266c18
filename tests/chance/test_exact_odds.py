"""Odds that are exact: every way counted one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

import asked_odds
from asked_odds import asked, exactly
from duckpress.chance import Odds
from duckpress.check.setup.rule_book import Book
from running import MakeWorkspace as Make

DUCK = """fields: {species: text, sex: text, value: whole, rare: yes-no}
cards:
  - {id: a, copies: 3, species: teal, sex: drake, value: 1, rare: no}
  - {id: b, copies: 2, species: teal, sex: hen, value: 2, rare: yes}
  - {id: c, copies: 2, species: smew, sex: hen, value: 2, rare: no}
  - {id: d, copies: 1, species: eider, sex: drake, value: 5, rare: yes}
"""
CARDS = [*"aaabbccd"]
SPECIES = {"a": "teal", "b": "teal", "c": "smew", "d": "eider"}
DECKS = {"duck": DUCK, "warden": "fields: {rank: whole}\ncards: [{id: w, copies: 4, rank: 1}]\n"}
SETUP = "setup:\n  - {pile: stock, take: {duck: all}}\n"


def book_of(make_workspace: Make, setup: str = SETUP) -> Book:
    return asked_odds.book_of(make_workspace, setup, DECKS)


def share(hands: Sequence[Sequence[str]], is_met: Callable[[Counter[str]], bool]) -> Fraction:
    return Fraction(sum(is_met(Counter(hand)) for hand in hands), len(hands))


HANDS = list(itertools.combinations(CARDS, 3))


def species(hand: Counter[str]) -> Counter[str]:
    return Counter(SPECIES[card] for card in hand.elements())


VALUES = {"a": 1, "b": 2, "c": 2, "d": 5}
CONDITIONS: dict[str, Callable[[Counter[str]], bool]] = {
    ">= 1 where card.rare": lambda hand: hand["b"] + hand["d"] >= 1,
    "no where card.id in ('a', 'b')": lambda hand: hand["a"] + hand["b"] == 0,
    "a pair of species": lambda hand: max(species(hand).values()) >= 2,
    "most of species == 2": lambda hand: max(species(hand).values()) == 2,
    "distinct species at least 3": lambda hand: len(species(hand)) >= 3,
    "sum of value >= 5": lambda hand: sum(VALUES[card] for card in hand.elements()) >= 5,
    "sum of value = 4": lambda hand: sum(VALUES[card] for card in hand.elements()) == 4,
    "not (>= 1 where card.rare) or distinct sex >= 2": lambda hand: (
        hand["b"] + hand["d"] == 0 or len({card in "ad" for card in hand}) == 2
    ),
    "most of species >= 2 and most of sex >= 3": lambda hand: (
        max(species(hand).values()) >= 2 and (hand["a"] + hand["d"] == 3 or hand["b"] + hand["c"] == 3)
    ),
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_hand_counted_way_by_way(make_workspace: Make, condition: str) -> None:
    met = exactly(book_of(make_workspace), f"hand of 3 from stock has {condition}")
    assert met == share(HANDS, CONDITIONS[condition])
    assert 0 < met < 1


@pytest.mark.parametrize("word", ["each", "some"])
def test_two_hands_counted_way_by_way(make_workspace: Make, word: str) -> None:
    met = exactly(book_of(make_workspace), f"2 hands of 2 from stock {word} has a pair of species")
    ways = [(order[:2], order[2:4]) for order in itertools.permutations(range(8), 4)]
    pairs = [[SPECIES[CARDS[a]] == SPECIES[CARDS[b]] for a, b in hands] for hands in ways]
    wanted = all if word == "each" else any
    assert met == Fraction(sum(map(wanted, pairs)), len(pairs))


def test_what_was_removed_unseen_changes_nothing(make_workspace: Make) -> None:
    plain = exactly(book_of(make_workspace), "hand of 2 from stock has a pair of species")
    removed = "setup:\n  - {pile: stock, take: {duck: all}, remove: 3}\n  - {hand: hand, take: {stock: 1}}\n"
    book = book_of(make_workspace, removed)
    assert exactly(book, "hand of 2 from stock has a pair of species") == plain
    assert exactly(book, "hand has >= 1 where card.rare") == Fraction(3, 8)


def test_places_that_each_player_has(make_workspace: Make) -> None:
    book = book_of(make_workspace, "setup:\n  - {pile: stock, take: {duck: all}}\n  - {hand: hand, take: {stock: 2}}\n")
    pair = Fraction(math.comb(5, 2) + 1, math.comb(8, 2))
    assert exactly(book, "hand has a pair of species") == pair
    both = exactly(book, "hand each has a pair of species", 2)
    assert both == exactly(book, "2 hands of 2 from stock each has a pair of species", 2) or both < pair
    three = asked(book, "hand each has a pair of species", 3, runs=500)
    assert (three.method, three.runs) == ("simulated", 500)


def test_a_simulation_is_seeded_and_has_the_true_value_in_its_interval(make_workspace: Make) -> None:
    book = book_of(make_workspace)
    question = "3 hands of 2 from stock some has a pair of species"
    assert asked(book, question, runs=300) == asked(book, question, runs=300)
    first = asked(book, question, runs=2_000)
    assert isinstance(first, Odds)
    assert first.method == "simulated"
    orders = list(itertools.permutations(range(8), 6))[::7]
    pairs = sum(any(SPECIES[CARDS[o[a]]] == SPECIES[CARDS[o[a + 1]]] for a in (0, 2, 4)) for o in orders)
    assert first.low < Fraction(pairs, len(orders)) < first.high
    assert 0 < first.high - first.low < Fraction(5, 100)
