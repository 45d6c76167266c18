"""The functions that ask a setup for its cards, as expressions call them: `count('deck', where='card.rare')`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from duckpress.check.setup.counting import CardKey, added_up
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.tabletop import Table
from duckpress.check.setup.value_words import value_order
from duckpress.check.setup_expressions import unknown
from duckpress.core.problems import did_you_mean
from duckpress.expressions.mistakes import ExpressionError

Compute = Callable[..., object]


class CardFunctions(Struct, frozen=True):
    """What functions say of the cards of decks, and of those at places, at one moment of a setup.

    `instance` returns which of the places of a name is meant, `matching` those of some cards for which a condition
    holds. Once a moment is settled, cards that are only tried do not count.
    """

    book: Book
    top: Table[Any]
    variant: str | None
    instance: Callable[[str], int]
    matching: Callable[[Iterable[CardKey], str], frozenset[CardKey]]
    is_settled: bool

    def function(self, name: str) -> Compute | None:
        """Return the function that expressions call by a name; None where it is none of these."""
        return _FUNCTIONS[name](self) if name in _FUNCTIONS else None

    def place(self, name: str) -> str:
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`."""
        places = self.book.all_places
        if name not in places:
            fix = did_you_mean(name, places) or "correct the name"
            raise ExpressionError("unknown-place", f"no step forms {name!r}", fix)
        return name

    def cards(self, of: object, where: object) -> Mapping[CardKey, int]:
        """Return the cards of a deck, whether they are in the box or not, or those that lie at a place now."""
        name = str(of)
        if name in self.book.game.decks:
            seat = 1 if self.book.game.decks[name].is_per_player else 0
            cards = self.book.deck_part(name, seat).copies
            more = {CardKey(name, seat, at): copies for (deck, at), copies in self.top.extra.items() if deck == name}
            # What is only tried belongs to the steps: what must come out is said of the game as it is.
            cards = added_up(dict(cards), more) if more and not self.is_settled else cards
        elif name in self.book.all_places:
            cards = self.top.contents(name, self.instance(name))
        else:
            raise unknown("unknown-deck", name, (*self.book.game.decks, *self.book.all_places))
        if where is None:
            return cards
        matching = self.matching(cards, str(where))
        return {key: copies for key, copies in cards.items() if key in matching}

    def entries(self, of: object, name: object, where: object) -> list[tuple[object, int]]:
        """Return what cards have in a field, each with its copies. Raises `ExpressionError`: `unknown-field`."""
        decks = self.book.game.decks
        asked = [str(of)] if str(of) in decks else list(self.book.decks_in(str(of), self.variant))
        fields = {field for deck in asked for field in decks[deck].fields}
        if name not in (*fields, "id", "deck"):
            what = f"{'deck ' if str(of) in decks else ''}{str(of)!r} has no field {str(name)!r}"
            raise unknown("unknown-field", str(name), fields, what, says="its fields are")
        part = self.cards(of, where)
        self.book.spend(1 + len(part) // 8)
        pairs = ((self.book.card_data(key).get(str(name)), copies) for key, copies in part.items())
        return [(value, copies) for value, copies in pairs if value is not None]

    def most(self, of: object, name: object, where: object) -> int:
        """Return how many cards have the value of a field that most of them have."""
        counts = Counter[str]()
        for value, copies in self.entries(of, name, where):
            counts[repr(value)] += copies
        return max(counts.values(), default=0)

    def total(self, deck: object, name: object, where: object) -> float:
        """Return the sum of a field of cards. Raises `ExpressionError`: `bad-expression` where it holds no number."""
        total: float = 0
        for value, copies in self.entries(deck, name, where):
            if not isinstance(value, int | float):
                what = f"{name!r} of deck {deck!r} holds {str(value)[:60]!r}, not a number"
                raise ExpressionError("bad-expression", what, "count() counts cards whatever they hold")
            total += value * copies
        return total


_FUNCTIONS: Mapping[str, Callable[[CardFunctions], Compute]] = {
    "count": lambda on: lambda of, where=None: sum(on.cards(of, where).values()),
    "sum": lambda on: lambda of, field, where=None: on.total(of, field, where),
    "distinct": lambda on: (
        lambda of, field, where=None: len({repr(value) for value, _ in on.entries(of, field, where)})
    ),
    "most": lambda on: lambda of, field, where=None: on.most(of, field, where),
    "taken": lambda on: lambda of: on.top.taken(on.book.deck_of(of)),
    "left": lambda on: (
        lambda of: on.top.left(of) if of in on.book.game.decks else on.top.size(on.place(of), on.instance(of))
    ),
    "removed": lambda on: lambda of: on.top.removed(on.place(of)),
    "total": lambda on: lambda of: on.top.total(on.place(of)),
    "values": lambda on: (
        lambda of, field: tuple(sorted({value for value, _ in on.entries(of, field, None)}, key=value_order))
    ),
    "tally": lambda on: (
        lambda of, field, value, where=None: sum(
            copies * (entry.count(value) if isinstance(entry, tuple) else entry == value)
            for entry, copies in on.entries(of, field, where)
        )
    ),
}
"""What makes each function: one is made for a call, and made anew, as `Scene` writes its name into it."""
