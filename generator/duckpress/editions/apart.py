"""Copies that are no nearer to each other than they may be: finds, of decks given one by one, those too near.

Two decks of n cards that differ in fewer than d differ on at most 2d - 2 cards of the pool, counted in both. So of
2d - 1 groups into which the pool is parted there is one on which they are equal: only decks that are equal on a group
are compared. With d = 1 that is one group, and a look into a table.
"""

from __future__ import annotations

from collections import Counter

from duckpress.editions.card_pools import Dealt, Pools, every_card


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
