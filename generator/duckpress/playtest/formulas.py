"""Expressions of a playout: what never changes is computed once, the rest once for each set of values of its names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import nodes

from duckpress.check.geometry import surveying
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup_expressions import Reading, Stopped
from duckpress.core.problems import Problem
from duckpress.expressions.calculator import read_tree
from duckpress.expressions.mistakes import ExpressionError
from duckpress.expressions.parsing import most_size
from duckpress.expressions.profiles import SETUP
from duckpress.model.setup import Amount, Expression
from duckpress.playtest.game_table import GameTable, Ids

Look = Callable[[int], Any]
"""Gives a value as it is now, seen by a seat (0: by nobody)."""


class Formulas:
    """The expressions of one player count and setup, over a table that changes."""

    def __init__(self, book: Book, table: GameTable, players: int, variant: str | None) -> None:
        self._book, self._table, self.players, self._variant = book, table, players, variant
        self.values, self._places, self._relations = book.by_name
        self._places = {**self._places, **table.by_name}
        self._fits: dict[str, Callable[[int], Ids]] = {}
        self._looks: dict[str, Look] = {}
        survey: Mapping[str, Any] = surveying.functions_of(book.survey)
        self._functions: dict[str, Callable[..., Any]] = {
            **{name: _without_seat(function) for name, function in survey.items()},
            "count": lambda seat, of, where=None: len(self._cards(seat, of, where)),
            "sum": lambda seat, of, field, where=None: _total(self._field(seat, of, field, where)),
            "distinct": lambda seat, of, field, where=None: len({repr(v) for v in self._field(seat, of, field, where)}),
            "tally": lambda seat, of, field, value, where=None: sum(
                entry.count(value) if isinstance(entry, tuple) else entry == value
                for entry in self._field(seat, of, field, where)
            ),
            "values": lambda seat, of, field, where=None: tuple(sorted(set(self._field(seat, of, field, where)))),
            "left": lambda seat, of: table.left(of, seat),
            "total": lambda _seat, of: table.total(of),
            "taken": lambda _seat, of: table.taken(of),
            "removed": lambda _seat, of: table.gone.get(of, 0),
        }

    def value(self, expression: Expression) -> Look:
        """Return what gives the value of an expression; it raises `Stopped` where that cannot be computed."""
        text = expression.text
        if text not in self._looks:
            self._looks[text] = self._compiled(expression)
        return self._looks[text]

    def number(self, amount: Amount) -> Look:
        """Return what gives an amount as a whole number, 0 or more. Raises `Stopped`: `missing-count`."""
        expression = self.expression(amount)
        look = self.value(expression)

        def whole(seat: int) -> int:
            value = look(seat)
            if type(value) is int:
                return max(value, 0)
            if isinstance(value, float) and value.is_integer():
                return max(int(value), 0)
            raise self._stopped(expression, "not-whole", f"{text!r} gives {value!r}, and not a whole number")

        text = expression.text
        return Fixed(whole(0)) if isinstance(look, Fixed) else whole

    def expression(self, amount: Amount) -> Expression:
        """Return the expression of an amount at this player count. Raises `Stopped`: `missing-count`."""
        expression = amount.expression(self.players)
        if expression is None:
            what = f"there is no number for {self.players} players"
            raise Stopped(Problem("missing-count", amount.source, what, f"add '{self.players}: ...'"))
        return expression

    def fitting(self, where: Expression) -> Callable[[int], Ids]:
        """Return what gives the kinds of cards for which a condition holds."""
        return self._fitting(where.text, where)

    def _stopped(self, expression: Expression, code: str, what: str) -> Stopped:
        return Stopped(Problem(code, expression.source, what, "correct the expression", players=self.players))

    def _compiled(self, expression: Expression) -> Look:
        reading = self._book.reading(expression.text)
        if reading.error is not None:
            raise Stopped(reading.error.problem(expression.at(reading.error.offset)))
        if reading.constant is not None:
            return Fixed(reading.constant)
        names, fixed = self._named(reading, expression)
        # What may be computed once for each set of values has only calls with everything written out.
        calls = self._written_calls(expression.text, reading)

        def compute(seat: int, known: Mapping[str, Any]) -> Any:
            functions = {name: _seen_by(seat, self._functions[name]) for name in self._called(reading)}
            try:
                return self._book.compute(reading, {**fixed, **known, **functions})
            except ExpressionError as error:
                raise Stopped(error.problem(expression.at(error.offset))) from error

        if not names and calls == []:
            return Fixed(compute(0, {}))
        if calls is None:
            return lambda seat: compute(seat, {name: look(seat) for name, look in names.items()})
        looks, memory = (*names.values(), *calls), dict[tuple[Any, ...], Any]()

        def remembered(seat: int) -> Any:
            key = tuple([look(seat) for look in looks])
            if key not in memory:
                if len(memory) > 10_000:
                    memory.clear()
                memory[key] = compute(seat, dict(zip(names, key, strict=False)))
            return memory[key]

        return remembered

    def _called(self, reading: Reading) -> list[str]:
        return [call.function for call in reading.calls if call.function in self._functions]

    def _written_calls(self, text: str, reading: Reading) -> list[Look] | None:
        """Return what gives the value of each call of ours; None where one is given something that is computed."""
        calls: list[Look] = []
        for node in read_tree(SETUP, text, most_size()).find_all(nodes.Call) if reading.calls else ():
            name = node.node.name if isinstance(node.node, nodes.Name) else ""
            given = [*node.args, *(keyword.value for keyword in node.kwargs)]
            if name in self._functions:
                if not all(isinstance(one, nodes.Const) for one in given):
                    return None
                args = [one.value for one in node.args if isinstance(one, nodes.Const)]
                named = {word.key: word.value.value for word in node.kwargs if isinstance(word.value, nodes.Const)}
                calls.append(_call(self._functions[name], args, named))
        return calls

    def _named(self, reading: Reading, expression: Expression) -> tuple[dict[str, Look], dict[str, Any]]:
        """Return the names of an expression that change, and the values of those that do not."""
        looks: dict[str, Look] = {}
        fixed: dict[str, Any] = {}
        for word in reading.names:
            look = self._look(word.text, expression)
            if isinstance(look, Fixed):
                fixed[word.text] = look.value
            elif look is not None:
                looks[word.text] = look
        return looks, fixed

    def _look(self, name: str, expression: Expression) -> Look | None:
        table, parts = self._table, (self._variant or "").split(",")
        alone = [part for part in parts if part in self._book.setup.variants]
        fixed = {
            "players": self.players, "variant": "".join(alone), "facts": self._book.game.facts,
            "lists": self._book.game.lists, "modules": tuple(part for part in parts if part and part not in alone),
        }  # fmt: skip
        if name == "card":
            return None
        if name in fixed:
            return Fixed(fixed[name])
        if name == "round":
            return lambda _seat: table.round
        if name == "seat":
            return lambda seat: seat
        if name in self.values:
            look = self.value(self.expression(self.values[name].amount))
            return look if isinstance(look, Fixed) else lambda _seat: look(0)
        if name in self._places:
            return table.sizes(self._places[name])
        if name in self._relations:
            relation = self.value(self._relations[name].expression)
            return lambda seat: (relation(seat) - 1) % self.players + 1
        raise self._stopped(expression, "unknown-name", f"nothing is named {name!r}")

    def _fitting(self, text: str, expression: Expression) -> Callable[[int], Ids]:
        if text not in self._fits:
            self._fits[text] = self._fits_of(text, expression)
        return self._fits[text]

    def _fits_of(self, text: str, expression: Expression) -> Callable[[int], Ids]:
        reading = self._book.reading(text)
        if reading.error is not None:
            raise Stopped(reading.error.problem(expression.source))
        names, fixed = self._named(reading, expression)
        fields = [word.text for word in reading.card_fields]
        cards = [(at, data) for at, data in enumerate(self._table.data) if all(field in data for field in fields)]
        looks, memory = tuple(names.values()), dict[tuple[Any, ...], Ids]()

        def fits(seat: int) -> Ids:
            key = tuple(look(seat) for look in looks)
            if key not in memory or reading.calls:
                known = {**fixed, **dict(zip(names, key, strict=True))}
                known |= {name: _seen_by(seat, self._functions[name]) for name in self._called(reading)}
                memory[key] = frozenset(at for at, data in cards if self._holds(reading, {**known, "card": data}))
            return memory[key]

        return fits if looks or reading.calls else Fixed(fits(0))

    def _holds(self, reading: Reading, names: Mapping[str, Any]) -> bool:
        try:
            return bool(reading.constant if reading.constant is not None else self._book.compute(reading, names))
        except ExpressionError as error:
            raise Stopped(error.problem(self._book.setup.source)) from error

    def _cards(self, seat: int, of: str, where: str | None) -> Sequence[int]:
        cards = self._table.whole(of) if self._table.is_deck(of) else self._table.cards(of, seat)
        if where is None:
            return cards
        fits = self._fitting(where, Expression(where, self._book.setup.source))(seat)
        return [card for card in cards if card in fits]

    def _field(self, seat: int, of: str, field: str, where: str | None) -> list[Any]:
        data = self._table.data
        values = (data[card].get(field) for card in self._cards(seat, of, where))
        return [value for value in values if value is not None]


class Fixed:
    """A value that never changes while a game is played."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, _seat: int) -> Any:
        """Return the value."""
        return self.value


def _total(values: list[Any]) -> float:
    total: float = 0
    for value in values:
        total += value
    return total


def _without_seat(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _seat, *args, **named: function(*args, **named)


def _seen_by(seat: int, function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **named: function(seat, *args, **named)


def _call(function: Callable[..., Any], args: list[Any], named: dict[str, Any]) -> Look:
    return lambda seat: function(seat, *args, **named)
