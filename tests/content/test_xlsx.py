"""What a cell of an XLSX file holds, by what is written for it, and where it stands."""

from __future__ import annotations

import pytest

from duckpress.content.tables.tables import read_table
from duckpress.core import limits
from duckpress.core.problems import Source
from workbooks import (
    AGAIN,
    BOOK,
    HEAD,
    LINKS,
    MAIN,
    STRICT,
    STRINGS,
    STYLES,
    book,
    links,
    read_xlsx_rows,
    xlsx_cell,
    xlsx_parts,
    zipped,
)

TEXTS = {
    STRINGS: f'<sst xmlns="{MAIN}"><si><t> first </t></si><other/><si><r><t>se</t></r><r><t>cond</t></r></si></sst>'
}


@pytest.mark.parametrize(
    ("inner", "attributes", "text"),
    [
        ("<v>3.0</v>", "", "3"),
        ("<v>3.5</v>", 't="n"', "3.5"),
        ("<v> many </v>", "", "many"),
        ("<v> x y </v>", 't="str"', "x y"),
        ("<v>1</v>", 't="b"', "TRUE"),
        ("<v>0</v>", 't="b"', "FALSE"),
        ("<v>1</v>", 't="s"', "second"),
        ("<is><r><rPr/><t>a</t></r><rPh><t>b</t></rPh><r><t> c</t></r></is>", 't="inlineStr"', "a c"),
        ("<is><t>a_x000D_\nb_x000d_\nc_x000D_</t></is>", 't="inlineStr"', "a\nb\nc_x000D_"),
        ("<is><t/><r><t/></r></is><v>x</v>", 't="inlineStr"', None),
        ("<f>1+1</f><v>2</v>", "", "2"),
        ("<f>IF(A1,3,&quot;&quot;)</f><v></v>", 't="str"', None),
        ("<f>A1</f>", 't="str"', None), ("<other>1</other>", "", None), ("<v/>", "", None), ("", 't="s"', None),
    ],
)  # fmt: skip
def test_a_cell_of_an_xlsx_holds_a_value(inner: str, attributes: str, text: str | None) -> None:
    row = xlsx_cell(inner, attributes).replace("</row>", '<c t="str"><v>last</v></c></row>')
    assert read_xlsx_rows(row, TEXTS) == ([[text or "", "last"]], [])


@pytest.mark.parametrize(
    ("inner", "attributes", "problem"),
    [
        ("<f>1+1</f>", "", "this formula has no value yet"),
        ("<v>#REF!</v>", 't="e"', "this cell holds the error #REF!"),
        ("<f>A1/0</f><v>#DIV/0!</v>", 't="e"', "this cell holds the error #DIV/0!"),
    ],
)
def test_a_cell_of_an_xlsx_that_holds_no_value_is_told_wherever_it_is(
    inner: str, attributes: str, problem: str
) -> None:
    last = f'<row><c t="str"><v>x</v></c><c {attributes}>{inner}</c></row>'
    for row, column in ((xlsx_cell(inner, attributes), 1), (last, 2)):
        rows, (told,) = read_xlsx_rows(row, TEXTS)
        assert [row[-1] for row in rows] == [""]
        assert told.startswith(f"2:{column} table-value: {problem} -> ")


@pytest.mark.parametrize("number", [2, -1])
def test_a_text_that_is_not_there_is_told(number: int) -> None:
    what = f"1:1 table-file: the table cannot be read: the text of row 2, column 1 is missing -> {AGAIN}"
    assert read_xlsx_rows(xlsx_cell(f"<v>{number}</v>", 't="s"'), TEXTS) == ([], [what])


def test_a_date_may_be_written_as_iso_has_it() -> None:
    styles = f'<styleSheet xmlns="{MAIN}"><cellXfs><xf/><xf numFmtId="20"/><xf numFmtId="15"/></cellXfs></styleSheet>'
    for style, value, shown in (
        (2, "2026-01-03", "3-Jan-26"),
        (1, "2026-01-03T18:30:00Z", "18:30"),
        (2, "soon", "soon"),
    ):
        rows, _ = read_xlsx_rows(xlsx_cell(f"<v>{value}</v>", f't="d" s="{style}"'), {STYLES: styles})
        assert rows == [[shown]]


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ('<row><c r="A2"/><c r="C2" {}/></row><row><c {}/></row>', [(2, 3), (3, 1)]),
        ('<row r="5"><c {}/><c r="C5" {}/></row><row><c {}/></row>', [(5, 1), (5, 3), (6, 1)]),
        ('<row r="x"><c r="b2" {}/><c r="B" {}/><c r="C02" {}/></row>', [(2, 1), (2, 2), (2, 3)]),
        ('<other><row><c {}/></row></other>', [(2, 1)]),
    ],
)  # fmt: skip
def test_cells_of_an_xlsx_stand_where_they_say_or_behind_the_last(rows: str, places: list[tuple[int, int]]) -> None:
    rows = rows.replace("{}/>", 't="str"><v>x</v></c>')
    table = read_table("t.xlsx", zipped(xlsx_parts(HEAD + rows))).value
    assert table is not None
    filled = [cell.source for row in table.rows for cell in row if cell.text]
    assert filled == [Source("t.xlsx", *place) for place in places]


@pytest.mark.parametrize(("reference", "columns"), [("A2", 1), ("Z2", 26), ("AB2", 28), ("ALL2", 1000), ("ALM2", 1001)])
def test_a_cell_may_stand_a_thousand_columns_away(reference: str, columns: int) -> None:
    limits.use({"table-columns": 2000})
    rows, problems = read_xlsx_rows(f'<row><c r="{reference}" t="str"><v>x</v></c></row>')
    assert rows == ([] if columns > 1001 else rows)
    assert problems == ([f"2:{columns} csv-row: the cell 'x' has no column: the first row names 3 -> "
                        "delete the cell, or name its column in the first row"] if columns > 3 else [])  # fmt: skip
    far = read_xlsx_rows('<row><c r="ALN2" t="str"><v>x</v></c></row>')
    assert far == ([], ["2:1002 csv-row: the cell stands in column 1002 -> delete it"])


def test_cells_of_an_xlsx_that_go_back_are_told() -> None:
    row = '<row><c r="B2" t="str"><v>x</v></c><c r="A2" t="str"><v>y</v></c></row>'
    assert read_xlsx_rows(row) == ([], ["2:1 csv-row: the cell stands in column 1 -> delete it"])
    again = row.replace("A2", "B2")
    assert read_xlsx_rows(again) == ([], ["2:2 csv-row: the cell stands in column 2 -> delete it"])


HIDDEN = '<sheet name="h" state="hidden" r:id="r0"/><sheet state="veryHidden" r:id="r0"/>'


@pytest.mark.parametrize(
    "parts",
    [
        {BOOK: book(HIDDEN, '<sheet r:id="r1"/>', '<sheet r:id="r0"/>')},
        {BOOK: book('<sheet state="visible" r:id="r1"/>')},
        {BOOK: book('<sheet other="r0" r:id="r1"/>').replace(MAIN, STRICT)},
        {LINKS: links("../xl/./worksheets/sheet1.xml")},
        {STRINGS: f'<sst xmlns="{MAIN}"/>'},
        {STYLES: f'<styleSheet xmlns="{MAIN}"/>'},
    ],
)
def test_the_first_sheet_that_is_not_hidden_is_found(parts: dict[str, str]) -> None:
    for main in (MAIN, STRICT):
        assert read_xlsx_rows(xlsx_cell("<v>2</v>"), parts, main) == ([["2"]], [])


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        ({BOOK: book(HIDDEN)}, "it has no sheet"),
        ({BOOK: book('<sheet r:id="r2"/>')}, "its first sheet is missing"),
        ({LINKS: links("worksheets/sheet2.xml")}, "its part 'xl/worksheets/sheet2.xml' is missing"),
        ({LINKS: links("x" * 90)}, f"its part 'xl/{'x' * 77}' is missing"),
        ({LINKS: links("/x/../../y")}, "its part '../y' is missing"),
        ({LINKS: '<a><b Id="r1"/></a>'}, "its part 'xl' is missing"),
        ({LINKS: "<a>"}, "its part 'xl/_rels/workbook.xml.rels' is not well-formed"),
        ({STRINGS: "<!DOCTYPE a><a/>"}, "its part 'xl/sharedStrings.xml' has a DOCTYPE, which is not read"),
    ],
)
def test_a_book_without_a_sheet_that_can_be_read_is_told(parts: dict[str, str], what: str) -> None:
    assert read_xlsx_rows(xlsx_cell("<v>2</v>"), parts) == (
        [],
        [f"1:1 table-file: the table cannot be read: {what} -> {AGAIN}"],
    )
