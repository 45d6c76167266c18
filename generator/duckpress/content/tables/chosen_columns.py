"""A designer's own table -> a deck's table: the chosen columns, under the names of its fields.

Columns have any names there, stand in any order below any number of rows, and are more than the deck needs. A field's
column is the one that `columns:` says, else the one of its own name, however that is written (`Card Type` is
`card_type`).
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from duckpress.content.tables.cells import EMPTY, CellText, bare, looks_like_copies, looks_like_ids, sum_rows
from duckpress.content.tables.tables import Row, Table
from duckpress.content.yaml import nodes
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
from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, has_errors
from duckpress.model import Field, FieldKind

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
        """Yield an `address-refused` for an address that is not https; only `pull` resolves the host."""
        if self.url is not None and not self.url.text.lower().startswith("https://"):
            what = f"'url' is {quoted(self.url.text)}, no address that begins with https://"
            yield Problem("address-refused", self.url.source, what, "write it as https://host/path")


def _tables(node: nodes.Node, label: str) -> Read[tuple[TableKeys, ...] | None]:
    return list_of(shape(TableKeys), label).read(
        node if isinstance(node, nodes.Sequence) else nodes.Sequence([node], node.source), label
    )


TABLES: Kind[tuple[TableKeys, ...]] = Kind(_tables, (), takes=(TableKeys, ListOf((TableKeys,))))


_Key = tuple[str, int]  # what a row is called, and how many rows before it are called so
_LIKE = 0.8  # two names are near that share so much; tuned by eye: Costt and cost are, Rarity and art are not
_JOINED = {FieldKind.TEXT: "\n\n", FieldKind.LIST: ";"}
_LONGEST = 80  # letters of an id
_SHOWN = 6  # columns named in one problem
_FIRST = 20  # rows in which names of columns are looked for


class Header(Struct, frozen=True):
    """The names of a table's columns, and an index of similar spellings."""

    names: tuple[str, ...]
    sources: tuple[Source, ...]
    alike: dict[str, list[int]]  # by the letters of their names

    def index(self, name: str) -> int | None:
        """Return the column of a name, exact or similar; None if there is none, or more than one."""
        if name in self.names:
            return self.names.index(name)
        alike = self.alike.get(bare(name), [])
        return alike[0] if len(alike) == 1 else None


def choose_columns(
    path: str, sheet: Sequence[Row], written: TableKeys, fields: Mapping[str, Field], id_of: Callable[[str], str]
) -> Read[Table | None]:
    """Return the table of a deck with these fields; None if its columns cannot be determined.

    `id_of` makes a card's id of what its columns say.
    Problems: `missing-header`; `unknown-column`; `unknown-key` for what is no field; `missing-key` where nothing makes
    ids; `no-cards`; `unknown-choice` for words of `where` that no row has, `table-value` for its cells; notes
    `columns-not-read` and `rows-not-read`.
    """
    file = path.rpartition("/")[2]
    name = file if written.sheet is None else f"sheet {quoted(written.sheet.text)} of {file}"
    header, below = _header_row(sheet, written.header)
    better = _better_header(sheet, written, header)
    if header is None or better is not None:
        what = f"row {written.header} of {name} is empty" if written.header else f"{name} is empty"
        fix = "write the number of the row with the columns' names"
        if better is not None:
            what, fix = f"the columns' names stand in row {better} of {name}", f"write 'header: {better}'"
        return Read(None, [Problem("missing-header", written.at("header"), what, fix)])
    problems = ProblemList()
    chosen = problems.take(_chosen(header, written, fields))
    ids = problems.take(_id_columns(header, written, chosen, fields))
    conditions = problems.take(_conditions(header, written, below))
    ignored = {problems.take(_column(header, name)) for name in written.ignore}
    read = {*ids, *(index for columns in chosen.values() for index in columns)}
    if not problems:  # a column that is named wrongly is not told of again as one that nothing reads
        unset = [field for field in (*fields, "copies") if field not in chosen]
        problems += _unread(name, header, read | set(conditions) | ignored, unset)
    if has_errors(problems):
        return Read(None, problems)
    rows = []
    sums = sum_rows(below)
    for row in below:
        cells = [(_cell(row, column), words) for column, words in conditions.items()]
        # What cannot be used may be what is asked for.
        problems += (problem for cell, _ in cells if (problem := cell.read(as_number=False)[1]) is not None)
        if not all(words & {cell.text, cell.number} for cell, words in cells):
            continue
        if (note := sums.get(row[0].source.line)) is not None:
            problems.append(note)
        else:
            rows.append(row)
    joined = {name: _JOINED.get(fields[name].kind, " ") if name in fields else " " for name in chosen}
    kept = []
    for row in rows:
        id_ = _joined(row, ids, " ")
        texts = [_joined(row, chosen[name], between) for name, between in joined.items()]
        if any(cell.is_filled for cell in (id_, *texts)):
            kept.append((id_._replace(text=id_of(id_.text)) if id_.text else id_, *texts))
    if not kept:
        problems.add("no-cards", written.source, f"no row of {name} is a card of this deck", "add one for each card")
    shown = {"id": ids, **chosen}
    names = tuple(CellText(name, header.sources[columns[0]]) for name, columns in shown.items())
    words = {name: " and ".join(quoted(header.names[index]) for index in columns) for name, columns in shown.items()}
    return Read(Table(names, tuple(kept), words), problems)


def _header_row(rows: Sequence[Row], wanted: int | None) -> tuple[Header | None, Sequence[Row]]:
    """Return the row of the columns' names and the rows below it; None if the row of that number is empty."""
    for number, row in enumerate(rows):
        if wanted is None or row[0].source.line == wanted:
            return _read_header(row), rows[number + 1 :]
    return None, ()


def _read_header(row: Row) -> Header:
    names = tuple(" ".join(cell.text.split()) for cell in row)
    alike: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        alike.setdefault(bare(name), []).append(index)
    return Header(names, tuple(cell.source for cell in row), alike)


def _better_header(rows: Sequence[Row], written: TableKeys, header: Header | None) -> int | None:
    """Return the number of a row with most of the named columns, if the header has none of them."""
    names = [name.text for _, _, columns in written.columns for name in columns]
    names += [name for name, _, _ in written.where] + [name.text for name in written.ignore]
    if header is not None and (not names or any(header.index(name) is not None for name in names)):
        return None
    for row in rows[:_FIRST]:
        there = _read_header(row)
        if 2 * sum(there.index(name) is not None for name in names) > len(names):
            return row[0].source.line
    return None


def _column(header: Header, name: Placed) -> Read[int | None]:
    index = header.index(" ".join(name.text.split())) if name.text.strip() else None
    if index is not None:
        return Read(index)
    names = [shown for shown in header.names if shown]
    what, fix = f"the table has no column {quoted(name.text)}", did_you_mean(name.text, names)
    if len(header.alike.get(bare(name.text), ())) > 1:
        what, fix = f"the table has several columns {quoted(name.text)}", "give them different names"
    return Read(None, [Problem("unknown-column", name.source, what, fix)])


def _chosen(header: Header, written: TableKeys, fields: Mapping[str, Field]) -> Read[dict[str, list[int]]]:
    """Return the columns of each field and of the copies, in the order of the fields."""
    problems = ProblemList()
    named: dict[str, list[int]] = {}
    for field, source, names in written.columns:
        if field not in fields and field != "copies":
            fix = "write 'id: ...' beside 'columns'" if field == "id" else did_you_mean(field, [*fields, "copies"])
            problems.add("unknown-key", source, f"{quoted(field)} under 'columns' is no field of the deck", fix)
        named[field] = [index for name in names if (index := problems.take(_column(header, name))) is not None]
    chosen = {}
    for field in (*fields, "copies"):
        own = header.index(field)
        columns = named.get(field, [] if own is None else [own])
        if columns:
            chosen[field] = columns
    return Read(chosen, problems)


def _id_columns(
    header: Header, written: TableKeys, chosen: Mapping[str, list[int]], fields: Mapping[str, Field]
) -> Read[list[int]]:
    """Return the columns that ids are made of: the named fields or columns, else the column `id`."""
    problems = ProblemList()
    if not written.id:
        own = header.index("id")
        if own is not None:
            return Read([own])
        likely = next((name for name in header.names if looks_like_ids(name)), None)
        words = next((name for name, field in fields.items() if field.kind is FieldKind.TEXT and name in chosen), None)
        likely = likely or words or next(filter(None, header.names), "...")
        fix = f"say what ids are made of: 'id: {likely}'"
        return Read([], [Problem("missing-key", written.source, "the table has no column 'id'", fix)])
    columns: list[int] = []
    for name in written.id:
        if name.text in chosen:
            columns += chosen[name.text]
        elif (index := problems.take(_column(header, name))) is not None:
            columns.append(index)
    return Read(columns, problems)


def _conditions(header: Header, written: TableKeys, rows: Sequence[Row]) -> Read[dict[int, frozenset[str]]]:
    """Return the allowed words of each column with a condition."""
    problems = ProblemList()
    conditions: dict[int, frozenset[str]] = {}
    for name, source, words in written.where:
        index = problems.take(_column(header, Placed(name, source)))
        if index is None:
            continue
        conditions[index] = frozenset(word.strip() for word in words)
        there = {text for row in rows for text in (_cell(row, index).text, _cell(row, index).number)}
        for word in sorted(conditions[index] - there):
            fix = did_you_mean(word, (text for text in there if text))
            problems.add("unknown-choice", source, f"no row has {quoted(word)} in column {quoted(name)}", fix)
    return Read(conditions, problems)


def _unread(table: str, header: Header, known: Collection[int | None], unset: Iterable[str]) -> Iterator[Problem]:
    """Yield a problem for each unused column that is near an unset field's name, and one for all others."""
    free = {bare(name): name for name in unset}
    others = []
    for index, name in enumerate(header.names):
        if not name or index in known:
            continue
        near = difflib.get_close_matches(bare(name)[:_LONGEST], list(free), n=1, cutoff=_LIKE) if free else []
        meant = free[near[0]] if near else "copies" if "copies" in free and looks_like_copies(name) else None
        if meant is None:
            others.append(name)
            continue
        what = f"the column {quoted(name)} of {table} is no field's; it is near {meant!r}, which has no column"
        fix = f"write 'columns: {{{meant}: {name}}}', or 'ignore: {name}'"
        yield Problem("unknown-column", header.sources[index], what, fix)
    if others:
        shown = ", ".join(map(quoted, others[:_SHOWN]))
        shown += f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        what = f"columns of {table} that no field reads: {shown}"
        fix = "declare fields of their names, or list them under 'ignore'"
        yield Problem("columns-not-read", header.sources[0], what, fix, Level.NOTE)


def _cell(row: Row, column: int) -> CellText:
    return row[column] if column < len(row) else EMPTY


def _joined(row: Row, columns: Sequence[int], between: str) -> CellText:
    filled = [row[column] for column in columns if column < len(row) and row[column].is_filled]
    if len(filled) == 1:
        return filled[0]
    source = filled[0].source if filled else row[0].source
    problems = (problem for cell in filled if (problem := cell.problem) is not None and not cell.text)
    return CellText(between.join(cell.text for cell in filled if cell.text), source, problem=next(problems, None))


class TableChanges(Struct, frozen=True):
    """The names of the changed rows, and of the added and removed columns."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    new_columns: tuple[str, ...] = ()
    lost_columns: tuple[str, ...] = ()


def table_changes(before: Sequence[Row], after: Sequence[Row], written: TableKeys) -> TableChanges:
    """Return the differences between two states of a table; a row's name is the text that its id is made of.

    Cells of columns that came or went, and the order of rows, change no row.
    """
    (old_columns, old), (new_columns, new) = _named(before, written), _named(after, written)
    shared = old_columns.keys() & new_columns.keys()

    def differs(key: _Key) -> bool:
        rows = (old[key], old_columns), (new[key], new_columns)
        return any(len({_cell(row, columns[name]).text for row, columns in rows}) > 1 for name in shared)

    return TableChanges(
        tuple(key[0] for key in new if key not in old),
        tuple(key[0] for key in new if key in old and differs(key)),
        tuple(key[0] for key in old if key not in new),
        tuple(name for name in new_columns if name not in shared),
        tuple(name for name in old_columns if name not in shared),
    )


def _named(rows: Sequence[Row], written: TableKeys) -> tuple[dict[str, int], dict[_Key, Row]]:
    """Return the columns by name, and the rows by the text of their id columns: else `id`, or the first one."""
    header, below = _header_row(rows, written.header)
    if header is None:
        return {}, {}
    columns: Mapping[str, Sequence[str]] = {field: [name.text for name in names] for field, _, names in written.columns}
    wanted = [column for name in written.id for column in columns.get(name.text, [name.text])] or ["id"]
    ids = [index for name in wanted if (index := header.index(name)) is not None]
    ids = ids or [next((index for index, name in enumerate(header.names) if name), 0)]
    times: Counter[str] = Counter()
    named: dict[_Key, Row] = {}
    for row in below:
        name = " ".join(filter(None, (_cell(row, index).text for index in ids)))
        times[name] += 1
        named[name, times[name]] = row
    return {name: index for index, name in enumerate(header.names) if name}, named
