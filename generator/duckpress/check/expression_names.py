"""The names that the expressions of a setup use: each is known, before anything is computed with it.

One misspelt name is one problem at its own column, whatever the number of player counts it would fail at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duckpress.check.geometry import surveying
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import PARAMETERS, DeckCall, Reading, unknown
from duckpress.core.problems import Problem, did_you_mean
from duckpress.expressions.mistakes import ExpressionError
from duckpress.expressions.parsing import holes
from duckpress.model.setup import ALL, Amount, Expression, as_name

_OF_PLACES = ("removed", "total", "told", "knowers")


class ExpressionNames:
    """What the expressions of a setup know: some names everywhere, some where there is a seat or a card."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._decks = book.game.decks
        values, places, relations = book.by_name
        self._known = {"players", "variant", "facts", "lists", *values, *places}
        self._known_at_seat = {*self._known, "seat", *relations}
        self._relations = relations

    def amount(self, amount: Amount | None, *, seat: bool = False, all_is_allowed: bool = False) -> Iterator[Problem]:
        """Yield the unknown words of an amount."""
        for expression in amount.by_players.values() if amount is not None else ():
            if expression.text != ALL or not all_is_allowed:
                yield from self.expression(expression, seat=seat)

    def text(self, text: Expression | None, *, seat: bool = False) -> Iterator[Problem]:
        """Yield the unknown words of the expressions in a text."""
        if text is not None:
            for hole in holes(text.text):
                yield from self._reading(text, hole.expression, hole.offset, seat=seat)

    def expression(
        self, expression: Expression | None, *, seat: bool = False, decks: Sequence[str] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of an expression; `decks` are those whose cards `card` may be."""
        if expression is not None:
            yield from self._reading(expression, expression.text, 0, seat=seat, decks=decks)

    def _reading(
        self, expression: Expression, text: str, start: int, *, seat: bool, decks: Sequence[str] | None = None
    ) -> Iterator[Problem]:
        """Yield the unknown words of a text, and mark its expression so that nothing is computed with it."""
        book = self.book
        book.at = expression.source
        book.spend(1 + len(text) // 16)
        reading = book.reading(text)
        if reading.error is not None:
            within = start or None if reading.error.offset is None else start + reading.error.offset
            book.faulty.add(expression.source)
            yield reading.error.problem(expression.at(within))
            return
        for error in self._mistakes(reading, seat=seat, decks=decks):
            book.faulty.add(expression.source)
            yield error.problem(expression.at(start + (error.offset or 0)))
        for call in reading.calls:
            wrong = self._wrong_call(call)
            if wrong is not None:
                book.faulty.add(expression.source)
                yield wrong.problem(expression.at(start + (wrong.offset or 0)))
            elif (
                call.where is not None and call.origin is not None and self._is_of_deck(call.function, call.origin.text)
            ):
                inner = start + call.where.offset
                yield from self._reading(expression, call.where.text, inner, seat=seat, decks=(call.origin.text,))

    def _mistakes(self, reading: Reading, *, seat: bool, decks: Sequence[str] | None) -> Iterator[ExpressionError]:
        known = self._known_at_seat if seat else self._known
        for word in reading.names:
            if word.text not in known and (word.text != "card" or decks is None):
                what = f"nothing is named {word.text!r}"
                yield ExpressionError("unknown-name", what, self._meant(word.text, known), word.offset)
        facts = self.book.game.facts
        for word in reading.facts:
            if word.text not in facts:
                yield unknown("unknown-fact", word.text, facts, f"no fact {word.text!r}", offset=word.offset)
        for call in reading.calls:
            if call.function in self._relations and any(word.text == call.function for word in reading.names):
                what = f"{call.function!r} is meant as a relation and as a function in one expression"
                fix = "give the relation's value a name of its own under 'relations'"
                yield ExpressionError("name-taken", what, fix, call.offset)
        if decks is not None:
            fields = {name for deck in decks for name in self._decks[deck].fields}
            for word in reading.card_fields:
                if word.text not in fields and word.text not in ("id", "deck", "copies"):
                    what = f"no card of {' or '.join(repr(deck) for deck in decks)} has a field {word.text!r}"
                    yield unknown("unknown-field", word.text, fields, what, offset=word.offset)

    def _meant(self, name: str, known: Iterable[str]) -> str:
        decks = [deck for deck in self._decks if as_name(deck) == name]
        if name == "seat" or name in self._relations:
            return "a step or expectation with 'each: player' knows it"
        if name == "card":
            return "only 'where' knows it"
        if decks:
            return f"{decks[0]!r} is a deck: say count('{decks[0]}'), taken('{decks[0]}') or left('{decks[0]}')"
        return did_you_mean(name, known, else_say="the names are")

    def _is_of_deck(self, function: str, name: str) -> bool:
        return name in self._decks and function not in (*_OF_PLACES, *surveying.FUNCTIONS)

    def _wrong_call(self, call: DeckCall) -> ExpressionError | None:
        if call.function not in PARAMETERS:
            return unknown("unknown-function", call.function, PARAMETERS, offset=call.offset)
        if call.origin is None:
            return None
        name, at, decks, places = call.origin.text, call.origin.offset, self._decks, self.book.all_places
        if call.function in surveying.FUNCTIONS:
            error = surveying.unknown_board(self.book.survey, call.function, name)
            return error and ExpressionError(error.code, error.what, error.fix, at)
        if call.function in _OF_PLACES or (call.function == "left" and name not in decks):
            what = f"no step forms {name!r}"
            return None if name in places else unknown("unknown-place", name, places, what, offset=at)
        if name not in decks:
            return unknown("unknown-deck", name, decks, offset=at)
        if call.field is not None and call.field.text not in decks[name].fields:
            what = f"no card of {name!r} has a field {call.field.text!r}"
            return unknown("unknown-field", call.field.text, decks[name].fields, what, offset=call.field.offset)
        return None
