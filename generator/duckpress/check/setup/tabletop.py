"""What the steps of a setup act on: decks in the box and places on the table, as counts."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from duckpress.check.setup.counting import CardGroup, CardKey, CardPlace, Draw
from duckpress.check.setup.rule_book import Book


class Move(NamedTuple):
    """Cards that a step takes: so many of a part (None: of everything; all of them), and between whose seats."""

    origin_seat: int
    part: CardGroup | None
    number: int | None
    to_seat: int


class Tabletop(Struct):
    """A tabletop of counts, laid out for a number of players; a seat of 0 stands for what is common to all.

    What has more cards taken than it had holds less than 0, so that checks see how many are lacking; `is_shown` to
    people it holds none.
    """

    book: Book
    players: int
    variant: str | None
    is_shown: bool = False
    used: dict[CardKey, int] = field(default_factory=dict)  # every card that a draw from its deck may have taken
    _used_parts: dict[int, CardGroup] = field(default_factory=dict)
    _decks: dict[tuple[str, int], CardPlace] = field(default_factory=dict)
    _places: dict[tuple[str, int], CardPlace] = field(default_factory=dict)
    _removed: dict[str, int] = field(default_factory=dict)

    def is_personal(self, name: str) -> bool:
        """Return whether each player has a deck or place of that name of their own."""
        deck = self.book.game.decks.get(name)
        return deck.is_per_player if deck is not None else self.book.places(self.variant).get(name, False)

    def place(self, name: str, seat: int) -> CardPlace:
        """Return the place of that name; a deck is one too, and stands before a place of the same name."""
        if name not in self.book.game.decks:
            return self.destination(name, seat)
        if (name, seat) not in self._decks:
            part = self.book.deck_part(name, seat)
            self._decks[name, seat] = CardPlace([Draw(part, part.size)])
        return self._decks[name, seat]

    def destination(self, name: str, seat: int) -> CardPlace:
        """Return the place of that name, formed where it was not."""
        return self._places.setdefault((name, seat), CardPlace())

    def move(self, origin: str, move: Move, count: int, to: str) -> None:
        """Move so many cards from a deck or place to a place."""
        place = self.place(origin, move.origin_seat)
        self.book.spend(place.cost(move.part))
        draw = place.take(move.part, count)
        if count and origin in self.book.game.decks and id(draw.part) not in self._used_parts:
            self._used_parts[id(draw.part)] = draw.part
            self.book.spend(len(draw.part.copies))
            self.used.update(draw.part.copies)
        self.destination(to, move.to_seat).ins.append(draw)

    def remove(self, name: str, seat: int, count: int) -> None:
        """Remove cards from a place, unseen."""
        place = self.destination(name, seat)
        self.book.spend(place.cost(None))
        place.take(None, count)
        self._removed[name] = self._removed.get(name, 0) + count

    def size(self, name: str, seat: int | None) -> int:
        """How many cards lie at a place; at the first player's where no seat is given."""
        place = self._places.get((name, 0)) or self._places.get((name, seat or 1))
        return self._seen(place.size) if place is not None else 0

    def total(self, name: str) -> int:
        """How many cards lie at a place, all players' together."""
        self.book.spend(1 + len(self._places) // 8)
        return sum(self._seen(place.size) for (place_name, _), place in self._places.items() if place_name == name)

    def taken(self, deck: str) -> int:
        """How many cards of a deck have been taken, all players' sets together."""
        self.book.spend(1 + len(self._decks) // 8 + sum(len(self._decks[key].outs) for key in self._decks) // 8)
        return sum(draw.number for (name, _), place in self._decks.items() if name == deck for draw in place.outs)

    def left(self, deck: str) -> int:
        """How many cards of a deck are still in the box, all players' sets together."""
        sets = self.players if self.is_personal(deck) else 1
        return self._seen(self.book.game.decks[deck].count * sets - self.taken(deck))

    def removed(self, name: str) -> int:
        """How many cards have been removed from a place, all players' together."""
        return self._removed.get(name, 0)

    def _seen(self, count: int) -> int:
        return max(0, count) if self.is_shown else count
