"""Cards as counts, and the results of a random draw: every hand, or a random sample and the most uneven hands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb
from random import Random
from typing import NamedTuple

from msgspec import Struct


class CardKey(NamedTuple):
    """A card of a deck: `seat` is the owner of its set in a deck per player, and 0 in any other."""

    deck: str
    seat: int
    position: int


SOME = CardKey("", 0, 0)
"""Stands for any cards where nobody will ask any more which ones they are."""
GONE = CardKey("", 0, 1)
"""Stands, with a negative number, for cards that were drawn unseen: which of the others they are is still open."""
Contents = dict[CardKey, int]
"""The cards at a place: how many of each. After a random draw a card stands for all that nothing later tells apart."""


class CardGroup(Struct, frozen=True, eq=False):
    """Some of the cards of one or more decks, each with all its copies; equal only to itself."""

    copies: Mapping[CardKey, int]
    size: int

    @staticmethod
    def of(copies: Mapping[CardKey, int]) -> CardGroup:
        return CardGroup(copies, sum(copies.values()))


def added_up(contents: Contents, more: Mapping[CardKey, int]) -> Contents:
    if not contents:
        return dict(more)
    together = dict(contents)
    for key, number in more.items():
        together[key] = together.get(key, 0) + number
    return together


Hand = tuple[int, ...]
"""How many cards of each kind are drawn."""


def number_of_hands(counts: Sequence[int], number: int, most: int) -> int:
    """Return the number of different hands of so many cards; it stops counting above `most`."""
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
    drawn, left = [], sum(counts)
    for count in counts[:-1]:
        left -= count
        ways = _ways_up_to(count, left, number)
        drawn.append(bisect_right(ways, random.randrange(ways[-1])))
        number -= drawn[-1]
    return (*drawn, number)


@lru_cache(maxsize=4096)
def _ways_up_to(count: int, others: int, number: int) -> list[int]:
    """Return the numbers of hands with at most 0, 1, 2 ... of `count` cards, among `others` other cards."""
    return list(accumulate(comb(count, held) * comb(others, number - held) for held in range(min(count, number) + 1)))


def uneven_hands(counts: Sequence[int], number: int) -> list[Hand]:
    """Return the hands with the most, and with the fewest, cards of each kind."""
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
