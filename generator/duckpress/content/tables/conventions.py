"""What designers call things in tables: columns of copies and of ids, and rows that sum up others.

There are many words for each. Some columns look like copies, by such a word, and are something else here; a row such as
`Total, 54` below the cards is no card.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse

from duckpress.content.tables.cells import CellText
from duckpress.content.yaml.nodes import quoted
from duckpress.core.geometry import added
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Refused, Workspace
from duckpress.model import Deck, Value, texts_in

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
_LONGEST = 4  # digits


def looks_like_copies(name: str, *, perhaps: bool = False) -> bool:
    """Return whether a column's name says how often a card is there: `Qty`, `Number of cards`, `How many`.

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
    """Return how many copies a cell says there are, as digits: `x3`, `3x`, `3.0`; what says otherwise is unchanged."""
    match = _COUNT.fullmatch(text.strip())
    return str(int(match[1])) if match is not None else text


def looks_like_ids(name: str) -> bool:
    """Return whether a column's name says which card it is; a column of signs (`#`) does, too."""
    return bare(name) in _IDS.split() or name.strip() == "#"


def bare(name: str) -> str:
    """Return the letters and digits of a name, small and without accents."""
    return "".join(filter(str.isalnum, plain_letters(name)))


def plain_letters(text: str) -> str:
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text).casefold()))


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
            values = [card.values.get(field.name) for card in deck.cards]
            known = [count for value in values if (count := _count(value)) is not None]
            filled = [value for value in values if value not in (None, "")]
            other = next((value for value in filled if _count(value) is None), None)
            is_likely = 2 * sum(_count(value) is not None for value in filled) > len(filled)
            if not is_likely or max(known) < 2 or _is_used(workspace, folder, deck, field.name):
                continue
            what = f"{field.name!r} looks like copies, and is only a field: deck {deck.id!r} prints {len(values)} cards"
            is_table = deck.cards[0].source.file != deck.source.file
            first = next(count for count in known if count > 1)
            fix = f"call the column 'copies' in {deck.cards[0].source.file.rpartition('/')[2]}"
            fix = fix if is_table else f"write 'copies: {first}' instead of '{field.name}: {first}'"
            ending = f"to print {sum(known)}" if other is None else f"and write a whole number for {quoted(str(other))}"
            fix = f"{fix}, and delete {field.name!r} under 'fields', {ending}"
            yield Problem("looks-like-copies", field.source, what, fix, Level.WARNING)


def _count(value: Value) -> int | None:
    """Return how many copies a value can mean; 1 where it is empty, None where it means none."""
    if value is None or value == "":
        return 1
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    text = count_text(text) if isinstance(text, str) else ""
    return int(text) if text.isdecimal() and len(text) <= _LONGEST else None


def _is_used(workspace: Workspace, folder: str, deck: Deck, name: str) -> bool:
    """Return whether a field is named where fields are used; `deck.count`, `decks.x.count`, `box.count` do not."""
    elsewhere = rf"(?<!\bdeck)(?<!\bbox)(?<!\bdecks\.{re.escape(deck.id)})"
    named = re.compile(rf"{elsewhere}\.{name}\b|\{{={name}\}}|['\"]{name}['\"]")
    values = (value for card in deck.cards for value in card.values.values())
    if any(named.search(text) for value in values for text in texts_in(value)):
        return True
    paths = [path for place in (f"{folder}/layouts", "layouts") for path in workspace.files(place, ".xml")]
    return is_written_in(workspace, [*paths, *workspace.files(folder, "setup.yaml", ".md")], named)


def is_written_in(workspace: Workspace, paths: Iterable[str], pattern: re.Pattern[str]) -> bool:
    """Return whether one of some files has what a pattern finds; of those that are refused others tell."""
    for path in paths:
        try:
            if pattern.search(workspace.read(path, "template-file").decode("utf-8", "replace")):
                return True
        except Refused:
            continue
    return False


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
    """Return a note for each row below the names of columns that sums up those above it, by its line.

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
    """Return whether a row holds no words but one that says it is a sum, or that names what a formula works out."""
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
    """Return whether a number of a row is the sum of those above it, or how many rows there are."""
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
