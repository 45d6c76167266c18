"""Cards as counts: cards of decks by their keys, and parts of decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct


class CardKey(NamedTuple):
    """A card of a deck: `seat` tells whose set it is from in a deck per player, and is 0 in any other."""

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
        """Return the part with these cards."""
        return CardGroup(copies, sum(copies.values()))


def added_up(contents: Contents, more: Mapping[CardKey, int]) -> Contents:
    """Return the cards of both together."""
    if not contents:
        return dict(more)
    together = dict(contents)
    for key, number in more.items():
        together[key] = together.get(key, 0) + number
    return together
