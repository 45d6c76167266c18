"""`duckpress import` of tables as designers keep them: formats, copies, sums, and columns that become no field."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from datetime import date

import openpyxl
import pytest
from test_importing import GAME, deck, imported, run

from duckpress.files.workspace import Workspace
from kinds import MakeWorkspace


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({"content/g/game.yaml": GAME})


def formatted(rows: list[list[object]], formats: Mapping[str, str]) -> bytes:
    """Return a workbook whose columns have these formats."""
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    for letter, code in formats.items():
        for cell in book.active[letter][1:]:
            cell.number_format = code
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


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


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    "name",
    ["Qty", "How many", "Number of cards", "No.", "x", "Anzahl", "Nombre", "# of copies", "Count in deck", "# in deck"],
)
@pytest.mark.parametrize("cells", ["2.0 1.0 - 0", "x2 x1 - 0", "2x 1\xa0x - 0x", "２ 1 - 0"])
def test_copies_are_found_under_their_usual_names(workspace: Workspace, name: str, cells: str) -> None:
    counts = zip("abcd", cells.replace("-", "").split(" "), strict=True)
    rows = "".join(f"Card {number},{cell},words {number}\n" for number, cell in counts)
    read = imported(workspace, "items.csv", f"Name,{name},Text\n{rows}")
    assert (read["copies"], read["problems"]) == (name, [])
    assert [card.copies for card in deck(workspace).cards] == [2, 1, 1, 0]


@pytest.mark.parametrize("name", ["No.", "Number", "#", "Number of players", "X", "Cards"])
def test_a_column_that_numbers_the_cards_is_no_copies(workspace: Workspace, name: str) -> None:
    read = imported(workspace, "items.csv", f"Name,{name}\nA,1\nB,2\nC,3\n")
    assert read["copies"] is None


@pytest.mark.parametrize(("name", "cells"), [("Number", "3 3"), ("Num", "7 7"), ("No.", "007 007"), ("Number", "5 2")])
def test_a_number_that_a_card_shows_is_no_copies(workspace: Workspace, name: str, cells: str) -> None:
    first, second = cells.split()
    assert imported(workspace, "items.csv", f"Name,{name}\nA,{first}\nB,{second}\n")["copies"] is None


def test_what_is_no_count_is_a_question_with_its_cell(workspace: Workspace) -> None:
    text = "Name,Quantity,Text\nA,2.0,x\nB,two,y\nC,x3,z\n"
    read = imported(workspace, "items.csv", text)
    assert read["copies"] is None
    (question,) = read["problems"]
    assert (question["code"], question["level"], question["line"], question["column"]) == (
        "looks-like-copies",
        "warning",
        3,
        3,
    )
    assert question["what"] == "'Quantity' looks like copies, but 'two' in B3 is no whole number"
    # The layout does not use the field, so that every check asks again until it is answered.
    checked = json.loads(run(workspace, "check", "g", "--format", "json").output)["problems"]
    assert [one["what"] for one in checked if one["code"] == "looks-like-copies"] == [
        "'quantity' looks like copies, and is only a field: deck 'items' prints 3 cards"
    ]
    told = run(workspace, "import", str(workspace.root / "items.csv"), "--deck", "again").output
    assert "copies: 'Quantity' may be meant, see above; each card is there once" in told


def test_of_two_columns_of_copies_the_one_called_so_is_taken_and_the_other_named(workspace: Workspace) -> None:
    read = imported(workspace, "items.csv", "Name,Qty,Copies\nA,2,1\nB,3,4\n")
    assert read["copies"] == "Copies"
    assert read["columns"][2]["why"] == "called as copies are, and whole numbers; so is 'Qty'"
    assert [card.copies for card in deck(workspace).cards] == [1, 4]


@pytest.mark.parametrize("cells", ["2 copies,3 copies,1 copy", "-,2,3,–", "-1,2,1"])
def test_counts_with_words_and_as_many_signs_as_counts_are_questions(workspace: Workspace, cells: str) -> None:
    rows = "".join(f"Card {number},{cell}\n" for number, cell in enumerate(cells.split(",")))
    read = imported(workspace, "items.csv", f"Name,Qty\n{rows}")
    assert [one["code"] for one in read["problems"]] == ["looks-like-copies"]


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
    checked = json.loads(run(workspace, "check", "g", "--format", "json").output)["problems"]
    gaps = [(one["code"], one["line"]) for one in checked if one["file"].endswith("items.csv")]
    assert gaps == [("missing-key", 3), ("missing-key", 5)]


def test_a_fraction_is_no_cell_that_cannot_be_read_where_its_number_is_read(workspace: Workspace) -> None:
    read = imported(workspace, "items.xlsx", formatted([["Name", "Part"], ["A", 0.75], ["B", 1.5]], {"B": "# ?/?"}))
    assert [column["why"] for column in read["columns"]][1] == "all 2 cells are numbers"
    assert [card.values["part"] for card in deck(workspace).cards] == [0.75, 1.5]


def test_every_column_that_is_left_out_says_why(workspace: Workspace) -> None:
    rows = "Name,Text,Text,,Designer notes,Rarity\nA,one,two,stray,hm,\nB,three,four,,,,beyond\n"
    read = imported(workspace, "items.csv", rows)
    assert {column["name"]: column["why"] for column in read["unread"] if column["name"]} == {
        "Text": "a second column is called so; its first cell is 'two': give it a name of its own",
        "Designer notes": "called as notes are",
        "Rarity": "empty",
    }
    nameless = [column["why"] for column in read["unread"] if not column["name"]]
    assert nameless == [
        "column D has no name; its first cell is 'stray'",
        "column G has no name; its first cell is 'beyond'",
    ]
    assert [card.values["text"] for card in deck(workspace).cards] == ["one", "three"]


def test_columns_whose_names_differ_in_capitals_alone_are_both_read(workspace: Workspace) -> None:
    imported(workspace, "items.csv", "Name,Text,TEXT\nA,one,two\nB,three,four\n")
    assert [(card.values["text"], card.values["text_"]) for card in deck(workspace).cards] == [
        ("one", "two"),
        ("three", "four"),
    ]


def test_values_that_no_cell_can_hold_are_told(workspace: Workspace) -> None:
    cards = [{"name": "A", "stats": {"power": 1}}, {"name": "B", "stats": {"power": 2}, "tags": [["x"], "y"]}]
    read = imported(workspace, "items.json", json.dumps(cards))
    assert read["unread"] == [{"name": "stats", "why": "its values have values of their own"}]
    assert [one["what"] for one in read["problems"]] == [
        "'stats' is a mapping with values of its own, which is left out; so is it in 1 more",
        "'tags' is a list with values of its own, which is left out",
    ]


def test_a_cell_that_cannot_be_used_is_named_and_stays_an_error_of_the_deck(workspace: Workspace) -> None:
    data = formatted([["Name", "Cost"], ["A", 3], ["B", "#REF!"], ["C", 4]], {})
    read = imported(workspace, "items.xlsx", data)
    (cost,) = [column for column in read["columns"] if column["name"] == "Cost"]
    assert (cost["kind"], cost["optional"]) == ("whole", False)
    assert "row 3 cannot be read: this cell holds the error #REF!" in cost["why"]
    checked = json.loads(run(workspace, "check", "g", "--format", "json").output)["problems"]
    assert [one["code"] for one in checked if one["level"] == "error"] == ["table-value"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("items.csv", b"Name,Qty,Text\nA,2,x\nB,3,y\nSum,5,,\n"),
        ("items.csv", b"Name,Qty,Text\nA,2,x\nB,3,y\n,,\nTOTAL,5,\n"),
        ("items.xlsx", formatted([["Name", "Qty", "Text"], ["A", 2, "x"], ["B", 3, "y"], [], ["TOTAL", 5]], {})),
    ],
)
def test_a_row_of_sums_is_no_card_of_the_import_nor_of_its_deck(workspace: Workspace, name: str, data: bytes) -> None:
    read = imported(workspace, name, data)
    assert (read["cards"], read["copies"]) == (2, "Qty")
    assert [one["code"] for one in read["problems"]] == ["rows-not-read"]
    assert [column["optional"] for column in read["columns"] if column["field"]] == [False, False]
    items = deck(workspace)
    assert [(card.id, card.copies) for card in items.cards] == [("a", 2), ("b", 3)]
