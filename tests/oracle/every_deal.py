"""Every deal of a small setup with its exact probability, by the plainest means: which step ends it, or none.

A deck of a few kinds of cards; each step moves cards of some kinds, drawn at random, from the deck or an earlier pile
to a pile or to every player's hand. A deal ends at the first step that needs more cards than there are.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

KINDS = "abc"
Counts = tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """A step: from where (-1: the deck; else the pile of that step), of which kinds, how many, and for each or once."""

    origin: int
    kinds: str
    count: int
    is_hand: bool


@dataclass(frozen=True)
class Setup:
    """A deck by the copies of each kind, the steps, and how many play."""

    deck: Counts
    steps: tuple[Step, ...]
    players: int

    @property
    def text(self) -> str:
        """The setup as `setup.yaml` has it: each step on a line of its own, from line 2 on."""
        lines = ["setup:"]
        for number, step in enumerate(self.steps):
            kind, origin = "hand" if step.is_hand else "pile", "d" if step.origin < 0 else f"p{step.origin}"
            where = f'where: "card.kind in {list(step.kinds)}", ' if step.kinds else ""
            lines.append(f"  - {{{kind}: p{number}, take: {{{origin}: {{{where}count: {step.count}}}}}}}")
        return "\n".join([*lines, ""])


def random_setup(seed: int) -> Setup:
    """Return a setup of two or three kinds and two to four steps, many of them just possible."""
    chance = random.Random(seed)
    kinds = KINDS[: chance.choice((2, 3, 3))]
    deck = tuple(chance.randint(1, 7) for _ in kinds)
    players = chance.randint(1, 3)
    steps: list[Step] = []
    for _ in range(chance.randint(2, 4)):
        piles = [number for number, step in enumerate(steps) if not step.is_hand]
        origin = chance.choice(piles) if piles and chance.random() < 0.35 else -1
        some = "".join(sorted(chance.sample(kinds, chance.randint(1, len(kinds) - 1)))) if chance.random() < 0.6 else ""
        is_hand = chance.random() < 0.35
        steps.append(Step(origin, some, chance.randint(1, 2 if is_hand or origin >= 0 else 5), is_hand))
    return Setup(deck, tuple(steps), players)


def ends_of(setup: Setup) -> tuple[dict[int, Fraction], Fraction]:
    """Return the share of all deals that each step ends, and the share that gets through."""
    ends: dict[int, Fraction] = {}
    tables: dict[tuple[Counts, ...], Fraction] = {(setup.deck,): Fraction(1)}  # the deck, then the pile of each step
    for number, step in enumerate(setup.steps):
        after: dict[tuple[Counts, ...], Fraction] = {}
        need = step.count * (setup.players if step.is_hand else 1)
        for table, chance in tables.items():
            cards = table[step.origin + 1]
            there = [copies if not step.kinds or kind in step.kinds else 0 for kind, copies in zip(KINDS, cards)]  # noqa: B905
            if sum(there) < need:
                ends[number] = ends.get(number, Fraction(0)) + chance
                continue
            for hand in hands(there, need):
                share = Fraction(prod(map(comb, there, hand)), comb(sum(there), need))
                left = [*table, hand]
                left[step.origin + 1] = tuple(a - b for a, b in zip(cards, hand, strict=True))
                after[tuple(left)] = after.get(tuple(left), Fraction(0)) + chance * share
        tables = after
    return ends, sum(tables.values(), Fraction(0))


def hands(there: list[int], number: int) -> list[Counts]:
    """Return all the ways to have so many cards, as counts of each kind."""
    if not there:
        return [()] if number == 0 else []
    return [(n, *rest) for n in range(min(there[0], number) + 1) for rest in hands(there[1:], number - n)]
