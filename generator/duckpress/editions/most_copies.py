"""How many copies there can be: counted where that is possible, else a number that there are surely no more than."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from duckpress.editions.card_pools import Pools, every_card

_MOST_COUNTED = 10**30
"""Far more copies than anybody prints: what is above it need not be told apart."""


def most_copies(pools: Pools, apart: int) -> int:
    """Return how many copies there are at most of which any two differ in `apart` cards; with 0 or 1, in any card.

    For whole decks of different cards this is exact with `apart` 1. Where several parts may draw the same cards, or
    cards have copies, it is a bound. For more cards: two decks of n cards that differ in d have at most n - d in
    common, so no set of n - d + 1 cards is in both, and each deck uses up C(n, n - d + 1) of those there are.
    Source: the packing bound of Johnson and Schönheim in its simplest form.
    """
    most = 1
    for parts in pools.decks.values():
        most = min(_MOST_COUNTED, most * math.prod(_hands(part.cards, part.part.count) for part in parts))
    cards = sum(len(every_card(parts)) for parts in pools.decks.values())
    drawn = sum(part.part.count for parts in pools.decks.values() for part in parts)
    if 1 < apart <= drawn:
        common = drawn - apart + 1
        most = min(most, math.comb(cards, common) // math.comb(drawn, common))
    elif apart > drawn:
        most = min(most, 1)
    return min(most, _MOST_COUNTED)


def _hands(cards: Sequence[int], count: int) -> int:
    """Return how many different hands of so many cards there are, cards of one number being alike.

    It is a coefficient of the product of 1 + x + ... + x^c over all cards, c their copies.
    """
    copies = Counter(cards)
    if max(copies.values(), default=1) == 1:
        return math.comb(len(copies), count)
    ways = [1] + [0] * count
    for most in copies.values():
        for size in range(count, 0, -1):
            ways[size] += sum(ways[max(0, size - most) : size])
    return ways[count]
