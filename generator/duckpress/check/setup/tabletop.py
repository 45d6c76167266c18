"""The tables that a setup's steps change: decks and places, and the table with counts of cards."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check.setup.counting import CardKey, Contents, added_up
from duckpress.check.setup.rule_book import Book
from duckpress.model.setup import Each

Cell = tuple[str, int]
"""A deck or place, and which of its instances; 0 where it is common to all."""
Extra = Mapping[tuple[str, int], int]
"""Copies that are tried in addition to a game's: of the card at this position of a deck, in each set of it."""

Cards = TypeVar("Cards")


class Table(Struct, Generic[Cards]):
    """Decks in the box and places on the table, as expressions see them and steps change them.

    `Cards` is what lies at a place: counts of cards, real cards in order, or shares of pools. Instance 0 of a deck or
    place is common to all; a place may bear the name of a deck.
    """

    book: Book
    players: int
    variant: str | None
    extra: Extra = field(default_factory=dict)
    decks: dict[Cell, Cards] = field(default_factory=dict)  # those that were touched
    places: dict[Cell, Cards] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)  # put back into the box, by name; removed from places, by -name

    @staticmethod
    @abstractmethod
    def number_of(cards: Cards) -> int:
        """Return the number of cards in a place's contents."""

    @abstractmethod
    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards of a deck or place; a deck wins over a place of the same name."""

    @abstractmethod
    def lying(self, place: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards of a place, even if a deck has its name; none if it was not formed."""

    def candidates(self, name: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards that may be taken from a deck or place."""
        return self.contents(name, instance)

    def supply(self, name: str, instance: int, keys: Collection[CardKey] | None) -> int:
        """Return how many of these cards (None: of any) a deck or place has."""
        contents = self.contents(name, instance)
        return sum(contents.values()) if keys is None else sum(contents.get(key, 0) for key in keys)

    def most(self, name: str, instance: int, keys: Collection[CardKey] | None) -> int:
        """Return the largest possible number of these cards at a deck or place, if it is not certain."""
        return self.supply(name, instance, keys)

    def size(self, name: str, instance: int) -> int:
        """Return the number of cards at a place, or that steps of that name returned to the box."""
        if (name, instance) not in self.places:
            return self.gone.get(name, 0)
        return self.number_of(self.places[name, instance])

    def total(self, name: str) -> int:
        """Return how many cards lie at all places of that name together."""
        self.book.spend(1 + len(self.places) // 8)
        return sum(self.number_of(cards) for (place, _), cards in self.places.items() if place == name)

    def taken(self, deck: str) -> int:
        """Return how many cards of a deck are not in the box, all players' sets together."""
        self.book.spend(1 + len(self.decks) // 8)
        touched = [cards for (name, _), cards in self.decks.items() if name == deck]
        return self._deck_size(deck) * len(touched) - sum(map(self.number_of, touched))

    def left(self, deck: str) -> int:
        """Return how many cards of a deck are in the box, all players' sets together."""
        sets = self.players if self.book.game.decks[deck].is_per_player else 1
        return self._deck_size(deck) * sets - self.taken(deck)

    def _deck_size(self, deck: str) -> int:
        return self.book.game.decks[deck].count + sum(n for (name, _), n in self.extra.items() if name == deck)

    def removed(self, name: str) -> int:
        """Return the number of cards removed from all places of a name."""
        return self.gone.get(f"-{name}", 0)

    def remove(self, name: str, number: int) -> None:
        self.gone[f"-{name}"] = self.gone.get(f"-{name}", 0) + number

    def put_back(self, name: str, number: int) -> None:
        """Note that a step of that name has returned cards to the box."""
        self.gone[name] = self.gone.get(name, 0) + number

    def instances(self, name: str) -> Iterable[int]:
        """Return the numbers of a deck's or place's instances, in order: just 0 if it is common to all."""
        if name in self.book.game.decks:
            return range(1, self.players + 1) if self.book.game.decks[name].is_per_player else (0,)
        return sorted(instance for place, instance in self.places if place == name)


class Tabletop(Table[Contents]):
    """A table of counts; its contents are replaced, never changed, so that copies of it share them."""

    rooms: dict[Cell, tuple[int, int]] = field(default_factory=dict)  # place -> slots, line that says so
    active: tuple[int, ...] = ()  # the places that the step under way is for
    is_short: bool = False  # the step under way needs more than there is: a deal ends here

    @staticmethod
    def number_of(cards: Contents) -> int:
        return sum(cards.values())

    def copy(self) -> Tabletop:
        return replace(
            self, decks=dict(self.decks), places=dict(self.places), gone=dict(self.gone), rooms=dict(self.rooms)
        )

    def key(self, known: dict[int, object]) -> object:
        """Return a key that is equal for equal tabletops; `known` caches the keys of cards by their identity."""
        laid: list[object] = []
        for is_deck, cells in ((True, self.decks), (False, self.places)):
            for cell, cards in cells.items():
                if cards:
                    at = id(cards)
                    if at not in known:
                        known[at] = frozenset(cards.items())
                    laid.append((is_deck, cell, known[at]))
        return frozenset(laid), tuple(self.gone.items()), tuple(self.rooms.items()), self.active, self.is_short

    def contents(self, name: str, instance: int) -> Contents:
        if name not in self.book.game.decks:
            return self.places.get((name, instance), {})
        if (name, instance) not in self.decks:
            part = self.book.deck_part(name, instance)
            self.book.spend(1 + len(part.copies) // 8)
            whole = {key: copies for key, copies in part.copies.items() if copies}
            more = {CardKey(name, instance, at): copies for (deck, at), copies in self.extra.items() if deck == name}
            self.decks[name, instance] = added_up(whole, more) if more else whole
        return self.decks[name, instance]

    def lying(self, place: str, instance: int) -> Contents:
        return self.places.get((place, instance), {})

    def lay(self, name: str, instance: int, contents: Contents) -> None:
        is_deck = name in self.book.game.decks
        (self.decks if is_deck else self.places)[name, instance] = contents

    def put(self, name: str, instance: int, cards: Contents) -> None:
        self.places[name, instance] = added_up(self.places.get((name, instance), {}), cards)

    def give_back(self, name: str, cards: Contents) -> None:
        """Put cards back into their decks, by a step of that name."""
        for key, number in cards.items():
            self.decks[key.deck, key.seat] = added_up(self.contents(key.deck, key.seat), {key: number})
        self.put_back(name, sum(cards.values()))

    def form(self, name: str, instance: int) -> None:
        """Create a place, still without cards."""
        self.places.setdefault((name, instance), {})


def each_of(book: Book, name: str, variant: str | None) -> Each:
    """Return who has a deck or place of that name: nobody (all share it), each player, team or number."""
    deck = book.game.decks.get(name)
    if deck is not None:
        return Each.PLAYER if deck.is_per_player else Each.NOBODY
    return book.each_of_places(variant).get(name, Each.NOBODY)
