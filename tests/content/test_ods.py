"""What a cell of an ODS file holds, by what is written for it, and where it stands."""

from __future__ import annotations

import pytest

from duckpress.content.tables.tables import read_table
from duckpress.core import limits
from duckpress.core.problems import Read, Source
from workbooks import AGAIN, ods, ods_row, rows_of, zipped


def read(rows: str, *, as_number: bool = False) -> Read[list[list[str]]]:
    """Return what is read of rows below one that names three columns."""
    return rows_of("t.ods", ods(ods_row("id", "b", "c"), rows), as_number=as_number)


def ods_cell(inner: str, attributes: str = "", rest: str = "") -> str:
    return f"<table:table-row><table:table-cell {attributes}>{inner}</table:table-cell>{rest}</table:table-row>"


def kind(name: str, value: str = "") -> str:
    return f'office:value-type="{name}" office:value="{value}"'


@pytest.mark.parametrize(
    ("inner", "attributes", "text"),
    [
        ("<text:p> a </text:p>", "", "a"),
        ("<text:p>a</text:p><text:p/><text:p>b</text:p>", kind("string"), "a\n\nb"),
        ("<text:p>a</text:p><other>x</other>", "", "a"),
        ("<text:p>a<text:s/>b<text:s text:c='3'/>c</text:p>", "", "a b   c"),
        ("<text:p>a<text:s text:c='1000'/>b<text:s text:c='1001'/>c</text:p>", "", f"a{' ' * 1000}b{' ' * 1000}c"),
        ("<text:p>a<text:tab/>b<text:line-break/>c</text:p>", "", "a b\nc"),
        ("<text:p>a<text:span>b<text:a>c</text:a>d</text:span>e</text:p>", "", "abcde"),
        ("<text:p>a<text:note>x</text:note>b</text:p>", "", "ab"),
        ("<text:p>2,5</text:p>", kind("float", "2.50"), "2,5"),
        ("<text:p> 50% </text:p>", kind("percentage", "0.5"), "50%"),
        ("<text:p>1.200,00 €</text:p>", kind("currency", "1200"), "1.200,00 €"),
        ("<text:p>18:00</text:p>", kind("time"), "18:00"),
        ("", kind("float", "2"), "2"),
        ("", 'office:value-type="float"', ""),
        ("<text:p>x</text:p>", 'office:value-type="boolean" office:boolean-value="true"', "TRUE"),
        ("<text:p>x</text:p>", 'office:value-type="boolean" office:boolean-value="false"', "FALSE"),
        ("<text:p>x#</text:p>", 'table:formula="x"', "x#"),
        ("<text:p>2</text:p>", kind("float", "2") + ' table:formula="x"', "2"),
    ],
)
def test_a_cell_of_an_ods_holds_a_value(inner: str, attributes: str, text: str) -> None:
    row = ods_cell(inner, attributes, "<table:table-cell><text:p>last</text:p></table:table-cell>")
    assert read(row) == ([[text, "last"]], [])


@pytest.mark.parametrize(
    ("inner", "attributes", "as_number", "problem"),
    [
        *(("<text:p>x</text:p>", kind(name), True, "a date, shown as 'x'; ") for name in ("date", "time")),
        ("", kind("date"), False, "a date, and it is not sure how it is shown; "),
        ("", kind("currency", "0.5"), False, "the number 0.5, and it is not sure how a currency shows it -> "),
        *(("<text:p>#DIV/0!</text:p>", 'table:formula="x"', one, "the error #DIV/0! -> ") for one in (False, True)),
        ("<text:p>Err:502</text:p>", 'table:formula=""', False, "the error Err:502 -> "),
    ],
)
def test_a_cell_of_an_ods_that_holds_no_value_is_told_wherever_it_is(
    inner: str, attributes: str, as_number: bool, problem: str
) -> None:
    first = "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell>"
    cell = ods_cell(inner, attributes)
    for row, column in ((cell, 1), (cell.replace("<table:table-row>", first), 2)):
        rows, (told,) = read(row, as_number=as_number)
        assert [row[-1] for row in rows] == [""]
        assert told.startswith(f"2:{column} table-value: this cell holds {problem}")


@pytest.mark.parametrize("name", ["float", "percentage", "currency"])
def test_numbers_read_what_a_cell_of_an_ods_is(name: str) -> None:
    row = ods_cell("<text:p>1.200,50 %</text:p>", kind(name, "1200.50"))
    assert read(row, as_number=True) == ([["1200.5"]], [])


X = "<text:p>x</text:p>"


def times(count: int | str, inner: str = X) -> str:
    return f'<table:table-cell table:number-columns-repeated="{count}">{inner}</table:table-cell>'


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        (ods_cell(X, rest=times(2)), ["2:1", "2:2", "2:3"]),
        (ods_cell("", rest=f"{times(1)}<other/>{times('x')}"), ["2:2", "2:3"]),
        (ods_cell(X, rest=f"<table:covered-table-cell/>{times(0)}"), ["2:1", "2:3"]),
        (f"<table:table-row>{times(2, '')}{times(1)}</table:table-row>", ["2:3"]),
        ('<table:table-row table:number-rows-repeated="4"/>' + ods_cell(X), ["6:1"]),
        (ods_cell(X).replace("row>", 'row table:number-rows-repeated="2">', 1) + ods_cell(X), ["2:1", "3:1", "4:1"]),
        ("<table:table-rows>" + ods_cell(X) + "</table:table-rows>", ["2:1"]),
    ],
)
def test_cells_of_an_ods_stand_behind_each_other(rows: str, places: list[str]) -> None:
    table = read_table("t.ods", ods(ods_row("id", "b", "c"), rows)).value
    assert table is not None
    sources = [cell.source for row in table.rows for cell in row if cell.text]
    assert sources == [Source("t.ods", *map(int, place.split(":"))) for place in places]


def test_what_an_ods_repeats_more_often_than_a_thousand_times_was_not_meant() -> None:
    limits.use({"table-columns": 5000})
    rows = ods_cell(X).replace("row>", 'row table:number-rows-repeated="{}">', 1)
    assert len(read(rows.format(1000)).value) == 1000
    for count in ("1001", " +1073741824 ", str(2**64), "9" * 5_000):  # of ten digits and more they were taken for one
        (problem,) = read(rows.format(count)).problems
        assert problem.startswith("2:1 too-many-cards: this row is there ")
        assert problem.endswith(" times -> delete the rows below the cards")
    no_column = "csv-row: the cell 'x' has no column: the first row names 3 -> "
    for count, inner, told in (
        (1000, X, f"2:4 {no_column}"),
        (1001, X, "2:1 csv-row: the cell stands in column 1, 1001 times -> "),
        (1000, "", f"2:1001 {no_column}"),
        (1001, "", "2:1002 csv-row: the cell stands in column 1002, 1 times -> "),
    ):
        row = f"<table:table-row>{times(count, inner)}{times(1)}</table:table-row>"
        (problem,) = read(row).problems
        assert problem.startswith(told)


def test_a_row_of_an_ods_may_be_so_wide() -> None:
    limits.use({"table-columns": 4})
    for count, problem in (
        (3, "2:4 csv-row: the cell 'x' has no column"),
        (4, "2:5 csv-row: the row has more than 4 cells"),
    ):
        (told,) = read(f"<table:table-row>{times(count)}{times(1)}</table:table-row>").problems
        assert told.startswith(problem)


def test_an_ods_without_a_sheet_is_told() -> None:
    for parts, what in (({"content.xml": "<a/>"}, "it has no sheet"), ({"a": ""}, "its part 'content.xml' is missing")):
        problem = f"1:1 table-file: the table cannot be read: {what} -> {AGAIN}"
        assert rows_of("t.ods", zipped(parts)) == ([], [problem])
