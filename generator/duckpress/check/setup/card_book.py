"""The cards of a game as its setup looks at them: decks as parts, conditions tried on them, expressions read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from msgspec import Struct, field

from duckpress.check.setup.counting import CardGroup, CardKey
from duckpress.check.setup_expressions import Reading, Spent, read_expression, unknown
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source
from duckpress.expressions.budget import OutOfSteps
from duckpress.expressions.calculator import Calculator
from duckpress.expressions.profiles import SETUP
from duckpress.model import Card, Game
from duckpress.model.setup import Setup

Alike = tuple[Mapping[str, object], list[CardKey]]  # one card's data, and all cards that are like it in some fields
NOWHERE = Source("")
_LETTERS = 64  # of an expression that take a step, besides those that computing it takes
_STEPS_OF_A_READING = 600  # for each five hundred letters: they are compiled, which takes as long as so many steps

_Key = ParamSpec("_Key")
_Value = TypeVar("_Value")
_Book = TypeVar("_Book", bound="CardBook")


def remembered(method: Callable[Concatenate[_Book, _Key], _Value]) -> Callable[Concatenate[_Book, _Key], _Value]:
    """Return a method of a book that works out the value for each key once."""

    @wraps(method)
    def remember(book: _Book, /, *key: _Key.args, **named: _Key.kwargs) -> _Value:
        values: dict[tuple[object, ...], _Value] = book.memory[method]
        if key in values:
            return values[key]
        value = values[key] = method(book, *key, **named)
        return value

    return remember


class CardBook(Struct, dict=True):
    """What a computation about one game's setup looks up of its cards; it remembers what it has worked out once.

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

    def spend(self, steps: int) -> None:
        """Take steps from the budget. Raises `Spent`: `too-many-steps`, at the place that is being worked on."""
        try:
            self.calculator.budget.spend(steps)
        except OutOfSteps as error:
            raise self._spent(error) from None

    def compute(self, reading: Reading, names: Mapping[str, object]) -> object:
        """Return what an expression comes to. Raises `ExpressionError`, and `Spent` as `spend` does."""
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
        """Return what an expression says."""
        self.spend(_STEPS_OF_A_READING * (1 + min(len(text), limit("setup-expression")) // 501))
        return read_expression(text)

    @remembered
    def deck_part(self, deck_id: str, seat: int) -> CardGroup:
        """Return all the cards of a deck; of one player's set where it is a deck per player."""
        cards = self.game.decks[deck_id].cards
        copies = {CardKey(deck_id, seat, index): card.copies for index, card in enumerate(cards)}
        for index in range(len(self.imagined.get(deck_id, ()))):
            copies[CardKey(deck_id, seat, len(cards) + index)] = 0
        return CardGroup.of(copies)

    def card(self, key: CardKey) -> Card:
        """Return the card of a key."""
        cards = self.game.decks[key.deck].cards
        known = key.position < len(cards)
        return cards[key.position] if known else self.imagined[key.deck][key.position - len(cards)]

    def imagine(self, deck: str, cards: Iterable[Card]) -> int:
        """Take up cards that a deck has no copy of and may need, in place of some; return the first one's position."""
        self.imagined[deck] = list(cards)
        for method in [*self.memory]:
            if getattr(method, "__name__", "") in ("deck_part", "_alike", "card_data"):
                del self.memory[method]
        self._chosen.clear()
        return len(self.game.decks[deck].cards)

    @remembered
    def card_data(self, key: CardKey) -> Mapping[str, object]:
        """Return a card as expressions see it: its fields, `id`, `deck` and `copies`."""
        card = self.card(key)
        return {"id": card.id, "deck": card.deck, "copies": card.copies, **card.values}

    def chosen(self, whole: CardGroup, where: str, names: Mapping[str, object]) -> CardGroup:
        """Return the cards of a part for which a condition holds; cards without the fields it names are left out.

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
        for data, alike in self._alike(whole, tuple(word.text for word in reading.card_fields)):
            self.spend(1)
            if self.compute(reading, {**names, "card": data}):
                keys.update(alike)
        copies = {key: count for key, count in whole.copies.items() if key in keys}
        part = self._chosen[memo] = self._parts.setdefault(frozenset(copies), CardGroup.of(copies))
        return part

    @remembered
    def _alike(self, whole: CardGroup, fields: tuple[str, ...]) -> list[Alike]:
        """Return the cards of a part that have some fields, grouped by their values, with the data of one card each."""
        self.spend(len(whole.copies))
        groups: dict[str, Alike] = {}
        for key in whole.copies:
            data = self.card_data(key)
            if all(name in data for name in fields):
                groups.setdefault(repr([data[name] for name in fields]), (data, []))[1].append(key)
        return list(groups.values())

    def deck_of(self, name: str) -> str:
        """Return the id of a deck. Raises `ExpressionError`: `unknown-deck`."""
        if name not in self.game.decks:
            raise unknown("unknown-deck", name, self.game.decks)
        return name
