"""A table's cells and the names of its columns, whatever kind of file they come from.

Some columns look like copies or ids, by the words that designers have for them, and are something else here.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, Source
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Deck, Value

_LINE_END = re.compile(r"(?<=[^\s\\])[ \t]*\n(?![ \t]*(?:\n|- ))")
_COPIES = """
    amount copies copy count cnt times qty qnty quant quantity quantities numcopies numberofcopies noofcopies ofcopies
    anzahl exemplare kopien menge stk stuck stueck stuckzahl stueckzahl exemplaires nombre nb qte quantite
    cantidad cant copias copie quantita qtd qtde quantidade aantal antal antall kpl maara ilosc liczba szt sztuk
    ks kusu pocet количество колво копии штук шт 数量 枚数 张数
"""
_IDS = "cardid code identifier key kennung lfdnr nr no num nummer number numero slug uid 编号 番号"
_LONGEST = 4  # digits


class CellText(NamedTuple):
    """A cell's text and its place: in CSV the line and column of its first character, in a spreadsheet its row and
    column."""

    text: str
    source: Source


Faults = dict[Source, Problem]
"""What is wrong with cells whose value cannot be used, by their place; only of cells that are read it is told."""


class TableRoom:
    """What a table may hold, and what those of a game may still hold together.

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
        """Whether they hold too much: it is told, and whatever else there is need not be read."""
        return min(self.cells, self.elements, self.bytes) < 0

    def refusal(self, letters: int, columns: int, rows: int, source: Source) -> Problem | None:
        """Return why a cell, the row so far, the rows before it or all cells of the game are too many."""
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
    if width == after + 1:
        return [CellText(text, source)]  # as most are
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
    """Return the number that an attribute holds, else the default; of a larger one its first ten digits."""
    digits = (text or "").strip().removeprefix("+")
    return int(digits.lstrip("0")[:10] or 0) if digits.isascii() and digits.isdecimal() else default


def looks_like_copies(name: str) -> bool:
    """Return whether a column's name says how often a card is there."""
    return bare(name) in _COPIES.split()


def looks_like_ids(name: str) -> bool:
    """Return whether a column's name says which card it is; a column of signs (`#`) does, too."""
    return bare(name) in _IDS.split() or name.strip() == "#"


def bare(name: str) -> str:
    """Return the letters of a name, small and without accents."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def unused_copies(workspace: Workspace, folder: str, decks: Mapping[str, Deck]) -> Iterator[Problem]:
    """Yield a `looks-like-copies` for each field that counts cards, in a deck that prints every card once.

    Not where a layout, a text or the setup uses the field: then it means something else.
    """
    for deck in decks.values():
        if any("copies" in card.sources for card in deck.cards):
            continue
        for field in deck.fields.values():
            if not looks_like_copies(field.name):
                continue
            counts = [_count(card.values.get(field.name)) for card in deck.cards]
            known = [count for count in counts if count is not None]
            if len(known) < len(counts) or max(known, default=1) < 2 or _is_used(workspace, folder, deck, field.name):
                continue
            what = f"{field.name!r} looks like copies, and is only a field: deck {deck.id!r} prints {len(known)} cards"
            is_table = deck.cards[0].source.file != deck.source.file
            first = next(count for count in known if count > 1)
            fix = f"call the column 'copies' in {deck.cards[0].source.file.rpartition('/')[2]}"
            fix = fix if is_table else f"write 'copies: {first}' instead of '{field.name}: {first}'"
            fix = f"{fix}, and delete {field.name!r} under 'fields', to print {sum(known)}"
            yield Problem("looks-like-copies", field.source, what, fix, Level.WARNING)


def _count(value: Value) -> int | None:
    """Return how many copies a value can mean; 1 where it is empty, None where it means none."""
    if value is None or value == "":
        return 1
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    return int(text) if isinstance(text, str) and text.isdecimal() and len(text) <= _LONGEST else None


def _is_used(workspace: Workspace, folder: str, deck: Deck, name: str) -> bool:
    """Return whether a field is named where fields are used; `deck.count`, `decks.x.count`, `box.count` do not."""
    elsewhere = rf"(?<!\bdeck)(?<!\bbox)(?<!\bdecks\.{re.escape(deck.id)})"
    named = re.compile(rf"{elsewhere}\.{name}\b|\{{={name}\}}|['\"]{name}['\"]")
    values = (value for card in deck.cards for value in card.values.values())
    texts = (text for value in values for text in (value if isinstance(value, tuple) else (value,)))
    if any(isinstance(text, str) and named.search(text) for text in texts):
        return True
    paths = [path for place in (f"{folder}/layouts", "layouts") for path in workspace.files(place, ".xml")]
    for path in [*paths, *workspace.files(folder, "setup.yaml", ".md")]:
        try:
            if named.search(workspace.read(path, "template-file").decode("utf-8", "replace")):
                return True
        except Refused:
            continue
    return False
