"""Cards from XLSX and ODS as programs write them: values only, and nothing that can run away."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_unusable_cells import loaded, workbook

from duckpress.content.tables.tables import read_table
from duckpress.core.language import phrase_key
from duckpress.core.problems import Problem
from duckpress.share.changes_report import plain_words
from duckpress.text.markup import BREAK, parse_markup
from profiles import examples
from workbooks import ods, ods_row, zipped


def read(name: str, data: bytes) -> tuple[list[list[str]], Sequence[Problem]]:
    """Return the rows of a table as texts read them, and what is wrong with it and its cells."""
    table, problems = read_table(name, data)
    rows = [] if table is None else [table.header, *table.rows]
    cells = [[cell.read(as_number=False) for cell in row] for row in rows]
    told = [*problems, *(problem for row in cells for _, problem in row if problem is not None)]
    return [[text for text, _ in row] for row in cells], told


def one_problem(name: str, data: bytes) -> Problem:
    rows, (problem,) = read(name, data)
    assert all("" in row for row in rows[1:])
    return problem


LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co"))
WORDS = st.text(LETTERS, max_size=8).map(str.strip).filter(lambda word: not word.startswith("="))


@examples(8)
@given(st.lists(st.lists(WORDS, min_size=2, max_size=3), min_size=1, max_size=5))
def test_all_kinds_of_tables_say_the_same(rows: list[list[str]]) -> None:
    table = [["id", "text", "more"], *rows, ["last", "row", "x"]]

    def trimmed(given: list[list[str]]) -> list[list[str]]:
        return [row[: max(at for at, word in enumerate(row, 1) if word)] for row in given if any(row)]

    for name, data in (("t.xlsx", workbook(table)), ("t.ods", ods(*(ods_row(*row) for row in table)))):
        found, problems = read(name, data)
        assert problems == []
        assert trimmed(found) == trimmed([[" ".join(word.split(" ")) for word in row] for row in table])


@pytest.mark.parametrize("name", ["t.xlsx", "t.ods"])
def test_what_is_no_spreadsheet_is_refused(name: str) -> None:
    whole = workbook([["id"], ["a"]])
    for data in (b"", b"id,title\n", whole[:-40], zipped({"readme.txt": "hello"})):
        assert one_problem(name, data).code == "table-file"


def test_a_doctype_is_refused_in_any_encoding() -> None:
    declared = '<!DOCTYPE x [<!ENTITY a "b">]>'
    assert "DOCTYPE" in one_problem("t.ods", ods(ods_row("id"), before=declared)).what
    part = f"<?xml version='1.0' encoding='utf-16'?>{declared}<x/>".encode("utf-16")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("content.xml", part)
    assert "DOCTYPE" in one_problem("t.ods", out.getvalue()).what


LINES = "Walk: go\nPick:  steal \n\nThen:\n- one\n- two\nof it"
SHOWN = "Walk: go\\\nPick:  steal \n\nThen:\n- one\n- two\\\nof it"
ROWS = [["id", "text", "tags", "map"], ["a", LINES, "x\ny; z", "1\n2"]]
CSV = f'id,text,tags,map\na,"{LINES}","x\ny; z","1\n2"\n'


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", CSV.encode()),
        ("t.csv", CSV.replace("\n", "\r\n").encode()),
        ("t.xlsx", workbook(ROWS)),
        ("t.xlsx", workbook([[word.replace("\n", "_x000D_\n") for word in row] for row in ROWS])),
        ("t.ods", ods(*(ods_row(*row) for row in ROWS))),
    ],
)
def test_line_breaks_in_a_cell_are_those_of_the_card(name: str, data: bytes, tmp_path: Path) -> None:
    fields = "{text: text, tags: list, map: {kind: text, translate: no}}"
    deck, problems = loaded(tmp_path, data, "cards", fields, name)
    assert problems == []
    values = deck.cards[0].values
    assert (values["text"], values["tags"]) == (SHOWN, ("x\\\ny", "z"))
    assert str(values["map"]).split() == ["1", "2"]  # no words, but data: it is left as it is
    breaks = [[kind for kind, _ in block.tokens].count(BREAK) for block in parse_markup(SHOWN, {}, [])]
    assert breaks == [1, 0, 0, 1]
    assert phrase_key(SHOWN) == phrase_key(LINES)  # what a translation quotes of it is right without backslashes
    assert plain_words(SHOWN) == " ".join(LINES.split())
