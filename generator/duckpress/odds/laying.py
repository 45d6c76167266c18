"""The steps of a setup run on tables of pools, for what is exact, or of real cards, drawn by a generator of chance.

Both take the same steps, the very ones that `check` counts and `deal` deals. What people choose is drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Any, TypeVar

from msgspec import field

from duckpress.check.deals.dealing import CardTable
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import MovableTable, Transfer, is_personal, run_step
from duckpress.check.setup.tabletop import Cell
from duckpress.model.setup import Each
from duckpress.odds.pools import NotExact, is_laid_under

_MOST_TABLES = 2_000
T = TypeVar("T", bound=MovableTable[Any])


class RandomTable(CardTable):
    """A table of real cards that are drawn from the top: whatever lies somewhere is in random order."""

    random: random.Random = field(default_factory=random.Random)
    layered: set[Cell] = field(default_factory=set)  # places whose order is not all chance

    def shuffle_deck(self, name: str, instance: int, cards: list[CardKey]) -> None:  # noqa: ARG002
        self.random.shuffle(cards)

    def moved(self, transfer: Transfer) -> tuple[RandomTable]:
        """Move as many cards as there are, the first ones that fit."""
        origin, keys, number = transfer.origin, transfer.move.keys, transfer.move.number
        cards = self.cards(*origin)
        drawn: list[CardKey] = []
        if keys is None:
            drawn, cards[:] = cards[:number], cards[number:]
        else:
            rest: list[CardKey] = []
            for key in cards:
                (drawn if key in keys and len(drawn) < number else rest).append(key)
            # Whoever was looked for from the top leaves an order that is not random any more.
            if origin not in self.layered:
                self.random.shuffle(rest)
            cards[:] = rest
        if transfer.take is None:
            self.remove(transfer.step.place, len(drawn))
        elif transfer.target is None:
            self.give_back(transfer.step.place, drawn)
        else:
            here = self.places.setdefault(transfer.target, [])
            here += drawn
            if is_laid_under(transfer):
                self.layered.add(transfer.target)
            else:
                self.random.shuffle(here)
                self.layered.discard(transfer.target)
        return (self,)


def lay_out(table: T) -> list[T]:
    """Return the tables there may be after the setup. Raises `NotExact`, and what computing its expressions raises."""
    tables, book = [table], table.book
    for step in (one for one in book.steps(table.variant) if one.only is None or table.players in one.only):
        is_own = step.each is not Each.NOBODY and is_personal(book, table.variant, step.when)
        if is_own or step.each is Each.TEAM or any(take.per is not None for take in step.takes):
            raise NotExact
        tables = [after for before in tables for after in run_step(before, step)]
        if len(tables) > _MOST_TABLES:
            raise NotExact
    return tables


def transfers_to(transfers: Sequence[Transfer], places: Collection[str]) -> list[Transfer]:
    """Return those of some transfers that what lies at places in the end may hang on."""
    names = set(places)
    for transfer in reversed(transfers):
        if transfer.target is None or transfer.target[0] in names:
            names.add(transfer.origin[0])
    return [one for one in transfers if one.target is None or one.origin[0] in names]
