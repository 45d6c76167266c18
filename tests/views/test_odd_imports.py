"""`duckpress import` of tables as designers keep them: formats, copies, sums, and columns that become no field."""

from __future__ import annotations

from datetime import date

import pytest
from test_importing import GAME, deck, formatted, imported, run

import running
from duckpress.files.workspace import Workspace
from kinds import MakeWorkspace


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({"content/g/game.yaml": GAME})


def test_columns_of_every_format_become_fields_that_say_what_the_sheet_shows(workspace: Workspace) -> None:
    """Columns of currency, percent, leading zeros and dates were left out as `empty, or notes`."""
    rows: list[list[object]] = [["Name", "Num", "Chance", "Price", "Made", "Ratio", "Big", "Qty"]]
    rows += [["A", 7, 0.5, 1200, date(2026, 1, 3), 0.25, 1200, 12], ["B", 12, 0.125, 3.5, date(2026, 2, 3), 3, 7, 7]]
    codes = {"B": "000", "C": "0%", "D": '"$"#,##0.00', "E": "d/m/yyyy", "G": "#,##0", "H": "0.0"}
    read = imported(workspace, "items.xlsx", formatted(rows, codes))
    assert (read["ignored"], read["unread"], read["copies"], read["problems"]) == ([], [], "Qty", [])
    why = {column["name"]: column["why"] for column in read["columns"]}
    assert why["Price"].endswith("'$1,200.00' is the number 1200, which 'kind: number' reads")
    first, second = deck(workspace).cards
    assert (first.copies, second.copies) == (12, 7)
    shown = [first.values[name] for name in ("num", "chance", "price", "made", "ratio", "big")]
    assert shown == ["007", "50%", "$1,200.00", "3/1/2026", 0.25, "1,200"]


def copies_of(workspace: Workspace, name: str, cells: str) -> tuple[str | None, list[str]]:
    """Import a column with such cells, and return which is that of copies, and the codes of what is told."""
    rows = "".join(f"Card {number},{cell},words {number}\n" for number, cell in enumerate(cells.split(",")))
    read = imported(workspace, "items.csv", f"Name,{name},Text\n{rows}")
    return read["copies"], [one["code"] for one in read["problems"]]


COPIES = [("Qty", "2.0,1.0,,0"), ("No.", "x2,x1,,0"), ("Anzahl", "2x,1\xa0x,,0x"), ("# in deck", "２,1,,0")]


@pytest.mark.parametrize(("name", "cells"), COPIES)
def test_copies_are_found_under_their_usual_names(workspace: Workspace, name: str, cells: str) -> None:
    assert copies_of(workspace, name, cells) == (name, [])
    assert [card.copies for card in deck(workspace).cards] == [2, 1, 1, 0]


QUESTION = ["looks-like-copies"]
NO_COPIES = [
    *((name, "1,2,3", []) for name in ("No.", "#", "Number of players", "Cards")), ("No.", "007,007", []),
    *(("Qty", cells, QUESTION) for cells in ("2 copies,3 copies,1 copy", "-,2,3,–", "-1,2,1")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "cells", "codes"), NO_COPIES)
def test_a_number_that_a_card_shows_is_no_copies(workspace: Workspace, name: str, cells: str, codes: list[str]) -> None:
    assert copies_of(workspace, name, cells) == (None, codes)


def test_what_is_no_count_is_a_question_with_its_cell(workspace: Workspace) -> None:
    read = imported(workspace, "items.csv", "Name,Quantity,Text\nA,2.0,x\nB,two,y\nC,x3,z\n")
    assert read["copies"] is None
    (question,) = read["problems"]
    assert (question["code"], question["line"], question["column"]) == ("looks-like-copies", 3, 3)
    assert question["what"] == "'Quantity' looks like copies, but 'two' in B3 is no whole number"
    # The layout does not use the field, so that every check asks again until it is answered.
    checked = running.run_json(workspace, "check", "g", status=None)["problems"]
    assert "looks-like-copies" in [one["code"] for one in checked]
    told = run(workspace, "import", str(workspace.root / "items.csv"), "--deck", "again").output
    assert "copies: 'Quantity' may be meant, see above; each card is there once" in told


def test_of_two_columns_of_copies_the_one_called_so_is_taken_and_the_other_named(workspace: Workspace) -> None:
    read = imported(workspace, "items.csv", "Name,Qty,Copies\nA,2,1\nB,3,4\n")
    assert read["copies"] == "Copies"
    assert read["columns"][2]["why"] == "called as copies are, and whole numbers; so is 'Qty'"
    assert [card.copies for card in deck(workspace).cards] == [1, 4]


def test_a_column_of_words_that_is_called_as_copies_are_is_no_question(workspace: Workspace) -> None:
    read = imported(workspace, "items.csv", "Nombre,Coste\nEspada,2\nArco,1\n")
    assert (read["copies"], read["id"], read["problems"]) == (None, "Nombre", [])
    again = workspace.root / "again.csv"
    again.write_text("Name,Qty\nTeal,two\nSmew,one\n")
    assert "copies: 'Qty' is called so, and holds words; each" in run(workspace, "import", str(again)).output


def test_a_table_without_a_full_column_is_read_and_its_gaps_are_told(workspace: Workspace) -> None:
    """It was refused with `has no row of names with cards below it`."""
    read = imported(workspace, "items.csv", "Name,Text\nA,\n,y\nB,z\n,w\n")
    assert (read["cards"], read["id"]) == (4, "Name")
    checked = running.run_json(workspace, "check", "g", status=None)["problems"]
    gaps = [(one["code"], one["line"]) for one in checked if one["file"].endswith("items.csv")]
    assert gaps == [("missing-key", 3), ("missing-key", 5)]


def test_a_fraction_is_no_cell_that_cannot_be_read_where_its_number_is_read(workspace: Workspace) -> None:
    read = imported(workspace, "items.xlsx", formatted([["Name", "Part"], ["A", 0.75], ["B", 1.5]], {"B": "# ?/?"}))
    assert [column["why"] for column in read["columns"]][1] == "all 2 cells are numbers"
    assert [card.values["part"] for card in deck(workspace).cards] == [0.75, 1.5]


def test_every_column_that_is_left_out_says_why(workspace: Workspace) -> None:
    rows = "Name,Text,Text,TEXT,,Designer notes,Rarity\nA,one,two,big,stray,hm,\nB,three,four,,,,,beyond\n"
    read = imported(workspace, "items.csv", rows)
    assert [(column["name"], column["why"]) for column in read["unread"]] == [
        ("Text", "a second column is called so; its first cell is 'two': give it a name of its own"),
        ("", "column E has no name; its first cell is 'stray'"),
        ("Designer notes", "called as notes are"),
        ("Rarity", "empty"),
        ("", "column H has no name; its first cell is 'beyond'"),
    ]
    first, _ = deck(workspace).cards
    assert (first.values["text"], first.values["text_"]) == ("one", "big")


def test_a_cell_that_cannot_be_used_is_named_and_stays_an_error_of_the_deck(workspace: Workspace) -> None:
    read = imported(workspace, "items.xlsx", formatted([["Name", "Cost"], ["A", 3], ["B", "#REF!"], ["C", 4]]))
    (cost,) = [column for column in read["columns"] if column["name"] == "Cost"]
    assert (cost["kind"], cost["optional"]) == ("whole", False)
    assert "row 3 cannot be read: this cell holds the error #REF!" in cost["why"]
    checked = running.run_json(workspace, "check", "g", status=None)["problems"]
    assert [one["code"] for one in checked if one["level"] == "error"] == ["table-value"]


def test_a_row_of_sums_is_no_card_of_the_import_nor_of_its_deck(workspace: Workspace) -> None:
    read = imported(workspace, "items.csv", "Name,Qty,Text\nA,2,x\nB,3,y\n,,\nTOTAL,5,\n")
    assert (read["cards"], read["copies"]) == (2, "Qty")
    assert [one["code"] for one in read["problems"]] == ["rows-not-read"]
    assert [column["optional"] for column in read["columns"] if column["field"]] == [False, False]
    assert [(card.id, card.copies) for card in deck(workspace).cards] == [("a", 2), ("b", 3)]
