"""What may come of a random draw: every hand with its probability, or some at random and the most uneven ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from random import Random

Hand = tuple[int, ...]
"""How many cards of each kind are drawn."""


def number_of_hands(counts: Sequence[int], number: int, most: int) -> int:
    """Return how many different hands of so many cards there are; beyond `most` it stops counting."""
    ways = [1] + [0] * number
    for count in counts:
        ways = [sum(ways[max(0, held - count) : held + 1]) for held in range(number + 1)]
        if min(ways[-1], sum(ways)) > most:
            return most + 1
    return ways[-1]


def hands(counts: Sequence[int], number: int) -> Iterator[tuple[Hand, int]]:
    """Yield every hand with the number of ways to draw it, of `comb(sum(counts), number)` in all."""
    if len(counts) == 1:
        if number <= counts[0]:
            yield (number,), comb(counts[0], number)
        return
    rest = sum(counts) - counts[0]
    for taken in range(max(0, number - rest), min(counts[0], number) + 1):
        ways = comb(counts[0], taken)
        for others, more in hands(counts[1:], number - taken):
            yield (taken, *others), ways * more


def random_hand(counts: Sequence[int], number: int, random: Random) -> Hand:
    """Return a hand drawn at random."""
    drawn = [0] * len(counts)
    for kind in random.sample(range(len(counts)), number, counts=list(counts)):
        drawn[kind] += 1
    return tuple(drawn)


def uneven_hands(counts: Sequence[int], number: int) -> list[Hand]:
    """Return hands with as many, and as few, cards of each kind as there can be."""
    uneven: dict[Hand, None] = {}
    places = range(len(counts))
    for kind in places:
        for order in ([kind, *(at for at in places if at != kind)], [*(at for at in places if at != kind), kind]):
            drawn, wanted = [0] * len(counts), number
            for at in order:
                drawn[at] = min(counts[at], wanted)
                wanted -= drawn[at]
            uneven[tuple(drawn)] = None
    return list(uneven)
