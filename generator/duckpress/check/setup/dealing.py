"""Dealing: the steps of a setup run with real, shuffled cards; says who has what in the end.

Decks are shuffled when they are first touched and dealt from the top; a pile is shuffled again by every step that adds
to it. From any other place a card is taken at random. `chance` says how; the same seed gives the same deal everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from duckpress.check.setup.chance import Chance
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup_expressions import Spent, Stopped
from duckpress.core.problems import MachineError, Problem
from duckpress.model import Game
from duckpress.model.setup import ALL, PlaceKind, Step, Take


class CardRef(NamedTuple):
    """A dealt card: its deck and id, and whose set it is from in a deck per player (0 in any other)."""

    deck: str
    card: str
    set_of: int = 0


class Holding(NamedTuple):
    """The cards at a place, in order, the top one first; `seat` is 0 where the place is common to all."""

    place: str
    kind: str
    seat: int
    cards: tuple[CardRef, ...]


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


def deal_cards(game: Game, players: int, seed: str, variant: str | None = None) -> Deal | Problem:
    """Deal a game's cards. Only for a game whose setup `check_game` finds without an error at this player count.

    It is a problem where a step cannot be computed all the same, because its mistake is accepted.
    Raises `MachineError` where dealing takes more steps than are allowed.
    """
    if game.setup is None:
        seats = tuple(Seat(number, number, {}, {}) for number in range(1, players + 1))
        return Deal(game.id, seed, players, variant, seats, (), (), ())
    book = Book(game, game.setup)
    try:
        return _dealt(book, players, seed, variant)
    except Stopped as stopped:
        what, fix = "this cannot be computed, so nothing can be dealt", "correct it, rather than accept it in game.yaml"
        problem = stopped.problem or Problem("setup-stopped", book.at, what, fix, players=players, variant=variant)
        return problem._replace(game=game.id)
    except Spent as spent:
        raise MachineError(f"the cards cannot be dealt: {spent.problem.what}; {spent.problem.fix}") from None


def _dealt(book: Book, players: int, seed: str, variant: str | None) -> Deal:
    top = _DealtTabletop(book, players, variant, seed)
    scene = Scene(book, players, variant, top)
    for step in book.steps(variant):
        top.run(step, scene)
    seated = top.chance("seats")
    order = list(range(1, players + 1))
    if book.setup.seats is not None and book.setup.seats.is_shuffled:
        seated.shuffle(order)
    return Deal(
        book.game.id, seed, players, variant,
        tuple(_seat(scene.at_seat(number), order[number - 1]) for number in range(1, players + 1)),
        top.holdings(top.places), top.holdings(top.taken_away), top.rest_of_decks(),
    )  # fmt: skip


def _seat(scene: Scene, player: int) -> Seat:
    seats = scene.book.setup.seats
    relations = seats.relations.values() if seats is not None else ()
    return Seat(
        scene.seat or 0,
        player,
        {relation.name: scene.seat_of(relation.expression, relation.name) for relation in relations},
        {one.place: scene.told_seats(one) for one in scene.book.knowledge(scene.variant)},
    )


class _DealtTabletop(Struct):
    """A tabletop of real cards: the piles, hands and decks as lists of keys, one for every copy, the top first."""

    book: Book
    players: int
    variant: str | None
    seed: str
    places: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    taken_away: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    _decks: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    _kinds: dict[str, PlaceKind] = field(default_factory=dict)
    _chances: dict[str, Chance] = field(default_factory=dict)

    def chance(self, label: str) -> Chance:
        """Return the stream of chance of that label, which goes on where it stopped."""
        if label not in self._chances:
            fields = (self.seed, self.book.game.id, self.players, self.variant or "", label)
            self._chances[label] = Chance(*fields)
        return self._chances[label]

    def run(self, step: Step, scene: Scene) -> None:
        """Carry out one step."""
        self.book.at = step.source
        self.book.spend(1)
        if step.only is not None and self.players not in step.only:
            return
        if step.when is not None and not scene.holds(step.when):
            return
        self._kinds.setdefault(step.place, step.kind)
        seats = range(1, self.players + 1) if step.is_for_each_player else range(1)
        for seat in seats:
            self.places.setdefault((step.place, seat), [])
        for take in step.takes:
            self._take(step, take, scene, seats)
        for seat in seats:
            if step.takes and step.kind is PlaceKind.PILE:
                self.book.spend(len(self.places[step.place, seat]))
                self.chance(f"pile {step.place} {seat}").shuffle(self.places[step.place, seat])
            if step.remove is not None:
                here, seen = self.places[step.place, seat], scene.at_seat(seat or None)
                is_all = seen.expression(step.remove).text == ALL
                count = len(here) if is_all else seen.number(step.remove)
                gone = self._draw(step.place, seat, None, count)
                self.taken_away.setdefault((step.place, seat), []).extend(gone)

    def _take(self, step: Step, take: Take, scene: Scene, seats: range) -> None:
        """Move cards as a take says; how many is computed for everybody before the first card moves."""
        is_deck = take.origin in self.book.game.decks
        is_personal = (
            self.book.game.decks[take.origin].is_per_player
            if is_deck
            else self.book.places(self.variant).get(take.origin, False)
        )
        moves: list[tuple[int, int, set[CardKey] | None, int | None]] = []
        for to_seat in seats:
            for origin_seat in [to_seat] if to_seat or not is_personal else range(1, self.players + 1):
                seen = scene.at_seat(to_seat or origin_seat or None)
                from_seat = origin_seat if is_personal else 0
                such = None if take.where is None else self._such(take, from_seat, seen)
                count = None if seen.expression(take.amount).text == ALL else seen.number(take.amount)
                moves.append((from_seat, to_seat, such, count))
        for from_seat, to_seat, such, count in moves:
            self.places[step.place, to_seat] += self._draw(take.origin, from_seat, such, count)

    def _such(self, take: Take, seat: int, scene: Scene) -> set[CardKey]:
        """Return the cards at an origin for which its `where` holds."""
        assert take.where is not None
        self.book.spend(1 + len(self._cards(take.origin, seat)) // 4)
        sets = dict.fromkeys((key.deck, key.seat) for key in self._cards(take.origin, seat))
        parts = (scene.chosen(self.book.deck_part(deck, set_of), take.where) for deck, set_of in sets)
        return {key for part in parts for key in part.copies}

    def _cards(self, name: str, seat: int) -> list[CardKey]:
        """Return the cards of a deck, shuffled when it is first asked for, or of a place."""
        if name not in self.book.game.decks:
            return self.places.get((name, seat), [])  # none where no step has formed the place
        if (name, seat) not in self._decks:
            part = self.book.deck_part(name, seat)
            self.book.spend(part.size)
            self._decks[name, seat] = [key for key, copies in part.copies.items() for _ in range(copies)]
            self.chance(f"deck {name} {seat}").shuffle(self._decks[name, seat])
        return self._decks[name, seat]

    def _draw(self, name: str, seat: int, such: set[CardKey] | None, count: int | None) -> list[CardKey]:
        """Take so many cards (None: all) of those there are: from the top of a deck or pile, elsewhere at random."""
        cards = self._cards(name, seat)
        self.book.spend(1 + len(cards) // 8 + (0 if count is None else min(count, len(cards))))
        fitting = [index for index, key in enumerate(cards) if such is None or key in such]
        if count is not None and count < len(fitting):
            if name not in self.book.game.decks and self._kinds.get(name) is not PlaceKind.PILE:
                self.chance(f"draw {name} {seat}").shuffle(fitting)
            del fitting[count:]
        drawn = [cards[index] for index in fitting]
        for index in sorted(fitting, reverse=True):
            del cards[index]
        return drawn

    # What expressions ask of a tabletop.

    def size(self, name: str, seat: int | None) -> int:
        """How many cards lie at a place; at the first player's where no seat is given."""
        return len(self.places.get((name, 0)) or self.places.get((name, seat or 1)) or ())

    def total(self, name: str) -> int:
        """How many cards lie at a place, all players' together."""
        return sum(len(cards) for (place, _), cards in self.places.items() if place == name)

    def taken(self, deck: str) -> int:
        """How many cards of a deck have been taken, all players' sets together."""
        return self._in_all(deck) - self.left(deck)

    def left(self, deck: str) -> int:
        """How many cards of a deck are still in the box, all players' sets together."""
        opened = {seat: len(cards) for (name, seat), cards in self._decks.items() if name == deck}
        missing = sum(self.book.game.decks[deck].count - count for count in opened.values())
        return self._in_all(deck) - missing

    def removed(self, name: str) -> int:
        """How many cards have been removed from a place, all players' together."""
        return sum(len(cards) for (place, _), cards in self.taken_away.items() if place == name)

    def _in_all(self, deck_id: str) -> int:
        deck = self.book.game.decks[deck_id]
        return deck.count * (self.players if deck.is_per_player else 1)

    # What came out.

    def holdings(self, places: Mapping[tuple[str, int], list[CardKey]]) -> tuple[Holding, ...]:
        """Return places with their cards, in the order in which they were formed, seat by seat."""
        order = list(dict.fromkeys(name for name, _ in self.places))
        found = sorted(places.items(), key=lambda item: (order.index(item[0][0]), item[0][1]))
        return tuple(
            Holding(name, self._kinds[name].value, seat, tuple(map(self._ref, cards))) for (name, seat), cards in found
        )

    def rest_of_decks(self) -> tuple[Holding, ...]:
        """Return what is left in the box of the decks that the setup took from, in the deck's own order."""
        found = []
        for deck_id, deck in self.book.game.decks.items():
            for seat in range(1, self.players + 1) if deck.is_per_player else (0,):
                rest = sorted(self._decks.get((deck_id, seat), ()))
                if rest:
                    found.append(Holding(deck_id, "deck", seat, tuple(map(self._ref, rest))))
        return tuple(found)

    def _ref(self, key: CardKey) -> CardRef:
        return CardRef(key.deck, self.book.card(key).id, key.seat)
