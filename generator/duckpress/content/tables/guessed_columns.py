"""The rows of somebody's table -> what its columns seem to be: the row of their names, ids, copies, kinds of fields.

All rows are looked at: a column is a number only if every cell is one. Each guess comes with its reason, so that who
reads it can judge it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from duckpress.content.tables.column_names import bare, looks_like_copies, looks_like_ids
from duckpress.content.tables.tables import Row
from duckpress.core.problems import nearest
from duckpress.model import FieldKind

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})?\.[0-9]{1,15}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_PICTURE = re.compile(r"[^\n]{1,200}\.(?:svg|png|jpe?g|webp|tiff?|psd)", re.IGNORECASE)
_YES_NO = frozenset(("yes", "no", "true", "false"))
_LONGEST_ID = 60  # letters
_FIRST = 20  # rows in which the names of columns are looked for
_MOST_CHOICES, _LONGEST_CHOICE, _USES_OF_A_CHOICE = 12, 30, 3  # tuned by eye, on tables of published games
_RARER = 5  # times: so much rarer is a word that was meant to be another
_RESERVED = frozenset(("id", "copies", "for", "where"))
_NOTES = ("note", "comment", "todo", "notiz", "kommentar", "remarque")
_LIKELY_IDS = ("name", "title", "card", "cardname", "nom", "titre", "nombre", "titel")


class GuessedColumn(Struct, frozen=True):
    """A column: its name, the field it becomes (None for copies, ids and what is not read), and why."""

    name: str
    field: str | None
    kind: FieldKind
    is_optional: bool
    why: str
    choices: tuple[str, ...] = ()
    letters: int = 0  # of its longest cell


class GuessedTable(Struct, frozen=True):
    """What a table seems to be: the number of the row of names, its columns, what ids and copies are made of."""

    header_row: int
    cards: int
    columns: tuple[GuessedColumn, ...]
    id_column: str | None
    id_why: str
    is_numbered: bool
    copies_column: str | None
    ignored: tuple[str, ...] = ()  # columns that are empty, or called as notes are


def guess_table(rows: Sequence[Row]) -> GuessedTable | None:
    """Return what a table seems to be, or None where it has no row of names with rows below."""
    at = _header_at(rows)
    if at is None or at + 1 >= len(rows):
        return None
    header, below = rows[at], rows[at + 1 :]
    columns: list[GuessedColumn] = []
    ignored: list[str] = []
    copies, taken = None, set(_RESERVED)
    texts_by_name: dict[str, list[str]] = {}
    for index, cell in enumerate(header):
        name = " ".join(cell.text.split())
        texts = [row[index].text if index < len(row) else "" for row in below]
        if not name or name in texts_by_name:
            continue
        if not any(texts) or bare(name).startswith(_NOTES):
            ignored.append(name)
            continue
        texts_by_name[name] = texts
        if copies is None and looks_like_copies(name) and all(_WHOLE.fullmatch(text or "0") for text in texts):
            copies = name
            columns.append(GuessedColumn(name, None, FieldKind.WHOLE, True, "called as copies are, and whole numbers"))
            continue
        kind, why, choices = _kind(texts)
        field = None if bare(name) == "id" else _field_name(name, index, taken)
        columns.append(GuessedColumn(name, field, kind, not all(texts), why, choices, max(map(len, texts))))
    id_column, id_why = _id_column(texts_by_name, copies, len(below))
    texts = texts_by_name.get(id_column or "", [])
    is_numbered = len({bare(text) for text in texts}) < len(texts)
    row_number = header[0].source.line
    return GuessedTable(row_number, len(below), tuple(columns), id_column, id_why, is_numbered, copies, tuple(ignored))


def _header_at(rows: Sequence[Row]) -> int | None:
    """Return which row has the names: the first that is as full as most, and whose cells are words."""
    widths = [sum(bool(cell.text) for cell in row) for row in rows[:_FIRST]]
    most = max(widths, default=0)
    for number, row in enumerate(rows[:_FIRST]):
        words = [cell.text for cell in row if cell.text]
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
    """Return which of a column's words are perhaps others misspelt: they are rare, and near one that is not."""
    counts = Counter(filled)
    near = {word: nearest(word, [w for w in counts if counts[w] >= _RARER * counts[word]]) for word in counts}
    return "".join(f"; is {word!r} ({counts[word]}) {other!r}?" for word, other in near.items() if other is not None)


def _id_column(texts_by_name: dict[str, list[str]], copies: str | None, cards: int) -> tuple[str | None, str]:
    """Return the column that ids are made of: one called so, else one whose cells all differ, names first."""
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
    full = short or full
    return (full[0], "filled in every row") if full else (None, "no column is full")


def _field_name(name: str, index: int, taken: set[str]) -> str:
    """Return the name of a field: small letters, digits and `_`, its own in the table."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    made = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:40].strip("_")
    if not made or not made[0].isalpha():
        made = f"column_{index + 1}" if not made else f"field_{made}"
    while made in taken:
        made += "_"
    taken.add(made)
    return made
