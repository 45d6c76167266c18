"""A table of cards (CSV, XLSX, ODS) -> rows of cells with the place of every cell.

CSV is RFC 4180 as spreadsheets write it: commas (or semicolons or tabs, where the first line has no comma), quotes
doubled inside quotes, line breaks inside quotes. The standard library's `csv` reads the same but cannot say where a
cell began; the tests hold the two against each other.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from duckpress.content.cells import CellText, SheetError
from duckpress.content.characters import decode_text, place_in
from duckpress.content.packages import BrokenPackageError
from duckpress.content.scalars import quoted
from duckpress.problems import Problem, Source

MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_CELL = 100_000
SUFFIXES = (".csv", ".xlsx", ".ods")
_LINE_BREAK = re.compile("\r\n|\r|\n")


class Table(NamedTuple):
    """The first row and the rows below it that are not empty; every row is as long as the first or shorter."""

    header: tuple[CellText, ...]
    rows: tuple[tuple[CellText, ...], ...]


def read_table(path: str, data: bytes, problems: list[Problem]) -> Table | None:
    """Give the table of a file, by the end of its name, or None after reporting why it cannot be read.

    Problems: those of `decode_text`; `empty-file`; `csv-syntax` for quotes; `csv-row` for rows longer than the first;
    `repeated-key`, `missing-key` for columns; `no-cards`; `too-many-cards`, `text-too-long`; of spreadsheets
    `table-file`, `table-value`.
    """
    before = len(problems)
    if path.endswith(".csv"):
        text = decode_text(path, data, problems)
        rows = [] if text is None else _read_rows(path, text, problems)
    else:
        rows = _read_sheet(path, data, problems)
    if len(problems) > before:
        return None
    if not rows:
        problems.append(Problem("empty-file", Source(path), "the table is empty", "write a first row with field names"))
        return None
    header = rows[0]
    while header and not header[-1].text:
        header = header[:-1]
    _check_header(header, problems)
    if len(problems) > before:
        return None
    kept = tuple(row for row in (_cut(row, len(header), problems) for row in rows[1:]) if row)
    if not kept and len(problems) == before:
        what, fix = "the table has no rows below the first", "add one for each card"
        problems.append(Problem("no-cards", header[0].source if header else Source(path), what, fix))
    return Table(header, kept)


def _read_sheet(path: str, data: bytes, problems: list[Problem]) -> list[tuple[CellText, ...]]:
    """Give the rows of a spreadsheet's first sheet; none after reporting what is wrong."""
    from duckpress.content.ods import read_ods  # here, as most games have no spreadsheets
    from duckpress.content.xlsx import read_xlsx

    rows: list[tuple[CellText, ...]] = []
    try:
        for row in (read_xlsx if path.endswith(".xlsx") else read_ods)(path, data):
            rows.append(tuple(row))
            longest = max(row, key=lambda cell: len(cell.text))
            if len(longest.text) > MAX_CELL or len(row) > MAX_COLUMNS or len(rows) > MAX_ROWS + 1:
                problems.append(_too_large(longest.text, row, row[-1].source))
                return []
    except SheetError as error:
        problems.append(error.problem)
        return []
    except BrokenPackageError as error:
        fix = "save it again in a spreadsheet program, or save it as CSV"
        problems.append(Problem("table-file", Source(path), f"the table cannot be read: {error}", fix))
        return []
    return rows


def _read_rows(path: str, text: str, problems: list[Problem]) -> list[tuple[CellText, ...]]:
    """Give the rows that hold anything; none after reporting what is wrong with one."""
    separator = _separator_of(text)
    cell = re.compile(rf'("(?:[^"]|"")*"|[^{separator}\r\n"]*)({separator}|\r\n|\r|\n|\Z)')
    rows: list[tuple[CellText, ...]] = []
    row: list[CellText] = []
    offset, line, line_start = 0, 1, 0
    while offset < len(text) or row:
        source = Source(path, line, offset - line_start + 1)
        found = cell.match(text, offset)
        if found is None:
            problems.append(_bad_quote(path, text, offset, source))
            return []
        written, end = found[1], found[2]
        row.append(CellText(_unquoted(written), source))
        if len(written) > MAX_CELL or len(row) > MAX_COLUMNS or len(rows) > MAX_ROWS:
            problems.append(_too_large(written, row, source))
            return []
        if written.startswith('"'):
            for line_break in _LINE_BREAK.finditer(text, offset, found.end(1)):
                line, line_start = line + 1, line_break.end()
        offset = found.end()
        if end == separator:
            continue
        line, line_start = line + 1, offset
        if any(cell_text.text for cell_text in row):
            rows.append(tuple(row))
        row = []
    return rows


def _unquoted(written: str) -> str:
    inner = written[1:-1].replace('""', '"') if written.startswith('"') else written
    return inner.strip()


def _bad_quote(path: str, text: str, offset: int, source: Source) -> Problem:
    fix = "put the whole cell in quotes, and write quotes inside it twice"
    closed = re.compile(r'"(?:[^"]|"")*"').match(text, offset)
    if text[offset] == '"' and closed is None:
        return Problem("csv-syntax", source, "the quote that opens here is never closed", fix)
    at = place_in(path, text, closed.end() if closed else text.index('"', offset))
    what = "the cell goes on behind its closing quote" if closed else "a quote stands inside a cell without quotes"
    return Problem("csv-syntax", at, what, fix)


def _separator_of(text: str) -> str:
    first = _LINE_BREAK.split(text, maxsplit=1)[0]
    return next((mark for mark in ",;\t" if mark in first), ",")


def _too_large(value: str, row: list[CellText], source: Source) -> Problem:
    if len(value) > MAX_CELL:
        what = f"this cell is {len(value)} characters long; {MAX_CELL} are allowed"
        return Problem("text-too-long", source, what, "shorten it")
    if len(row) > MAX_COLUMNS:
        return Problem("csv-row", source, f"the row has more than {MAX_COLUMNS} cells", "delete the empty columns")
    return Problem("too-many-cards", source, f"the table has more than {MAX_ROWS} rows", "split it into several decks")


def _check_header(header: tuple[CellText, ...], problems: list[Problem]) -> None:
    seen: dict[str, CellText] = {}
    for name in header:
        if not name.text:
            what = "this column has no name in the first row"
            problems.append(Problem("missing-key", name.source, what, "write a field's name, or delete the column"))
        elif name.text in seen:
            first = seen[name.text].source
            what = f"the column {quoted(name.text)} stands in column {first.column} and again here"
            problems.append(Problem("repeated-key", name.source, what, "keep one of the two"))
        seen.setdefault(name.text, name)


def _cut(row: tuple[CellText, ...], width: int, problems: list[Problem]) -> tuple[CellText, ...]:
    too_many = next((cell for cell in row[width:] if cell.text), None)
    if too_many is not None:
        what = f"the cell {quoted(too_many.text)} has no column: the first row names {width}"
        problems.append(Problem("csv-row", too_many.source, what, "put texts that hold the separator in quotes"))
    return row[:width]
