"""Dealing: the steps of a setup run with real, shuffled cards; says who has what in the end.

Decks are shuffled when they are first touched and dealt from the top; a pile is shuffled again by every step that adds
to it. From any other place a card is taken at random, and so is one that is searched for. The same seed gives the same
numbers (`chance`), and so the same deal: `duckpress-deal-2`. The first algorithm took the top ones of the cards that
are searched for, and differs in nothing else.

What is shuffled has a stream of its own, so a deck that is added to a game changes no other deck's order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from duckpress.check.deals.chance import Chance
from duckpress.check.deals.dealt_cards import CardRef, Deal, Holding, Seat
from duckpress.check.setup.counting import CardKey
from duckpress.check.setup.moves import Move, instances_of, moves_of
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.tabletop import Extra
from duckpress.check.setup_expressions import Spent, Stopped
from duckpress.core.problems import MachineError, Problem
from duckpress.model import Game
from duckpress.model.amounts import Amount
from duckpress.model.setup import Each, PlaceKind, Step, Take

ALGORITHM = "duckpress-deal-2"


def deal_cards(game: Game, players: int, seed: str, variant: str | None = None) -> Deal | Problem:
    """Deal a game's cards. Only for a game whose setup `check_game` finds without an error at this player count.

    It is a problem where a step cannot be computed all the same, because its mistake is accepted.
    Raises `MachineError` where dealing takes more steps than are allowed.
    """
    if game.setup is None:
        seats = tuple(Seat(number, number, {}, {}) for number in range(1, players + 1))
        return Deal(game.id, seed, players, variant, seats, (), (), ())
    book = Book(game, game.setup)
    dealer = _Dealer(book, players, variant, seed)
    scene = Scene(book, players, variant, dealer)
    try:
        for step in book.steps(variant):
            dealer.run(scene, step)
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


class _Dealer(Struct):
    """A table of real cards: piles, hands and decks as lists of keys, one for every copy, the top first."""

    book: Book
    players: int
    variant: str | None
    seed: str
    places: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    out: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)  # removed from places
    extra: Extra = field(default_factory=dict)
    _back: dict[str, int] = field(default_factory=dict)  # how many cards went back into the box, by name
    _decks: dict[tuple[str, int], list[CardKey]] = field(default_factory=dict)
    _kinds: dict[str, PlaceKind] = field(default_factory=dict)
    _chances: dict[str, Chance] = field(default_factory=dict)

    def chance(self, label: str) -> Chance:
        """Return the stream of chance of that label, which goes on where it stopped."""
        if label not in self._chances:
            self._chances[label] = Chance(self.seed, self.book.game.id, self.players, self.variant or "", label)
        return self._chances[label]

    def run(self, scene: Scene, step: Step) -> None:
        """Carry a step out. Raises `Stopped` where that is impossible."""
        places = instances_of(scene, step)
        if not places:
            return
        self._kinds.setdefault(step.place, step.kind)
        for instance, _ in places if step.kind is not PlaceKind.BOX else ():
            self.places.setdefault((step.place, instance), [])
        for take in step.takes:
            for move in moves_of(scene, step, take, places):
                cards = self._draw(scene, step, take, move)
                if step.kind is PlaceKind.BOX:
                    self._give_back(step.place, cards)
                else:
                    self.places[step.place, move.to] += cards
        for instance, seen in places if step.kind is not PlaceKind.BOX else ():
            here = self.places[step.place, instance]
            if step.takes and step.kind is PlaceKind.PILE and step.is_shuffled:
                self.book.spend(len(here))
                self.chance(f"pile {step.place} {instance}").shuffle(here)
            if step.remove is not None:
                number = seen.number_or_all(step.remove)
                count = len(here) if number is None else number
                if count > len(here):
                    raise self._short(scene, step, step.remove, count, len(here))
                self.out.setdefault((step.place, instance), []).extend(
                    self._taken(here, list(range(len(here))), count, step.place, instance)
                )

    def size(self, name: str, instance: int) -> int:
        if (name, instance) not in self.places:
            return self._back.get(name, 0)
        return len(self.places[name, instance])

    def total(self, name: str) -> int:
        self.book.spend(1 + len(self.places) // 8)
        return sum(len(cards) for (place, _), cards in self.places.items() if place == name)

    def taken(self, deck: str) -> int:
        self.book.spend(1 + len(self._decks) // 8)
        touched = [cards for (name, _), cards in self._decks.items() if name == deck]
        return self.book.game.decks[deck].count * len(touched) - sum(map(len, touched))

    def left(self, deck: str) -> int:
        sets = self.players if self.book.game.decks[deck].is_per_player else 1
        return self.book.game.decks[deck].count * sets - self.taken(deck)

    def removed(self, name: str) -> int:
        return sum(len(cards) for (place, _), cards in self.out.items() if place == name)

    def contents(self, name: str, instance: int) -> Mapping[CardKey, int]:
        cards = self._cards(name, instance)
        self.book.spend(1 + len(cards) // 8)
        return Counter(cards)

    def lying(self, place: str, instance: int) -> Mapping[CardKey, int]:
        return Counter(self.places.get((place, instance), ()))

    def instances(self, name: str) -> Iterable[int]:
        if name in self.book.game.decks:
            return range(1, self.players + 1) if self.book.game.decks[name].is_per_player else (0,)
        return sorted(instance for place, instance in self.places if place == name)

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

    def _draw(self, scene: Scene, step: Step, take: Take, move: Move) -> list[CardKey]:
        """Take cards of those there are: from the top of a deck or pile, elsewhere at random, chosen ones as well."""
        cards = self._cards(take.origin, move.origin)
        self.book.spend(1 + len(cards) // 8 + min(move.number, len(cards)))
        fitting = [index for index, key in enumerate(cards) if move.keys is None or key in move.keys]
        if move.number > len(fitting):
            raise self._short(scene, step, take.amount, move.number, len(fitting))
        return self._taken(cards, fitting, move.number, take.origin, move.origin, is_chosen=take.is_chosen)

    def _taken(
        self, cards: list[CardKey], fitting: list[int], count: int, name: str, seat: int, *, is_chosen: bool = False
    ) -> list[CardKey]:
        if count < len(fitting):
            is_on_top = name in self.book.game.decks or self._kinds.get(name) is PlaceKind.PILE
            # Were it the top ones of those that are right, what stays on top would be wrong ones more often.
            if is_chosen or not is_on_top or len(fitting) < len(cards):
                self.chance(f"draw {name} {seat}").shuffle(fitting)
            del fitting[count:]
        drawn = [cards[index] for index in fitting]
        for index in sorted(fitting, reverse=True):
            del cards[index]
        return drawn

    def _give_back(self, name: str, cards: list[CardKey]) -> None:
        """Put cards back into their decks, which are shuffled again."""
        self._back[name] = self._back.get(name, 0) + len(cards)
        for deck, seat in dict.fromkeys((key.deck, key.seat) for key in cards):
            box = self._cards(deck, seat)
            box += [key for key in cards if (key.deck, key.seat) == (deck, seat)]
            self.chance(f"deck {deck} {seat}").shuffle(box)

    def _short(self, scene: Scene, step: Step, amount: Amount, need: int, supply: int) -> Stopped:
        cards, are = f"{need} card{'s' * (need != 1)}", "is" if supply == 1 else "are"
        what = f"{step.place!r} needs {cards}, and there {are} {supply}: {need - supply} too few"
        fix = "'check' says how many to add, and where"
        return Stopped(scene.problem(Problem("not-enough", scene.expression(amount).source, what, fix)))

    def holdings(self, places: Mapping[tuple[str, int], list[CardKey]]) -> tuple[Holding, ...]:
        """Return places with their cards, in the order in which they were formed, seat by seat."""
        each = self.book.each_of_places(self.variant)
        order = list(dict.fromkeys(name for name, _ in self.places))
        return tuple(
            Holding(name, self._kinds[name].value, each[name], number, tuple(map(self._ref, places[name, number])))
            for name, number in sorted(places, key=lambda key: (order.index(key[0]), key[1]))
        )

    def rest_of_decks(self) -> tuple[Holding, ...]:
        """Return what is left in the box of the decks that the setup took from, in the deck's own order."""
        order = list(self.book.game.decks)
        return tuple(
            Holding(
                deck,
                "deck",
                Each.PLAYER if seat else Each.NOBODY,
                seat,
                tuple(map(self._ref, sorted(self._decks[deck, seat]))),
            )
            for deck, seat in sorted(self._decks, key=lambda key: (order.index(key[0]), key[1]))
            if self._decks[deck, seat]
        )

    def _ref(self, key: CardKey) -> CardRef:
        return CardRef(key.deck, self.book.card(key).id, key.seat)
