"""A designer's own table: any names of columns, any sheet and row, ids made of words, and what is told of the rest."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest
import yaml
from test_unusable_cells import GAME

from duckpress.content import load_game
from duckpress.content.game.naming import card_id
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.model import Deck
from running import write_files

ITEMS = """\
Name,Card Type,Qty,Rules,Flavour,Cost,Artist
Sword,Weapon,3,"Hit.
Twice.",It is old.,2,Ann
Bow,Weapon,1,Shoot.,,3,Bea
Bread,Food,5,Eat.,Yum.,1,
Sword,Weapon,1,Again.,,2,
,,,,,,
"""
WISH = "file: data/items.csv, columns: {copies: Qty, text: [Rules, Flavour]}, id: name, ignore: Artist, repeat: number"


def game(
    folder: Path,
    table: str,
    data: bytes = ITEMS.encode(),
    name: str = "data/items.csv",
    fields: str = "{name: text, cost: whole, text: text, tags: {kind: list, optional: yes}}",
) -> Workspace:
    deck = f"title: Items\nsize: poker\nfront: card\nfields: {fields}\ntable: {table}\n"
    write_files(folder / "content/g", {"game.yaml": GAME, "decks/item.yaml": deck, name: data})
    return Workspace(folder)


def deck_and_problems(workspace: Workspace) -> tuple[Deck | None, list[str]]:
    loaded, problems = load_game(workspace, "g")
    told = [f"{one.code}: {one.what} -> {one.fix}" for one in problems if "item" in one.source.file]
    return None if loaded is None else loaded.decks.get("item"), told


def cards(deck: Deck | None) -> list[tuple[object, ...]]:
    assert deck is not None
    return [(card.id, card.copies, card.values["cost"], card.values["text"]) for card in deck.cards]


def test_columns_are_chosen_joined_and_found_by_alike_names(tmp_path: Path) -> None:
    deck, problems = deck_and_problems(game(tmp_path, f"{{{WISH}, where: {{Card Type: Weapon}}}}"))
    assert cards(deck) == [
        ("sword", 3, 2, "Hit.\\\nTwice.\n\nIt is old."),
        ("bow", 1, 3, "Shoot."),
        ("sword-2", 1, 2, "Again."),
    ]
    assert problems == []


def test_a_cell_is_where_it_stands_in_the_designers_file(tmp_path: Path) -> None:
    deck, _ = deck_and_problems(game(tmp_path, f"{{{WISH}}}"))
    assert deck is not None
    assert deck.cards[1].at("cost") == ("content/g/data/items.csv", 4, 22)


def test_one_deck_is_read_from_several_sheets_and_ids_are_counted_over_them(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for title, rows in (("Steel", [["Sword", 2]]), ("Wood", [["Bow", 1], ["Sword", 4]])):
        sheet = book.create_sheet(title)
        for row in (["What there is"], [], ["Name", "Cost"], *rows):
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    named = "{{file: w.xlsx, sheet: {}, header: 3, id: [Name], repeat: number}}"
    fields = "{name: text, cost: whole, text: {kind: text, optional: yes}}"
    tables = f"[{named.format('Steel')}, {named.format('Wood')}]"
    deck, problems = deck_and_problems(game(tmp_path, tables, out.getvalue(), "w.xlsx", fields))
    assert (cards(deck), problems) == ([("sword", 1, 2, ""), ("bow", 1, 1, ""), ("sword-2", 1, 4, "")], [])
    _, found = load_game(game(tmp_path, tables, out.getvalue(), "w.xlsx", fields.replace("cost: whole, ", "")), "g")
    notes = [one.what.partition(" of w")[0] for one in found if one.code == "columns-not-read"]
    assert notes == [f"columns of sheet '{name}'" for name in ("Steel", "Wood")]


def test_a_picture_may_be_named_without_its_folder(tmp_path: Path) -> None:
    workspace = game(tmp_path, "{file: t.csv, id: picture}", b"Picture\nduck.svg\n", "t.csv", "{picture: image}")
    (tmp_path / "content/g/art").mkdir()
    (tmp_path / "content/g/art/duck.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>")
    deck, _ = deck_and_problems(workspace)
    assert deck is not None
    assert [(card.id, card.values["picture"]) for card in deck.cards] == [("duck-svg", "art/duck.svg")]


MISTAKES = yaml.safe_load("""
- [", ignore: Artist", "", columns-not-read, "columns of items.csv that no field reads: 'Card Type', 'Artist'
   -> declare fields of their names, or list them under 'ignore'"]
- ["copies: Qty", "copies: Qtty", unknown-column, "the table has no column 'Qtty' -> did you mean 'Qty'?"]
- ["copies: Qty, ", "", unknown-column, "the column 'Qty' of items.csv is no field's; it is near 'copies', which has no
   column -> write 'columns: {copies: Qty}', or 'ignore: Qty'"]
- ["copies: Qty", "copy: Qty", unknown-key, "'copy' under 'columns' is no field of the deck -> did you mean 'copies'?"]
- ["id: name", "id: nmae", unknown-column, "the table has no column 'nmae' -> did you mean 'Name'?"]
- [", id: name", "", missing-key, "the table has no column 'id' -> say what ids are made of: 'id: name'"]
- [", repeat: number", "", duplicate-id, "the id 'sword' is taken already, in line 2
   -> make ids of several columns ('id: [...]'), or number equal ones with 'repeat: number'"]
- ["ignore: Artist", "ignore: Artist, where: {Card Type: [Weapon, Foood]}", unknown-choice,
   "no row has 'Foood' in column 'Card Type' -> did you mean 'Food'?"]
- ["file: data/items.csv", "file: ../items.csv", wrong-type, "'file' is '../items.csv', no CSV file or spreadsheet in
   the game's folder -> name a file there that ends in .csv or .xlsx or .ods"]
""")


HEADER = "the columns' names stand in row 1 of items.csv -> write 'header: 1'"
SHEET = "a CSV file has no sheets, so none that is called 'Items' -> delete 'sheet'"
MISTAKES += [("data/items.csv", "data/items.csv, header: 9", "missing-header", HEADER)]
MISTAKES += [("data/items.csv", "data/items.csv, sheet: Items", "unknown-sheet", SHEET)]


@pytest.mark.parametrize(("old", "new", "code", "told"), MISTAKES)
def test_what_is_wrong_with_a_choice_of_columns_is_told_once(
    tmp_path: Path, old: str, new: str, code: str, told: str
) -> None:
    assert old in WISH
    _, problems = deck_and_problems(game(tmp_path, f"{{{WISH.replace(old, new, 1)}}}"))
    problems = [one for one in problems if not one.startswith("columns-not-read")] or problems
    assert problems == [f"{code}: {told}"]


def test_a_column_near_a_fields_name_is_an_error(tmp_path: Path) -> None:
    data = ITEMS.replace("Cost", "Costt").encode()
    _, problems = load_game(game(tmp_path, f"{{{WISH}}}", data), "g")
    (problem,) = [one for one in problems if one.code == "unknown-column"]
    assert (problem.level, problem.source.line, problem.source.column) == (Level.ERROR, 1, 34)
    assert problem.fix == "write 'columns: {cost: Costt}', or 'ignore: Costt'"


def test_an_empty_cell_names_the_designers_column(tmp_path: Path) -> None:
    data = ITEMS.replace("Shoot.,,3", "Shoot.,,").encode()
    _, problems = deck_and_problems(game(tmp_path, f"{{{WISH}}}", data))
    told = "missing-key: card 'bow' has no 'cost' -> fill its cell in column 'Cost', or make the field 'optional: yes'"
    assert told in problems
    _, problems = deck_and_problems(game(tmp_path, f"{{{WISH}}}", ITEMS.replace("Bow,", ",").encode()))
    missing = [problem for problem in problems if problem.startswith("missing-key")]
    assert missing == ["missing-key: the card has no 'id' -> fill its cell in column 'Name'"]


def test_ids_are_letters_digits_and_hyphens_and_the_same_each_time() -> None:
    made = [card_id(word) for word in ("Épée – Ÿ!", "Straße", "con", "Łódź", "10/10", "剑")]
    assert made[:5] == ["epee-y", "strasse", "card-con", "lodz", "10-10"]
    assert made[5] == card_id("剑") == "card-" + made[5].removeprefix("card-")
    assert len(card_id("a " * 500)) <= 80
