"""`duckpress import`: tables as designers keep them become decks that build; guesses have reasons, nothing is lost."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import Result

import running
from duckpress import cli
from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.model import Deck, FieldKind
from kinds import MakeWorkspace

GAME = (
    "title: G\nversion: '1.0'\ndesigner: D\nplayers: 2\nlicence: L\ntheme: base\n"
    "pieces: [{id: items, title: Items, decks: [items]}]\n"
)


def formatted(rows: Iterable[Iterable[object]], formats: Mapping[str, str] = {}, before: Iterable[str] = ()) -> bytes:
    """Return a workbook whose columns have these formats in the sheet "Items", behind other sheets."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title in before:
        book.create_sheet(title).append([f"About {title}"])
    sheet = book.create_sheet("Items")
    for row in rows:
        sheet.append(list(row))
    for letter, code in formats.items():
        for cell in sheet[letter][1:]:
            cell.number_format = code
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@cache
def workbook() -> bytes:
    rows: list[list[object]] = [["Items of the game, version 3"]]
    rows += [["Name", "Card Type", "Qty", "Rules", "Cost", "Colour", "Notes to self", "Made"]]
    for number in range(12):
        name, kind = f"Item {number % 11}", ("Weapon", "Food: raw")[number % 2]
        words = f"Take {number} cards from the pond, and give one back to whoever asks for it."
        cost = None if number == 3 else number
        rows += [[name, kind, number % 3 + 1, words, cost, "#aa3300", "cheap?", date(2026, 1, 2)]]
    return formatted(rows, before=["Read me"])


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({"content/g/game.yaml": GAME, "mine/My Items.xlsx": workbook()})


def run(workspace: Workspace, *arguments: str, status: int | None = None) -> Result:
    return running.run(workspace, *arguments, columns=160, status=status)


def imported(workspace: Workspace, name: str, data: bytes | str, *options: str) -> dict[str, Any]:
    running.write_files(workspace.root, {name: data})
    read: dict[str, Any] = running.run_json(workspace, "import", str(workspace.root / name), *options)
    return read


def deck(workspace: Workspace, name: str = "items") -> Deck:
    game, problems = load_game(workspace, "g")
    assert game is not None
    files = [problem for problem in problems if name in problem.source.file or "data/" in problem.source.file]
    assert [problem for problem in files if problem.level != "note"] == []
    return game.decks[name]


def kinds(of: Deck) -> Mapping[str, str]:
    return {name: field.kind.value + ("" if field.is_required else "?") for name, field in of.fields.items()}


def test_a_workbook_becomes_a_deck_that_builds(workspace: Workspace) -> None:
    done = run(workspace, "import", str(workspace.root / "mine/My Items.xlsx"), "--sheet", "Items", status=cli.DONE)
    assert "items: 12 rows of My Items.xlsx, sheet 'Items', names in row 2" in done.output
    assert "called as copies are, and whole numbers" in done.output
    assert "ids: made of 'Name' (called as names are, equal ones numbered)" in done.output
    assert "not read: Notes to self (called as notes are)" in done.output
    assert "other sheets: Read me (--sheet)" in done.output
    items = deck(workspace)
    assert kinds(items) == {
        "name": "text", "card_type": "choice", "rules": "text", "cost": "whole?", "colour": "colour", "made": "text",
    }  # fmt: skip
    assert items.fields["card_type"].choices == ("Weapon", "Food: raw")
    assert [card.id for card in items.cards][-2:] == ["item-10", "item-0-2"]
    assert items.count == 24
    assert (workspace.root / "content/g/data/my-items.xlsx").read_bytes() == workbook()
    problems = running.run_json(workspace, "build", "g", "--paper", "a4")["problems"]
    assert {problem["level"] for problem in problems} <= {"warning", "note"}


def test_a_rare_word_near_another_is_asked_about(workspace: Workspace) -> None:
    cells = [*["green"] * 10, *["gold"] * 10, "gren", "Goldd"]
    rows = [f"Item {number},{cell}" for number, cell in enumerate(cells)]
    (workspace.root / "items.csv").write_text("\n".join(["Name,Colour", *rows]))
    told = run(workspace, "import", str(workspace.root / "items.csv")).output
    assert "4 words in 22 cells; is 'gren' (1) 'green'?; is 'Goldd' (1) 'gold'?" in told
    assert "content/g/data/items.csv (a copy: change this one from now on)" in told


def test_forty_columns_make_a_card_that_prints(workspace: Workspace) -> None:
    header = ["Name", "Power", *(f"Balance {number}" for number in range(38))]
    cells = [f"{number}.25" for number in range(38)]
    rows = [",".join([f"Item {number}", "3", *cells]) for number in range(9)]
    imported(workspace, "items.csv", "\n".join([",".join(header), *rows]))
    layout = (workspace.root / "content/g/layouts/items.xml").read_text()
    assert "power: {{ card.power }}" in layout
    assert "{{ card.balance_37 }}" not in layout
    assert "balance_37. #}" in layout
    problems = running.run_json(workspace, "check", "g")["problems"]
    assert [problem for problem in problems if problem["level"] == "error"] == []


def test_a_table_in_the_games_folder_is_read_from_there(workspace: Workspace) -> None:
    read = imported(workspace, "content/g/lists/pond.csv", "Name,Qty\nTeal,2\nSmew,1\n", "--deck", "items")
    assert read["files"] == ["content/g/decks/items.yaml", "content/g/layouts/items.xml"]
    assert [card.copies for card in deck(workspace).cards] == [2, 1]


def test_cards_in_json_are_a_list_of_records_and_values_that_no_cell_can_hold_are_told(workspace: Workspace) -> None:
    cards = [{"name": "Ölpest", "cost": 3, "tags": ["a", "b"], "x": {"y": 1}}, {"name": "B", "x": {}, "tags": [["c"]]}]
    read = imported(workspace, "cards.json", json.dumps({"cards": cards}), "--deck", "items")
    assert (read["cards"], read["id"], read["copies"]) == (2, "name", None)
    first, second = deck(workspace).cards
    assert (first.id, first.values["tags"], second.values["cost"]) == ("olpest", "a; b", None)
    assert read["unread"] == [{"name": "x", "why": "its values have values of their own"}]
    assert [one["what"] for one in read["problems"]] == [
        "'x' is a mapping with values of its own, which is left out; so is it in 1 more",
        "'tags' is a list with values of its own, which is left out",
    ]


def test_squibs_columns_are_read_with_their_qty(workspace: Workspace) -> None:
    imported(workspace, "deck.yml", "title: [Sword, Bow]\nqty: [2, 1]\nart: [a.png, b.png]\n", "--deck", "items")
    running.write_files(workspace.root, {"content/g/art/a.png": b"", "content/g/art/b.png": b""})
    items = deck(workspace)
    assert [(card.id, card.copies) for card in items.cards] == [("sword", 2), ("bow", 1)]
    assert items.fields["art"].kind is FieldKind.IMAGE


KINDS = {
    "whole": ["1", "20", "-3"],
    "number": ["1", "2.5", "3"],
    "text": ["01", "02", "X"],
    "yes-no": ["yes", "no", "Yes"],
    "colour": ["#ffffff", "#A0b0C0", ""],
    "image": ["a.svg", "art/b.png", "c.JPG"],
    "choice": ["red", "red", "blue", "red", "blue", "blue"],
}


def test_kinds_are_guessed_from_all_rows(workspace: Workspace) -> None:
    for kind, cells in KINDS.items():
        rows = "".join(f"card {number},{cell}\n" for number, cell in enumerate(cells))
        value = imported(workspace, f"{kind}.csv", f"name,value\n{rows}")["columns"][1]
        assert (value["kind"], value["optional"]) == (kind, "" in cells)
        assert value["why"]


def test_odd_names_of_columns_become_names_of_fields(workspace: Workspace) -> None:
    rows = "名前,For,2nd Cost (€),Überschrift,For\nx,a,1,b,c\ny,b,2,c,d\n"
    read = imported(workspace, "t.csv", rows, "--deck", "items")
    assert [column["field"] for column in read["columns"]] == ["column_1", "for_", "field_2nd_cost", "uberschrift"]
    assert [card.values["field_2nd_cost"] for card in deck(workspace).cards] == [1, 2]


def test_what_is_there_is_never_written_over(workspace: Workspace) -> None:
    imported(workspace, "t.csv", "name\nx\n")
    again = run(workspace, "import", str(workspace.root / "t.csv"), status=cli.USAGE_ERROR)
    assert "has a deck 't' already" in again.output
    other = imported(workspace, "t.csv", "name\ny\n", "--deck", "u")
    assert "content/g/data/u.csv" in other["files"]
    data, layouts = workspace.root / "content/g/data", workspace.root / "content/g/layouts"
    assert (data / "t.csv").read_text() == "name\nx\n"
    (data / "w.csv").write_text("other")
    third = run(workspace, "import", str(workspace.root / "t.csv"), "--deck", "w", status=cli.USAGE_ERROR)
    assert "w.csv is there already, and another file" in third.output
    (layouts / "v.xml").write_text("<face/>")
    imported(workspace, "v.csv", "name\ny\n")
    assert (layouts / "v.xml").read_text() == "<face/>"


@pytest.mark.parametrize(
    ("name", "data", "status", "words"),
    [
        ("t.txt", "name\nx\n", cli.USAGE_ERROR, "is of no kind that is read"),
        ("t.csv", "", cli.USAGE_ERROR, "has no row of names with cards below it"),
        ("t.csv", 'name\n"x\n', cli.CONTENT_ERROR, "error[csv-syntax]"),
        ("t.xlsx", "no zip", cli.CONTENT_ERROR, "error[table-file]"),
        ("t.json", "[1, 2]", cli.CONTENT_ERROR, "neither a list of cards nor columns"),
        ("t.json", "[" * 5000, cli.CONTENT_ERROR, "error[yaml-"),
    ],
)
def test_what_cannot_be_imported_says_why_and_writes_nothing(
    workspace: Workspace, name: str, data: str, status: int, words: str
) -> None:
    (workspace.root / name).write_text(data)
    before = sorted(workspace.root.rglob("*"))
    assert words in run(workspace, "import", str(workspace.root / name), status=status).output
    assert sorted(workspace.root.rglob("*")) == before


def test_an_unknown_sheet_and_no_game(workspace: Workspace, tmp_path_factory: pytest.TempPathFactory) -> None:
    book = str(workspace.root / "mine/My Items.xlsx")
    done = run(workspace, "import", book, "--sheet", "Itms", status=cli.CONTENT_ERROR)
    assert "did you mean 'Items'?" in done.output
    done = running.run(tmp_path_factory.mktemp("empty"), "import", book, status=cli.USAGE_ERROR)
    assert "duckpress new NAME" in done.output


LINKS = {  # the links of a table, each with what it leads to, and whether it may be read through the last
    "out": ({"own/cards.csv": "{out}/cards.csv"}, False),
    "out of the game": ({"own/content/g/cards.csv": "../../../out/cards.csv"}, False),
    "a folder": ({"own/content/g/data": "{out}", "own/content/g/data/cards.csv": ""}, False),
    "two": ({"own/other.csv": "{out}/cards.csv", "own/cards.csv": "other.csv"}, False),
    "within": ({"own/cards.csv": "mine/cards.csv"}, True),
    "to the workspace": ({"way": "own", "way/mine/cards.csv": ""}, True),
    "out of another folder": ({"out/game/cards.csv": "../cards.csv"}, False),
    "beside, elsewhere": ({"out/game/cards.csv": "inner/cards.csv"}, True),
    "to another folder": ({"desk": "out/game", "desk/inner/cards.csv": ""}, True),
}


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("link", LINKS)
def test_no_link_leads_out_of_the_workspace_or_the_folder_of_a_file(tmp_path: Path, link: str) -> None:
    """A link named `cards.csv` in a stranger's folder made a deck of /etc/passwd."""
    table = "Name,Cost\nSecret,3\nOther,4\n"
    files = {"own/content/g/game.yaml": GAME, "own/mine/cards.csv": table, "out/cards.csv": table}
    running.write_files(tmp_path, {**files, "out/game/inner/cards.csv": table})
    links, is_right = LINKS[link]
    for name, target in links.items():
        if target:
            (tmp_path / name).symlink_to(target.format(out=tmp_path / "out"))
    before = sorted(tmp_path.rglob("*"))
    done = run(Workspace(tmp_path / "own"), "import", str(tmp_path / name), "--deck", "x")
    if is_right:
        assert done.exit_code == cli.DONE, done.output
    else:
        assert done.exit_code == cli.CONTENT_ERROR
        assert "cards.csv:1:1: error[outside-workspace]: 'cards.csv' is a link that leads out of " in done.output
        assert "Secret" not in done.output
        assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_people_of_an_edition_do_not_come_from_elsewhere_either(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    people = running.write_files(tmp_path_factory.mktemp("elsewhere"), {"people.csv": "id\nann\n"}) / "people.csv"
    imported(workspace, "items.csv", "Name,Cost\nTeal,3\nSmew,4\n")
    (workspace.root / "people.csv").symlink_to(people)
    done = run(workspace, "edition", "g", "--for", str(workspace.root / "people.csv"))
    assert done.exit_code == cli.USAGE_ERROR
    assert "'people.csv' is a link that leads out of the workspace" in done.output


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
