"""The rows of an unknown table -> a guess at its columns: the header row, ids, copies, kinds of fields.

All rows are looked at: a column is a number only if every cell is one. Each guess comes with its reason, so that who
reads it can judge it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from duckpress.content.tables.cells import (
    EMPTY,
    CellText,
    bare,
    count_text,
    looks_like_copies,
    looks_like_ids,
    plain_letters,
    sum_rows,
)
from duckpress.content.tables.tables import Row
from duckpress.content.yaml.nodes import quoted
from duckpress.core.coordinates import column_letters
from duckpress.core.problems import Level, Problem, nearest
from duckpress.model import FieldKind

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})?\.[0-9]{1,15}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_PICTURE = re.compile(r"[^\n]{1,200}\.(?:svg|png|jpe?g|webp|tiff?|psd)", re.IGNORECASE)
_YES_NO = frozenset(("yes", "no", "true", "false"))
_LONGEST_ID = 60  # letters
_FIRST = 20  # rows in which the names of columns are looked for
_MOST_CHOICES, _LONGEST_CHOICE, _USES_OF_A_CHOICE = 12, 30, 3  # tuned by eye, on tables of published games
_EMPTY = "empty"
_RARER = 5  # times: so much rarer is a word that was meant to be another
_RESERVED = frozenset(("id", "copies", "for", "where"))
_NOTES = ("note", "comment", "todo", "notiz", "kommentar", "remarque")
_LIKELY_IDS = ("name", "title", "card", "cardname", "nom", "titre", "nombre", "titel")


class GuessedColumn(Struct, frozen=True):
    """A column: its name, its field (None for copies and ids), and the reason."""

    name: str
    field: str | None
    kind: FieldKind
    is_optional: bool
    why: str
    choices: tuple[str, ...] = ()
    letters: int = 0  # of its longest cell
    is_doubtful: bool = False  # it looks like copies, and some of its cells are none


class UnreadColumn(Struct, frozen=True):
    """An unused column and the reason; its name may be empty."""

    name: str
    why: str


class GuessedTable(Struct, frozen=True):
    """A guess at a table: the number of its header row, its columns, and the columns of ids and copies."""

    header_row: int
    cards: int
    columns: tuple[GuessedColumn, ...]
    id_column: str | None
    id_why: str
    is_numbered: bool
    copies_column: str | None
    unread: tuple[UnreadColumn, ...] = ()
    problems: tuple[Problem, ...] = ()  # rows that are sums, and columns that look like copies

    @property
    def unread_names(self) -> tuple[str, ...]:
        # A second column of one name is there as well.
        return tuple(column.name for column in self.unread if column.name)

    @property
    def ignored(self) -> tuple[str, ...]:
        known = {column.name for column in self.columns}
        return tuple(dict.fromkeys(name for name in self.unread_names if name not in known))


def guess_table(rows: Sequence[Row], nested: Collection[str] = ()) -> GuessedTable | None:
    """Return a guess at a table, or None if it has no header with rows below.

    `nested` are columns that lost values which no cell can hold.
    """
    at = _header_at(rows)
    if at is None or at + 1 >= len(rows):
        return None
    header, below = rows[at], rows[at + 1 :]
    sums = sum_rows(below)
    below = [row for row in below if row[0].source.line not in sums]
    named: dict[str, _Column] = {}
    unread: list[UnreadColumn] = []
    for index in range(max(map(len, (header, *below)))):
        cells = [row[index] if index < len(row) else EMPTY for row in below]
        name = " ".join(header[index].text.split()) if index < len(header) else ""
        why = _why_unread(name, index, cells, named)
        if why == _EMPTY and name in nested:
            why = "its values have values of their own"
        if why is None:
            named[name] = _Column(index, cells)
        elif name or any(cell.is_filled for cell in cells):
            unread.append(UnreadColumn(name, why))
    counting = _copies_columns(named)
    copies = counting[0] if counting else None
    questions = {} if copies is not None else _questions(named, rows)
    columns: list[GuessedColumn] = []
    taken = set(_RESERVED)
    for name, column in named.items():
        if name == copies:
            alike = "".join(f"; so is {quoted(other)}" for other in counting if other != name)
            why = f"called as copies are, and whole numbers{alike}"
            columns.append(GuessedColumn(name, None, FieldKind.WHOLE, True, why))
            continue
        kind, why, choices = _kind(column.texts)
        field = None if bare(name) == "id" else _field_name(name, column.index, taken)
        is_optional = not all(cell.is_filled for cell in column.cells)
        why = f"{why}{_shown_otherwise(column.cells, kind)}"
        letters = max(map(len, column.texts))
        columns.append(GuessedColumn(name, field, kind, is_optional, why, choices, letters, name in questions))
    texts_by_name = {name: column.texts for name, column in named.items()}
    id_column, id_why = _id_column(texts_by_name, copies, len(below))
    texts = [text for text in texts_by_name.get(id_column or "", []) if text]
    is_numbered = len({bare(text) for text in texts}) < len(texts)
    return GuessedTable(
        header[0].source.line, len(below), tuple(columns), id_column, id_why, is_numbered, copies, tuple(unread),
        (*sums.values(), *questions.values()),
    )  # fmt: skip


class _Column:
    """The cells of a column, and their texts for guessing: the number instead of a text that only shows it."""

    def __init__(self, index: int, cells: Sequence[CellText]) -> None:
        self.index, self.cells = index, cells
        self.texts = [
            cell.number if cell.number and cell.text.replace(",", ".") in (cell.number, "") else cell.text
            for cell in cells
        ]
        self.counts = [count_text(cell.text if cell.number is None else cell.number) for cell in cells]
        self.are_counts = [not text or text.isdecimal() for text in self.counts]
        self.has_zeros = any(text[:1] == "0" and text[1:2].isdecimal() for text in self.texts)


def _why_unread(name: str, index: int, cells: Sequence[CellText], named: Collection[str]) -> str | None:
    """Return the reason why a column becomes no field, or None."""
    if not any(cell.is_filled for cell in cells):
        return _EMPTY
    filled = next(cell for cell in cells if cell.is_filled)
    example = f"its first cell is {quoted(filled.text or filled.number or '')}"
    if not name:
        return f"column {column_letters(index)} has no name; {example}"
    if name in named:
        return f"a second column is called so; {example}: give it a name of its own"
    if any(word.startswith(_NOTES) for word in plain_letters(name).split()):
        return "called as notes are"
    return None


def _copies_columns(named: Mapping[str, _Column]) -> list[str]:
    """Return the columns of copies, `copies` first; without any, a column like `No.` that may count them.

    All its filled cells are counts. A column of numbers that only go up, or begin with zeros, numbers the cards.
    """
    counting = [name for name, column in named.items() if all(column.are_counts)]
    perhaps = [name for name in counting if looks_like_copies(name, perhaps=True) and not named[name].has_zeros]
    columns = sorted(filter(looks_like_copies, counting), key=lambda name: bare(name) != "copies")
    for name in perhaps if not columns else ():
        counts = [int(count) for count in named[name].counts if count]
        if counts != sorted(set(counts)):
            return [name]
    return columns


def _questions(named: Mapping[str, _Column], rows: Sequence[Row]) -> dict[str, Problem]:
    """Return a question for each column that seems to hold copies, but has other cells; not if most are words."""
    questions = {}
    for name, column in named.items():
        filled = [cell for cell in column.cells if cell.is_filled]
        others = [cell for cell, is_count in zip(column.cells, column.are_counts, strict=True) if not is_count]
        others += [cell for cell in filled if cell.problem is not None and not cell.number]
        words = [cell for cell in others if not cell.text[:1].isdecimal()]
        if looks_like_copies(name) and others and 2 * len(words) <= len(filled):
            cell = others[0]
            above = (other for row in rows if row[0].source.line < cell.source.line for other in row)
            # In CSV a cell may have several lines; spreadsheets call it B3.
            lines = sum(other.text.count("\n") for other in above) if cell.source.file.endswith(".csv") else 0
            shown = cell.text or (
                cell.problem.what.removeprefix("this cell holds ") if cell.problem is not None else ""
            )
            at = f"{column_letters(column.index)}{cell.source.line - lines}"
            more = f", nor are {len(others) - 1} more" if len(others) > 1 else ""
            what = f"{quoted(name)} looks like copies, but {quoted(shown)} in {at} is no whole number{more}"
            fix = f"write a whole number there, and 'columns: {{copies: {name}}}' in the deck instead of the field"
            questions[name] = Problem("looks-like-copies", cell.source, what, fix, Level.WARNING)
    return questions


def _shown_otherwise(cells: Sequence[CellText], kind: FieldKind) -> str:
    """Return a remark on cells that show a number in another way, and on cells that the kind cannot use."""
    said = ""
    others = [cell for cell in cells if cell.text and cell.number and cell.text.replace(",", ".") != cell.number]
    if others:
        said = f"; {quoted(others[0].text)} is the number {others[0].number}, which 'kind: number' reads"
    is_number = kind in (FieldKind.WHOLE, FieldKind.NUMBER)
    bad = [cell for cell in cells if cell.problem is not None and not cell.text and not (is_number and cell.number)]
    if bad and bad[0].problem is not None:
        rest = f", and {len(bad) - 1} more cells" if len(bad) > 1 else ""
        said += f"; row {bad[0].source.line} cannot be read: {bad[0].problem.what}{rest}"
    return said


def _header_at(rows: Sequence[Row]) -> int | None:
    """Return the index of the header: the first row with many filled cells and without numbers."""
    widths = [sum(bool(cell.text) for cell in row) for row in rows[:_FIRST]]
    most = max(widths, default=0)
    for number, row in enumerate(rows[:_FIRST]):
        words = [cell.number or cell.text for cell in row if cell.text]
        if 2 * widths[number] > most and not any(_WHOLE.fullmatch(word) or _NUMBER.fullmatch(word) for word in words):
            return number
    return None


def _kind(texts: Sequence[str]) -> tuple[FieldKind, str, tuple[str, ...]]:
    filled = [text for text in texts if text]
    for kind, pattern, words in (
        (FieldKind.WHOLE, _WHOLE, "whole numbers"),
        (FieldKind.COLOUR, _COLOUR, "colours (#rrggbb)"),
        (FieldKind.IMAGE, _PICTURE, "names of pictures"),
    ):
        if all(pattern.fullmatch(text) for text in filled):
            return kind, f"all {len(filled)} cells are {words}", ()
    if all(_WHOLE.fullmatch(text) or _NUMBER.fullmatch(text) for text in filled):
        return FieldKind.NUMBER, f"all {len(filled)} cells are numbers", ()
    if {text.casefold() for text in filled} <= _YES_NO:
        return FieldKind.YES_NO, "all cells are yes or no", ()
    different = tuple(dict.fromkeys(filled))
    is_short = all(len(text) <= _LONGEST_CHOICE and "\n" not in text for text in different)
    if is_short and 1 < len(different) <= _MOST_CHOICES and len(filled) >= _USES_OF_A_CHOICE * len(different):
        return FieldKind.CHOICE, f"{len(different)} words in {len(filled)} cells{_misspelt(filled)}", different
    numbers = sum(bool(_WHOLE.fullmatch(text)) for text in filled)
    if 2 * numbers > len(filled):
        other = next(text for text in filled if not _WHOLE.fullmatch(text))
        return FieldKind.TEXT, f"whole numbers, but for such as {other[:20]!r}", ()
    return FieldKind.TEXT, f"words, {len(different)} different", ()


def _misspelt(filled: Sequence[str]) -> str:
    """Return a remark on each word of a column that may be misspelt: it is rare, and near a frequent word."""
    counts = Counter(filled)
    near = {word: nearest(word, [w for w in counts if counts[w] >= _RARER * counts[word]]) for word in counts}
    return "".join(f"; is {word!r} ({counts[word]}) {other!r}?" for word, other in near.items() if other is not None)


def _id_column(texts_by_name: dict[str, list[str]], copies: str | None, cards: int) -> tuple[str | None, str]:
    """Return the column for ids and the reason: one with such a name, else one without repetitions, names first."""
    names = [name for name in texts_by_name if name != copies]

    def parts(name: str) -> bool:
        texts = texts_by_name[name]
        return all(texts) and len({bare(text) for text in texts}) == cards

    for name in names:
        if bare(name) == "id" or (looks_like_ids(name) and parts(name)):
            return name, "called as ids are"
    full = [name for name in names if all(texts_by_name[name])]
    full.sort(key=lambda name: bare(name) not in _LIKELY_IDS)
    short = [name for name in full if max(map(len, texts_by_name[name])) <= _LONGEST_ID]
    for name in short:
        if parts(name) and not _WHOLE.fullmatch(texts_by_name[name][0]):
            return name, "no two cells are alike"
        if bare(name) in _LIKELY_IDS:
            return name, "called as names are"
    if full := short or full:
        return full[0], "filled in every row"
    most = max(names, key=lambda name: (bare(name) in _LIKELY_IDS, sum(map(bool, texts_by_name[name]))), default=None)
    return most, "no column is full: fill its cells"


def _field_name(name: str, index: int, taken: set[str]) -> str:
    """Return a unique name for a field: small letters, digits and `_`."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    field = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:40].strip("_")
    if not field[:1].isalpha():
        field = f"field_{field}" if field else f"column_{index + 1}"
    while field in taken:
        field += "_"
    taken.add(field)
    return field
