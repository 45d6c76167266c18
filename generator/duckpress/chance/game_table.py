"""The table of a playout: real cards in lists, drawn at random where they were shuffled, from the top where not.

Expressions see it from a place (`View`), and ask it for its cards by functions: `count('draw', where='card.rare')`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from duckpress.check.expressions import unknown, value_order
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.expressions.parsing import ExpressionError
from duckpress.model.setup import Each, as_name

Look = Callable[[], Any]
"""Gives a value as it is now, seen from one place."""
_IN_BOX = "\0"  # before the name of a deck, so that a place may have its name


class View(NamedTuple):
    """The seat, the team and the number that something is seen from, 0 for none, and a card that was drawn, or -1."""

    seat: int = 0
    team: int = 0
    nth: int = 0
    drawn: int = -1

    def at(self, each: Each, instance: int) -> View:
        """Return the view from one of the places that players, teams or numbers have."""
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
    """Return the name by which the table knows what is left of a deck."""
    return _IN_BOX + deck


class GameTable:
    """Decks and places by name and instance; a card is the position of its data, once for each copy.

    The cards of a deck that each player has a set of are others for each of them.
    """

    def __init__(
        self, book: Book, players: int, places: Mapping[str, Each], formed: Sequence[str], teams: Mapping[int, int]
    ) -> None:
        """Take what is there: all places that may be named, those of them where cards may lie, each seat's team."""
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
        """Begin a game: all cards in their decks, and chance at its beginning."""
        self.chance.seed(seed)
        for here, cards in self._pairs:
            here[:] = cards
        self.ordered.clear()
        self.gone.clear()
        self.formed.clear()
        self.round = 0

    def list_at(self, key: Key) -> Cards:
        """Return the list of a place, which is made when it is first asked for."""
        if key not in self.lists:
            self.lists[key] = []
            self._pairs.append((self.lists[key], self._begun.get(key, [])))
        return self.lists[key]

    def form(self, name: str, number: int) -> None:
        """Make so many places of a name with numbers known, though no card has come to them."""
        for instance in range(self.formed.get(name, 0) + 1, number + 1):
            self.list_at((name, instance))
            self.formed[name] = instance

    def instances(self, name: str) -> Sequence[int]:
        """Return which of a deck or place there are now: 0 where it is common to all."""
        each = self.each[name]
        if each is Each.NUMBER:
            return range(1, self.formed.get(name, 0) + 1)
        if each is Each.TEAM:
            return sorted(set(self.teams.values()))
        return range(1, self.players + 1) if each is Each.PLAYER else range(1)

    def instance(self, name: str, view: View) -> int:
        """Return which of a deck or place is seen: the own one, or the first; 0 where it is common to all."""
        each = self.each[name]
        if each is Each.TEAM:
            return view.team or self.teams[view.seat or 1]
        if each is Each.NUMBER:
            return view.nth or 1
        return (view.seat or 1) if each is Each.PLAYER else 0

    def cards(self, name: str, view: View) -> Cards:
        """Return the cards that lie at a place now, as they are seen."""
        return self.list_at((name, self.instance(name, view)))

    def whole(self, deck: str) -> Cards:
        """Return all the cards of a deck; of the first player's set where each has one."""
        return self._begun[in_box(deck), self.instance(in_box(deck), View())]

    def is_deck(self, name: str) -> bool:
        return name in self._full

    def size(self, name: str, view: View) -> Callable[[], int]:
        """Return what gives the number of cards at a place now."""
        return (lambda: self.gone.get(name, 0)) if name not in self._holding else self.cards(name, view).__len__

    def total(self, name: str) -> int:
        return sum([len(self.lists[name, instance]) for instance in self.instances(name)])

    def total_from(self, name: str, deck: str) -> int:
        """Return how many cards of a deck, as the table calls it, lie at a place, all its instances together."""
        cards = [card for instance in self.instances(name) for card in self.lists.get((name, instance), ())]
        return sum(self.homes[card][0] == deck for card in cards)

    def ranks(self, field: str, sign: int) -> list[Rank]:
        return [_rank(data.get(field), sign) for data in self.data]

    def left(self, name: str, view: View) -> int:
        """Return how many cards of a deck are in the box, or lie at a place as it is seen."""
        return self.total(in_box(name)) if name in self._full else self.size(name, view)()

    def taken(self, deck: str) -> int:
        return self._full[deck] - self.total(in_box(deck))

    def removed(self, name: str) -> int:
        return 0 if name not in self._holding else self.gone.get(name, 0)

    def draw(
        self, key: Key, number: int | None, fits: Ids | None, ranks: list[Rank] | None, is_chosen: bool = False
    ) -> Cards:
        """Take so many cards (None: all), as many as there are: as they are picked, from the top, or at random.

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
        """Take so many cards out of a list at random: those that go, or those that stay, whichever are fewer."""
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

    def put_back(self, name: str, cards: Cards) -> None:
        """Put cards back into the decks that they come from, by a step of that name."""
        for card in cards:
            self.lists[self.homes[card]].append(card)
        self.gone[name] = self.gone.get(name, 0) + len(cards)

    def remove(self, key: Key, number: int | None) -> int:
        """Remove so many cards of a place (None: all) from the game, as many as there are; return how many."""
        count = len(self.draw(key, number, None, None))
        self.gone[key[0]] = self.gone.get(key[0], 0) + count
        return count


def _rank(value: Any, sign: int) -> Rank:
    """Return where a value stands among those of a field: cards without it are picked last."""
    if isinstance(value, int | float):
        return 0, sign * value, ""
    return (2, 0, "") if value is None else (1, 0, str(value))


Matching = Callable[[str, View], Callable[[], Ids]]
"""Gives what gives the cards for which a condition holds, seen from a place."""


class TableFunctions:
    """What functions give at one table. A deck stands before a place of its name, with all its cards."""

    def __init__(self, book: Book, table: GameTable, scene: Scene, matching: Matching) -> None:
        self._book, self._table, self._scene, self._matching = book, table, scene, matching
        self._columns: dict[tuple[str, str], list[Any]] = {}
        self._lists: set[tuple[str, str]] = set()  # those of them that hold lists

    def seen_from(self, view: View) -> Mapping[str, Callable[..., Any]]:
        """Return the functions as they are called where a view is from."""
        table, matching = self._table, cache(lambda where: self._matching(where, view))

        @cache  # what lies at a place is always the same list
        def lying(of: str) -> Sequence[int]:
            return table.whole(of) if table.is_deck(of) else table.cards(self._place(of, "unknown-deck"), view)

        def cards(of: str, where: str | None) -> Sequence[int]:
            here = lying(of)
            if where is None or not here:
                return here
            fits = matching(where)()
            return [card for card in here if card in fits]

        def entries(of: str, field: str, where: str | None) -> list[Any]:
            column = self._column(of, field)
            return [column[card] for card in cards(of, where) if column[card] is not None]

        def tally(of: str, field: str, value: object, where: str | None = None) -> int:
            values = entries(of, field, where)
            has_lists = bool(values) and (of, field) in self._lists
            return sum(_times(entry, value) for entry in values) if has_lists else values.count(value)

        return {
            "count": lambda of, where=None: len(cards(of, where)),
            "sum": lambda of, field, where=None: _total(of, field, entries(of, field, where)),
            "distinct": lambda of, field, where=None: len({repr(value) for value in entries(of, field, where)}),
            "most": lambda of, field, where=None: max(
                Counter(map(repr, entries(of, field, where))).values(), default=0
            ),
            "tally": tally,
            "values": lambda of, field: tuple(sorted(set(entries(of, field, None)), key=value_order)),
            "left": lambda of: table.left(of if table.is_deck(of) else self._place(of), view),
            "total": lambda of: table.total(self._place(of)),
            "taken": lambda of: table.taken(self._book.deck_of(of)),
            "removed": lambda of: table.removed(self._place(of)),
            "told": lambda of: len(self._scene.at_seat(view.seat or 1).told_at(self._place(of))),
            "knowers": lambda of: self._scene.at_seat(view.seat or 1).knowers(self._place(of)),
        }

    def _place(self, name: str, code: str = "unknown-place") -> str:
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`, or what the code says."""
        if name in self._table.places:
            return name
        known = self._table.places if code == "unknown-place" else (*self._book.game.decks, *self._table.places)
        raise unknown(code, name, known, f"no step forms {name!r}")

    def _column(self, of: str, field: str) -> list[Any]:
        """Return what each card has in a field. Raises `ExpressionError`: `unknown-field`."""
        if (of, field) not in self._columns:
            decks = self._book.game.decks
            fields = {name for deck in decks.values() for name in deck.fields if of not in decks or deck.id == of}
            if field not in (*fields, "id", "deck"):
                raise unknown("unknown-field", field, fields, f"{of!r} has no field {field!r}", says="its fields are")
            column = self._columns[of, field] = [data.get(field) for data in self._table.data]
            if any(isinstance(entry, tuple) for entry in column):
                self._lists.add((of, field))
        return self._columns[of, field]


def _times(entry: object, value: object) -> int:
    return entry.count(value) if isinstance(entry, tuple) else int(entry == value)


def _total(of: str, name: str, values: Sequence[Any]) -> float:
    total: float = 0
    for value in values:
        if not isinstance(value, int | float):
            what = f"{name!r} of {of!r} holds {str(value)[:60]!r}, not a number"
            raise ExpressionError("bad-expression", what, "count() counts cards whatever they hold")
        total += value
    return total
