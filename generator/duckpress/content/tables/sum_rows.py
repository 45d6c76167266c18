"""The rows of a table that sum up others, such as `Total, 54` below its cards: they are no cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from duckpress.content.tables.cells import CellText
from duckpress.content.tables.column_names import plain_letters
from duckpress.content.yaml.nodes import quoted
from duckpress.core.problems import Level, Problem
from duckpress.core.units import added

_SUM_WORDS = """
    total totals subtotal sum sums summe summen summa gesamt gesamtsumme gesamtzahl insgesamt zwischensumme somme totaux
    somma totale totali soma suma sumatoria totaal totalt sammanlagt samtals razem ogółem celkem összesen yhteensa kokku
    toplam gesamtanzahl σύνολο итого всего сумма المجموع 合計 总计 合计 합계 총계
"""
_WORDS_BESIDE = """
    a all aller and anzahl card cards carte cartas cartes copies count de deck der des die game general grand in kaarten
    karten no number of qty sub the und zahl карт
"""
_SUMS, _BESIDE = frozenset(plain_letters(_SUM_WORDS).split()), frozenset(_WORDS_BESIDE.split())
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def sum_rows(rows: Sequence[Sequence[CellText]]) -> dict[int, Problem]:
    """Return a note for each row below the names of columns that sums up those above it, by its line.

    Its only words say so (`Total`), and it lies behind an empty row, lacks what most rows have, or adds up a column; or
    it has a formula over the cells above. A column of such formulas, as one that counts on has, sums up nothing.
    """
    formulas = Counter(index for row in rows for index, cell in enumerate(row) if cell.is_sum)
    if running := {index for index, count in formulas.items() if count > 1 and 2 * count >= len(rows)}:
        rows = [
            [cell._replace(is_sum=cell.is_sum and index not in running) for index, cell in enumerate(row)]
            for row in rows
        ]
    if not any(_may_sum(row) for row in rows):
        return {}
    filled = Counter(index for row in rows for index, cell in enumerate(row) if cell.is_filled)
    usual = {index for index, count in filled.items() if 2 * count > len(rows)}
    problems = {}
    for at, row in enumerate(rows):
        if not _may_sum(row):
            continue
        here = {index for index, cell in enumerate(row) if cell.is_filled}
        is_sure = any(cell.is_sum for cell in row) or not usual <= here
        if is_sure or (at and _is_behind_gap(rows[at - 1], row)) or _adds_up(rows[:at], row):
            first = next(cell for cell in row if cell.is_filled)
            name = quoted(first.text or first.number or "")
            what = f"row {first.source.line} ({name}) sums up those above it, and is no card"
            fix = "if it is one, write words into another of its cells"
            problems[row[0].source.line] = Problem("rows-not-read", first.source, what, fix, Level.NOTE)
    return problems


def _may_sum(row: Sequence[CellText]) -> bool:
    """Return whether a row holds no words but one that says it is a sum, or that names what a formula works out."""
    words = [cell for cell in row if cell.text and _WORD.search(cell.text) and not cell.number]
    if len(words) > 1:
        return False
    if any(cell.is_sum for cell in row):
        return True
    letters = _WORD.findall(plain_letters(words[0].text)) if words and len(words[0].text) < 60 else []
    return not _SUMS.isdisjoint(letters) and set(letters) <= _SUMS | _BESIDE


def _is_behind_gap(before: Sequence[CellText], row: Sequence[CellText]) -> bool:
    """Return whether an empty row lies between two; in a CSV file a cell may have several lines."""
    lines = before[-1].text.count("\n") if row[0].source.file.endswith(".csv") else 0
    return row[0].source.line - before[-1].source.line - lines > 1


def _adds_up(above: Sequence[Sequence[CellText]], row: Sequence[CellText]) -> bool:
    """Return whether a number of a row is the sum of those above it, or how many rows there are."""
    for index, cell in enumerate(row):
        numbers = list(_numbers([cell]))
        column = list(_numbers(other[index] for other in above if index < len(other)))
        if numbers and len(column) > 1 and (abs(added(column) - numbers[0]) < 1e-6 or numbers[0] == len(above)):
            return True
    return False


def _numbers(cells: Iterator[CellText] | Sequence[CellText]) -> Iterator[float]:
    for cell in cells:
        text = cell.text if cell.number is None else cell.number
        if _NUMBER.fullmatch(text):
            yield float(text)
