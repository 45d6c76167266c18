"""Expressions of a playout: constants are computed once, the rest once for each set of values of its names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from jinja2 import nodes

from duckpress.chance.game_table import NOBODY, Fixed, GameTable, Ids, Look, View
from duckpress.check.expressions import Reading, Stopped, unknown, value_order
from duckpress.check.geometry import surveying
from duckpress.check.setup.moves import OF_EVERYBODY
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.core.problems import Problem, did_you_mean
from duckpress.expressions.calculator import read_tree
from duckpress.expressions.parsing import ExpressionError, most_size
from duckpress.expressions.profiles import SETUP
from duckpress.model.setup import Amount, Each, Expression

_MOST_REMEMBERED = 10_000
_OWN = ("seat", "team", "nth", "drawn")


class Formulas:
    """Makes functions of the expressions of one player count and variant; they look at the table when called."""

    def __init__(self, book: Book, table: GameTable, scene: Scene) -> None:
        self._book, self._table, self.players = book, table, scene.players
        self.values, _, self._relations = book.by_name
        self._fixed = {
            "players": scene.players, "facts": book.game.facts, "lists": book.game.lists, **book.playing(scene.variant),
        }  # fmt: skip
        self._looks: dict[tuple[str, View], Look] = {}
        self._fits: dict[tuple[str, View], Callable[[], Ids]] = {}
        self._survey: Mapping[str, Any] = surveying.functions_of(book.survey)
        self._scene = scene
        self._columns: dict[tuple[str, str], list[Any]] = {}
        self._lists: set[tuple[str, str]] = set()  # those of them that hold lists
        self._functions: dict[View, Mapping[str, Callable[..., Any]]] = {}

    def value(self, expression: Expression, view: View = NOBODY) -> Look:
        """Return a function that gives an expression's current value; the function may raise `Stopped`."""
        key = expression.text, self._view_for(expression.text, view)
        if key not in self._looks:
            self._looks[key] = self._compiled(expression, key[1])
        return self._looks[key]

    def of_anybody(self, expression: Expression) -> Look:
        """Return a function that tests whether a condition is true for any player, team or number. Raises `Stopped`."""
        table = self._table
        places = {table.each[name]: name for name in self._places_named(expression, expression.text)}
        each = next((each for each in (Each.PLAYER, Each.TEAM, Each.NUMBER) if each in places), None)
        if each is None:
            return self.value(expression)
        look = cache(lambda instance: self.value(expression, NOBODY.at(each, instance)))
        for instance in table.instances(places[each]):
            look(instance)  # what is wrong with it is told before a game begins
        return lambda: any(look(instance)() for instance in table.instances(places[each]))

    def _places_named(self, expression: Expression, text: str) -> set[str]:
        """Return the places in a text. Raises `Stopped`: `place-kind` if a named value uses a place with owners."""
        reading, table = self._book.reading(text), self._table
        names = {table.by_name[word.text] for word in reading.names if word.text in table.by_name}
        for call in reading.calls:
            if call.origin is not None and call.function not in OF_EVERYBODY and not table.is_deck(call.origin.text):
                names.add(call.origin.text)
            names |= self._places_named(expression, call.where.text) if call.where is not None else set()
        for word in reading.names:
            if word.text in self.values:
                value = self.expression(self.values[word.text].amount)
                own = [name for name in self._places_named(expression, value.text) if table.each.get(name)]
                if own:
                    what = f"the value {word.text!r} looks at {own[0]!r}, of which there are several"
                    raise self.stopped(expression, "place-kind", what, f"write it out here: {value.text}")
        return names & table.each.keys()

    def number(self, amount: Amount, view: View = NOBODY) -> Look:
        """Return a function that gives an amount as a whole number, 0 or more. Raises `Stopped`: `missing-count`."""
        expression = self.expression(amount)
        look = self.value(expression, view)

        def whole() -> int:
            value = look()
            if type(value) is int:
                return max(value, 0)
            if isinstance(value, float) and value.is_integer():
                return max(int(value), 0)
            raise self.stopped(expression, "not-whole", f"{expression.text!r} gives {value!r}, and not a whole number")

        return Fixed(whole()) if isinstance(look, Fixed) else whole

    def expression(self, amount: Amount) -> Expression:
        """Return the expression of an amount at this player count. Raises `Stopped`: `missing-count`."""
        expression = amount.expression(self.players)
        if expression is None:
            what = f"there is no number for {self.players} player{'s' * (self.players != 1)}"
            raise Stopped(Problem("missing-count", amount.source, what, f"add '{self.players}: ...'"))
        return expression

    def fitting(self, where: Expression, view: View = NOBODY) -> Callable[[], Ids]:
        return self._fitting(where.text, view, where)

    def is_common(self, text: str) -> bool:
        return self._view_for(text, View(1, 1, 1, 0)) is NOBODY

    def stopped(self, expression: Expression, code: str, what: str, fix: str = "correct the expression") -> Stopped:
        return Stopped(Problem(code, expression.source, what, fix, players=self.players))

    def _compiled(self, expression: Expression, view: View) -> Look:
        reading = self._book.reading(expression.text)
        if reading.error is not None:
            raise Stopped(reading.error.problem(expression.at(reading.error.offset)))
        if reading.constant is not None:
            return Fixed(reading.constant)
        names, fixed = self._named(reading, expression, view)
        functions = self._functions_in(reading, view, expression)
        # What may be computed once for each set of values has only calls with everything written out.
        calls = self._written_calls(expression.text, reading, functions)

        def compute(known: Mapping[str, Any]) -> Any:
            try:
                return self._book.compute(reading, {**fixed, **known, **functions})
            except ExpressionError as error:
                raise Stopped(error.problem(expression.at(error.offset))) from error

        if not names and calls == []:
            return Fixed(compute({}))
        if calls is None:
            return lambda: compute({name: look() for name, look in names.items()})
        if reading.compiled is None:  # a name alone
            return next(iter(names.values()))
        looks, memory = (*names.values(), *calls), dict[tuple[Any, ...], Any]()

        def remembered() -> Any:
            """Return the value, cached by the values of its names and calls."""
            try:
                key = tuple([look() for look in looks])
            except ExpressionError as error:
                raise Stopped(error.problem(expression.source)) from error
            if key not in memory:
                if len(memory) > _MOST_REMEMBERED:
                    memory.clear()
                memory[key] = compute(dict(zip(names, key, strict=False)))
            return memory[key]

        return remembered

    def _functions_in(self, reading: Reading, view: View, place: Expression) -> dict[str, Callable[..., Any]]:
        """Return the functions that an expression calls about the table, as a view sees them."""
        if not reading.calls:
            return {}
        if view not in self._functions:
            self._functions[view] = {**self._survey, **self._seen_from(view)}
        for call in reading.calls:
            if call.where is not None:
                # What is wrong with it is wrong before any card lies anywhere.
                self._fitting(call.where.text, view, Expression(call.where.text, place.at(call.where.offset)))
        known = self._functions[view]
        return {call.function: known[call.function] for call in reading.calls if call.function in known}

    def _written_calls(
        self, text: str, reading: Reading, functions: Mapping[str, Callable[..., Any]]
    ) -> list[Look] | None:
        """Return a function for each of the table's calls; None if an argument is not a constant."""
        calls: list[Look] = []
        tree = read_tree(SETUP, text, most_size())
        for node in (tree, *tree.find_all(nodes.Call)) if reading.calls else ():
            if not isinstance(node, nodes.Call):
                continue
            name = node.node.name if isinstance(node.node, nodes.Name) else ""
            given = [*node.args, *(keyword.value for keyword in node.kwargs)]
            if name in functions:
                if not all(isinstance(one, nodes.Const) for one in given):
                    return None
                args = [one.value for one in node.args if isinstance(one, nodes.Const)]
                named = {word.key: word.value.value for word in node.kwargs if isinstance(word.value, nodes.Const)}
                calls.append(partial(functions[name], *args, **named))
        return calls

    def _named(self, reading: Reading, expression: Expression, view: View) -> tuple[dict[str, Look], dict[str, Any]]:
        """Return the changing names of an expression as functions, and the values of its constant names."""
        looks: dict[str, Look] = {}
        fixed: dict[str, Any] = {}
        for word in reading.names:
            look = self._look(word.text, expression, view) if word.text != "card" else None
            if isinstance(look, Fixed):
                fixed[word.text] = look.value
            elif look is not None:
                looks[word.text] = look
        return looks, fixed

    def _look(self, name: str, expression: Expression, view: View) -> Look:
        table = self._table
        own = {"seat": view.seat, "team": view.team or table.teams.get(view.seat, 0), "nth": view.nth}
        if name in self._fixed:
            return Fixed(self._fixed[name])
        if name == "round":
            return lambda: table.round
        if own.get(name):
            return Fixed(own[name])
        if name == "drawn" and view.drawn >= 0:
            return Fixed(table.data[view.drawn])
        if name in self.values:
            return self.value(self.expression(self.values[name].amount))
        if name in table.by_name:
            return table.size(table.by_name[name], view)
        if name in self._relations and view.seat:
            relation = self.value(self._relations[name].expression, view)
            if isinstance(relation, Fixed):
                return Fixed((relation.value - 1) % self.players + 1)
            return lambda: (relation() - 1) % self.players + 1
        known = ("players", "round", "facts", "lists", *self.values, *table.by_name)
        fix = did_you_mean(name, known, else_say="the names are")
        fix = f"did you mean card.{name}?" if name in table.fields else fix
        raise self.stopped(expression, "unknown-name", f"nothing is named {name!r} here", fix)

    def _view_for(self, text: str, view: View) -> View:
        """Return the view, or `NOBODY` if an expression has the same value from every view."""
        reading = self._book.reading(text)
        own = {*_OWN, *self._relations, *self._table.by_name}
        return view if reading.calls or any(word.text in own for word in reading.names) else NOBODY

    def _fitting(self, text: str, view: View, expression: Expression | None = None) -> Callable[[], Ids]:
        key = text, self._view_for(text, view)
        if key in self._fits:
            return self._fits[key]
        reading, place = self._book.reading(text), (expression or self._book.setup).source
        if reading.error is not None:
            raise Stopped(reading.error.problem(place))
        expression = expression or Expression(text, place)
        names, fixed = self._named(reading, expression, key[1])
        fixed |= self._functions_in(reading, key[1], expression)
        fields = [word.text for word in reading.card_fields]
        for field in fields:
            if field not in self._table.fields:
                mistake = unknown("unknown-field", field, self._table.fields, f"no card has a field {field!r}")
                raise Stopped(mistake.problem(place))
        # Cards alike in the fields that matter need the condition computed only once.
        groups: dict[str, tuple[Mapping[str, Any], list[int]]] = {}
        for at, data in enumerate(self._table.data):
            if all(field in data for field in fields):
                groups.setdefault(repr([data[field] for field in fields]), (data, []))[1].append(at)
        looks, memory = tuple(names.values()), dict[tuple[Any, ...], Ids]()

        def holds(known: Mapping[str, Any]) -> bool:
            try:
                return bool(reading.constant if reading.constant is not None else self._book.compute(reading, known))
            except ExpressionError as error:
                raise Stopped(error.problem(self._book.setup.source)) from error

        def fits() -> Ids:
            values = tuple([look() for look in looks])
            if values not in memory or reading.calls:
                known = {**fixed, **dict(zip(names, values, strict=True))}
                fitting = [alike for data, alike in groups.values() if holds({**known, "card": data})]
                memory[values] = frozenset(at for alike in fitting for at in alike)
            return memory[values]

        self._fits[key] = fits if looks or reading.calls else Fixed(fits())
        return self._fits[key]

    def _seen_from(self, view: View) -> Mapping[str, Callable[..., Any]]:
        """Return the functions for a view; a deck wins over a place of the same name."""
        table, matching = self._table, cache(lambda where: self._fitting(where, view))

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
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`, or `code`."""
        if name in self._table.places:
            return name
        known = self._table.places if code == "unknown-place" else (*self._book.game.decks, *self._table.places)
        raise unknown(code, name, known, f"no step forms {name!r}")

    def _column(self, of: str, field: str) -> list[Any]:
        """Return each card's value of a field. Raises `ExpressionError`: `unknown-field`."""
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
