"""The table of a playout: real cards in lists, drawn at random if they are shuffled, else from the top.

Expressions see it from a place (`View`), and ask it for its cards by functions: `count('draw', where='card.rare')`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from duckpress.check.setup.rule_book import Book
from duckpress.model.setup import Each, as_name

Look = Callable[[], Any]
"""Gives a value as it is now, seen from one place."""
_IN_BOX = "\0"  # before the name of a deck, so that a place may have its name


class View(NamedTuple):
    """The point of view of an expression: seat, team and number, 0 for none, and a drawn card, or -1."""

    seat: int = 0
    team: int = 0
    nth: int = 0
    drawn: int = -1

    def at(self, each: Each, instance: int) -> View:
        """Return the view from one instance of a place."""
        if each is Each.NOBODY:
            return self
        names = {Each.PLAYER: "seat", Each.TEAM: "team", Each.NUMBER: "nth"}
        return self._replace(**{names[each]: instance})


NOBODY = View()


class Fixed:
    """A value that never changes while a game is played."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


Ids = frozenset[int]  # cards: positions in `GameTable.data`
Cards = list[int]
Key = tuple[str, int]  # a deck or place and which of its instances: 0 where it is common to all
Rank = tuple[int, float, str]


def in_box(deck: str) -> str:
    """Return the table's name for the undealt cards of a deck."""
    return _IN_BOX + deck


class GameTable:
    """Decks and places by name and instance; a card is an index into the data, once for each copy.

    The cards of a deck that each player has a set of are others for each of them.
    """

    def __init__(
        self, book: Book, players: int, places: Mapping[str, Each], formed: Sequence[str], teams: Mapping[int, int]
    ) -> None:
        """Take all names of places, the places that hold cards, and the team of each seat."""
        self.players, self.places, self.formed_places, self.teams = players, places, formed, teams
        self._holding = {*formed}  # the others are ways back into the box, and places of other ways to play
        self.by_name = {as_name(place): place for place in reversed(list(places))}
        self.data: list[Mapping[str, Any]] = []
        self.fields = {"id", "deck", "copies"}  # of any card
        self.homes: list[Key] = []  # where each card comes from
        self.round = 0
        self.each = dict(places)
        self.formed: dict[str, int] = {}  # how many places of a name with numbers there are
        self._full: dict[str, int] = {}
        self._begun: dict[Key, Cards] = {}  # what lies there when a game begins
        for deck in book.game.decks.values():
            name = in_box(deck.id)
            self.each[name] = Each.PLAYER if deck.is_per_player else Each.NOBODY
            data = [{"id": card.id, "deck": deck.id, "copies": card.copies, **card.values} for card in deck.cards]
            self.fields |= deck.fields.keys()
            self._full[deck.id] = 0
            for instance in self.instances(name):
                first = len(self.data)
                self.data += data
                self.homes += [(name, instance)] * len(data)
                cards = [first + at for at, card in enumerate(deck.cards) for _ in range(card.copies)]
                self._full[deck.id] += len(cards)
                self._begun[name, instance] = cards
        book.spend(sum(self._full.values()))
        self.lists: dict[Key, Cards] = {}  # the same lists for every game
        self._pairs: list[tuple[Cards, Cards]] = []
        for key in [*self._begun, *((place, instance) for place in places for instance in self.instances(place))]:
            self.list_at(key)
        self.ordered: set[Key] = set()  # what is not shuffled, but has its top at the end of the list
        self.gone: dict[str, int] = {}  # removed from places, and put back into the box, by name
        self.chance = Random()
        self._random = self.chance.random
        self.begin("")

    def begin(self, seed: str) -> None:
        """Begin a game: all cards in their decks, and the random generator at its start."""
        self.chance.seed(seed)
        for here, cards in self._pairs:
            here[:] = cards
        self.ordered.clear()
        self.gone.clear()
        self.formed.clear()
        self.round = 0

    def list_at(self, key: Key) -> Cards:
        """Return the list of a place's cards, created at its first use."""
        if key not in self.lists:
            self.lists[key] = []
            self._pairs.append((self.lists[key], self._begun.get(key, [])))
        return self.lists[key]

    def form(self, name: str, number: int) -> None:
        """Create the numbered instances of a place, still without cards."""
        for instance in range(self.formed.get(name, 0) + 1, number + 1):
            self.list_at((name, instance))
            self.formed[name] = instance

    def instances(self, name: str) -> Sequence[int]:
        """Return the current instances of a deck or place: just 0 if it is common to all."""
        each = self.each[name]
        if each is Each.NUMBER:
            return range(1, self.formed.get(name, 0) + 1)
        if each is Each.TEAM:
            return sorted(set(self.teams.values()))
        return range(1, self.players + 1) if each is Each.PLAYER else range(1)

    def instance(self, name: str, view: View) -> int:
        """Return the instance of a deck or place that a view sees: its own, or the first; 0 if it is common to all."""
        each = self.each[name]
        if each is Each.TEAM:
            return view.team or self.teams[view.seat or 1]
        if each is Each.NUMBER:
            return view.nth or 1
        return (view.seat or 1) if each is Each.PLAYER else 0

    def cards(self, name: str, view: View) -> Cards:
        return self.list_at((name, self.instance(name, view)))

    def whole(self, deck: str) -> Cards:
        """Return all the cards of a deck; for a deck per player those of the first player."""
        return self._begun[in_box(deck), self.instance(in_box(deck), View())]

    def is_deck(self, name: str) -> bool:
        return name in self._full

    def size(self, name: str, view: View) -> Callable[[], int]:
        """Return a function that gives the current number of cards at a place."""
        return (lambda: self.gone.get(name, 0)) if name not in self._holding else self.cards(name, view).__len__

    def total(self, name: str) -> int:
        return sum([len(self.lists[name, instance]) for instance in self.instances(name)])

    def total_from(self, name: str, deck: str) -> int:
        """Return the number of a deck's cards at all instances of a place; `deck` is the table's name."""
        cards = [card for instance in self.instances(name) for card in self.lists.get((name, instance), ())]
        return sum(self.homes[card][0] == deck for card in cards)

    def ranks(self, field: str, sign: int) -> list[Rank]:
        return [_rank(data.get(field), sign) for data in self.data]

    def left(self, name: str, view: View) -> int:
        """Return the number of cards of a deck in the box, or at a place as a view sees it."""
        return self.total(in_box(name)) if name in self._full else self.size(name, view)()

    def taken(self, deck: str) -> int:
        return self._full[deck] - self.total(in_box(deck))

    def removed(self, name: str) -> int:
        return 0 if name not in self._holding else self.gone.get(name, 0)

    def draw(
        self, key: Key, number: int | None, fits: Ids | None, ranks: list[Rank] | None, is_chosen: bool = False
    ) -> Cards:
        """Take so many cards (None: all), or as many as there are: by rank, from the top, or at random.

        From a pile that is not shuffled they come the top one first, and from there unless people choose them.
        """
        cards = self.lists[key]
        if not cards or number == 0:
            return []
        is_ordered = key in self.ordered
        if fits is None:
            if number is None or number >= len(cards):
                taken = cards[::-1] if is_ordered else cards[:]
                cards.clear()
                return taken
            if ranks is None and not is_ordered:
                return self._drawn(cards, number)
            candidates = cards[:]
        else:
            candidates = [card for card in cards if card in fits]
            if number is None or number >= len(candidates):
                if candidates:
                    cards[:] = [card for card in cards if card not in fits]
                return candidates[::-1] if is_ordered else candidates
        if ranks is not None and number == 1:
            best = min([ranks[card] for card in candidates])
            chosen = self._drawn([card for card in candidates if ranks[card] == best], 1)
        elif ranks is not None:
            random = self._random
            chosen = sorted(candidates, key=lambda card: (ranks[card], random()))[:number]
        elif is_ordered and not is_chosen:
            chosen = candidates[-number:][::-1]
        else:
            chosen = self._drawn(candidates, number)
        for card in chosen:  # one of several that are alike is as good as another, but in a pile that keeps its order
            cards.pop(len(cards) - 1 - cards[::-1].index(card))
        return chosen

    def _drawn(self, cards: Cards, number: int) -> Cards:
        """Take so many cards out of a list at random: it draws the taken cards or the rest, whichever are fewer."""
        random, count = self._random, len(cards)
        is_most = 2 * number > count
        drawn = []
        for left in range(count, number if is_most else count - number, -1):
            at = int(random() * left)
            drawn.append(cards[at])
            cards[at] = cards[left - 1]
            cards.pop()
        if not is_most:
            return drawn
        taken = cards[:]
        cards[:] = drawn
        return taken

    def put(self, key: Key, cards: Cards, *, is_shuffled: bool) -> None:
        """Put cards at a place: shuffled in, or in order at the bottom. The top is the end of the list."""
        here = self.lists[key]
        if is_shuffled:
            here += cards
            self.ordered.discard(key)
            return
        if key not in self.ordered:
            self.chance.shuffle(here)
            self.ordered.add(key)
        here[:0] = reversed(cards)

    def put_back(self, name: str, cards: Cards) -> None:
        """Put cards back into their decks, by a step of that name."""
        for card in cards:
            self.lists[self.homes[card]].append(card)
        self.gone[name] = self.gone.get(name, 0) + len(cards)

    def remove(self, key: Key, number: int | None) -> int:
        """Remove so many cards of a place (None: all) from the game, or as many as there are; return the number."""
        count = len(self.draw(key, number, None, None))
        self.gone[key[0]] = self.gone.get(key[0], 0) + count
        return count


def _rank(value: Any, sign: int) -> Rank:
    """Return the sort key of a field's value: cards without one come last."""
    if isinstance(value, int | float):
        return 0, sign * value, ""
    return (2, 0, "") if value is None else (1, 0, str(value))
