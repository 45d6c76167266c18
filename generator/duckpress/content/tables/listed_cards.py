"""Cards listed in JSON or YAML -> the rows of a table: a list of records, or columns with a value for each card.

The second is how Squib reads its data: `name: [Sword, Bow]` beside `qty: [2, 1]`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from msgspec import Struct

from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described, quoted
from duckpress.core.problem_list import Read
from duckpress.core.problems import Level, Problem

_SEPARATOR = "; "  # between the texts of a list in one cell


class ListedCards(Struct, frozen=True):
    """The rows of a table, the names of its columns first, and the columns that have values which no cell can hold."""

    rows: list[list[str]]
    nested: frozenset[str]


def listed_rows(node: Node) -> Read[ListedCards | None]:
    """Return the cards that a file lists; None for what lists none (`wrong-type`).

    A value that is a list of texts is one cell; what is nested deeper is left out (a warning).
    """
    if isinstance(node, Mapping) and len(node.entries) == 1:
        (entry,) = node.entries.values()
        if isinstance(entry.value, Sequence) and all(isinstance(item, Mapping) for item in entry.value.items):
            node = entry.value
    if isinstance(node, Sequence) and node.items and all(isinstance(item, Mapping) for item in node.items):
        records = [{key: _cell(entry.value) for key, entry in item.entries.items()} for item in _mappings(node)]
        names = list(dict.fromkeys(key for record in records for key in record))
        values = [(key, entry.value) for item in _mappings(node) for key, entry in item.entries.items()]
        return _with_nested([names, *([record.get(name, "") for name in names] for record in records)], values)
    if isinstance(node, Mapping) and node.entries:
        columns = {
            key: [_cell(item) for item in entry.value.items]
            for key, entry in node.entries.items()
            if isinstance(entry.value, Sequence)
        }
        if len(columns) == len(node.entries):
            count = max(map(len, columns.values()))
            padded = [column + [""] * (count - len(column)) for column in columns.values()]
            lists = [(key, entry.value) for key, entry in node.entries.items()]
            values = [(key, item) for key, value in lists if isinstance(value, Sequence) for item in value.items]
            return _with_nested([list(columns), *map(list, zip(*padded, strict=True))], values)
    what = f"the file holds {described(node)}, neither a list of cards nor columns with a value for each card"
    fix = "write a list of records ([{name: ..., cost: ...}, ...]), or a list for each field"
    return Read(None, [Problem("wrong-type", node.source, what, fix)])


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """Return rows as a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _mappings(node: Sequence) -> list[Mapping]:
    return [item for item in node.items if isinstance(item, Mapping)]


def _with_nested(rows: list[list[str]], values: Iterable[tuple[str, Node]]) -> Read[ListedCards | None]:
    """Return the cards, with a warning for each column with values that no cell can hold: mappings, lists in lists."""
    nested: dict[str, list[Node]] = {}
    for key, value in values:
        parts = value.items if isinstance(value, Sequence) else [value] if isinstance(value, Mapping) else []
        if any(not isinstance(part, Scalar) for part in parts):
            nested.setdefault(key, []).append(value)
    problems = []
    for key, found in nested.items():
        what = f"{quoted(key)} is {described(found[0])} with values of its own, which is left out"
        what += f"; so is it in {len(found) - 1} more" if len(found) > 1 else ""
        fix = f"write a key for each value: {key}_one: ..., {key}_two: ..."
        problems.append(Problem("wrong-type", found[0].source, what, fix, Level.WARNING))
    return Read(ListedCards(rows, frozenset(nested)), problems)


def _cell(node: Node) -> str:
    if isinstance(node, Scalar):
        return "" if node.is_null else node.text
    if isinstance(node, Sequence):
        return _SEPARATOR.join(_cell(item) for item in node.items if isinstance(item, Scalar))
    return ""
