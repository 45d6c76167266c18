"""A deal: who sits where, and which cards lie at every place, were removed, or are left in the decks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from duckpress.model.setup import Each


class CardRef(NamedTuple):
    """A dealt card: its deck and id, and whose set it is from in a deck per player (0 in any other)."""

    deck: str
    card: str
    set_of: int = 0


class Holding(NamedTuple):
    """The cards at a place, in order, the top one first; `number` tells whose it is: which seat, team or number.

    It is 0 where the place is common to all.
    """

    place: str
    kind: str
    each: Each
    number: int
    cards: tuple[CardRef, ...]

    @property
    def seat(self) -> int:
        """Return which player's it is; 0 where it is no player's."""
        return self.number if self.each is Each.PLAYER else 0


class Seat(Struct, frozen=True):
    """A seat of the ring: which player sits there, what it calls other seats, whose cards its player is told."""

    number: int
    player: int
    relations: Mapping[str, int]
    knows: Mapping[str, tuple[int, ...]]  # place -> seats; none for a place common to all, which everybody is told


class Deal(Struct, frozen=True):
    """Who has what: the seats in order, every place, what was removed from places, what is left in the decks."""

    game: str
    seed: str
    players: int
    variant: str | None
    seats: tuple[Seat, ...]
    places: tuple[Holding, ...]
    removed: tuple[Holding, ...]
    left: tuple[Holding, ...]
