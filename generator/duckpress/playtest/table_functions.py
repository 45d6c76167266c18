"""The functions that ask a table for its cards, as expressions call them: `count('draw', where='card.rare')`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.scene import Scene
from duckpress.check.setup.value_words import value_order
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
        self._columns: dict[tuple[str, str], list[Any]] = {}
        self._lists: set[tuple[str, str]] = set()  # those of them that hold lists

    def seen_from(self, view: View) -> Mapping[str, Callable[..., Any]]:
        """Return the functions as they are called where a view is from."""
        table, matching = self._table, dict[str, Callable[[], Ids]]()
        lists = dict[str, Sequence[int]]()  # what lies at a place is always the same list

        def cards(of: str, where: str | None) -> Sequence[int]:
            if of not in lists:
                known = table.is_deck(of)
                lists[of] = table.whole(of) if known else table.cards(self._place(of, "unknown-deck"), view)
            here = lists[of]
            if where is None or not here:
                return here
            if where not in matching:
                matching[where] = self._matching(where, view)
            fits = matching[where]()
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
        """Return the name of a place. Raises `ExpressionError`: `unknown-place`, or what the code says."""
        if name in self._table.places:
            return name
        known = self._table.places if code == "unknown-place" else (*self._book.game.decks, *self._table.places)
        raise unknown(code, name, known, f"no step forms {name!r}")

    def _column(self, of: str, field: str) -> list[Any]:
        """Return what each card has in a field. Raises `ExpressionError`: `unknown-field`."""
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
