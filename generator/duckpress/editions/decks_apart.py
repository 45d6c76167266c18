"""Decks that differ in so many cards at least: which of them are too near to others, and how many there can be.

Two decks of n cards that differ in fewer than d differ on at most 2d - 2 cards of the pool, counted in both. So of
2d - 1 groups into which the pool is parted there is one on which they are equal: only decks that are equal on a group
are compared. With d = 1 that is one group, and a look into a table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from duckpress.check.editions.card_pools import Dealt, Pools, every_card

_MOST_COUNTED = 10**30
"""Far more copies than anybody prints: what is above it need not be told apart."""


class DecksApart:
    """The decks of copies as sets of bits: a card of which k copies are drawn is its first k bits."""

    def __init__(self, pools: Pools, apart: int) -> None:
        self._apart = apart
        self._places: dict[tuple[str, int], int] = {}
        place = 0
        for deck, parts in pools.decks.items():
            for card, copies in Counter(every_card(parts)).items():
                self._places[deck, card] = place
                place += copies
        count = 2 * apart - 1
        self._groups = [sum(1 << bit for bit in range(at, place, count)) for at in range(count)]
        self._seen: list[dict[int, list[int]]] = [{} for _ in self._groups]

    def add(self, dealt: Dealt) -> bool:
        """Take a deck in, unless it is too near to one that was; return whether it was taken in."""
        if not self._apart:
            return True
        bits = self._bits(dealt)
        near: set[int] = set()
        for group, seen in zip(self._groups, self._seen, strict=True):
            near.update(seen.get(bits & group, ()))
        if any((bits & ~other).bit_count() < self._apart for other in near):
            return False
        for group, seen in zip(self._groups, self._seen, strict=True):
            seen.setdefault(bits & group, []).append(bits)
        return True

    def _bits(self, dealt: Dealt) -> int:
        bits = 0
        for deck, numbers in dealt.items():
            for card, copies in Counter(numbers).items():
                bits |= ((1 << copies) - 1) << self._places[deck, card]
        return bits


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
