"""A setup and a seed -> a deal: every player's cards, as real cards that anyone can shuffle again.

Decks are shuffled when they are first touched and dealt from the top; a pile is shuffled again by every step that adds
to it. From any other place a card is taken at random, and so is one that is searched for. The same seed gives the same
deal, on every machine and every version of Python: `duckpress-deal-2`. The first algorithm took the top ones of the
cards that are searched for, and differs in nothing else. What is shuffled has a stream of chance of its own, so a deck
that is added to a game changes no other deck's order.

The algorithm in full, so that a deal can be checked without this program:

- A stream of chance has a key: the fields `duckpress-deal-1`, seed, game id, player count, variant (empty for the
  basic game) and the stream's own label, in UTF-8 of Unicode's form NFC, each followed by a zero byte.
- Block i of a stream (i = 0, 1, ...) is SHA-256 of the key followed by i as eight bytes, the highest first. Each block
  is four numbers of 64 bits, the highest byte first.
- A number below n is the next of them that is below the largest multiple of n in 2**64, modulo n. Larger ones are
  thrown away, so that every result is equally likely.
- Cards are shuffled by Fisher and Yates: for i from the last place down to the second, the cards at i and at a number
  below i + 1 change places.
"""

from __future__ import annotations

import hashlib
import itertools
import unicodedata
from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from duckpress.check.expressions import Spent, Stopped
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import MovableTable, Transfer, run_step, scene_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Cell
from duckpress.core.problems import MachineError, Problem
from duckpress.model import Game
from duckpress.model.setup import Each, PlaceKind, Step

_KEY = "duckpress-deal-1"  # the streams of chance are those of the first algorithm
_WORDS = 1 << 64
ALGORITHM = "duckpress-deal-2"


class Chance:
    """A stream of random numbers, determined by the fields of its key."""

    def __init__(self, *fields: object) -> None:
        words = (_KEY, *map(str, fields))
        # A seed typed in no encoding holds half characters; they are written as they are.
        key = "".join(unicodedata.normalize("NFC", word) + "\0" for word in words)
        self._key = key.encode("utf-8", "surrogatepass")
        self._numbers = self._stream()

    def below(self, limit: int) -> int:
        """Return a number from 0 to one below the limit, all equally likely."""
        usable = _WORDS - _WORDS % limit
        return next(number for number in self._numbers if number < usable) % limit

    def shuffle(self, items: list[Any]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _stream(self) -> Iterator[int]:
        for block in itertools.count():
            digest = hashlib.sha256(self._key + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))


class CardRef(NamedTuple):
    """A dealt card: its deck and id, and the owner of its set in a deck per player (0 in any other)."""

    deck: str
    card: str
    set_of: int = 0


class Holding(NamedTuple):
    """The cards at a place, in order, the top one first; `number` is the owner: a seat, team or number.

    It is 0 where the place is common to all.
    """

    place: str
    kind: str
    each: Each
    number: int
    cards: tuple[CardRef, ...]

    @property
    def seat(self) -> int:
        """Return the player who owns it; 0 if it is no player's."""
        return self.number if self.each is Each.PLAYER else 0


class Seat(Struct, frozen=True):
    """A seat of the ring: its player, its relations to other seats, and the seats whose cards its player knows."""

    number: int
    player: int
    relations: Mapping[str, int]
    knows: Mapping[str, tuple[int, ...]]  # place -> seats; none for a place common to all, which everybody is told


class Deal(Struct, frozen=True):
    """A deal: the seats in order, every place, the removed cards, and the rest of the decks."""

    game: str
    seed: str
    players: int
    variant: str | None
    seats: tuple[Seat, ...]
    places: tuple[Holding, ...]
    removed: tuple[Holding, ...]
    left: tuple[Holding, ...]


def deal_cards(game: Game, players: int, seed: str, variant: str | None = None) -> Deal | Problem:
    """Deal a game's cards. Only for a game whose setup `check_game` finds without errors at this player count.

    It is a problem where a step cannot be computed all the same, because its mistake is accepted.
    Raises `MachineError` where dealing takes more steps than are allowed.
    """
    if game.setup is None:
        seats = tuple(Seat(number, number, {}, {}) for number in range(1, players + 1))
        return Deal(game.id, seed, players, variant, seats, (), (), ())
    book = Book(game, game.setup)
    dealer = _Dealer(book, players, variant, seed=seed)
    scene = scene_of(dealer)
    try:
        for step in book.steps(variant):
            run_step(dealer, step)
        order = list(range(1, players + 1))
        if book.setup.seats is not None and book.setup.seats.is_shuffled:
            dealer.chance("seats").shuffle(order)
        return Deal(
            game.id, seed, players, variant,
            tuple(_seat(scene.at_seat(number), player) for number, player in enumerate(order, 1)),
            dealer.holdings(dealer.places), dealer.holdings(dealer.out), dealer.rest_of_decks(),
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


class CardTable(MovableTable[list[CardKey]]):
    """A table of real cards: piles, hands and decks as lists of keys, one for every copy, the top first."""

    @staticmethod
    def number_of(cards: list[CardKey]) -> int:
        return len(cards)

    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:
        cards = self.cards(name, instance)
        self.book.spend(1 + len(cards) // 8)
        return Counter(cards)

    def supply(self, name: str, instance: int, keys: Collection[CardKey] | None) -> int:
        cards = self.cards(name, instance)
        return len(cards) if keys is None else sum(key in keys for key in cards)

    def lying(self, place: str, instance: int) -> Mapping[CardKey, int]:
        return Counter(self.places.get((place, instance), ()))

    def form(self, step: Step, instance: int) -> None:
        self.places.setdefault((step.place, instance), [])

    def cards(self, name: str, instance: int) -> list[CardKey]:
        """Return the cards of a deck, shuffled at its first use, or of a place; none if the place is not formed."""
        if name not in self.book.game.decks:
            return self.places.get((name, instance), [])
        if (name, instance) not in self.decks:
            part = self.book.deck_part(name, instance)
            self.book.spend(part.size)
            cards = self.decks[name, instance] = [key for key, copies in part.copies.items() for _ in range(copies)]
            self.shuffle_deck(name, instance, cards)
        return self.decks[name, instance]

    @abstractmethod
    def shuffle_deck(self, name: str, instance: int, cards: list[CardKey]) -> None:
        """Shuffle the cards of a deck at its first use."""

    def give_back(self, name: str, cards: list[CardKey]) -> None:
        """Put cards back into their decks, which are shuffled again, by a step of that name."""
        self.put_back(name, len(cards))
        for deck, seat in dict.fromkeys((key.deck, key.seat) for key in cards):
            box = self.cards(deck, seat)
            box += [key for key in cards if (key.deck, key.seat) == (deck, seat)]
            self.shuffle_deck(deck, seat, box)


class _Dealer(CardTable):
    """A table that is dealt from a seed."""

    seed: str = ""
    out: dict[Cell, list[CardKey]] = field(default_factory=dict)  # removed from places
    _kinds: dict[str, PlaceKind] = field(default_factory=dict)
    _chances: dict[str, Chance] = field(default_factory=dict)

    def chance(self, label: str) -> Chance:
        """Return the random stream of that label, which continues where it stopped."""
        if label not in self._chances:
            self._chances[label] = Chance(self.seed, self.book.game.id, self.players, self.variant or "", label)
        return self._chances[label]

    def shuffle_deck(self, name: str, instance: int, cards: list[CardKey]) -> None:
        self.chance(f"deck {name} {instance}").shuffle(cards)

    def form(self, step: Step, instance: int) -> None:
        self._kinds.setdefault(step.place, step.kind)
        CardTable.form(self, step, instance)

    def moved(self, transfer: Transfer) -> tuple[_Dealer]:
        """Move cards: from the top of a deck or pile, at random from other places; chosen cards likewise."""
        step, take, move = transfer.step, transfer.take, transfer.move
        name, instance = transfer.origin
        cards = self.cards(name, instance) if take is not None else self.places[name, instance]
        self.book.spend(1 + len(cards) // 8 + min(move.number, len(cards)) if take is not None else 0)
        fitting = [index for index, key in enumerate(cards) if move.keys is None or key in move.keys]
        if move.number > len(fitting):
            raise self._shortage(transfer, len(fitting))
        drawn = self._drawn(cards, fitting, move.number, transfer)
        if take is None:
            self.out.setdefault((name, instance), []).extend(drawn)
            self.remove(name, len(drawn))
        elif step.kind is PlaceKind.BOX:
            self.give_back(step.place, drawn)
        else:
            self.places[step.place, move.to] += drawn
        return (self,)

    def end_takes(self, step: Step, instance: int) -> None:
        if step.takes and step.kind is PlaceKind.PILE and step.is_shuffled:
            here = self.places[step.place, instance]
            self.book.spend(len(here))
            self.chance(f"pile {step.place} {instance}").shuffle(here)

    def _drawn(self, cards: list[CardKey], fitting: list[int], count: int, transfer: Transfer) -> list[CardKey]:
        name, instance = transfer.origin
        if count < len(fitting):
            is_on_top = name in self.book.game.decks or self._kinds.get(name) is PlaceKind.PILE
            is_chosen = transfer.take is not None and transfer.take.is_chosen
            # Were it the top ones of those that are right, what stays on top would be wrong ones more often.
            if is_chosen or not is_on_top or len(fitting) < len(cards):
                self.chance(f"draw {name} {instance}").shuffle(fitting)
            del fitting[count:]
        drawn = [cards[index] for index in fitting]
        for index in sorted(fitting, reverse=True):
            del cards[index]
        return drawn

    def _shortage(self, transfer: Transfer, supply: int) -> Stopped:
        step, need = transfer.step, transfer.move.number
        amount = transfer.take.amount if transfer.take is not None else step.remove
        assert amount is not None
        cards, are = f"{need} card{'s' * (need != 1)}", "is" if supply == 1 else "are"
        what = f"{step.place!r} needs {cards}, and there {are} {supply}: {need - supply} too few"
        fix = "'check' says how many to add, and where"
        scene = scene_of(self)
        return Stopped(scene.problem(Problem("not-enough", scene.expression(amount).source, what, fix)))

    def holdings(self, places: Mapping[Cell, list[CardKey]]) -> tuple[Holding, ...]:
        """Return places with their cards, in the order in which they were formed, seat by seat."""
        each = self.book.each_of_places(self.variant)
        order = list(dict.fromkeys(name for name, _ in self.places))
        return tuple(
            Holding(name, self._kinds[name].value, each[name], number, tuple(map(self._ref, places[name, number])))
            for name, number in sorted(places, key=lambda key: (order.index(key[0]), key[1]))
        )

    def rest_of_decks(self) -> tuple[Holding, ...]:
        """Return the undealt cards of the decks that the setup took from, in the deck's own order."""
        order = list(self.book.game.decks)
        rest = sorted((order.index(deck), seat, sorted(cards)) for (deck, seat), cards in self.decks.items() if cards)
        return tuple(
            Holding(order[at], "deck", Each.PLAYER if seat else Each.NOBODY, seat, tuple(map(self._ref, cards)))
            for at, seat, cards in rest
        )

    def _ref(self, key: CardKey) -> CardRef:
        return CardRef(key.deck, self.book.card(key).id, key.seat)
