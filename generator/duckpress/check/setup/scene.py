"""A moment in a setup, as expressions see it: player count, seat, places so far, named values.

Functions ask it for cards: `count('deck', where='card.rare')`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from duckpress.check.expressions import Reading, Stopped, as_words, unknown, value_order
from duckpress.check.geometry import surveying
from duckpress.check.setup.counting import SOME, CardKey, added_up
from duckpress.check.setup.rule_book import MAX_PENDING, Book, value_too_deep
from duckpress.check.setup.tabletop import Table
from duckpress.core.problems import Problem, did_you_mean
from duckpress.expressions.budget import weight
from duckpress.expressions.parsing import ExpressionError, fill_holes
from duckpress.model.setup import ALL, Amount, Each, Expression, Knowledge, NamedValue, counts_text

Compute = Callable[..., object]
_MOST = 10**6


class Scene(Struct, frozen=True):
    """The context of expressions; `pending` are the named values being computed, to detect cycles.

    `known` are named values that were computed at this moment; None where the moment passes, as steps are still run.
    """

    book: Book
    players: int
    variant: str | None
    top: Table[Any]
    seat: int | None = None
    team: int | None = None
    nth: int | None = None
    drawn: CardKey | None = None
    pending: tuple[str, ...] = ()
    known: dict[str, object] | None = None

    def settled(self) -> Scene:
        """Return the scene of a final moment, in which named values are cached."""
        return replace(self, known={})

    def at_seat(self, seat: int | None) -> Scene:
        return replace(self, seat=seat)

    def at(self, each: Each, instance: int) -> Scene:
        """Return the same moment from the view of one instance of a place."""
        if each is Each.NOBODY:
            return self
        names = {Each.PLAYER: "seat", Each.TEAM: "team", Each.NUMBER: "nth"}
        return replace(self, **{names[each]: instance})

    def team_of(self, seat: int) -> int:
        """Return the team of a seat. Raises `Stopped`: `not-whole` if it is no number."""
        seats = self.book.setup.seats
        if seats is None or seats.teams is None:
            raise Stopped(None)  # the check of words tells that there are no teams
        value = replace(self, seat=seat, pending=(*self.pending, "team")).value(seats.teams)
        if isinstance(value, bool) or not isinstance(value, int):
            error = ExpressionError("not-whole", f"{seats.teams.text!r} gives {as_words(value)}", "a team is a number")
            raise self._stopped(seats.teams, error)
        return value

    def teams(self) -> list[int]:
        return sorted({self.team_of(seat) for seat in range(1, self.players + 1)})

    def instance(self, place: str) -> int:
        """Return the instance of a place in this view: its own, or the first; 0 for a common place."""
        each = self.book.each_of_places(self.variant).get(place, Each.NOBODY)
        if each is Each.TEAM:
            return self.team if self.team is not None else self.team_of(self.seat or 1)
        if each is Each.NUMBER:
            return self.nth or 1
        return 0 if each is Each.NOBODY else self.seat or 1

    def value(self, expression: Expression, given: Mapping[str, object] | None = None) -> object:
        """Return the value of an expression, with additional names if given. Raises `Stopped`."""
        return self.part_of(expression, expression.text, 0, given)

    def spoken(self, text: Expression) -> str:
        """Return a text with its `{{ expressions }}` computed. Raises `Stopped`."""
        self.book.spend(len(text.text) // 64)
        said = fill_holes(text.text, lambda inner, offset: as_words(self.part_of(text, inner, offset)))
        self.book.spend(len(said) // 64)
        return said

    def number(self, amount: Amount) -> int:
        """Return an amount at this player count. Raises `Stopped`: `missing-count`, `negative-amount`, `not-whole`."""
        expression = self.expression(amount)
        value = self.value(expression)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            fix = "a number of cards is a whole number; // divides without a remainder"
            shown = as_words(value) if value is not None else "nothing"
            if isinstance(value, str) or shown.lstrip("-").isdigit():  # no number, or one that only looks whole
                shown = repr(value)
            raise self._stopped(expression, ExpressionError("not-whole", f"{expression.text!r} gives {shown}", fix))
        if value < 0:
            fix = "an amount is 0 or more; max(0, ...) keeps it there"
            error = ExpressionError("negative-amount", f"{expression.text!r} gives {value}", fix)
            raise self._stopped(expression, error)
        return value

    def number_or_all(self, amount: Amount) -> int | None:
        """Return an amount as `number` does; None for all cards."""
        return None if self.expression(amount).text == ALL else self.number(amount)

    def expression(self, amount: Amount, of: str = "step") -> Expression:
        """Return the expression of an amount of a step, expectation or value at this player count.

        Raises `Stopped`: `missing-count`.
        """
        expression = amount.expression(self.players)
        if expression is None:
            said = counts_text([count or 0 for count in amount.by_players])
            what = f"there is no number for {self.players} player{'s' * (self.players != 1)}, only for {said}"
            fix = f"add '{self.players}: ...'"
            fix += f", or say 'only:' for which player counts the {of} is" if of != "value" else ""
            raise Stopped(self.problem(Problem("missing-count", amount.source, what, fix)))
        return expression

    def chosen(self, keys: Iterable[CardKey], where: Expression) -> frozenset[CardKey]:
        """Return the cards that meet a condition. Raises `Stopped`."""
        if where.source in self.book.faulty:
            raise Stopped(None)
        self.book.at = where.source
        try:
            return self.matching(keys, where.text)
        except ExpressionError as error:
            raise self._stopped(where, error) from error

    def problem(self, problem: Problem) -> Problem:
        return problem._replace(players=self.players, variant=self.variant)

    def matching(self, keys: Iterable[CardKey], where: str) -> frozenset[CardKey]:
        """Return the cards that meet a condition. Raises `ExpressionError`, `Stopped`."""
        names = self._names(self.book.reading(where))
        fitting: dict[tuple[str, int], Mapping[CardKey, int]] = {}
        matching = []
        for key in keys:
            if key == SOME:  # put into an empty place to mend it: any card, so one that fits
                matching.append(key)
                continue
            if key[:2] not in fitting:
                part = self.book.deck_part(key.deck, key.seat)
                fitting[key[:2]] = self.book.chosen(part, where, names).copies
            if key in fitting[key[:2]]:
                matching.append(key)
        self.book.spend(1 + len(matching) // 8)
        return frozenset(matching)

    def part_of(
        self, expression: Expression, text: str, start: int, given: Mapping[str, object] | None = None
    ) -> object:
        """Return the value of an expression at an offset in a text. Raises `Stopped`."""
        book = self.book
        if expression.source.file:
            book.at = expression.source
        book.spend(2 + len(text) // 32)
        reading = book.reading(text)
        if reading.constant is not None:
            return reading.constant
        if reading.error is not None or expression.source in self.book.faulty:
            raise Stopped(None)
        try:
            value = book.compute(reading, {**self._names(reading, given or {}), **(given or {})})
            if isinstance(value, tuple | Mapping):
                book.spend(weight(value, _MOST) // 4)
            return value
        except ExpressionError as error:
            raise self._stopped(expression, error, start) from error

    def _stopped(self, expression: Expression, error: ExpressionError, start: int = 0) -> Stopped:
        within = start or None if error.offset is None else start + error.offset
        return Stopped(self.problem(error.problem(expression.at(within))))

    def _names(self, reading: Reading, given: Container[str] = ("card",)) -> dict[str, object]:
        """Return the names of a parsed expression with their values, except given ones, and its functions."""
        names: dict[str, object] = {}
        for word in reading.names:
            if word.text not in given:
                names[word.text] = self._named(word.text)
        for call in reading.calls:
            if call.function not in self.book.calculator.functions:
                names[call.function] = self._function(call.function)
        return names

    def _named(self, name: str) -> object:
        if name == "players":
            return self.players
        if name in ("variant", "modules"):
            return self.book.playing(self.variant)[name]
        if name in ("facts", "lists"):
            return self.book.game.facts if name == "facts" else self.book.game.lists
        values, places, relations = self.book.by_name
        if name == "seat" and self.seat is not None:
            return self.seat
        if name == "team" and (self.team is not None or self.seat is not None):
            return self.team if self.team is not None else self.team_of(self.seat or 1)
        if name == "nth" and self.nth is not None:
            return self.nth
        if name == "drawn" and self.drawn is not None:
            return self.book.card_data(self.drawn)
        if name in values:
            return self._named_value(values[name])
        if name in places:
            return self.top.size(places[name], self.instance(places[name]))
        if name in relations and self.seat is not None:
            return self.seat_of(relations[name].expression, relations[name].name)
        raise Stopped(None)  # an unknown name, which the check of words reports

    def seat_of(self, expression: Expression, name: str = "") -> int:
        """Return the seat that an expression gives; `name` is its relation's name, if it has one.

        Seats stand in a ring and are counted from 1; beyond the last one the count begins again.
        Raises `Stopped`: `not-whole` where it is no seat.
        """
        if name:
            self._refuse_circle(name, expression)
        value = replace(self, pending=(*self.pending, name)).value(expression)
        if isinstance(value, bool) or not isinstance(value, int):
            fix = "a seat is a whole number; // divides without a remainder"
            error = ExpressionError("not-whole", f"{expression.text!r} gives {as_words(value)}", fix)
            raise self._stopped(expression, error)
        return (value - 1) % self.players + 1

    def told_seats(self, knowledge: Knowledge) -> tuple[int, ...]:
        """Return the seats whose cards the player at this seat knows, in written order. Raises `Stopped`."""
        return tuple(dict.fromkeys(self.seat_of(expression) for expression in knowledge.whose))

    def told_at(self, place: str) -> tuple[int, ...]:
        """Return the seats whose cards at a place this player knows; without a seat, the first player."""
        scene = self.at_seat(self.seat or 1)
        of_place = (knowledge for knowledge in self.book.knowledge(self.variant) if knowledge.place == place)
        return tuple(dict.fromkeys(seat for knowledge in of_place for seat in scene.told_seats(knowledge)))

    def knowers(self, place: str) -> int:
        """Return how many players know this player's cards at a place; without a seat, the first player's."""
        everyone = range(1, self.players + 1)
        return sum((self.seat or 1) in self.at_seat(seat).told_at(place) for seat in everyone)

    def _refuse_circle(self, name: str, expression: Expression) -> None:
        if len(self.pending) > MAX_PENDING:
            raise Stopped(value_too_deep(name, expression))
        if name in self.pending:
            what = f"the value {name!r} needs itself: {' -> '.join((*self.pending, name))}"
            raise Stopped(Problem("circular-value", expression.source, what, "compute one of them from something else"))

    def _named_value(self, named: NamedValue) -> object:
        name = named.name
        if self.known is not None and name in self.known:
            return self.known[name]
        expression = self.expression(named.amount, "value")
        self._refuse_circle(name, expression)
        # A value is the same for everyone at the table, so it never sees the seat.
        value = replace(self, seat=None, pending=(*self.pending, name)).value(expression)
        if self.known is not None:
            self.known[name] = value
        return value

    def _function(self, name: str) -> Compute:
        if name in surveying.FUNCTIONS:
            function = surveying.functions_of(self.book.survey)[name]
        elif name in _FUNCTIONS:
            function = _FUNCTIONS[name](self)
        else:
            raise Stopped(None)
        function.__qualname__ = name  # the name by which Python says that it is given too little or too much
        return function

    def _place(self, name: str) -> str:
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`."""
        places = self.book.all_places
        if name not in places:
            fix = did_you_mean(name, places) or "correct the name"
            raise ExpressionError("unknown-place", f"no step forms {name!r}", fix)
        return name

    def _cards(self, of: object, where: object) -> Mapping[CardKey, int]:
        """Return all the cards of a deck, in the box or not, or the cards that lie at a place now."""
        name = str(of)
        if name in self.book.game.decks:
            seat = 1 if self.book.game.decks[name].is_per_player else 0
            cards = self.book.deck_part(name, seat).copies
            more = {CardKey(name, seat, at): copies for (deck, at), copies in self.top.extra.items() if deck == name}
            # What is only tried belongs to the steps: what must come out is said of the game as it is.
            cards = added_up(dict(cards), more) if more and self.known is None else cards
        elif name in self.book.all_places:
            cards = self.top.contents(name, self.instance(name))
        else:
            raise unknown("unknown-deck", name, (*self.book.game.decks, *self.book.all_places))
        if where is None:
            return cards
        matching = self.matching(cards, str(where))
        return {key: copies for key, copies in cards.items() if key in matching}

    def _entries(self, of: object, name: object, where: object) -> list[tuple[object, int]]:
        """Return the cards' values of a field, each with its copies. Raises `ExpressionError`: `unknown-field`."""
        decks = self.book.game.decks
        deck_ids = [str(of)] if str(of) in decks else list(self.book.decks_in(str(of), self.variant))
        fields = {field for deck in deck_ids for field in decks[deck].fields}
        if name not in (*fields, "id", "deck"):
            what = f"{'deck ' if str(of) in decks else ''}{str(of)!r} has no field {str(name)!r}"
            raise unknown("unknown-field", str(name), fields, what, says="its fields are")
        part = self._cards(of, where)
        self.book.spend(1 + len(part) // 8)
        pairs = ((self.book.card_data(key).get(str(name)), copies) for key, copies in part.items())
        return [(value, copies) for value, copies in pairs if value is not None]

    def _most(self, of: object, name: object, where: object) -> int:
        """Return the number of cards with the commonest value of a field."""
        counts = Counter[str]()
        for value, copies in self._entries(of, name, where):
            counts[repr(value)] += copies
        return max(counts.values(), default=0)

    def _total(self, deck: object, name: object, where: object) -> float:
        """Return the sum of a field of cards. Raises `ExpressionError`: `bad-expression` if it is not numeric."""
        total: float = 0
        for value, copies in self._entries(deck, name, where):
            if not isinstance(value, int | float):
                what = f"{name!r} of deck {deck!r} holds {str(value)[:60]!r}, not a number"
                raise ExpressionError("bad-expression", what, "count() counts cards whatever they hold")
            total += value * copies
        return total


_FUNCTIONS: Mapping[str, Callable[[Scene], Compute]] = {
    "count": lambda on: lambda of, where=None: sum(on._cards(of, where).values()),
    "sum": lambda on: lambda of, field, where=None: on._total(of, field, where),
    "distinct": lambda on: (
        lambda of, field, where=None: len({repr(value) for value, _ in on._entries(of, field, where)})
    ),
    "most": lambda on: lambda of, field, where=None: on._most(of, field, where),
    "taken": lambda on: lambda of: on.top.taken(on.book.deck_of(of)),
    "left": lambda on: (
        lambda of: on.top.left(of) if of in on.book.game.decks else on.top.size(on._place(of), on.instance(of))
    ),
    "told": lambda on: lambda of: len(on.told_at(on._place(of))),
    "knowers": lambda on: lambda of: on.knowers(on._place(of)),
    "removed": lambda on: lambda of: on.top.removed(on._place(of)),
    "total": lambda on: lambda of: on.top.total(on._place(of)),
    "values": lambda on: (
        lambda of, field: tuple(sorted({value for value, _ in on._entries(of, field, None)}, key=value_order))
    ),
    "tally": lambda on: (
        lambda of, field, value, where=None: sum(
            copies * (entry.count(value) if isinstance(entry, tuple) else entry == value)
            for entry, copies in on._entries(of, field, where)
        )
    ),
}
"""What makes each function: one is made for a call, and made anew, as `Scene` writes its name into it."""
