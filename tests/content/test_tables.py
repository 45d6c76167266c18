"""CSV as spreadsheets write it, held against the standard library's reader, and the place of every cell."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.tables import read_table
from duckpress.core import limits
from duckpress.core.problems import Source
from problem_lines import problem_lines
from profiles import examples
from workbooks import HEAD, xlsx_cell, xlsx_parts, zipped


def cells(text: str) -> list[list[str]]:
    table, problems = read_table("t.csv", text.encode())
    assert not problems, problems
    assert table is not None
    return [[cell.text for cell in row] for row in (table.header, *table.rows)]


def told(name: str, data: bytes) -> list[str]:
    return problem_lines(read_table(name, data).problems, name)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "]", "^", "\\", "x"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_a_first_line_may_name_the_separator_as_in_excel(separator: str, line_break: str) -> None:
    text = line_break.join([f"sep={separator}", f"id{separator}a", f'"1{separator}2"{separator}3'])
    assert cells(text) == [["id", "a"], [f"1{separator}2", "3"]]
    table = read_table("t.csv", text.encode()).value
    assert table is not None
    assert table.rows[0][1].source == Source("t.csv", 3, 7)


@examples(50)
@given(st.lists(st.lists(st.text('ab,;"\n é', max_size=6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_it_reads_what_the_standard_library_writes(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["id", "text"], *rows, ["last", "row"]])
    expected = [row for row in ([cell.strip() for cell in row] for row in rows) if any(row)]
    assert cells(out.getvalue())[1:] == [*expected, ["last", "row"]]


def test_the_end_of_the_name_says_how_a_table_is_read() -> None:
    assert read_table("t.csv.xlsx", b"id\na\n").problems[0].code == "table-file"
    assert not read_table("t.xlsx.csv", b"id\na\n").problems


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("id,a;b\n1,2;3\n", [["id", "a;b"], ["1", "2;3"]]),  # commas before semicolons before tabs
        ("id;a\tb\n1;2\t3\n", [["id", "a\tb"], ["1", "2\t3"]]),
        ("id\ta\n1\t2\n", [["id", "a"], ["1", "2"]]),
        ('\ufeffid,a\r\n1,"x\r\ny"\r2,z', [["id", "a"], ["1", "x\r\ny"], ["2", "z"]]),
        ("id,a,\n\n,,\n1\n2,\n", [["id", "a"], ["1"], ["2", ""]]),
        ("id\n1;2\t3\n", [["id"], ["1;2\t3"]]),  # the first line decides; without any mark it is a comma
        ('"id,x";a\n1;2\n', None),  # also of a mark inside quotes
        ('id,a\n1,"2"', [["id", "a"], ["1", "2"]]),
        ('id,a\n1,""', [["id", "a"], ["1", ""]]),
        ('id,a\n1,""""\n', [["id", "a"], ["1", '"']]),
        ('id,a\n" 1 ", 2 \n', [["id", "a"], ["1", "2"]]),
        ("\n\r\n\nid,a\n\n1,2\n\r\r\n", [["id", "a"], ["1", "2"]]),
        ("sep=,\n\nid,a\n1,2\n", [["id", "a"], ["1", "2"]]),
        ("sep=;;\nid\n1\n", None),
    ],
)
def test_rows_and_cells_are_those_that_were_meant(text: str, rows: list[list[str]] | None) -> None:
    if rows is None:
        assert [problem.code for problem in read_table("t.csv", text.encode()).problems] != []
    else:
        assert cells(text)[: len(rows)] == rows


def test_places_are_counted_behind_line_breaks_of_all_kinds() -> None:
    text = 'sep=;\r\n\r\nid;a\r\n"x\r\ny\rz\n";1\r\r\nb;"2\n";3\n'
    table, problems = read_table("t.csv", text.encode())
    assert [(one.code, one.source) for one in problems] == [("csv-row", Source("t.csv", 10, 3))]
    assert table is not None
    assert [cell.source for row in (table.header, *table.rows) for cell in row] == [
        Source("t.csv", 3, 1), Source("t.csv", 3, 4), Source("t.csv", 4, 1), Source("t.csv", 7, 3),
        Source("t.csv", 9, 1), Source("t.csv", 9, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1 empty-file"),
        ("id\né".encode("latin-1"), "2:1 not-utf8"),
        (",\n,,\n", "1:1 empty-file"),
        ("title\nA\n", "1:1 missing-key: the first row has no column 'id' -> add it; if another row names the columns"),
        ("title,Nr\nA,1\n", "1:1 missing-key: the first row has no column 'id' -> call the column 'Nr' 'id'"),
        ("id,,title\na,,A\n", "1:4 missing-key"),
        ("id,title,title\na,A,B\n", "1:10 repeated-key"),
        ("id\n", "1:1 no-cards"),
        ("id,title\n,\n", "1:1 no-cards"),
        ("id\n,x\n", "2:2 csv-row"),
        ('id,"t"\na,x"y"\n', "2:4 csv-syntax: a quote stands inside a cell without quotes"),
        ('id,t\na,"x\ny" z\n', "3:3 csv-syntax: the cell goes on behind its closing quote"),
        ('id,t\na,"x""\ny,z\n', "2:3 csv-syntax: the quote that opens here is never closed"),
        (',id\na,"b', "2:3 csv-syntax: the quote that opens here is never closed"),
        ('"id,t\n', "1:1 csv-syntax: the quote that opens here is never closed"),
    ],
)
def test_a_mistake_in_a_table_is_told_with_its_place(text: str | bytes, problem: str) -> None:
    (line,) = told("t.csv", text if isinstance(text, bytes) else text.encode())
    assert line.startswith(problem)


def test_every_mistake_in_the_first_row_is_told_before_those_below() -> None:
    assert [one.partition(":")[2].partition(":")[0] for one in told("t.csv", b"id,,a,a,a\nx,1,2,3,4,5\n")] == [
        "4 missing-key", "7 repeated-key", "9 repeated-key",
    ]  # fmt: skip
    assert [one.partition(" ")[0] for one in told("t.csv", b"id,,a,a,a\nx\n") if "column 6" in one] == []
    assert [one.partition(" ")[0] for one in told("t.csv", b"id\na,,x,y\nb,c\n")] == ["2:4", "3:3"]


LIMITS = {"text-length": 4, "table-columns": 3, "table-rows": 2, "table-cells": 12}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("id,b,c\n1,2,3\n4,5,6\n", []),
        ("id,b,c\n1,2,3\n4,5,6\n7,8,9\n", ["4:1 too-many-cards"]),
        ("id,b,c\n1,2,3\n,,\n,,\n4,5,6\n", ["5:1 too-many-cards"]),  # empty rows have cells, too
        ("id\n1\n,\n,\n,\n2\n", []),
        ("id,b,c\n1,2,3,4\n", ["2:7 csv-row"]),
        ("id\n12345\n", ["2:1 text-too-long"]),
        ('id\n"123"\n', ["2:1 text-too-long"]),  # with its quotes, as it is typed
    ],
)
def test_a_table_may_be_so_large(text: str, places: list[str]) -> None:
    limits.use(LIMITS)
    assert [one.partition(":")[0] + ":" + one.split(":")[1] for one in told("t.csv", text.encode())] == places


def test_the_tables_of_a_game_share_their_room() -> None:
    limits.use(LIMITS)
    book = zipped(xlsx_parts(HEAD + xlsx_cell("<v>2</v>")))
    for name, data, cells in (("t.csv", b"id,b\n1,2\n3,4\n", 6), ("t.xlsx", book, 4)):
        room = TableRoom()
        for left in range(12 - cells, -1, -cells):
            assert not read_table(name, data, room).problems
            assert room.cells == left
        table, (problem,) = read_table(name, data, room)
        assert (table, problem.code) == (None, "too-many-cards")
