"""CSV as spreadsheets write it, held against the standard library's reader, and the place of every cell."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.content.tables.tables import read_table
from duckpress.core.problems import Source
from profiles import examples


def cells(text: str) -> list[list[str]]:
    table, problems = read_table("t.csv", text.encode())
    assert not problems, problems
    assert table is not None
    return [[cell.text for cell in row] for row in (table.header, *table.rows)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_found_in_the_first_row(separator: str) -> None:
    assert cells(f"id{separator}title\na{separator}A\n") == [["id", "title"], ["a", "A"]]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "]", "^", "\\", "x"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_a_first_line_may_name_the_separator_as_in_excel(separator: str, line_break: str) -> None:
    text = line_break.join([f"sep={separator}", f"id{separator}a", f'"1{separator}2"{separator}3'])
    assert cells(text) == [["id", "a"], [f"1{separator}2", "3"]]
    table = read_table("t.csv", text.encode()).value
    assert table is not None
    assert table.rows[0][1].source == Source("t.csv", 3, 7)


def test_line_breaks_of_all_kinds_and_a_byte_order_mark() -> None:
    assert cells('\ufeffid,title\r\na,"x\r\ny"\rb,z') == [["id", "title"], ["a", "x\r\ny"], ["b", "z"]]


def test_empty_rows_and_short_rows() -> None:
    assert cells("id,title,\n\n,,\na\nb,\n") == [["id", "title"], ["a"], ["b", ""]]


def test_places_count_lines_inside_quotes() -> None:
    table = read_table("t.csv", 'id,text,n\na,"é\nx, ""y""",1\nb,,2\n'.encode()).value
    assert table is not None
    assert [cell.source for cell in table.rows[0]] == [
        Source("t.csv", 2, 1),
        Source("t.csv", 2, 3),
        Source("t.csv", 3, 11),
    ]
    assert table.rows[1][2].source == Source("t.csv", 4, 4)


@examples(50)
@given(st.lists(st.lists(st.text('ab,;"\n é', max_size=6), min_size=2, max_size=2), min_size=1, max_size=5))
def test_it_reads_what_the_standard_library_writes(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["id", "text"], *rows, ["last", "row"]])
    expected = [row for row in ([cell.strip() for cell in row] for row in rows) if any(row)]
    assert cells(out.getvalue())[1:] == [*expected, ["last", "row"]]


def test_a_table_without_rows_is_a_problem() -> None:
    _, problems = read_table("t.csv", b"id,title\n,\n")
    assert [problem.code for problem in problems] == ["no-cards"]
