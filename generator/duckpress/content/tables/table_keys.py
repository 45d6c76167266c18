"""What `table:` of a deck's file may hold: where a designer's own table lies, and which of its columns are fields."""

from __future__ import annotations

from collections.abc import Iterator

from duckpress.content.yaml.declared_shapes import Kind, ListOf, Shape, optional, required
from duckpress.content.yaml.kinds import (
    PLACED,
    PLACED_OR_LIST,
    TEXT_OR_TEXTS,
    Placed,
    by_name,
    choice,
    converted,
    list_of,
    shape,
    whole,
)
from duckpress.content.yaml.nodes import Node, Sequence, quoted
from duckpress.core.problem_list import Read
from duckpress.core.problems import Problem

MAX_ROW = 1_048_576
"""The last row of a spreadsheet. Source: Excel specifications and limits."""
_NO_NAMES: tuple[Placed, ...] = ()


class TableKeys(Shape):
    """A table that lies where the designer keeps it."""

    file = required(PLACED, "its file, seen from the game's folder: cards.xlsx, data/cards.csv")
    url = optional(PLACED, None, "the https address that `duckpress pull` fetches the file from; a build never does")
    sheet = optional(PLACED, None, "the name of its sheet; the first that is not hidden without it")
    header = optional(whole(1, MAX_ROW), None, "the number of the row with the columns' names; the first without it")
    columns = optional(by_name(PLACED_OR_LIST), (), "for a field or `copies`: its column, or several that it joins")
    id = optional(PLACED_OR_LIST, _NO_NAMES, "the field or column, or several, that the ids of cards are made of")
    ignore = optional(PLACED_OR_LIST, _NO_NAMES, "columns that are not read, and need not be told of")
    where = optional(by_name(TEXT_OR_TEXTS), (), "only the rows with these words in a column")
    is_numbered = optional(
        converted(choice(("number",)), bool), False, "number: equal ids get -2, -3 and so on", name="repeat"
    )

    def check(self) -> Iterator[Problem]:
        """Yield an `address-refused` for an address that is not https; what it leads to is known to `pull` alone."""
        if self.url is not None and not self.url.text.lower().startswith("https://"):
            what = f"'url' is {quoted(self.url.text)}, no address that begins with https://"
            yield Problem("address-refused", self.url.source, what, "write it as https://host/path")


def _tables(node: Node, label: str) -> Read[tuple[TableKeys, ...] | None]:
    return list_of(shape(TableKeys), label).read(
        node if isinstance(node, Sequence) else Sequence([node], node.source), label
    )


TABLES: Kind[tuple[TableKeys, ...]] = Kind("mapping or list", _tables, (), takes=(TableKeys, ListOf((TableKeys,))))
