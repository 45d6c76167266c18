"""What the steps of a setup act on: decks in the box and places on the table, as counts of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from duckpress.check.setup.counting import CardKey, Contents, added_up
from duckpress.check.setup.rule_book import Book
from duckpress.model.setup import Each

Extra = Mapping[tuple[str, int], int]
"""Copies that are tried in addition to a game's: of the card at this position of a deck, in each set of it."""


class SeenTable(Protocol):
    """A table as expressions see it, whether its cards are counts or real; place 0 is common to all."""

    def size(self, name: str, instance: int) -> int:
        """Return how many cards lie at a place."""

    def total(self, name: str) -> int:
        """Return how many cards lie at all places of that name together."""

    def taken(self, deck: str) -> int:
        """Return how many cards of a deck are not in the box, all players' sets together."""

    def left(self, deck: str) -> int:
        """Return how many cards of a deck are in the box, all players' sets together."""

    def removed(self, name: str) -> int:
        """Return how many cards have been removed from a place, all of that name together."""

    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards of a deck or place; a deck stands before a place of the same name."""

    def lying(self, place: str, instance: int) -> Mapping[CardKey, int]:
        """Return the cards of a place, whatever decks are called; none where it was not formed."""

    def instances(self, name: str) -> Iterable[int]:
        """Return the numbers of a place's instances, in order: 0 where it is common to all."""

    @property
    def extra(self) -> Extra:
        """Return the copies that are tried in addition to the game's."""


class Tabletop(Struct):
    """A tabletop of counts; its contents are replaced, never changed, so that copies of it share them."""

    book: Book
    players: int
    variant: str | None
    extra: Extra = field(default_factory=dict)
    decks: dict[tuple[str, int], Contents] = field(default_factory=dict)
    places: dict[tuple[str, int], Contents] = field(default_factory=dict)
    gone: dict[str, int] = field(default_factory=dict)  # removed from places, and put back into the box, by name
    rooms: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)  # place -> slots, line that says so
    active: tuple[int, ...] = ()  # the places that the step under way is for
    is_short: bool = False  # the step under way needs more than there is: a deal ends here

    def copy(self) -> Tabletop:
        """Return a tabletop with the same cards."""
        return replace(
            self, decks=dict(self.decks), places=dict(self.places), gone=dict(self.gone), rooms=dict(self.rooms)
        )

    def key(self, known: dict[int, object]) -> object:
        """Return what tells this tabletop from others of the same moment; `known` remembers cards by their identity."""
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
        """Make these the cards of a deck or place."""
        is_deck = name in self.book.game.decks
        (self.decks if is_deck else self.places)[name, instance] = contents

    def put(self, name: str, instance: int, cards: Contents) -> None:
        """Add cards to a place, which may bear the name of a deck."""
        self.places[name, instance] = added_up(self.places.get((name, instance), {}), cards)

    def give_back(self, name: str, cards: Contents) -> None:
        """Put cards back into their decks, by a step of that name."""
        for key, number in cards.items():
            self.decks[key.deck, key.seat] = added_up(self.contents(key.deck, key.seat), {key: number})
        self.gone[name] = self.gone.get(name, 0) + sum(cards.values())

    def form(self, name: str, instance: int) -> None:
        """Make a place known, though no card has come to it."""
        self.places.setdefault((name, instance), {})

    def size(self, name: str, instance: int) -> int:
        if (name, instance) not in self.places:
            return self.gone.get(name, 0)  # where it is a way back into the box
        return sum(self.places[name, instance].values())

    def total(self, name: str) -> int:
        self.book.spend(1 + len(self.places) // 8)
        return sum(sum(cards.values()) for (place, _), cards in self.places.items() if place == name)

    def taken(self, deck: str) -> int:
        self.book.spend(1 + len(self.decks) // 8)
        added = sum(copies for (name, _), copies in self.extra.items() if name == deck)
        touched = [cards for (name, _), cards in self.decks.items() if name == deck]
        whole = (self.book.game.decks[deck].count + added) * len(touched)
        return whole - sum(sum(cards.values()) for cards in touched)

    def left(self, deck: str) -> int:
        sets = self.players if self.book.game.decks[deck].is_per_player else 1
        added = sum(copies for (name, _), copies in self.extra.items() if name == deck)
        return (self.book.game.decks[deck].count + added) * sets - self.taken(deck)

    def removed(self, name: str) -> int:
        return self.gone.get(f"-{name}", 0)

    def remove(self, name: str, number: int) -> None:
        """Note that so many cards have been removed from a place."""
        self.gone[f"-{name}"] = self.gone.get(f"-{name}", 0) + number

    def instances(self, name: str) -> Iterable[int]:
        if name in self.book.game.decks:
            return range(1, self.players + 1) if self.book.game.decks[name].is_per_player else (0,)
        return sorted(instance for place, instance in self.places if place == name)


def each_of(book: Book, name: str, variant: str | None) -> Each:
    """Return what has a deck or place of that name of its own."""
    deck = book.game.decks.get(name)
    if deck is not None:
        return Each.PLAYER if deck.is_per_player else Each.NOBODY
    return book.each_of_places(variant).get(name, Each.NOBODY)
