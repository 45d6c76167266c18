"""Unknown cards: pools whose cards lie in random order in slots at places.

A random draw from a random draw of a group is a random draw from the group. So a draw moves slots and asks nothing;
only what tells the cards of a pool apart (a `where`, decks that cards go back to) splits it, and where its slots are at
several places, into one table for each way in which its cards may be parted, with its probability.

`lay_out` runs the steps of a setup on a table of pools, for what is exact, or on one of real cards that are drawn at
random. Both take the same steps, the very ones that `check` counts and `deal` deals; what people choose is drawn at
random.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check.dealing import CardTable
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import MovableTable, Transfer, is_personal, run_step
from duckpress.check.setup.tabletop import Cell
from duckpress.model.setup import Each, PlaceKind, Step

Slots = dict[int, int]  # the number of a pool -> how many of its slots
Layers = list[Slots]  # the top one first; within a layer nothing is known of the order
_MOST_PARTINGS = 3_000
_MOST_TABLES = 2_000
T = TypeVar("T", bound=MovableTable[Any])


class NotExact(Exception):
    """Odds that cannot be computed exactly: they depend on single known cards, or there are too many ways."""


class Pool(Struct, frozen=True):
    """Cards in random order: copies of cards, or slots of other pools."""

    cards: Mapping[CardKey, int] = {}
    slots: Mapping[int, int] = {}

    @property
    def size(self) -> int:
        return sum(self.cards.values()) + sum(self.slots.values())


class PoolTable(MovableTable[Layers]):
    """A table of pools and its probability; all slots of a pool are somewhere on it, or in other pools."""

    weight: Fraction = Fraction(1)
    pools: dict[int, Pool] = field(default_factory=dict)
    transfers: tuple[Transfer, ...] = ()  # all that was moved

    @staticmethod
    def number_of(cards: Layers) -> int:
        return sum(number for layer in cards for number in layer.values())

    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:  # noqa: ARG002
        raise NotExact

    def lying(self, place: str, instance: int) -> Mapping[CardKey, int]:  # noqa: ARG002
        raise NotExact

    def candidates(self, name: str, instance: int) -> Mapping[CardKey, int]:
        """Return all cards that may lie at a place."""
        pools = {pool for layer in self.layers((name, instance)) for pool in layer}
        return {key: number for pool in pools for leaf in self.leaves(pool) for key, number in leaf.cards.items()}

    def supply(self, name: str, instance: int, keys: Collection[CardKey] | None) -> int:
        slots = [item for layer in self.layers((name, instance)) for item in layer.items()]
        if keys is None:
            return self.most(name, instance, keys)
        if not all(self._knows(pool, keys) for pool, _ in slots):
            raise NotExact
        return sum(number for pool, number in slots if self._is_of(pool, keys))

    def most(self, name: str, instance: int, keys: Collection[CardKey] | None) -> int:  # noqa: ARG002
        return self.count((name, instance))

    def form(self, step: Step, instance: int) -> None:
        self.places.setdefault((step.place, instance), [])

    def moved(self, transfer: Transfer) -> Iterator[PoolTable]:
        self.transfers = (*self.transfers, transfer)
        target, step = transfer.target, transfer.step
        if transfer.take is None:
            self.remove(step.place, min(transfer.move.number, self.count(transfer.origin)))
        for table, cards in self.draw(transfer.origin, transfer.move.keys, transfer.number):
            if target is not None:
                table.put(target, cards, is_under=is_laid_under(transfer))
                yield table
            else:
                table.put_back(step.place, table.number_of(cards))
                yield from table.give_back(cards)

    def copy(self, weight: Fraction = Fraction(1)) -> PoolTable:
        """Return a copy of this table with its probability multiplied by `weight`."""
        decks, places = (
            {cell: [dict(layer) for layer in layers] for cell, layers in cells.items()}
            for cells in (self.decks, self.places)
        )
        return replace(
            self, weight=self.weight * weight, decks=decks, places=places, pools=dict(self.pools), gone=dict(self.gone)
        )

    def layers(self, cell: Cell) -> Layers:
        """Return the layers at a place; an untouched deck lies in the box."""
        name, seat = cell
        cells = self._cells(name)
        if cell not in cells:
            is_deck = name in self.book.game.decks
            part = self.book.deck_part(name, seat).copies if is_deck else {}
            cards = {key: copies for key, copies in part.items() if copies}
            cells[cell] = [{self.add(Pool(cards)): sum(cards.values())}] if cards else []
        return cells[cell]

    def _cells(self, name: str) -> dict[Cell, Layers]:
        return self.decks if name in self.book.game.decks else self.places

    def add(self, pool: Pool) -> int:
        number = len(self.pools)
        self.pools[number] = pool
        return number

    def count(self, cell: Cell) -> int:
        return self.number_of(self.layers(cell))

    def draw(
        self, cell: Cell, part: Collection[CardKey] | None, number: int | None
    ) -> Iterator[tuple[PoolTable, Layers]]:
        """Yield each possible table after drawing from the top, with the drawn layers; None draws all."""
        tables = [self]
        if part is not None and number is not None and len(self.layers(cell)) > 1:
            raise NotExact  # which of the layers have such cards would have to be known
        if part is not None:
            for pool in {pool for layer in self.layers(cell) for pool in layer}:
                tables = [split for table in tables for split in table.split(pool, part)]
        for table in tables:
            yield table, table.take(cell, part, number)

    def take(self, cell: Cell, part: Collection[CardKey] | None, number: int | None) -> Layers:
        """Take cards from the top, from the pools that lie wholly within `part`."""
        taken: Layers = []
        left = self.count(cell) if number is None else number
        for layer in self.layers(cell):
            fits = {pool: slots for pool, slots in layer.items() if part is None or self._is_of(pool, part)}
            here = sum(fits.values())
            if here > left and left and len(fits) > 1:
                for pool in fits:
                    del layer[pool]
                fits = {self._mixed(fits): here}
                layer.update(fits)
            drawn = fits if here <= left else {pool: left for pool in fits if left}
            for pool, slots in drawn.items():
                layer[pool] -= slots
                if not layer[pool]:
                    del layer[pool]
            left -= min(here, left)
            if drawn:
                taken.append(drawn)
        self._cells(cell[0])[cell] = [layer for layer in self.layers(cell) if layer]
        return taken

    def put(self, cell: Cell, cards: Layers, *, is_under: bool) -> None:
        """Lay cards at a place: under its cards, in order, or mixed with them."""
        together: Layers = [*self.layers(cell), *cards]
        self._cells(cell[0])[cell] = together if is_under else [_added(together)] if together else []

    def give_back(self, cards: Layers) -> list[PoolTable]:
        """Put cards back into their decks; return the possible tables after it."""
        # They lie at a place of their own until it is known which decks they are of.
        self.places["", -1] = cards
        tables = [self]
        for name, seat in self._decks_of(pool for layer in cards for pool in layer):
            back = []
            for table in tables:
                for split, taken in table.draw(("", -1), self.book.deck_part(name, seat).copies, None):
                    split.put((name, seat), taken, is_under=False)
                    back.append(split)
            tables = back
        return tables

    def split(self, number: int, part: Collection[CardKey]) -> list[PoolTable]:
        """Return the possible tables on which the pool is split into cards within `part` and others."""
        if self._knows(number, part):
            return [self]
        tables = [self]
        for member in self.pools[number].slots:
            tables = [split for table in tables for split in table.split(member, part)]
        return [parted for table in tables for parted in table._parted(number, part)]

    def _parted(self, number: int, part: Collection[CardKey]) -> Iterator[PoolTable]:
        pool = self.pools[number]
        cards = {key: copies for key, copies in pool.cards.items() if key in part}
        slots = {member: count for member, count in pool.slots.items() if self._is_of(member, part)}
        inside = Pool(cards, slots)
        outside = Pool(
            {key: copies for key, copies in pool.cards.items() if key not in cards},
            {member: count for member, count in pool.slots.items() if member not in slots},
        )
        if not inside.size or not outside.size:
            yield self
            return
        holders = [members[number] for _, members in self._every_holder() if members.get(number)]
        for ways, counts in _partings(holders, inside.size):
            table = self.copy(Fraction(ways, math.comb(pool.size, inside.size)))
            first, second = table.add(inside), table.add(outside)
            table.pools[number] = Pool()
            shares = iter(counts)
            for place, members in table._every_holder():
                if number in members:
                    own = dict(members)
                    count, share = own.pop(number), next(shares)
                    own.update({key: value for key, value in ((first, share), (second, count - share)) if value})
                    table._replace(place, own)
            yield table

    def _every_holder(self) -> list[tuple[tuple[Cell, int] | int, Mapping[int, int]]]:
        """Return the layers and pools that hold slots of pools, each with its place."""
        cells = [*self.decks.items(), *self.places.items()]
        at_places = [((cell, at), layer) for cell, layers in cells for at, layer in enumerate(layers)]
        return [*at_places, *((number, pool.slots) for number, pool in self.pools.items() if pool.slots)]

    def _replace(self, place: tuple[Cell, int] | int, slots: Slots) -> None:
        if isinstance(place, int):
            self.pools[place] = Pool({}, slots)
        else:
            self._cells(place[0][0])[place[0]][place[1]] = slots

    def _mixed(self, slots: Mapping[int, int]) -> int:
        """Return a new pool of slots of pools; of their cards, if all slots of each pool are included."""
        if all(self.pools[number].cards and self.pools[number].size == count for number, count in slots.items()):
            cards: dict[CardKey, int] = {}
            for number in slots:
                for key, copies in self.pools[number].cards.items():
                    cards[key] = cards.get(key, 0) + copies
            return self.add(Pool(cards))
        return self.add(Pool({}, dict(slots)))

    def leaves(self, number: int) -> Iterator[Pool]:
        """Yield the pools of cards that a pool is made of."""
        pool = self.pools[number]
        if pool.cards:
            yield pool
        for member in pool.slots:
            yield from self.leaves(member)

    def _decks_of(self, numbers: Iterable[int]) -> list[Cell]:
        keys = (key for number in numbers for leaf in self.leaves(number) for key in leaf.cards)
        return list(dict.fromkeys((key.deck, key.seat) for key in keys))

    def _is_of(self, number: int, part: Collection[CardKey]) -> bool:
        """Return whether a pool lies within `part`, given that it lies wholly inside or outside."""
        return all(key in part for leaf in self.leaves(number) for key in leaf.cards)

    def _knows(self, number: int, part: Collection[CardKey]) -> bool:
        return len({key in part for leaf in self.leaves(number) for key in leaf.cards}) < 2


def is_laid_under(transfer: Transfer) -> bool:
    """Return whether cards are laid under the cards of their target, not mixed with them."""
    step = transfer.step
    return transfer.take is None or (step.kind is PlaceKind.PILE and not step.is_shuffled)


def _added(layers: Iterable[Slots]) -> Slots:
    together: Slots = {}
    for layer in layers:
        for pool, count in layer.items():
            together[pool] = together.get(pool, 0) + count
    return together


def _partings(holders: list[int], inside: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each distribution of `inside` cards to holders, and its number of ways. Raises `NotExact` for too many."""
    ranges = [range(min(count, inside) + 1) for count in holders[:-1]]
    if math.prod(map(len, ranges)) > _MOST_PARTINGS:
        raise NotExact
    for counts in itertools.product(*ranges):
        last = inside - sum(counts)
        if 0 <= last <= holders[-1]:
            every = (*counts, last)
            yield math.prod(map(math.comb, holders, every)), every


class RandomTable(CardTable):
    """A table of real cards drawn from the top: all piles are in random order."""

    random: random.Random = field(default_factory=random.Random)
    layered: set[Cell] = field(default_factory=set)  # places whose order is not all chance

    def shuffle_deck(self, name: str, instance: int, cards: list[CardKey]) -> None:  # noqa: ARG002
        self.random.shuffle(cards)

    def moved(self, transfer: Transfer) -> tuple[RandomTable]:
        """Move the first fitting cards, or as many as there are."""
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
    """Return the possible tables after the setup. Raises `NotExact`, and the errors of its expressions."""
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
    """Return the transfers that can affect the cards at places in the end."""
    names = set(places)
    for transfer in reversed(transfers):
        if transfer.target is None or transfer.target[0] in names:
            names.add(transfer.origin[0])
    return [one for one in transfers if one.target is None or one.origin[0] in names]
