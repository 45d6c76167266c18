"""Cards listed in JSON or YAML -> the rows of a table: a list of records, or columns with a value for each card.

The second is how Squib reads its data: `name: [Sword, Bow]` beside `qty: [2, 1]`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from duckpress.content.yaml.nodes import Mapping, Node, Scalar, Sequence, described
from duckpress.core.problem_list import Read
from duckpress.core.problems import Problem

_SEPARATOR = "; "  # between the texts of a list in one cell


def listed_rows(node: Node) -> Read[list[list[str]]]:
    """Return the rows of a table, the names of its columns first; none for what lists no cards (`wrong-type`).

    A value that is a list of texts is one cell; what is nested deeper is left out.
    """
    if isinstance(node, Mapping) and len(node.entries) == 1:
        (entry,) = node.entries.values()
        if isinstance(entry.value, Sequence) and all(isinstance(item, Mapping) for item in entry.value.items):
            node = entry.value
    if isinstance(node, Sequence) and node.items and all(isinstance(item, Mapping) for item in node.items):
        records = [{key: _cell(entry.value) for key, entry in item.entries.items()} for item in _mappings(node)]
        names = list(dict.fromkeys(key for record in records for key in record))
        return Read([names, *([record.get(name, "") for name in names] for record in records)])
    if isinstance(node, Mapping) and node.entries:
        columns = {
            key: [_cell(item) for item in entry.value.items]
            for key, entry in node.entries.items()
            if isinstance(entry.value, Sequence)
        }
        if len(columns) == len(node.entries):
            count = max(map(len, columns.values()))
            padded = [column + [""] * (count - len(column)) for column in columns.values()]
            return Read([list(columns), *map(list, zip(*padded, strict=True))])
    what = f"the file holds {described(node)}, neither a list of cards nor columns with a value for each card"
    fix = "write a list of records ([{name: ..., cost: ...}, ...]), or a list for each field"
    return Read([], [Problem("wrong-type", node.source, what, fix)])


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """Return rows as a CSV file."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _mappings(node: Sequence) -> list[Mapping]:
    return [item for item in node.items if isinstance(item, Mapping)]


def _cell(node: Node) -> str:
    if isinstance(node, Scalar):
        return "" if node.is_null else node.text
    if isinstance(node, Sequence):
        return _SEPARATOR.join(_cell(item) for item in node.items if isinstance(item, Scalar))
    return ""
