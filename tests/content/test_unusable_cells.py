"""Cells that fields cannot read as they are: told once, wherever they are; and what is shown, read in both ways."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from duckpress.content import load_game
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Workspace
from duckpress.model import Deck
from running import write_files

GAME = "title: G\nversion: '1'\ndesigner: D\nplayers: 2\nlicence: L\npieces: [{id: items, decks: [item]}]\n"
FIELDS = "{name: text, price: {kind: text, optional: yes}, cost: {kind: number, optional: yes}}"


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    made = openpyxl.Workbook()
    assert made.active is not None
    for at, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell = made.active.cell(at, column)
            cell.value, cell.number_format = value if isinstance(value, tuple) else (value, "General")  # type: ignore[assignment]
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def loaded(
    folder: Path, data: bytes, way: str, fields: str = FIELDS, file: str = "w.xlsx"
) -> tuple[Deck, list[Problem]]:
    """Return the deck of a table that is read as a designer's own (`table`), or lies beside the deck (`cards`)."""
    read = f"cards: {file}" if way == "cards" else f"table: {{file: {file}, id: id{way.removeprefix('table')}}}"
    deck = f"title: Items\nsize: poker\nfront: card\nfields: {fields}\n{read}\n"
    table = f"decks/{file}" if way == "cards" else file
    write_files(folder / "content/g", {"game.yaml": GAME, "decks/item.yaml": deck, table: data})
    game, problems = load_game(Workspace(folder), "g")
    assert game is not None, problems
    return game.decks["item"], [one for one in problems if one.source.file.endswith(file)]


@pytest.mark.parametrize("way", ["table", "cards"])
def test_numbers_are_read_whatever_their_format_is(tmp_path: Path, way: str) -> None:
    """Quantities shown as 12.0 and 7.0 in the last column: each card was printed once."""
    rows = [["id", "name", "price", "cost", "copies"],
            ["a", ("7", "@"), (1200.5, '"$"#,##0.00'), (0.5, "0%"), (12, "0.0")],
            ["b", (7, "000"), (date(2026, 1, 3), "dd.mm.yyyy"), (-3, "0;(0)"), (7, "#,##0")]]  # fmt: skip
    deck, problems = loaded(tmp_path, workbook(rows), way)
    assert problems == []
    values = [(card.values["name"], card.values["price"], card.values["cost"], card.copies) for card in deck.cards]
    assert values == [("7", "$1,200.50", 0.5, 12), ("007", "03.01.2026", -3, 7)]


@pytest.mark.parametrize("way", ["table", "cards"])
@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("#REF!", "whole", "holds the error #REF!"),
        ((date(2026, 1, 3), "yyyy-mm-dd"), "whole", "holds a date, shown as '2026-01-03'"),
        ((5, "# ?/?"), "text", "it is not sure how its format '# ?/?' shows it"),
        ("=1+1", "whole", "this formula has no value yet"),
    ],
)
def test_a_cell_that_cannot_be_used_is_told_once(
    tmp_path: Path, way: str, value: object, kind: str, words: str
) -> None:
    rows = [["id", "name", "other", "end"], ["a", "A", value, *([] if kind == "text" else ["x"])]]
    fields = f"{{name: text, other: {{kind: {kind}, optional: yes}}, end: {{kind: text, optional: yes}}}}"
    deck, problems = loaded(tmp_path, workbook(rows), way, fields)
    assert [(one.code, one.level, tuple(one.source[1:])) for one in problems] == [("table-value", Level.ERROR, (2, 3))]
    assert words in problems[0].what
    assert not deck.is_whole


@pytest.mark.parametrize("way", ["table", "cards"])
@pytest.mark.parametrize("column", ["id", "copies"])
def test_an_id_or_copies_that_cannot_be_used_are_told_once(tmp_path: Path, way: str, column: str) -> None:
    rows = [["id", "copies", "name"], ["a", "#N/A", "A"] if column == "copies" else ["#N/A", 2, "A"]]
    _, problems = loaded(tmp_path, workbook(rows), way)
    assert [one.code for one in problems] == ["table-value"]


@pytest.mark.parametrize("way", ["table", "cards"])
def test_a_date_that_each_computer_shows_in_its_own_way_is_a_warning(tmp_path: Path, way: str) -> None:
    rows = [["id", "name"], ["a", (date(2026, 1, 3), "mm-dd-yy")]]  # format 14, which openpyxl calls so
    deck, problems = loaded(tmp_path, workbook(rows), way)
    assert [(one.code, one.level) for one in problems] == [("table-value", Level.WARNING)]
    assert [card.values["name"] for card in deck.cards] == ["1/3/2026"]
    assert deck.is_whole


def test_a_row_whose_only_cell_cannot_be_used_is_told(tmp_path: Path) -> None:
    _, problems = loaded(tmp_path, workbook([["id", "name"], ["a", "A"], [None, "#REF!"]]), "table")
    assert [(one.code, one.source.line) for one in problems] == [("missing-key", 3), ("table-value", 3)]


def test_a_cell_of_where_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    rows = [["id", "name", "box"], ["a", "A", (1, "0.0")], ["b", "B", "#REF!"]]
    deck, problems = loaded(tmp_path, workbook(rows), "table, where: {box: 1}", "{name: text}")
    assert [one.code for one in problems] == ["table-value"]
    assert [card.id for card in deck.cards] == ["a"]


@pytest.mark.parametrize(
    ("cell", "copies"),
    [("3.0", 3), ("2,0", 2), ("x3", 3), ("3 ×", 3), ("", 1), ("0", 0), ("2.5", None), ("1,000", None), ("x", None)],
)
def test_copies_are_read_as_designers_write_them(tmp_path: Path, cell: str, copies: int | None) -> None:
    deck, problems = loaded(tmp_path, f'id,copies,name\na,"{cell}",A\nb,1,B\n'.encode(), "table", file="t.csv")
    assert [(one.code, one.source.column) for one in problems] == ([("wrong-type", 3)] if copies is None else [])
    assert copies is None or deck.cards[0].copies == copies


@pytest.mark.parametrize("cells", ["x,X,", "✓,,✓", "1,,", "Y,y,", "x,✓,", "x,no,", "2,,"])
def test_a_column_of_one_mark_says_yes_where_it_stands(tmp_path: Path, cells: str) -> None:
    rows = "".join(f"{id_},{cell}\n" for id_, cell in zip("abc", cells.split(","), strict=True))
    deck, problems = loaded(tmp_path, f"id,rare\n{rows}".encode(), "cards", "{rare: yes-no}", "w.csv")
    if cells in ("x,✓,", "x,no,", "2,,"):
        assert "wrong-type" in {one.code for one in problems}
    else:
        assert problems == []
        assert [card.values["rare"] for card in deck.cards] == [bool(cell) for cell in cells.split(",")]
