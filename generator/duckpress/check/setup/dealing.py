"""Dealing: the steps of a setup run with real, shuffled cards; says who has what in the end.

Decks are shuffled when they are first touched and dealt from the top; a pile is shuffled again by every step that adds
to it. From any other place a card is taken at random. The same seed gives the same numbers, and so the same deal, on
every machine and every version of Python.

The algorithm, `duckpress-deal-1`, in full, so that a deal can be checked without this program:

- A stream of chance has a key: the fields `duckpress-deal-1`, seed, game id, player count, variant (empty for the
  basic game) and the stream's own label, in UTF-8 of Unicode's form NFC, each followed by a zero byte.
- Block i of a stream (i = 0, 1, ...) is SHA-256 of the key followed by i as eight bytes, the highest first. Each block
  is four numbers of 64 bits, the highest byte first.
- A number below n is the next of them that is below the largest multiple of n in 2**64, modulo n. Larger ones are
  thrown away, so that every result is equally likely.
- Cards are shuffled by Fisher and Yates: for i from the last place down to the second, the cards at i and at a number
  below i + 1 change places.

What is shuffled has a stream of its own, so a deck that is added to a game changes no other deck's order.
"""

from __future__ import annotations

import hashlib
import itertools
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress.check.setup.counting import CardGroup, CardKey
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.steps import is_carried_out, moves_of, seats_of
from duckpress.check.setup.tabletop import Tabletop
from duckpress.check.setup_expressions import Spent, Stopped
from duckpress.core.problems import MachineError, Problem
from duckpress.model import Game
from duckpress.model.setup import PlaceKind, Step

ALGORITHM = "duckpress-deal-1"
_WORDS = 1 << 64


class Chance:
    """One stream of numbers, given by the fields of its key."""

    def __init__(self, *fields: object) -> None:
        words = (ALGORITHM, *map(str, fields))
        # A seed typed in no encoding holds half characters; they are written as they are.
        key = "".join(unicodedata.normalize("NFC", word) + "\0" for word in words)
        self._key = key.encode("utf-8", "surrogatepass")
        self._numbers = self._stream()

    def below(self, limit: int) -> int:
        """Return a number from 0 to one below the limit, each as likely as the others."""
        usable = _WORDS - _WORDS % limit
        return next(number for number in self._numbers if number < usable) % limit

    def shuffle(self, items: list[Any]) -> None:
        """Put the items into a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _stream(self) -> Iterator[int]:
        for block in itertools.count():
            digest = hashlib.sha256(self._key + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))


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
    scene = Scene(book, players, variant, Tabletop(book, players, variant))
    dealer = _Dealer(scene, seed)
    try:
        for step in book.steps(variant):
            dealer.run(step)
        order = list(range(1, players + 1))
        if book.setup.seats is not None and book.setup.seats.is_shuffled:
            dealer.chance("seats").shuffle(order)
        return Deal(
            game.id, seed, players, variant,
            tuple(_seat(scene.at_seat(number), player) for number, player in enumerate(order, 1)),
            dealer.holdings(dealer.places), dealer.holdings(dealer.removed), dealer.rest_of_decks(),
        )  # fmt: skip
    except Stopped as stopped:
        what, fix = "this cannot be computed, so nothing can be dealt", "correct it, rather than accept it in game.yaml"
        problem = stopped.problem or Problem("setup-stopped", book.at, what, fix, players=players, variant=variant)
        return problem._replace(game=game.id)
    except Spent as spent:
        raise MachineError(f"the cards cannot be dealt: {spent.problem.what}; {spent.problem.fix}") from None


def _seat(scene: Scene, player: int) -> Seat:
    seats = scene.book.setup.seats
    relations = seats.relations.values() if seats is not None else ()
    return Seat(
        scene.seat or 0,
        player,
        {relation.name: scene.seat_of(relation.expression, relation.name) for relation in relations},
        {known.place: scene.told_seats(known) for known in scene.book.knowledge(scene.variant)},
    )


class _Dealer(Struct):
    """The cards behind the counts: piles, hands and decks as lists of keys, one for every copy, the top first."""

    scene: Scene
    seed: str
    places: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    removed: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    _decks: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    _kinds: dict[str, PlaceKind] = field(default_factory=dict)
    _chances: dict[str, Chance] = field(default_factory=dict)

    def chance(self, label: str) -> Chance:
        """Return the stream of chance of that label, which goes on where it stopped."""
        if label not in self._chances:
            scene = self.scene
            self._chances[label] = Chance(self.seed, scene.book.game.id, scene.players, scene.variant or "", label)
        return self._chances[label]

    def run(self, step: Step) -> None:
        scene, top = self.scene, self.scene.top
        if not is_carried_out(scene, step):
            return
        self._kinds.setdefault(step.place, step.kind)
        for seat in seats_of(scene, step):
            self.places.setdefault((step.place, seat), [])
        for take in step.takes:
            for move in list(moves_of(scene, step, take)):
                cards = self._draw(take.origin, move.origin_seat, move.part, move.number)
                self.places[step.place, move.to_seat] += cards
                top.move(take.origin, move, len(cards), step.place)
        for seat in seats_of(scene, step):
            here = self.places[step.place, seat]
            if step.takes and step.kind is PlaceKind.PILE:
                scene.book.spend(len(here))
                self.chance(f"pile {step.place} {seat}").shuffle(here)
            if step.remove is not None:
                cards = self._draw(step.place, seat, None, scene.at_seat(seat or None).number_or_all(step.remove))
                top.remove(step.place, seat, len(cards))
                self.removed.setdefault((step.place, seat), []).extend(cards)

    def _cards(self, name: str, seat: int) -> list[CardKey]:
        """Return the cards of a deck, shuffled when it is first asked for, or of a place."""
        if name not in self.scene.book.game.decks:
            return self.places.get((name, seat), [])  # none where no step has formed the place
        if (name, seat) not in self._decks:
            part = self.scene.book.deck_part(name, seat)
            self.scene.book.spend(part.size)
            self._decks[name, seat] = [key for key, copies in part.copies.items() for _ in range(copies)]
            self.chance(f"deck {name} {seat}").shuffle(self._decks[name, seat])
        return self._decks[name, seat]

    def _draw(self, name: str, seat: int, part: CardGroup | None, count: int | None) -> list[CardKey]:
        """Take so many cards (None: all) of those there are: from the top of a deck or pile, elsewhere at random."""
        cards = self._cards(name, seat)
        self.scene.book.spend(1 + len(cards) // 8 + (0 if count is None else min(count, len(cards))))
        fitting = [index for index, key in enumerate(cards) if part is None or key in part.copies]
        if count is not None and count < len(fitting):
            if name not in self.scene.book.game.decks and self._kinds.get(name) is not PlaceKind.PILE:
                self.chance(f"draw {name} {seat}").shuffle(fitting)
            del fitting[count:]
        drawn = [cards[index] for index in fitting]
        for index in sorted(fitting, reverse=True):
            del cards[index]
        return drawn

    def holdings(self, places: Mapping[tuple[str, int], list[CardKey]]) -> tuple[Holding, ...]:
        """Return places with their cards, in the order in which they were formed, seat by seat."""
        order = list(dict.fromkeys(name for name, _ in self.places))
        return tuple(
            Holding(name, self._kinds[name].value, seat, tuple(map(self._ref, places[name, seat])))
            for name, seat in sorted(places, key=lambda key: (order.index(key[0]), key[1]))
        )

    def rest_of_decks(self) -> tuple[Holding, ...]:
        """Return what is left in the box of the decks that the setup took from, in the deck's own order."""
        order = list(self.scene.book.game.decks)
        return tuple(
            Holding(deck, "deck", seat, tuple(map(self._ref, sorted(self._decks[deck, seat]))))
            for deck, seat in sorted(self._decks, key=lambda key: (order.index(key[0]), key[1]))
            if self._decks[deck, seat]
        )

    def _ref(self, key: CardKey) -> CardRef:
        return CardRef(key.deck, self.scene.book.card(key).id, key.seat)
