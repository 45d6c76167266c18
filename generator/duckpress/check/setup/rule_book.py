"""The book of a game's rules: decks as parts, values and places by name, and the steps of each variant.

Conditions are tried on cards, and expressions are read, once for all that is computed of a setup.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec import Struct, field

from duckpress.check.expressions import Reading, Spent, names_in, read_expression, unknown
from duckpress.check.geometry.survey import Survey
from duckpress.check.geometry.surveying import survey_of
from duckpress.check.setup.combinations import counts_for, parts_named, ways_to_play
from duckpress.check.setup.counting import CardGroup, CardKey
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source
from duckpress.expressions.budget import OutOfSteps
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Card, Game
from duckpress.model.setup import (
    Each,
    Expression,
    Knowledge,
    NamedValue,
    PlaceKind,
    Relation,
    Setup,
    Step,
    Variant,
    as_name,
)

Alike = tuple[Mapping[str, object], list[CardKey]]  # one card's data, and all cards that are like it in some fields
NOWHERE = Source("")
_LETTERS = 64  # of an expression that take a step, besides those that computing it takes
_STEPS_OF_A_READING = 600  # for each five hundred letters: they are compiled, which takes as long as so many steps

_Key = ParamSpec("_Key")
_Value = TypeVar("_Value")
COST_OF_A_PROBLEM = 50  # steps: so that what is found is bounded, too
MAX_PENDING = 40  # named values that one needs, one after the other
_OWN_SEAT = Expression("seat", NOWHERE)
RESERVED = ("players", "seat", "team", "nth", "variant", "modules", "facts", "lists", "card", "drawn")
RESERVED_OF_SEATS = ("knows", "places", "player")
"""What a deal says of a seat beside the relations, which therefore cannot bear these names."""


def remembered(method: Callable[Concatenate[Book, _Key], _Value]) -> Callable[Concatenate[Book, _Key], _Value]:
    """Return a method of a book that caches its value for each key."""

    @wraps(method)
    def remember(book: Book, /, *key: _Key.args, **named: _Key.kwargs) -> _Value:
        values: dict[tuple[object, ...], _Value] = book.memory[method]
        if key in values:
            return values[key]
        value = values[key] = method(book, *key, **named)
        return value

    return remember


class Book(Struct, dict=True):
    """The common data of all computations about one setup: its cards, its parts, and the steps of every variant.

    It remembers what it has worked out once.

    A step of its budget is an expression computed, or about as much work in another way: a condition tried on a card,
    eight cards looked through. `at` is the place that is being worked on, `calculator` has the budget.
    """

    game: Game
    setup: Setup
    calculator: Calculator = field(default_factory=lambda: Calculator(SETUP))
    at: Source = NOWHERE
    imagined: dict[str, list[Card]] = field(default_factory=dict)  # deck -> cards that are tried in addition
    memory: defaultdict[object, dict[tuple[object, ...], Any]] = field(default_factory=lambda: defaultdict(dict))
    _chosen: dict[tuple[object, ...], CardGroup] = field(default_factory=dict)
    _parts: dict[frozenset[CardKey], CardGroup] = field(default_factory=dict)  # the same cards are the same part
    faulty: set[Source] = field(default_factory=set)  # what the check of words has reported already

    def spend(self, steps: int) -> None:
        """Spend steps of the budget. Raises `Spent`: `too-many-steps`, at the current source."""
        try:
            self.calculator.budget.spend(steps)
        except OutOfSteps as error:
            raise self._spent(error) from None

    def compute(self, reading: Reading, names: Mapping[str, object]) -> object:
        """Return the value of an expression. Raises `ExpressionError`, and `Spent` as `spend` does."""
        if reading.compiled is None:  # it is a name alone
            return names[reading.text]
        try:
            self.calculator.budget.spend(len(reading.text) // _LETTERS)
            value: object = self.calculator.value(reading.compiled, names)
        except OutOfSteps as error:
            raise self._spent(error) from None
        return value

    def _spent(self, error: OutOfSteps) -> Spent:
        fix = f"write fewer parts, or simpler expressions; {how_to_raise(error.limit)}"
        place = self.at if self.at.file else self.setup.source
        return Spent(Problem("too-many-steps", place, f"{error}; here they are used up", fix))

    @remembered
    def reading(self, text: str) -> Reading:
        self.spend(_STEPS_OF_A_READING * (1 + min(len(text), limit("setup-expression")) // 501))
        return read_expression(text)

    @remembered
    def deck_part(self, deck_id: str, seat: int) -> CardGroup:
        """Return all the cards of a deck; for a deck per player those of one player."""
        cards = self.game.decks[deck_id].cards
        copies = {CardKey(deck_id, seat, index): card.copies for index, card in enumerate(cards)}
        for index in range(len(self.imagined.get(deck_id, ()))):
            copies[CardKey(deck_id, seat, len(cards) + index)] = 0
        return CardGroup.of(copies)

    def card(self, key: CardKey) -> Card:
        cards = self.game.decks[key.deck].cards
        known = key.position < len(cards)
        return cards[key.position] if known else self.imagined[key.deck][key.position - len(cards)]

    def imagine(self, deck: str, cards: Iterable[Card]) -> int:
        """Replace the imaginary cards of a deck, which shortages are tried with; return the position of the first."""
        self.imagined[deck] = list(cards)
        for method in [*self.memory]:
            if getattr(method, "__name__", "") in ("deck_part", "_alike_cards", "card_data"):
                del self.memory[method]
        self._chosen.clear()
        return len(self.game.decks[deck].cards)

    @remembered
    def card_data(self, key: CardKey) -> Mapping[str, object]:
        """Return a card's data for expressions: its fields, `id`, `deck` and `copies`."""
        card = self.card(key)
        return {"id": card.id, "deck": card.deck, "copies": card.copies, **card.values}

    def chosen(self, whole: CardGroup, where: str, names: Mapping[str, object]) -> CardGroup:
        """Return the cards of a part that meet a condition, without cards that lack its fields.

        Raises `ExpressionError` where the condition cannot be computed.
        """
        reading = self.reading(where)
        if reading.error is not None:
            raise reading.error
        if reading.constant is not None:
            return whole if reading.constant else CardGroup.of({})
        same = (word.text for word in reading.names if word.text not in ("facts", "lists"))  # these never change
        memo = (id(whole), where, *(repr(names.get(name)) for name in same))
        if memo in self._chosen and not reading.calls:  # what a call gives may change from step to step
            return self._chosen[memo]
        keys: set[CardKey] = set()
        self.spend(1 + len(whole.copies))
        # Cards alike in the fields that matter need the condition computed only once.
        for data, alike in self._alike_cards(whole, tuple(word.text for word in reading.card_fields)):
            self.spend(1)
            if self.compute(reading, {**names, "card": data}):
                keys.update(alike)
        copies = {key: count for key, count in whole.copies.items() if key in keys}
        part = self._chosen[memo] = self._parts.setdefault(frozenset(copies), CardGroup.of(copies))
        return part

    @remembered
    def _alike_cards(self, whole: CardGroup, fields: tuple[str, ...]) -> list[Alike]:
        """Return the cards of a part that have these fields, grouped by their values, each with one card's data."""
        self.spend(len(whole.copies))
        groups: dict[str, Alike] = {}
        for key in whole.copies:
            data = self.card_data(key)
            if all(name in data for name in fields):
                groups.setdefault(repr([data[name] for name in fields]), (data, []))[1].append(key)
        return list(groups.values())

    def deck_of(self, name: str) -> str:
        if name not in self.game.decks:
            raise unknown("unknown-deck", name, self.game.decks)
        return name

    @property
    def is_whole(self) -> bool:
        """Whether the setup and the decks were read in full; else the results of the setup are meaningless."""
        return self.setup.is_whole and all(deck.is_whole for deck in self.game.decks.values())

    @cached_property
    def by_name(self) -> tuple[dict[str, NamedValue], dict[str, str], dict[str, Relation]]:
        """The named values, the places and the relations, by their names in expressions.

        Raises `Spent`: `bad-expression` where a value needs another, which needs another, and so on for too long.
        """
        relations: Mapping[str, Relation] = self.setup.seats.relations if self.setup.seats is not None else {}
        values = {as_name(name): value for name, value in reversed(list(self.setup.values.items()))}
        self._refuse_long_chain(values)
        places = {as_name(place): place for place in reversed(self.all_places)}
        return values, places, {as_name(name): relation for name, relation in reversed(list(relations.items()))}

    def _refuse_long_chain(self, values: Mapping[str, NamedValue]) -> None:
        needs = {
            name: values.keys() & set().union(*(names_in(part.text) for part in value.amount.by_players.values()))
            for name, value in values.items()
        }
        depths: dict[str, int] = {}
        for value in self.setup.values.values():
            path = [as_name(value.name)]
            while path:
                needed = needs[path[-1]]
                further = sorted(needed - depths.keys() - set(path))  # a circle is told where it is computed
                depth = len(path) + 1 if further else 1 + max((depths.get(name, 0) for name in needed), default=0)
                if depth > MAX_PENDING + 1:
                    raise Spent(value_too_deep(value.name, next(iter(value.amount.by_players.values()))))
                if further:
                    path.append(further[0])
                else:
                    depths[path.pop()] = depth

    @cached_property
    def survey(self) -> Survey:
        return survey_of(self.game, self.spend, self.compute)

    @property
    def parts(self) -> tuple[Setup | Variant, ...]:
        return self.setup, *self.setup.all_variants.values()

    @remembered
    def combinations(self, players: int | None = None) -> tuple[str | None, ...]:
        """Return the names of all checked combinations: the base game, variants and modules.

        At one player count, or at any (None).
        """
        ways = []
        for way in ways_to_play(self.setup, players):
            self.spend(1)
            ways.append(way)
        return tuple(ways)

    def counts_of(self, variant_id: str | None) -> tuple[int, ...]:
        return counts_for(self.setup, variant_id, self.game.players)

    def playing(self, variant_id: str | None) -> Mapping[str, object]:
        """Return the values of `variant` and `modules` in expressions."""
        parts = parts_named(self.setup, variant_id)
        alone = [part.id for part in parts if not part.is_module]
        return {"variant": "".join(alone), "modules": tuple(part.id for part in parts if part.is_module)}

    def parts_of(self, variant_id: str | None) -> tuple[Setup | Variant, ...]:
        """Return the parts of a variant with modules: the base game, the variant and the modules, in order."""
        return self.setup, *parts_named(self.setup, variant_id)

    @remembered
    def steps(self, variant_id: str | None) -> list[Step]:
        """Return the steps of the base game, or of a variant with modules, in order.

        A step that replaces a place stands where that place's first step stood; the others come last, part by part.
        """
        steps = list(self.setup.steps)
        added: list[Step] = []
        for part in parts_named(self.setup, variant_id):
            steps, last = self._replaced(steps, part)
            added = [step for step in added if step.place not in _removed_places(part)] + last
        return steps + added

    def _replaced(self, steps: list[Step], part: Variant) -> tuple[list[Step], list[Step]]:
        """Return steps after a variant or module has replaced and dropped some, and the steps that it adds."""
        self.spend(len(steps) + len(part.steps))
        gone, kept = _removed_places(part), list[Step]()
        waiting: dict[str | None, list[Step]] = {}
        for new in part.steps:
            waiting.setdefault(new.replaces, []).append(new)
        for step in steps:
            kept += waiting.pop(step.place, ())
            if step.place not in gone:
                kept.append(step)
        last = {id(step) for left in waiting.values() for step in left}
        return kept, [step for step in part.steps if id(step) in last]

    @remembered
    def places(self, variant_id: str | None) -> Mapping[str, bool]:
        """Return the places that the steps form, in order, each with whether every player has one."""
        places: dict[str, bool] = {}
        for step in self.steps(variant_id):
            places.setdefault(step.place, step.is_for_each_player)
        return places

    @remembered
    def each_of_places(self, variant_id: str | None) -> Mapping[str, Each]:
        """Return the owners of the places that the steps form."""
        return {step.place: step.each for step in reversed(self.steps(variant_id))}

    @remembered
    def decks_in(self, place: str, variant_id: str | None) -> tuple[str, ...]:
        """Return the decks whose cards may lie at a place."""
        origins, decks = self._origins(variant_id), dict[str, None]()
        seen, waiting = {place}, [place]
        while waiting:
            here = dict.fromkeys(origins.get(waiting.pop(), ()))
            self.spend(1 + len(here))
            decks |= {origin: None for origin in here if origin in self.game.decks}
            new = [origin for origin in here if origin not in self.game.decks and origin not in seen]
            seen.update(new)
            waiting += new
        return tuple(decks)

    @remembered
    def reached_from(self, place: str, variant_id: str | None) -> frozenset[str]:
        """Return a place and all places that its cards may move on to."""
        origins, reached, waiting = self._origins(variant_id), {place}, [place]
        while waiting:
            here = waiting.pop()
            self.spend(1 + len(origins))
            new = [goal for goal, known in origins.items() if here in known and goal not in reached]
            reached.update(new)
            waiting += new
        return frozenset(reached)

    @remembered
    def _origins(self, variant_id: str | None) -> Mapping[str, Mapping[str, None]]:
        """Return the direct origins, decks and places, of each place's cards."""
        origins: dict[str, dict[str, None]] = {}
        for step in self.steps(variant_id):
            origins.setdefault(step.place, {}).update(dict.fromkeys(take.origin for take in step.takes))
        return origins

    @cached_property
    def all_places(self) -> dict[str, None]:
        return dict.fromkeys(place for part in self.parts for place in (step.place for step in part.steps))

    def knowledge(self, variant_id: str | None) -> tuple[Knowledge, ...]:
        """Return what each player knows; by default the cards in hand."""
        seats, places = self.setup.seats, self.places(variant_id)
        self.spend(1 + len(seats.knows if seats is not None else places) // 8)
        if seats is not None and seats.knows:
            return tuple(knowledge for knowledge in seats.knows if knowledge.place in places)
        steps = self.steps(variant_id)
        hands = dict.fromkeys(step.place for step in steps if step.kind is PlaceKind.HAND and step.is_for_each_player)
        return tuple(Knowledge(place, NOWHERE, (_OWN_SEAT,)) for place in hands)


def _removed_places(part: Variant) -> set[str]:
    """Return the places whose earlier steps a variant or module removes."""
    return {name for name, _ in part.drops} | {step.replaces for step in part.steps if step.replaces is not None}


def value_too_deep(name: str, expression: Expression) -> Problem:
    """Return the problem of a value with too long a chain of dependencies."""
    what = f"the value {name!r} needs others that need others, more than {MAX_PENDING} deep"
    return Problem("bad-expression", expression.source, what, "compute it from fewer steps between")


def book_of_table(game: Game, setup: Setup) -> Book:
    """Return a book with a budget for the table of one variant: all variants together get the check's budget."""
    return Book(game, setup, Calculator(SETUP, limit("setup-steps") // (1 + len(setup.all_variants))))
