"""A table's cells, of any file format, the limits of a game's tables, and the usual names of columns.

There are many words for columns of copies and of ids, and for rows that sum up others: `Total, 54` is no card.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import filterfalse
from typing import NamedTuple

from duckpress.content.yaml.nodes import quoted
from duckpress.content.yaml.syntax_errors import too_many_marks
from duckpress.core.coordinates import column_letters
from duckpress.core.geometry import added
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import NOWHERE, Level, Problem, Source

_LINE_END = re.compile(r"(?<=[^\s\\])[ \t]*\n(?![ \t]*(?:\n|- ))")
_COLUMN_RANGE = re.compile(  # of the same sheet, as Excel and OpenDocument write it: `B2:B9`, `[.B2:.B9]`
    r"(?<![\w!$.'])(?:\[\.)?\$?([A-Z]{1,3})\$?[0-9]{1,7}:\.?\$?([A-Z]{1,3})\$?([0-9]{1,7})"
)


class CellText(NamedTuple):
    """The displayed text of a cell, and its source: in CSV its first character, in a spreadsheet its row and column."""

    text: str
    source: Source
    number: str | None = None  # as which it counts, where that is not what it shows: `0.5` of `50%`; empty for a date
    problem: Problem | None = None  # why its text, or number, cannot be used; a warning: the text may differ elsewhere
    is_sum: bool = False  # whether it is a formula over the cells above it

    @property
    def is_filled(self) -> bool:
        """Whether it holds anything, usable or not."""
        return bool(self.text or self.number or self.problem)

    def moved(self, source: Source) -> CellText:
        return self._replace(source=source, problem=self.problem and self.problem._replace(source=source))

    @property
    def with_few_marks(self) -> CellText:
        """The cell; without its text if a letter has too many marks."""
        problem = too_many_marks(self.text, self.source)
        return self if problem is None else CellText("", self.source, problem=problem)

    def read(self, *, as_number: bool) -> tuple[str, Problem | None]:
        """Return the cell's text, or with `as_number` its number, and its problem; its column may share the cause."""
        text = self.number if as_number and self.number is not None else self.text
        problem = self.problem
        if problem is None or (text and (as_number or problem.level is Level.ERROR)):
            return text, None
        cause = f"{self.source.file} column {self.source.column} {problem.code}"
        return text, problem._replace(cause=cause, level=problem.level if text else Level.ERROR)


EMPTY = CellText("", NOWHERE)


class TableRoom:
    """The limits of a table, and the rest of the limits for all tables of a game.

    A spreadsheet of a few kilobytes unpacks to a great deal.
    """

    def __init__(self) -> None:
        self.cells = limit("table-cells")
        self.elements = limit("sheet-elements")
        self.bytes = limit("sheet-file")
        self._letters = limit("text-length")
        self._columns = limit("table-columns")
        self._rows = limit("table-rows")

    @property
    def is_overrun(self) -> bool:
        """Whether the tables exceed a limit, which is reported: nothing else need be read."""
        return min(self.cells, self.elements, self.bytes) < 0

    def refusal(self, letters: int, columns: int, rows: int, source: Source) -> Problem | None:
        """Return the problem if a cell, its row, the rows or all cells of the game exceed a limit."""
        if letters > self._letters:
            what = f"this cell is {letters} characters long; {written(self._letters)} are allowed"
            return Problem("text-too-long", source, what, f"shorten it; {how_to_raise('text-length')}")
        if columns > self._columns:
            what, fix = f"the row has more than {written(self._columns)} cells", "delete the empty columns"
            return Problem("csv-row", source, what, f"{fix}; {how_to_raise('table-columns')}")
        if columns > self.cells:
            self.cells = -1
            what, name = f"the tables of the game have more than {written(limit('table-cells'))} cells", "table-cells"
        elif rows > self._rows:
            what, name = f"the table has more than {written(self._rows)} rows", "table-rows"
        else:
            return None
        return Problem("too-many-cards", source, what, f"split it into several decks; {how_to_raise(name)}")


class SheetError(Exception):
    """A row that cannot be read; its argument is the problem."""


def with_line_breaks(text: str) -> str:
    """Return the text of a cell with its line breaks in markup: after a backslash.

    Blank lines part paragraphs and `- ` begins an item without one.
    """
    if "\n" not in text and "\r" not in text:
        return text
    return _LINE_END.sub("\\\\\n", text.replace("\r\n", "\n").replace("\r", "\n"))


def placed(cell: CellText, after: int, times: int = 1) -> list[CellText]:
    """Return a cell, repeated `times` times, after the empty cells that its row of `after` cells lacks.

    Raises `SheetError` where the row is wider than a table may be, before it is made.
    """
    source = cell.source
    width, most = source.column - 1 + times, limit("table-columns")
    if width > most:
        fix = f"delete the empty columns; {how_to_raise('table-columns')}"
        raise SheetError(Problem("csv-row", source, f"the row has more than {most} cells", fix))
    if width == after + 1:
        return [cell]  # as most are
    return [
        (cell if column >= source.column else EMPTY).moved(source._replace(column=column))
        for column in range(after + 1, width + 1)
    ]


def numeric_cell(source: Source, number: str, shown: str | None, how: str = "") -> CellText:
    """Return a cell with a number; `shown` is None if its display in the format `how` is not certain."""
    if shown is not None:
        return CellText(shown, source, None if shown == number else number)
    fix = "give the column the format General, or the format Text and type what the card is to say"
    what = f"this cell holds the number {number}, and it is not sure how {how} shows it"
    return CellText("", source, number, Problem("table-value", source, what, fix))


def date_cell(source: Source, shown: str | None, *, is_local: bool = False) -> CellText:
    """Return a cell with a date or a time; `shown` is None if its display is not certain.

    `is_local`: computers in other countries show it otherwise.
    """
    fix = "give the column the format Text and type it again"
    what = f"this cell holds a date, shown as {quoted(shown or '')}"
    if shown is None:
        what = "this cell holds a date, and it is not sure how it is shown"
    elif is_local:
        what, fix = f"{what} in the USA and otherwise elsewhere", f"{fix}, or a format such as yyyy-mm-dd"
    level = Level.WARNING if shown and is_local else Level.ERROR
    problem = Problem("table-value", source, f"{what}; spreadsheets make one of words such as 3-1", fix, level)
    return CellText(shown or "", source, "", problem)


def refused_cell(source: Source, what: str, fix: str) -> CellText:
    return CellText("", source, problem=Problem("table-value", source, what, fix))


def is_over_own_column(formula: str, source: Source) -> bool:
    """Return whether the formula of a cell refers to a range above it in its column, as a sum does."""
    if formula.startswith("SUBTOTAL("):
        return True
    own = column_letters(source.column - 1)
    return any(first == last == own and int(end) < source.line for first, last, end in _COLUMN_RANGE.findall(formula))


def number_text(value: str) -> str:
    """Return a number as people type it (spreadsheets keep 3 as `3.0` or `3` and 0.1 as `0.10000000000000001`).

    What is no number is given as it stands.
    """
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        return value.strip()
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"


def whole_of(text: str | None, default: int) -> int:
    """Return the number in an attribute, or the default; only the first ten digits of a longer number count."""
    digits = (text or "").strip().removeprefix("+")
    return int(digits.lstrip("0")[:10] or 0) if digits.isascii() and digits.isdecimal() else default


_COPY_WORDS = """
    amount copies copy count cnt times qty qnty quant quantity quantities numcopies numberofcopies noofcopies ofcopies
    anz anzahl exemplare kopien menge stk stuck stueck stuckzahl stueckzahl exemplaires nombre nb qte quantite howmany
    cantidad cant copias copie quantita qtd qtde quantidade aantal antal antall kpl maara ilosc liczba szt sztuk
    ks kusu pocet количество колво копии штук шт 数量 枚数 张数
"""
_WORDS_BESIDE_COPIES = """
    a card cards carte cartas cartes chips de deck der des each exemplaires from game im in je karten of per pieces pro
    spiel the tiles to tokens total
"""
_COPIES, _BESIDE_COPIES = frozenset(_COPY_WORDS.split()), frozenset(_WORDS_BESIDE_COPIES.split())
_NUMBERS = frozenset(("no", "nr", "num", "number", "nummer", "numero"))
_PERHAPS = frozenset(("no", "nr", "x"))
_IDS = "cardid code identifier key kennung lfdnr nr no num nummer number numero slug uid 编号 番号"
_COUNT = re.compile(r"(?:[x×][ \xa0]?)?(\d{1,9})(?:[.,]00?)?(?:[ \xa0]?[x×])?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


def looks_like_copies(name: str, *, perhaps: bool = False) -> bool:
    """Return whether a column's name seems to mean copies: `Qty`, `Number of cards`, `How many`.

    `perhaps`: whether it says so, or which number a card has (`No.`).
    """
    if perhaps:
        return bare(name) in _PERHAPS or name.strip() == "#"
    if bare(name) in _COPIES:
        return True
    words = set(_WORD.findall(plain_letters(name.replace("#", " number "))))
    counting = words - _BESIDE_COPIES
    is_number_of = bool(words & {"of", "in"}) and len(counting) == 1 and counting <= _NUMBERS
    return bool(counting) and (counting <= _COPIES or is_number_of or counting == {"how", "many"})


def count_text(text: str) -> str:
    """Return a cell's number of copies as digits: `x3`, `3x`, `3.0`; any other text is unchanged."""
    match = _COUNT.fullmatch(text.strip())
    return str(int(match[1])) if match is not None else text


def looks_like_ids(name: str) -> bool:
    """Return whether a column's name seems to mean an id; signs alone (`#`) do, too."""
    return bare(name) in _IDS.split() or name.strip() == "#"


def bare(name: str) -> str:
    """Return the letters and digits of a name, in lower case and without accents."""
    return "".join(filter(str.isalnum, plain_letters(name)))


def plain_letters(text: str) -> str:
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text).casefold()))


_SUM_WORDS = """
    total totals subtotal sum sums summe summen summa gesamt gesamtsumme gesamtzahl insgesamt zwischensumme somme totaux
    somma totale totali soma suma sumatoria totaal totalt sammanlagt samtals razem ogółem celkem összesen yhteensa kokku
    toplam gesamtanzahl σύνολο итого всего сумма المجموع 合計 总计 合计 합계 총계
"""
_WORDS_BESIDE_SUMS = """
    a all aller and anzahl card cards carte cartas cartes copies count de deck der des die game general grand in kaarten
    karten no number of qty sub the und zahl карт
"""
_SUMS, _BESIDE_SUMS = frozenset(plain_letters(_SUM_WORDS).split()), frozenset(_WORDS_BESIDE_SUMS.split())
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def sum_rows(rows: Sequence[Sequence[CellText]]) -> dict[int, Problem]:
    """Return a note for each row that sums up the rows above it, by its line.

    Its only words say so (`Total`), and it lies behind an empty row, lacks what most rows have, or adds up a column; or
    it has a formula over the cells above. A column of such formulas, as one that counts on has, sums up nothing.
    """
    formulas = Counter(index for row in rows for index, cell in enumerate(row) if cell.is_sum)
    running = {index for index, count in formulas.items() if count > 1 and 2 * count >= len(rows)}
    sums = [any(cell.is_sum and index not in running for index, cell in enumerate(row)) for row in rows]
    candidates = [at for at, row in enumerate(rows) if _may_sum(row, has_sum=sums[at])]
    if not candidates:
        return {}
    filled = Counter(index for row in rows for index, cell in enumerate(row) if cell.is_filled)
    usual = {index for index, count in filled.items() if 2 * count > len(rows)}
    problems = {}
    for at in candidates:
        row = rows[at]
        is_sure = sums[at] or not usual <= {index for index, cell in enumerate(row) if cell.is_filled}
        if is_sure or (at and _is_behind_gap(rows[at - 1], row)) or _adds_up(rows[:at], row):
            first = next(cell for cell in row if cell.is_filled)
            name = quoted(first.text or first.number or "")
            what = f"row {first.source.line} ({name}) sums up those above it, and is no card"
            fix = "if it is one, write words into another of its cells"
            problems[row[0].source.line] = Problem("rows-not-read", first.source, what, fix, Level.NOTE)
    return problems


def _may_sum(row: Sequence[CellText], *, has_sum: bool) -> bool:
    """Return whether a row has no words except one for a sum, or except one word if it has a sum formula."""
    words = [cell for cell in row if cell.text and _WORD.search(cell.text) and not cell.number]
    if len(words) > 1 or has_sum:
        return len(words) < 2
    letters = _WORD.findall(plain_letters(words[0].text)) if words and len(words[0].text) < 60 else []
    return not _SUMS.isdisjoint(letters) and set(letters) <= _SUMS | _BESIDE_SUMS


def _is_behind_gap(before: Sequence[CellText], row: Sequence[CellText]) -> bool:
    """Return whether an empty row lies between two; in a CSV file a cell may have several lines."""
    lines = before[-1].text.count("\n") if row[0].source.file.endswith(".csv") else 0
    return row[0].source.line - before[-1].source.line - lines > 1


def _adds_up(above: Sequence[Sequence[CellText]], row: Sequence[CellText]) -> bool:
    """Return whether a number of a row is the sum of the numbers above it, or the number of rows."""
    for index, cell in enumerate(row):
        texts = [
            cell.text if cell.number is None else cell.number
            for cell in (cell, *(other[index] for other in above if index < len(other)))
        ]
        total, *column = [float(text) if _NUMBER.fullmatch(text) else None for text in texts]
        numbers = [number for number in column if number is not None]
        if total is not None and len(numbers) > 1 and (abs(added(numbers) - total) < 1e-6 or total == len(above)):
            return True
    return False
