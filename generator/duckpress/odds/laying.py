"""The steps of a setup run on tables of pools, for what is exact, or of real cards, drawn by a generator of chance.

Both take the same steps, the very ones that `check` counts and `deal` deals. What people choose is drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct, field

from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.model.amounts import EVEN
from duckpress.model.setup import Each, PlaceKind, Step, Take
from duckpress.odds.pools import Cell, NotExact, PoolTable

_MOST_TABLES = 2_000
_ASK_OF_CARDS = ("count", "sum", "distinct", "most", "tally", "values")


class CardMove(NamedTuple):
    """What a step does once: so many cards (None: all there are) of a part (None: any), from where to where.

    They go nowhere where `to` is None: back to the decks they came from. `is_under`: they are not mixed with others.
    """

    origin: Cell
    part: Collection[CardKey] | None
    number: int | None
    to: Cell | None
    is_under: bool
    removes: bool = False


class AnyTable(Protocol):
    """A table that the steps may be run on."""

    book: Book
    players: int
    cells: Any
    removed: dict[str, int]

    def count(self, cell: Cell) -> int:
        """Return how many cards lie at a place."""

    def moved(self: T, move: CardMove) -> Iterable[T]:
        """Return the tables there are once cards have moved."""


T = TypeVar("T", bound=AnyTable)


class CardTable(Struct):
    """A table of real cards in order, the top one first."""

    book: Book
    players: int
    chance: random.Random
    cells: dict[Cell, list[CardKey]] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    layered: set[Cell] = field(default_factory=set)  # places whose order is not all chance

    def cards(self, cell: Cell) -> list[CardKey]:
        """Return the cards at a place; a deck is shuffled when it is first touched."""
        if cell not in self.cells:
            name, seat = cell
            part = self.book.deck_part(name, seat).copies if name in self.book.game.decks else {}
            self.cells[cell] = [key for key, copies in part.items() for _ in range(copies)]
            self.chance.shuffle(self.cells[cell])
        return self.cells[cell]

    def count(self, cell: Cell) -> int:
        return len(self.cards(cell))

    def moved(self, move: CardMove) -> Iterable[CardTable]:
        cards = self.cards(move.origin)
        if move.part is None:
            number = len(cards) if move.number is None else move.number
            drawn, self.cells[move.origin] = cards[:number], cards[number:]
        else:
            left, rest = move.number, list[CardKey]()
            drawn = []
            for key in cards:
                is_drawn = key in move.part and (left is None or len(drawn) < left)
                (drawn if is_drawn else rest).append(key)
            # Whoever was looked for from the top leaves an order that is not random any more.
            if move.origin not in self.layered:
                self.chance.shuffle(rest)
            self.cells[move.origin] = rest
        for to in [(key.deck, key.seat) for key in drawn] if move.to is None else ():
            self.cards(to)
        for key in drawn if move.to is None else ():
            self.cells[key.deck, key.seat].append(key)
        targets = {(key.deck, key.seat) for key in drawn} if move.to is None else {move.to}
        for target in targets:
            here = self.cards(target)
            if move.to is not None:
                here += drawn
            if move.is_under:
                self.layered.add(target)
            else:
                self.chance.shuffle(here)
                self.layered.discard(target)
        return (self,)


class LaidPools(PoolTable):
    """A table of pools that moves cards, and remembers its moves as long as they hang on no chance."""

    moves: tuple[CardMove, ...] = ()

    def moved(self, move: CardMove) -> Iterator[LaidPools]:
        self.moves = (*self.moves, move)
        for table, cards in self.draw(move.origin, move.part, move.number):
            assert isinstance(table, LaidPools)
            if move.to is not None:
                table.put(move.to, cards, is_under=move.is_under)
                yield table
            else:
                yield from table.give_back(cards)  # type: ignore[misc]  # copies are of the same kind


class _Seen(NamedTuple):
    """A table as expressions of a setup see it."""

    table: AnyTable
    is_of_cards: bool

    def size(self, name: str, instance: int | None) -> int:
        cells = self.table.cells
        return self.table.count((name, 0 if (name, 0) in cells else instance or 1)) if self._has(name) else 0

    def total(self, name: str) -> int:
        return sum(self.table.count(cell) for cell in list(self.table.cells) if cell[0] == name)

    def taken(self, deck: str) -> int:
        whole = self.table.book.game.decks[deck].count
        return sum(whole - self.table.count(cell) for cell in list(self.table.cells) if cell[0] == deck)

    def left(self, deck: str) -> int:
        of = self.table.book.game.decks[deck]
        return of.count * (self.table.players if of.is_per_player else 1) - self.taken(deck)

    def removed(self, name: str) -> int:
        return self.table.removed.get(name, 0)

    def is_personal(self, name: str) -> bool:
        return (name, 1) in self.table.cells

    def instances(self, name: str) -> list[int]:
        return sorted(cell[1] for cell in self.table.cells if cell[0] == name)

    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards at a place. Raises `NotExact` where they are not known."""
        counts: dict[CardKey, int] = {}
        if not self.is_of_cards:
            raise NotExact
        for key in self.table.cards((name, instance)):  # type: ignore[attr-defined]
            counts[key] = counts.get(key, 0) + 1
        return counts

    @property
    def extra(self) -> Mapping[tuple[str, int], int]:
        return {}

    def _has(self, name: str) -> bool:
        return name in {cell[0] for cell in self.table.cells}


def lay_out(book: Book, variant: str | None, table: T) -> list[T]:
    """Return the tables there may be after the setup. Raises `NotExact`, and what computing its expressions raises."""
    tables = [table]
    for step in book.steps(variant):
        if step.only is None or table.players in step.only:
            tables = [after for before in tables for after in _Layer(book, variant, before, step).run()]
        if len(tables) > _MOST_TABLES:
            raise NotExact
    return tables


def moves_to(moves: Sequence[CardMove], places: Collection[str]) -> list[CardMove]:
    """Return those of some moves that what lies at places in the end may hang on."""
    names = set(places)
    for move in reversed(moves):
        if move.to is None or move.to[0] in names:
            names.add(move.origin[0])
    return [move for move in moves if move.to is None or move.origin[0] in names]


def scene_of(book: Book, variant: str | None, table: AnyTable) -> Scene:
    """Return what expressions see of a table."""
    seen: Any = _Seen(table, isinstance(table, CardTable))
    return Scene(book, table.players, variant, seen)


class _Layer(Struct):
    """Runs one step on one table, which may become several."""

    book: Book
    variant: str | None
    table: Any
    step: Step

    def run(self) -> list[Any]:
        scene, step = scene_of(self.book, self.variant, self.table), self.step
        if step.when is not None and not scene.value(step.when):
            return [self.table]
        tables = [self.table]
        for take in step.takes:
            tables = [after for table in tables for after in self._after(table, self._moves(table, take))]
        if step.remove is not None:
            tables = [after for table in tables for after in self._after(table, self._removals(table))]
        return tables

    def _after(self, table: Any, moves: list[CardMove]) -> list[Any]:
        tables = [table]
        for move in moves:
            for here in tables if move.removes else ():
                name, number = move.origin[0], here.count(move.origin)
                gone = number if move.number is None else min(number, move.number)
                here.removed[name] = here.removed.get(name, 0) + gone
            tables = [after for here in tables for after in here.moved(move)]
        return tables

    def _instances(self, scene: Scene) -> Iterable[int]:
        step = self.step
        if step.each is Each.NUMBER and step.instances is not None:
            return range(1, scene.number(step.instances) + 1)
        return range(1, scene.players + 1) if step.each is Each.PLAYER else (0,)

    def _moves(self, table: Any, take: Take) -> list[CardMove]:
        scene, step, book = scene_of(self.book, self.variant, table), self.step, self.book
        if take.per is not None or step.each is Each.TEAM:
            raise NotExact
        deck = book.game.decks.get(take.origin)
        theirs = [seat for name, seat in table.cells if name == take.origin and seat > 0]
        if deck is not None:
            theirs = list(range(1, table.players + 1)) if deck.is_per_player else []
        moves = []
        instances = list(self._instances(scene))
        for instance in instances:
            origins = [0] if not theirs else [instance] if instance else sorted(theirs)
            for origin in origins:
                seen = scene.at_seat(instance or origin or None)
                part = None if take.where is None else self._part(seen, take, origin)
                number = seen.number_or_all(take.amount) if not _is_even(seen, take) else self._share(
                    table.count((take.origin, origin)), instances.index(instance), len(instances)
                )  # fmt: skip
                to = None if step.kind is PlaceKind.BOX else (step.place, instance)
                is_under = step.kind is PlaceKind.PILE and not step.is_shuffled
                moves.append(CardMove((take.origin, origin), part, number, to, is_under))
        return moves

    def _share(self, whole: int, place: int, of: int) -> int:
        return whole // of + (place < whole % of)

    def _part(self, scene: Scene, take: Take, origin: int) -> Collection[CardKey]:
        """Return the cards for which the condition of a take holds, of every deck that may lie there."""
        assert take.where is not None
        reading = self.book.reading(take.where.text)
        if any(call.function in _ASK_OF_CARDS and call.origin and not self._is_deck(call.origin.text)
               for call in reading.calls) and not isinstance(self.table, CardTable):  # fmt: skip
            raise NotExact
        is_deck = take.origin in self.book.game.decks
        decks = (take.origin,) if is_deck else self.book.decks_in(take.origin, self.variant)
        keys: set[CardKey] = set()
        for deck in decks:
            sets = range(1, scene.players + 1) if self.book.game.decks[deck].is_per_player else (0,)
            for seat in (origin,) if is_deck else sets:
                keys.update(scene.chosen(self.book.deck_part(deck, seat).copies, take.where))
        return keys

    def _is_deck(self, name: str) -> bool:
        return name in self.book.game.decks

    def _removals(self, table: Any) -> list[CardMove]:
        scene = scene_of(self.book, self.variant, table)
        assert self.step.remove is not None
        moves = []
        for instance in self._instances(scene):
            number = scene.at_seat(instance or None).number_or_all(self.step.remove)
            gone = (f"removed from {self.step.place}", instance)
            moves.append(CardMove((self.step.place, instance), None, number, gone, True, removes=True))
        return moves


def _is_even(scene: Scene, take: Take) -> bool:
    return scene.expression(take.amount).text == EVEN
