"""A table of cards (CSV, XLSX, ODS, JSON, YAML) -> its rows, and the source of every cell.

CSV is RFC 4180 as spreadsheets write it: commas (or semicolons or tabs, where the first line has no comma, or what a
line `sep=;` above it names), quotes doubled inside quotes, line breaks inside quotes. The standard library's `csv`
reads the same but cannot say where a cell began; the tests hold the two against each other.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from msgspec import Struct

from duckpress.content.tables.cells import CellText, SheetError, TableRoom, looks_like_ids, sum_rows
from duckpress.content.yaml import nodes
from duckpress.content.yaml.kinds import Placed
from duckpress.content.yaml.nodes import described, quoted
from duckpress.content.yaml.syntax_errors import decode_text, place_in
from duckpress.core.problems import Level, Problem, ProblemList, Read, Source, did_you_mean, has_errors

_LIST_SEPARATOR = "; "  # between the texts of a list in one cell
SUFFIXES = (".csv", ".xlsx", ".ods")
_LINE_BREAK = re.compile("\r\n|\r|\n")
_QUOTES = re.compile('"+')
_EMPTY_LINES = re.compile("[\r\n]+")
_SEPARATOR_LINE = re.compile(r'sep=([^"\r\n])(?:\r\n|\r|\n|\Z)')


Row = tuple[CellText, ...]


class Table(Struct, frozen=True):
    """The header and the nonempty rows below it; no row is longer than the header.

    `columns` says what a designer's own columns are called in messages, by field; None: they have the fields' names.
    """

    header: Row
    rows: tuple[Row, ...]
    columns: Mapping[str, str] | None = None


def read_table(path: str, data: bytes, room: TableRoom | None = None) -> Read[Table | None]:
    """Return the table of a file, by its suffix, or None if it cannot be read.

    `room` is what several tables may hold together.
    Problems: those of `read_rows`; `empty-file`; `csv-row` for rows longer than the first; `repeated-key`,
    `missing-key` for columns; `no-cards`; `table-value` for names of columns; a note `rows-not-read`.
    """
    problems = ProblemList()
    rows = problems.take(read_rows(path, data, room or TableRoom()))
    if rows is None:
        return Read(None, problems)
    if not rows:
        fix = "write a first row with field names"
        return Read(None, [Problem("empty-file", Source(path), "the table is empty", fix)])
    header = rows[0]
    while not header[-1].is_filled:  # some cell of a row is
        header = header[:-1]
    problems += (problem for cell in header if (problem := cell.read(as_number=False)[1]) is not None)
    problems += _header_problems(header)
    if problems:
        return Read(None, problems)
    width = len(header)
    sums = sum_rows(rows[1:])
    problems += sums.values()
    below = [row for row in rows[1:] if row[0].source.line not in sums]
    for row in below:
        more = next((cell for cell in row[width:] if cell.is_filled), None)
        if more is not None:
            what = f"the cell {quoted(more.text or more.number or '')} has no column: the first row names {width}"
            fix = "delete the cell, or name its column in the first row"
            fix = "put texts that hold the separator in quotes" if path.endswith(".csv") else fix
            problems.append(Problem("csv-row", more.source, what, fix, cause=f"{path} csv-row"))
    kept = tuple(cut for row in below if (cut := row[:width]))
    if not kept and not has_errors(problems):
        what, fix = "the table has no rows below the first", "add one for each card"
        problems.add("no-cards", header[0].source, what, fix)
    return Read(Table(header, kept), problems)


def read_rows(path: str, data: bytes, room: TableRoom, sheet: Placed | None = None) -> Read[list[Row] | None]:
    """Return the rows of a table (of a spreadsheet's first or named sheet), or None if it cannot be read.

    Problems: those of `decode_text`; `csv-syntax` for quotes; `unknown-sheet`; `csv-row`, `too-many-cards`,
    `text-too-long`, `table-file`.
    """
    if not path.endswith(".csv"):
        return _sheet_rows(path, data, room, sheet)
    if sheet is not None:
        what, fix = f"a CSV file has no sheets, so none that is called {quoted(sheet.text)}", "delete 'sheet'"
        return Read(None, [Problem("unknown-sheet", sheet.source, what, fix)])
    text, refused = decode_text(path, data)
    rows, refused = Read([], refused) if text is None else _csv_rows(path, text, room)
    return Read(None if refused else rows, refused)


def sheet_names(path: str, data: bytes) -> list[str]:
    """Return the names of a spreadsheet's sheets, visible ones in XLSX; none for a CSV file or a damaged one."""
    from duckpress.content.tables import workbooks
    from duckpress.files.archives import BadArchive

    if path.endswith(".csv"):
        return []
    try:
        return list(workbooks.open_workbook(path, data, TableRoom()).names)
    except BadArchive:
        return []


def _sheet_rows(path: str, data: bytes, room: TableRoom, named: Placed | None) -> Read[list[Row] | None]:
    from duckpress.content.tables import workbooks  # only for games that have spreadsheets
    from duckpress.files.archives import BadArchive

    rows: list[Row] = []
    try:
        book = workbooks.open_workbook(path, data, room)
        names = list(book.names)
        if not names:
            raise BadArchive("it has no sheet")
        if named is not None and named.text not in names:
            what = f"{path.rpartition('/')[2]} has no sheet {quoted(named.text)}"
            return Read(None, [Problem("unknown-sheet", named.source, what, did_you_mean(named.text, names))])
        for row in book.rows(names[0] if named is None else named.text):
            rows.append(tuple(cell.with_few_marks for cell in row))
            longest = max(row, key=lambda cell: len(cell.text))
            if problem := room.refusal(len(longest.text), len(row), len(rows) - 1, longest.source):
                return Read(None, [problem])
            room.cells -= len(row)
    except SheetError as error:
        return Read(None, error.args)
    except BadArchive as bad:
        fix = bad.fix or "save it again in a spreadsheet program, or save it as CSV"
        return Read(None, [Problem("table-file", Source(path), f"the table cannot be read: {bad.what}", fix)])
    return Read(rows)


def _csv_rows(path: str, text: str, room: TableRoom) -> Read[list[Row]]:
    """Return the nonempty rows; none if one is invalid."""
    named = _SEPARATOR_LINE.match(text)
    first_line = _LINE_BREAK.split(text, maxsplit=1)[0]
    separator = named[1] if named else next((mark for mark in ",;\t" if mark in first_line), ",")
    mark = re.escape(separator)
    plain, stop = re.compile(rf'[^{mark}\r\n"]*'), re.compile(rf"{mark}|\r\n|\r|\n|\Z")
    rows: list[Row] = []
    row: list[CellText] = []
    offset, line, line_start = (named.end(), 2, named.end()) if named else (0, 1, 0)
    while offset < len(text) or row:
        if not row and (empty := _EMPTY_LINES.match(text, offset)):
            offset = line_start = empty.end()
            line += len(_LINE_BREAK.findall(empty[0]))
            continue
        source = Source(path, line, offset - line_start + 1)
        cell = plain.match(text, offset)
        end_of_cell = _end_of_quoted(text, offset) if text.startswith('"', offset) else cell.end() if cell else -1
        end = stop.match(text, end_of_cell) if end_of_cell >= 0 else None
        if end is None:
            return Read([], [_bad_quote(path, text, offset, source)])
        typed = text[offset:end_of_cell]
        if problem := room.refusal(len(typed), len(row) + 1, len(rows), source):
            return Read([], [problem])
        cell_text = typed[1:-1].replace('""', '"') if typed.startswith('"') else typed
        row.append(CellText(cell_text.strip(), source))
        if typed.startswith('"'):
            for line_break in _LINE_BREAK.finditer(text, offset, end_of_cell):
                line, line_start = line + 1, line_break.end()
        offset = end.end()
        if end[0] == separator:
            continue
        line, line_start = line + 1, offset
        room.cells -= len(row)
        if any(filled.text for filled in row):
            rows.append(tuple(row))
        row = []
    return Read(rows)


def _end_of_quoted(text: str, begin: int) -> int:
    """Return the end of a quoted cell, or -1: it is after the first odd run of quotes.

    A pattern for all of the cell would remember each pair of quotes, seventy bytes for two letters.
    """
    return next((quotes.end() for quotes in _QUOTES.finditer(text, begin + 1) if len(quotes[0]) % 2), -1)


def _bad_quote(path: str, text: str, offset: int, source: Source) -> Problem:
    fix = "put the whole cell in quotes, and write quotes inside it twice"
    is_quoted = text[offset] == '"'
    end = _end_of_quoted(text, offset) if is_quoted else text.index('"', offset)
    if end < 0:
        return Problem("csv-syntax", source, "the quote that opens here is never closed", fix)
    what = "the cell goes on behind its closing quote" if is_quoted else "a quote stands inside a cell without quotes"
    return Problem("csv-syntax", place_in(path, text, end), what, fix)


def _header_problems(header: tuple[CellText, ...]) -> list[Problem]:
    if not any(name.text.casefold() == "id" for name in header):
        what = "the first row has no column 'id'"
        fix = "add it; if another row names the columns, delete what stands above that row"
        if (like := next((name for name in header if looks_like_ids(name.text)), None)) is not None:
            fix = f"call the column {quoted(like.text)} 'id': small letters, digits and '-', another for each card"
        return [Problem("missing-key", header[0].source, what, fix)]
    problems = []
    seen: dict[str, CellText] = {}
    for name in header:
        if not name.text:
            what, fix = "this column has no name in the first row", "write a field's name, or delete the column"
            problems.append(Problem("missing-key", name.source, what, fix))
        elif name.text in seen:
            first = seen[name.text].source
            what = f"the column {quoted(name.text)} stands in column {first.column} and again here"
            problems.append(Problem("repeated-key", name.source, what, "keep one of the two"))
        seen.setdefault(name.text, name)
    return problems


ListedCards = tuple[list[list[str]], frozenset[str]]
"""The rows of a table, the names of its columns first, and the columns that have values which no cell can hold."""


def listed_rows(node: nodes.Node) -> Read[ListedCards | None]:
    """Return the cards that a file lists; None for any other content (`wrong-type`).

    A value that is a list of texts is one cell; what is nested deeper is left out (a warning).
    """
    if isinstance(node, nodes.Mapping) and len(node.entries) == 1:
        (entry,) = node.entries.values()
        node = entry.value if _records(entry.value) is not None else node
    if records := _records(node):
        values = [(key, entry.value) for record in records for key, entry in record.entries.items()]
        names = list(dict.fromkeys(key for key, _ in values))
        cells = [{key: _cell(entry.value) for key, entry in record.entries.items()} for record in records]
        return _with_nested([names, *([row.get(name, "") for name in names] for row in cells)], values)
    lists = node.entries if isinstance(node, nodes.Mapping) else {}
    columns = {key: entry.value.items for key, entry in lists.items() if isinstance(entry.value, nodes.Sequence)}
    if columns and len(columns) == len(lists):
        values = [(key, item) for key, items in columns.items() for item in items]
        rows = zip_longest(*(map(_cell, items) for items in columns.values()), fillvalue="")
        return _with_nested([list(columns), *map(list, rows)], values)
    what = f"the file holds {described(node)}, neither a list of cards nor columns with a value for each card"
    fix = "write a list of records ([{name: ..., cost: ...}, ...]), or a list for each field"
    return Read(None, [Problem("wrong-type", node.source, what, fix)])


def as_csv(rows: Iterable[Iterable[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _records(node: nodes.Node) -> list[nodes.Mapping] | None:
    items = node.items if isinstance(node, nodes.Sequence) else [node]
    records = [item for item in items if isinstance(item, nodes.Mapping)]
    return records if isinstance(node, nodes.Sequence) and len(records) == len(items) else None


def _with_nested(rows: list[list[str]], values: Iterable[tuple[str, nodes.Node]]) -> Read[ListedCards | None]:
    """Return the cards, with a warning for each column with nested values: mappings, lists in lists."""
    nested: dict[str, list[nodes.Node]] = {}
    for key, value in values:
        parts = value.items if isinstance(value, nodes.Sequence) else [value]
        if not all(isinstance(part, nodes.Scalar) for part in parts):
            nested.setdefault(key, []).append(value)
    problems = []
    for key, found in nested.items():
        what = f"{quoted(key)} is {described(found[0])} with values of its own, which is left out"
        what += f"; so is it in {len(found) - 1} more" if len(found) > 1 else ""
        fix = f"write a key for each value: {key}_one: ..., {key}_two: ..."
        problems.append(Problem("wrong-type", found[0].source, what, fix, Level.WARNING))
    return Read((rows, frozenset(nested)), problems)


def _cell(node: nodes.Node) -> str:
    if isinstance(node, nodes.Scalar):
        return "" if node.is_null else node.text
    if isinstance(node, nodes.Sequence):
        return _LIST_SEPARATOR.join(_cell(item) for item in node.items if isinstance(item, nodes.Scalar))
    return ""
