"""A table's cells, whatever kind of file they come from."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source

_LINE_END = re.compile(r"(?<=[^\s\\])[ \t]*\n(?![ \t]*(?:\n|- ))")


class CellText(NamedTuple):
    """A cell's text and its place: in CSV the line and column of its first character, in a spreadsheet its row and
    column."""

    text: str
    source: Source


class TableRoom:
    """What the tables of a game may still hold together: a spreadsheet of a few kilobytes unpacks to a great deal."""

    def __init__(self) -> None:
        self.cells = limit("table-cells")
        self.elements = limit("sheet-elements")
        self.bytes = limit("sheet-file")

    @property
    def is_overrun(self) -> bool:
        """Whether they hold too much: it is told, and whatever else there is need not be read."""
        return min(self.cells, self.elements, self.bytes) < 0


class SheetError(Exception):
    """A cell that cannot be used: the words of a problem."""

    def __init__(self, code: str, source: Source, what: str, fix: str) -> None:
        super().__init__(what)
        self.problem = Problem(code, source, what, fix)


def with_line_breaks(text: str) -> str:
    """Return the words of a cell with its line breaks as the markup writes them: behind a backslash.

    Blank lines part paragraphs and `- ` begins an item without one.
    """
    if "\n" not in text and "\r" not in text:
        return text
    return _LINE_END.sub("\\\\\n", text.replace("\r\n", "\n").replace("\r", "\n"))


def placed(text: str, source: Source, after: int, times: int = 1) -> list[CellText]:
    """Return a text and the empty cells before it in a row that has `after` cells; it may be there several times.

    Raises `SheetError` where the row is wider than a table may be, before it is made.
    """
    width, most = source.column - 1 + times, limit("table-columns")
    if width > most:
        fix = f"delete the empty columns; {how_to_raise('table-columns')}"
        raise SheetError("csv-row", source, f"the row has more than {most} cells", fix)
    return [
        CellText(text if column >= source.column else "", source._replace(column=column))
        for column in range(after + 1, width + 1)
    ]


def shown_otherwise(source: Source, number: str, how: str) -> SheetError:
    """Return the error of a cell with a number that nobody sees as it is."""
    fix = "give the column the format General, or the format Text and type what the card is to say"
    return SheetError("table-value", source, f"this cell holds the number {number}, {how}", fix)


def number_text(value: str) -> str:
    """Return a number as a person would type it (spreadsheets keep 3 as `3.0` or `3` and 0.1 as `0.10000000000000001`).

    What is no number is given as it stands.
    """
    try:
        number = float(value)
    except ValueError:
        return value.strip()
    if not math.isfinite(number):
        return value.strip()
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def whole_of(text: str | None, default: int) -> int:
    """Return the number that an attribute holds, else the default."""
    return int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) < 10 else default
