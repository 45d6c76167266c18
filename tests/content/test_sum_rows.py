"""Rows that sum up the others are no cards, and a card that looks like one is."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_unusable_cells import loaded, workbook

from duckpress.content.tables.cells import TableRoom, sum_rows
from duckpress.content.tables.tables import Row, read_rows
from duckpress.core.problems import Level
from workbooks import MAIN, SHEET, ods, ods_row, xlsx_parts, zipped

CARDS = "Name,Qty,Cost,Text\nTeal,2,1,Fly.\nSmew,1,3,Swim.\nWigeon,4,2,Wade.\n"


def rows_of(name: str, data: bytes) -> list[Row]:
    rows, problems = read_rows(name, data, TableRoom())
    assert rows is not None, problems
    return rows[1:]


@pytest.mark.parametrize(
    "row",
    ["TOTAL:,7,6,", "Somme,7", ",Total,6,", "Total,,,", "Total number of cards,7,,", "Gesamtanzahl,7,,", "合计,7,,"],
)
def test_a_row_that_says_so_and_lacks_words_is_a_sum(row: str) -> None:
    rows = rows_of("t.csv", f"{CARDS}{row}\n".encode())
    assert list(sum_rows(rows)) == [5]


@pytest.mark.parametrize(
    "row",
    ["Total,7,6,Everything.", "Total Eclipse,7,6,", "Sum of All Fears,1,,", "Summer,7,,", ",7,,", "Zombie,,,"],
)
def test_a_card_is_no_sum(row: str) -> None:
    assert sum_rows(rows_of("t.csv", f"{CARDS}{row}\n".encode())) == {}


def test_a_card_that_is_called_total_is_one_unless_something_else_says_so() -> None:
    cards = "Name,Qty\nTeal,2\nSmew,1\nWigeon,4\n"
    assert sum_rows(rows_of("t.csv", f"{cards}Total,2\n".encode())) == {}
    for row in ("Total,7", "Total,3", "\nTotal,2", ",\nTotal,2"):
        assert len(sum_rows(rows_of("t.csv", f"{cards}{row}\n".encode()))) == 1, row
    assert sum_rows(rows_of("t.csv", b"Name\nTeal\nTotal\n")) == {}


def formulas(*rows: str) -> bytes:
    """Return a workbook whose cells are written `text`, `5`, or `=FORMULA:5`."""
    lines = []
    for row in rows:
        cells = []
        for cell in row.split(","):
            formula, _, value = cell.removeprefix("=").rpartition("|")
            written = f"<f>{formula}</f>" if cell.startswith("=") else ""
            kind = "" if value.isdecimal() else 't="str"'
            cells.append(f"<c {kind}>{written}<v>{value}</v></c>" if value else "<c/>")
        lines.append(f"<row>{''.join(cells)}</row>")
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    return zipped(xlsx_parts("", {SHEET: sheet}))


NAMES = ("Name,Qty,Text", "Teal,2,Fly.", "Smew,1,Swim.", "Wigeon,4,Wade.")


@pytest.mark.parametrize(
    ("row", "is_sum"),
    [
        ("All ducks,=SUM(B2:B4)|7,", True),
        (",=SUM($B$2:$B$4)|7,", True),
        (",=SUBTOTAL(109;Table1[Qty])|7,", True),
        ("Total,=Table1[[#Totals];[Qty]]|7,", True),
        ("Mean,=AVERAGE(B2:B4)|2,", True), ("Coot,=SUM(B2:B4)|7,Dive.", False),
        ("Coot,=SUM(Other!B2:B4)|7,", False), ("Coot,=SUM(C2:C4)|7,", False), ("Coot,=B4+1|5,", False),
    ],
)  # fmt: skip
def test_a_formula_over_the_cells_above_makes_a_sum(row: str, is_sum: bool) -> None:
    assert len(sum_rows(rows_of("t.xlsx", formulas(*NAMES, row)))) == is_sum


def test_a_column_that_counts_on_by_a_formula_makes_no_row_a_sum() -> None:
    """Each of these cards was left out, and `import` said that there was no row of names."""
    rows = ["Name,No", "Teal,=MAX(B$1:B1)+1|1", "Smew,=MAX(B$1:B2)+1|2", "Coot,=MAX(B$1:B3)+1|3"]
    assert sum_rows(rows_of("t.xlsx", formulas(*rows))) == {}
    assert list(sum_rows(rows_of("t.xlsx", formulas(*rows, "Total,=MAX(B2:B4)|3")))) == [5]
    typed = ["Name,No,Qty", "Teal,1,2", "Smew,=MAX(B$2:B2)+1|2,1", "Coot,=MAX(B$2:B3)+1|3,4", ",,=SUM(C2:C4)|7"]
    assert list(sum_rows(rows_of("t.xlsx", formulas(*typed)))) == [5]


@pytest.mark.parametrize(
    ("formula", "is_sum"), [("of:=SUM([.B2:.B4])", True), ("of:=SUM([$Other.B2:.B4])", False), ("of:=[.B4]+1", False)]
)
def test_a_formula_of_an_ods_makes_a_sum(formula: str, is_sum: bool) -> None:
    cell = f'<table:table-cell office:value-type="float" office:value="7" table:formula="{formula}"/>'
    cards = [ods_row(*row.split(",")) for row in NAMES]
    assert len(sum_rows(rows_of("t.ods", ods(*cards, ods_row("", more=cell))))) == is_sum


@pytest.mark.parametrize("way", ["table", "cards"])
def test_a_sum_is_no_card_of_a_deck_and_a_note_says_so(tmp_path: Path, way: str) -> None:
    rows: list[list[object]] = [["id", "copies", "name"], ["a", 2, "A"], ["b", 3, "B"], [], ["TOTAL", 5]]
    deck, problems = loaded(tmp_path, workbook(rows), way, "{name: text}")
    assert [card.id for card in deck.cards] == ["a", "b"]
    assert deck.is_whole
    assert [(one.code, one.level, one.source.line, one.what) for one in problems] == [
        ("rows-not-read", Level.NOTE, 5, "row 5 ('TOTAL') sums up those above it, and is no card")
    ]
