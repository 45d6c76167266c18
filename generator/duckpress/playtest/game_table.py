"""The table of a playout: real cards in lists, drawn at random where they were shuffled, from the top where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from duckpress.check.setup.rule_book import Book
from duckpress.model.setup import as_name

Ids = frozenset[int]  # kinds of cards: positions in `GameTable.data`
Cards = list[int]
Key = tuple[str, int]  # a deck or place and the seat that has it, 0 for none
Rank = tuple[int, float, str]
_IN_BOX = "\0"  # before the name of a deck, so that a place may have its name


def in_box(deck: str) -> str:
    """Return the name by which the table knows what is left of a deck."""
    return _IN_BOX + deck


class GameTable:
    """Decks and places by name and seat (0: common to all); a card is the position of its data, once for each copy."""

    def __init__(self, book: Book, players: int, places: Mapping[str, bool]) -> None:
        """Take what is there; `places` are those that are formed, each with whether every player has one."""
        self.players, self.places = players, places
        self.by_name = {as_name(place): place for place in reversed(list(places))}
        self.data: list[Mapping[str, Any]] = []
        self.round = 0
        self.is_personal = dict(places)
        self._full: dict[str, int] = {}
        self._begun: dict[Key, Cards] = {}  # what lies there when a game begins
        for deck in book.game.decks.values():
            self.is_personal[in_box(deck.id)] = deck.is_per_player
            first = len(self.data)
            self.data += [{"id": card.id, "deck": deck.id, "copies": card.copies, **card.values} for card in deck.cards]
            cards = [first + at for at, card in enumerate(deck.cards) for _ in range(card.copies)]
            seats = self._seats(in_box(deck.id))
            self._full[deck.id] = len(cards) * len(seats)
            book.spend(self._full[deck.id])
            self._begun |= {(in_box(deck.id), seat): cards for seat in seats}
        for place in places:
            self._begun |= {(place, seat): [] for seat in self._seats(place)}
        self.lists: dict[Key, Cards] = {key: [] for key in self._begun}  # the same lists for every game
        self._pairs = [(self.lists[key], cards) for key, cards in self._begun.items()]
        self.ordered: set[Key] = set()  # what is not shuffled, but has its top at the end of the list
        self.gone: dict[str, int] = {}
        self.begin(Random(0))

    def begin(self, chance: Random) -> None:
        """Begin a game: all cards in their decks."""
        for here, cards in self._pairs:
            here[:] = cards
        self.ordered.clear()
        self.gone.clear()
        self.round = 0
        self.chance = chance
        self._random = chance.random

    def _seats(self, name: str) -> range:
        return range(1, self.players + 1) if self.is_personal[name] else range(1)

    def key(self, name: str, seat: int) -> Key:
        """Return the list that a seat means: its own where each has one (the first one's for nobody), else the common.

        Raises `KeyError` for a name that is none.
        """
        return name, (seat or 1) if self.is_personal[name] else 0

    def cards(self, name: str, seat: int) -> Cards:
        """Return the cards that lie at a place now, as a seat sees it."""
        return self.lists[self.key(name, seat)]

    def whole(self, deck: str) -> Cards:
        """Return all the cards of a deck; of the first player's set where each has one."""
        return self._begun[self.key(in_box(deck), 0)]

    def is_deck(self, name: str) -> bool:
        """Return whether there is a deck of that name."""
        return name in self._full

    def sizes(self, name: str) -> Callable[[int], int]:
        """Return what gives the number of cards at a place now."""
        lists = [self.cards(name, seat) for seat in range(self.players + 1)]
        return lambda seat: len(lists[seat])

    def total(self, name: str) -> int:
        """Return how many cards lie at a deck or place, all players' together."""
        return sum(len(self.lists[name, seat]) for seat in self._seats(name))

    def ranks(self, field: str, sign: int) -> list[Rank]:
        """Return the order in which cards are picked by a field, for each of them; those without it come last."""
        return [_rank(data.get(field), sign) for data in self.data]

    def left(self, name: str, seat: int) -> int:
        """Return how many cards of a deck are in the box, or lie at a place as a seat sees it."""
        return self.total(in_box(name)) if name in self._full else len(self.cards(name, seat))

    def taken(self, deck: str) -> int:
        """Return how many cards of a deck have been taken."""
        return self._full[deck] - self.total(in_box(deck))

    def draw(self, key: Key, number: int | None, fits: Ids | None, ranks: list[Rank] | None) -> Cards:
        """Take so many cards (None: all), as many as there are: as they are picked, from the top, or at random."""
        cards = self.lists[key]
        if not cards or number == 0:
            return []
        if fits is None:
            if number is None or number >= len(cards):
                taken = cards[:]
                cards.clear()
                return taken
            if ranks is None and key not in self.ordered:
                return self._drawn(cards, number)
            candidates = cards[:]
        else:
            candidates = [card for card in cards if card in fits]
            if number is None or number >= len(candidates):
                if candidates:
                    cards[:] = [card for card in cards if card not in fits]
                return candidates
        if ranks is not None and number == 1:
            best = min([ranks[card] for card in candidates])
            chosen = self._drawn([card for card in candidates if ranks[card] == best], 1)
        elif ranks is not None:
            random = self._random
            chosen = sorted(candidates, key=lambda card: (ranks[card], random()))[:number]
        elif key in self.ordered:
            chosen = candidates[-number:][::-1]
        else:
            chosen = self._drawn(candidates, number)
        for card in chosen:  # one of several that are alike is as good as another, but in a pile that keeps its order
            cards.pop(len(cards) - 1 - cards[::-1].index(card))
        return chosen

    def _drawn(self, cards: Cards, number: int) -> Cards:
        """Take so many cards out of a list at random: those that go, or those that stay, whichever are fewer."""
        random, count = self._random, len(cards)
        if 2 * number > count:
            stay = self._drawn(cards, count - number)
            taken = cards[:]
            cards[:] = stay
            return taken
        taken = []
        for left in range(count, count - number, -1):
            at = int(random() * left)
            taken.append(cards[at])
            cards[at] = cards[left - 1]
            cards.pop()
        return taken

    def put(self, key: Key, cards: Cards, *, is_shuffled: bool) -> None:
        """Put cards at a place; under it, in their order, where it is not shuffled. The top is the end of the list."""
        here = self.lists[key]
        if is_shuffled:
            here += cards
            self.ordered.discard(key)
            return
        if key not in self.ordered:
            self.chance.shuffle(here)
            self.ordered.add(key)
        here[:0] = reversed(cards)


def _rank(value: Any, sign: int) -> Rank:
    """Return where a value stands among those of a field: cards without it are picked last."""
    if isinstance(value, int | float):
        return 0, sign * value, ""
    return (2, 0, "") if value is None else (1, 0, str(value))
