"""Cards from XLSX and ODS: values only, each with its row and column, and nothing that can run away."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content import load_game
from duckpress.content.tables.tables import read_table
from duckpress.core import limits
from duckpress.core.language import phrase_key
from duckpress.core.problems import Problem, Source
from duckpress.files.workspace import Workspace
from duckpress.share.changes_report import plain_words
from duckpress.text.markup import BREAK, parse_markup
from profiles import examples

_OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
_TABLE = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
_TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'


def xlsx(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def zipped(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def ods(rows: str, before: str = "") -> bytes:
    content = (
        f"{before}<office:document-content {_OFFICE} {_TABLE} {_TEXT}><office:body><office:spreadsheet>"
        f'<table:table table:name="Cards">{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})


def ods_rows(rows: list[list[str]]) -> str:
    def cell(text: str) -> str:
        if not text:
            return "<table:table-cell/>"
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'

    return "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)


def read(name: str, data: bytes) -> tuple[list[list[str]], Sequence[Problem]]:
    """Return the rows of a table as texts read them, and what is wrong with it and its cells."""
    table, problems = read_table(name, data)
    rows = [] if table is None else [table.header, *table.rows]
    cells = [[cell.read(as_number=False) for cell in row] for row in rows]
    told = [*problems, *(problem for row in cells for _, problem in row if problem is not None)]
    return [[text for text, _ in row] for row in cells], told


def one_problem(name: str, data: bytes) -> Problem:
    rows, problems = read(name, data)
    assert all("" in row for row in rows[1:])
    assert len(problems) == 1, problems
    return problems[0]


def test_an_xlsx_gives_values_as_a_person_would_type_them() -> None:
    rows, problems = read(
        "t.xlsx", xlsx([["id", "n", "ratio", "fine", "empty"], ["a", 3.0, 0.1, True], [], ["b", 12345678, 1e-7, False]])
    )
    assert problems == []
    assert rows == [
        ["id", "n", "ratio", "fine", "empty"],
        ["a", "3", "0.1", "TRUE"],
        ["b", "12345678", "1e-07", "FALSE"],
    ]


def test_an_ods_gives_values_as_a_person_would_type_them() -> None:
    rows, problems = read(
        "t.ods",
        ods(
            ods_rows([["id", "n", "text"]])
            + '<table:table-row table:number-rows-repeated="3"/><table:table-row>'
            + '<table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p>'
            + "<text:p>c</text:p></table:table-cell>"
            + '<table:table-cell office:value-type="float" office:value="2.50"><text:p>2,5</text:p></table:table-cell>'
            + '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>'
            + '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
            + '<table:table-row table:number-rows-repeated="1048570"/>'
        ),
    )
    assert problems == []
    assert rows == [["id", "n", "text"], ["a  b\nc", "2,5", "TRUE"]]


def test_cells_know_their_row_and_column() -> None:
    table = read_table("t.xlsx", xlsx([["id", "x", "y"], [], ["a", None, "z"]])).value
    assert table is not None
    assert [cell.source for cell in table.rows[0]] == [
        Source("t.xlsx", 3, 1),
        Source("t.xlsx", 3, 2),
        Source("t.xlsx", 3, 3),
    ]


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co")), max_size=8).map(str.strip)


@examples(12)
@given(
    st.lists(
        st.lists(words.filter(lambda word: not word.startswith("=")), min_size=2, max_size=3), min_size=1, max_size=5
    )
)
def test_all_kinds_of_tables_say_the_same(rows: list[list[str]]) -> None:
    table = [["id", "text", "more"], *rows, ["last", "row", "x"]]

    def trimmed(given: list[list[str]]) -> list[list[str]]:
        def cut(row: list[str]) -> list[str]:
            while row and not row[-1]:
                row = row[:-1]
            return row

        return [cut(row) for row in given if any(row)]

    for name, data in (("t.xlsx", xlsx([list(row) for row in table])), ("t.ods", ods(ods_rows(table)))):
        found, problems = read(name, data)
        assert problems == []
        assert trimmed(found) == trimmed([[" ".join(word.split(" ")) for word in row] for row in table])


def test_a_cell_beside_the_columns_is_deleted_or_named() -> None:
    _, (problem,) = read("t.xlsx", xlsx([["id", "n"], ["a", 1, None, "stray"]]))
    assert (problem.code, problem.source) == ("csv-row", Source("t.xlsx", 2, 4))
    assert problem.fix == "delete the cell, or name its column in the first row"


def test_a_formula_gives_its_last_value_or_a_problem() -> None:
    problem = one_problem("t.xlsx", xlsx([["id", "n"], ["a", "=1+1"]]))  # openpyxl writes formulas without values
    assert (problem.code, problem.source) == ("table-value", Source("t.xlsx", 2, 2))
    row = (
        '<table:table-row><table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"/>'
        "</table:table-row>"
    )
    assert read("t.ods", ods(ods_rows([["id"]]) + row)) == ([["id"], ["2"]], [])


def test_only_the_first_visible_sheet_is_read() -> None:
    book = openpyxl.Workbook()
    hidden = book.active
    assert hidden is not None
    hidden.append(["id"])
    hidden.sheet_state = "hidden"
    book.create_sheet("Cards").append(["id", "seen"])
    book["Cards"].append(["a", "b"])
    out = io.BytesIO()
    book.save(out)
    assert read("t.xlsx", out.getvalue())[0] == [["id", "seen"], ["a", "b"]]


@pytest.mark.parametrize("name", ["t.xlsx", "t.ods"])
def test_what_is_no_spreadsheet_is_refused(name: str) -> None:
    whole = xlsx([["id"], ["a"]])
    for data in (
        b"",
        b"id,title\n",
        whole[:-40],
        zipped({"readme.txt": "hello"}),
    ):
        assert one_problem(name, data).code == "table-file"


def test_damage_is_found_or_does_not_matter() -> None:
    whole = xlsx([["id"], ["a"]])
    codes = set()
    for at in range(0, len(whole) - 30, 23):
        rows, problems = read("t.xlsx", whole[:at] + b"\xff" * 30 + whole[at + 30 :])
        codes |= {problem.code for problem in problems}
        assert problems or rows == [["id"], ["a"]]
    assert codes == {"table-file"}


def test_a_doctype_is_refused_in_any_encoding() -> None:
    declared = '<!DOCTYPE x [<!ENTITY a "b">]>'
    assert "DOCTYPE" in one_problem("t.ods", ods(ods_rows([["id"]]), declared)).what
    part = f"<?xml version='1.0' encoding='utf-16'?>{declared}<x/>".encode("utf-16")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("content.xml", part)
    assert "DOCTYPE" in one_problem("t.ods", out.getvalue()).what


def test_a_zip_bomb_is_stopped_by_its_bytes_not_by_its_words() -> None:
    limits.use({"sheet-file": 1_000_000})
    bomb = ods(f"<!--{' ' * 5_000_000}-->")
    assert len(bomb) < 20_000
    assert "more than 1M bytes" in one_problem("t.ods", bomb).what


@pytest.mark.parametrize(
    "cell",
    [
        '<table:table-cell table:number-columns-repeated="999999999" office:value-type="string">'
        "<text:p>x</text:p></table:table-cell>",
        '<table:table-cell table:number-columns-repeated="16000"/>'
        '<table:table-cell office:value-type="float" office:value="1"/>',
    ],
)
def test_far_and_many_cells_cost_nothing(cell: str) -> None:
    assert one_problem("t.ods", ods(f"<table:table-row>{cell}</table:table-row>")).code == "csv-row"


@pytest.mark.parametrize("times", ["1001", "1000000", str(2**30), " +1073741824 ", str(2**64), "9" * 5_000])
def test_a_row_repeated_too_often_is_refused(times: str) -> None:
    """Numbers of ten digits and more were taken for once: 2^30 rows were one card, without a word."""
    row = ods_rows([["x"]]).replace("<table:table-row>", f'<table:table-row table:number-rows-repeated="{times}">')
    assert one_problem("t.ods", ods(ods_rows([["id"]]) + row)).code == "too-many-cards"


def test_a_cell_in_the_last_column_of_an_xlsx_is_refused() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["XFD1048576"] = "id", "far"
    out = io.BytesIO()
    book.save(out)
    problem = one_problem("t.xlsx", out.getvalue())
    assert (problem.code, problem.source) == ("csv-row", Source("t.xlsx", 1048576, 16384))


def test_a_deck_takes_its_cards_from_a_spreadsheet(tmp_path: Path) -> None:
    game = tmp_path / "content" / "pond"
    (game / "decks").mkdir(parents=True)
    (game / "game.yaml").write_text(
        'title: Pond\nversion: "0.1"\ndesigner: Nobody\nplayers: 2\n'
        "pieces:\n  - {id: ducks, title: Ducks, decks: [duck]}\n"
    )
    (game / "decks" / "duck.yaml").write_text(
        "title: Ducks\nsize: poker\nfront: duck\nfields: {name: text, value: whole, rare: yes-no}\ncards: duck.xlsx\n"
    )
    (game / "decks" / "duck.xlsx").write_bytes(
        xlsx(
            [
                ["id", "copies", "name", "value", "rare"],
                ["teal", 3, True, 2.0, True],
                ["eider", 1, "Eider", "many", False],
            ]
        )
    )
    loaded, problems = load_game(Workspace(tmp_path), "pond")
    assert [(problem.code, problem.source) for problem in problems if problem.level == "error"] == [
        ("wrong-type", Source("content/pond/decks/duck.xlsx", 3, 4))
    ]
    assert loaded is not None
    teal = loaded.decks["duck"].cards[0]
    assert (teal.id, teal.copies, teal.values) == ("teal", 3, {"name": "TRUE", "value": 2, "rare": True})


LINES = "Walk: go\nPick:  steal \n\nThen:\n- one\n- two\nof it"
SHOWN = "Walk: go\\\nPick:  steal \n\nThen:\n- one\n- two\\\nof it"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", f'id,text,tags,map\na,"{LINES}","x\ny; z","1\n2"\n'.encode()),
        ("t.csv", f'id,text,tags,map\r\na,"{LINES}","x\ny; z","1\n2"\r\n'.replace("\n", "\r\n").encode()),
        ("t.xlsx", xlsx([["id", "text", "tags", "map"], ["a", LINES, "x\ny; z", "1\n2"]])),
        ("t.xlsx", xlsx([["id", "text", "tags", "map"], ["a", LINES.replace("\n", "_x000D_\n"), "x\ny; z", "1\n2"]])),
        ("t.ods", ods(ods_rows([["id", "text", "tags", "map"], ["a", LINES, "x\ny; z", "1\n2"]]))),
    ],
)
def test_line_breaks_in_a_cell_are_those_of_the_card(name: str, data: bytes, tmp_path: Path) -> None:
    game = tmp_path / "content" / "pond"
    (game / "decks").mkdir(parents=True)
    (game / "game.yaml").write_text(
        'title: P\nversion: "0.1"\ndesigner: D\nplayers: 2\npieces: [{id: a, title: A, decks: [cards]}]\n'
    )
    fields = "{text: text, tags: list, map: {kind: text, translate: no}}"
    (game / "decks" / "cards.yaml").write_text(f"title: C\nsize: poker\nfront: f\nfields: {fields}\ncards: {name}\n")
    (game / "decks" / name).write_bytes(data)
    read_game, problems = load_game(Workspace(tmp_path), "pond")
    assert problems == []
    assert read_game is not None
    values = read_game.decks["cards"].cards[0].values
    assert values["text"] == SHOWN
    assert values["tags"] == ("x\\\ny", "z")
    assert str(values["map"]).split() == ["1", "2"]  # no words, but data: it is left as it is
    breaks = [[kind for kind, _ in block.tokens].count(BREAK) for block in parse_markup(SHOWN, {}, [])]
    assert breaks == [1, 0, 0, 1]
    assert phrase_key(SHOWN) == phrase_key(LINES)  # what a translation quotes of it is right without backslashes
    assert plain_words(SHOWN) == " ".join(LINES.split())
