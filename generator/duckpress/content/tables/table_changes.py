"""A table as it was and as it is -> which of its rows came, went or say something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from duckpress.content.tables.chosen_columns import Header, header_row
from duckpress.content.tables.table_keys import TableKeys
from duckpress.content.tables.tables import Row

_Key = tuple[str, int]  # what a row is called, and how many rows before it are called so


class TableChanges(Struct, frozen=True):
    """The rows that differ, by what they are called, and the columns that came or went."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    new_columns: tuple[str, ...] = ()
    lost_columns: tuple[str, ...] = ()


def table_changes(before: Sequence[Row], after: Sequence[Row], written: TableKeys) -> TableChanges:
    """Return what differs between two states of a table; a row is called what its deck makes its id of.

    Cells of columns that came or went, and the order of rows, change no row.
    """
    old, new = _named(before, written), _named(after, written)
    shared = old.columns.keys() & new.columns.keys()
    changed = [
        key[0] for key, row in new.rows.items() if key in old.rows and _differ(old.rows[key], row, old, new, shared)
    ]
    return TableChanges(
        tuple(key[0] for key in new.rows if key not in old.rows),
        tuple(changed),
        tuple(key[0] for key in old.rows if key not in new.rows),
        tuple(name for name in new.columns if name not in shared),
        tuple(name for name in old.columns if name not in shared),
    )


class _Named(Struct, frozen=True):
    columns: dict[str, int]
    rows: dict[_Key, Row]


def _named(rows: Sequence[Row], written: TableKeys) -> _Named:
    header, below = header_row(rows, written.header)
    if header is None:
        return _Named({}, {})
    ids = _id_columns(header, written)
    times: Counter[str] = Counter()
    named: dict[_Key, Row] = {}
    for row in below:
        name = " ".join(filter(None, (_text(row, index) for index in ids)))
        times[name] += 1
        named[name, times[name]] = row
    return _Named({name: index for index, name in enumerate(header.names) if name}, named)


def _id_columns(header: Header, written: TableKeys) -> list[int]:
    """Return the columns that a deck makes ids of, else the one called `id`, else the first that has a name."""
    columns: Mapping[str, Sequence[str]] = {field: [name.text for name in names] for field, _, names in written.columns}
    names = [column for name in written.id for column in columns.get(name.text, [name.text])] or ["id"]
    found = [index for name in names if (index := header.index(name)) is not None]
    return found or [next((index for index, name in enumerate(header.names) if name), 0)]


def _differ(before: Row, after: Row, old: _Named, new: _Named, shared: set[str]) -> bool:
    return any(_text(before, old.columns[name]) != _text(after, new.columns[name]) for name in shared)


def _text(row: Row, column: int) -> str:
    return row[column].text if column < len(row) else ""
