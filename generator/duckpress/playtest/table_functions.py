"""The functions that ask a table for its cards, as expressions call them: `count('draw', where='card.rare')`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene, value_order
from duckpress.check.setup_expressions import unknown
from duckpress.expressions.mistakes import ExpressionError
from duckpress.playtest.game_table import GameTable, Ids
from duckpress.playtest.view import View

Matching = Callable[[str, View], Callable[[], Ids]]
"""Gives what gives the cards for which a condition holds, seen from a place."""


class TableFunctions:
    """What functions give at one table. A deck stands before a place of its name, with all its cards."""

    def __init__(self, book: Book, table: GameTable, scene: Scene, matching: Matching) -> None:
        self._book, self._table, self._scene, self._matching = book, table, scene, matching

    def seen_from(self, view: View) -> Mapping[str, Callable[..., Any]]:
        """Return the functions as they are called where a view is from."""
        table, matching = self._table, dict[str, Callable[[], Ids]]()

        def cards(of: str, where: str | None) -> Sequence[int]:
            here = table.whole(of) if table.is_deck(of) else table.cards(self._place(of, "unknown-deck"), view)
            if where is None:
                return here
            if where not in matching:
                matching[where] = self._matching(where, view)
            fits = matching[where]()
            return [card for card in here if card in fits]

        def entries(of: str, field: str, where: str | None) -> list[Any]:
            self._refuse_unknown_field(of, field)
            values = (table.data[card].get(field) for card in cards(of, where))
            return [value for value in values if value is not None]

        return {
            "count": lambda of, where=None: len(cards(of, where)),
            "sum": lambda of, field, where=None: _total(of, field, entries(of, field, where)),
            "distinct": lambda of, field, where=None: len({repr(value) for value in entries(of, field, where)}),
            "tally": lambda of, field, value, where=None: sum(
                entry.count(value) if isinstance(entry, tuple) else entry == value
                for entry in entries(of, field, where)
            ),
            "values": lambda of, field: tuple(sorted(set(entries(of, field, None)), key=value_order)),
            "left": lambda of: table.left(of if table.is_deck(of) else self._place(of), view),
            "total": lambda of: table.total(self._place(of)),
            "taken": lambda of: table.taken(self._book.deck_of(of)),
            "removed": lambda of: table.removed(self._place(of)),
            "told": lambda of: len(self._scene.at_seat(view.seat or 1).told_at(self._place(of))),
            "knowers": lambda of: self._scene.at_seat(view.seat or 1).knowers(self._place(of)),
        }

    def _place(self, name: str, code: str = "unknown-place") -> str:
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`, or what the code says."""
        if name in self._table.places:
            return name
        known = self._table.places if code == "unknown-place" else (*self._book.game.decks, *self._table.places)
        raise unknown(code, name, known, f"no step forms {name!r}")

    def _refuse_unknown_field(self, of: str, name: str) -> None:
        decks = self._book.game.decks.values()
        fields = {field for deck in decks for field in deck.fields if of not in self._book.game.decks or deck.id == of}
        if name not in (*fields, "id", "deck"):
            raise unknown("unknown-field", name, fields, f"{of!r} has no field {name!r}", says="its fields are")


def _total(of: str, name: str, values: Sequence[Any]) -> float:
    total: float = 0
    for value in values:
        if not isinstance(value, int | float):
            what = f"{name!r} of {of!r} holds {str(value)[:60]!r}, not a number"
            raise ExpressionError("bad-expression", what, "count() counts cards whatever they hold")
        total += value
    return total
