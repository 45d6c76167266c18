"""Random setups held against every draw that may come of them, worked out here by other means."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import comb

import pytest

from duckpress.check import Deal, check_game, deal_cards
from duckpress.core.problems import Problem
from duckpress.model import Game
from small_games import small_deck, small_game

Demand = tuple[list[int], int]
"""The kinds of cards that a step takes, and how many of them."""
_KINDS = "abcd"


def random_setup(seed: int) -> tuple[list[int], list[Demand]]:
    """Return how many cards of each kind a deck has, and what the steps take of it."""
    chance = random.Random(seed)
    kinds = chance.randint(2, 4)
    deck = [chance.randint(0, 5) for _ in range(kinds)]
    demands = []
    for _ in range(chance.randint(1, 4)):
        demands.append((sorted(chance.sample(range(kinds), chance.randint(1, kinds))), chance.randint(1, 5)))
    return deck, demands


def game_of(deck: list[int], demands: list[Demand]) -> Game:
    lines = ["setup:"]
    for index, (kinds, count) in enumerate(demands):
        where = f'where: "card.kind in {[_KINDS[kind] for kind in kinds]}", ' if len(kinds) < len(deck) else ""
        lines += [f"  - row: row {index}", f"    take: {{deck: {{{where}count: {count}}}}}"]
    cards = [{"id": name, "kind": name, "copies": copies} for name, copies in zip(_KINDS, deck, strict=False)]
    return small_game("\n".join([*lines, ""]), small_deck("deck", cards), players=[2])


def hands(left: tuple[int, ...], kinds: list[int], count: int) -> dict[tuple[int, ...], int]:
    """Return what may be left after so many cards of some kinds are taken, with the number of ways."""
    if not kinds:
        return {left: 1} if count == 0 else {}
    first, ways = kinds[0], dict[tuple[int, ...], int]()
    for taken in range(min(left[first], count) + 1):
        rest = (*left[:first], left[first] - taken, *left[first + 1 :])
        for after, more in hands(rest, kinds[1:], count - taken).items():
            ways[after] = ways.get(after, 0) + more * comb(left[first], taken)
    return ways


def first_shortage(deck: list[int], demands: list[Demand]) -> tuple[int, Fraction] | None:
    """Return the first step that may fall short, and in which share of draws."""
    tables = {tuple(deck): Fraction(1)}
    for index, (kinds, count) in enumerate(demands):
        after: dict[tuple[int, ...], Fraction] = {}
        short = Fraction(0)
        for left, chance in tables.items():
            there = sum(left[kind] for kind in kinds)
            if there < count:
                short += chance
            for rest, ways in hands(left, kinds, count).items():
                after[rest] = after.get(rest, Fraction(0)) + chance * Fraction(ways, comb(there, count))
        if short:
            return index, short
        tables = after
    return None


def told(problems: list[Problem]) -> tuple[int, str] | None:
    """Return the first step of which a shortage is told, and the share of draws as it is told."""
    if not problems:
        return None
    problem = min(problems, key=lambda one: one.source.line)
    share = re.search(r"in (.+) draws: ", problem.what)
    assert (problem.code == "unlucky-draw") is (share is not None)
    return (problem.source.line - 3) // 2, share[1] if share else "all"


def in_words(shortage: tuple[int, Fraction] | None) -> tuple[int, str] | None:
    """Return a shortage with its share as it should be told: as a percentage where the numbers are too large."""
    if shortage is None:
        return None
    step, share = shortage
    small = f"{share.numerator} of {share.denominator}"
    return step, "all" if share == 1 else small if share.denominator <= 10_000 else f"{float(100 * share):.2g} % of"


def hold(seed: int) -> None:
    """Hold one random setup against the truth."""
    deck, demands = random_setup(seed)
    if not sum(deck):
        return  # that is another mistake: empty-deck
    game = game_of(deck, demands)
    problems = [one for one in check_game(game) if one.code in ("not-enough", "unlucky-draw")]
    assert told(problems) == in_words(first_shortage(deck, demands)), (seed, deck, demands)
    deals = [deal_cards(game, 2, str(number)) for number in range(3)]
    assert problems or all(isinstance(deal, Deal) for deal in deals), (seed, deck, demands)
    if len(problems) == 1:
        hold_number(seed, deck, demands, problems[0])


def hold_number(seed: int, deck: list[int], demands: list[Demand], problem: Problem) -> None:
    """Hold the number of cards to add against trying: so many of one of the kinds do, and one fewer of none does."""
    add = re.match(r"add (\d+) cards?", problem.fix)
    assert add is not None, (seed, problem.fix)
    kinds = demands[(problem.source.line - 3) // 2][0]

    def is_enough(kind: int, number: int) -> bool:
        more = [copies + number * (at == kind) for at, copies in enumerate(deck)]
        return first_shortage(more, demands) is None

    assert any(is_enough(kind, int(add[1])) for kind in kinds), (seed, deck, demands, problem)
    assert not any(is_enough(kind, int(add[1]) - 1) for kind in kinds), (seed, deck, demands, problem)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("batch", range(10))
def test_what_is_told_of_a_random_setup_is_what_every_draw_comes_to(batch: int) -> None:
    for seed in range(30 * batch, 30 * batch + 30):
        hold(seed)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(100))
def test_what_is_told_of_many_random_setups_is_what_every_draw_comes_to(batch: int) -> None:
    for seed in range(1000 + 200 * batch, 1200 + 200 * batch):
        hold(seed)
