"""How much the tables of a game may be, in elements, bytes, cells and letters."""

from __future__ import annotations

import pytest

from duckpress.content.tables import workbooks
from duckpress.content.tables.cells import TableRoom
from duckpress.content.tables.tables import read_table
from duckpress.core import limits
from workbooks import HEAD, STYLES, read_xlsx_rows, rows_of, xlsx_cell, xlsx_parts, zipped


def test_the_parts_that_are_read_may_be_so_long_together() -> None:
    parts = xlsx_parts(HEAD + xlsx_cell("<v>2</v>"))
    letters = 2 * sum(map(len, parts.values()))
    for most in (letters, letters - 1):
        limits.use({"sheet-file": most})
        room = TableRoom()
        assert not read_table("t.xlsx", zipped({**parts, "other.xml": "x" * 500}), room).problems
        codes = [one.code for one in read_table("t.xlsx", zipped(parts), room).problems]
        assert codes == ([] if most == letters else ["table-file"])


def test_the_parts_that_are_read_may_have_so_many_elements_together() -> None:
    parts = xlsx_parts(HEAD + xlsx_cell("<v>2</v>"))
    elements = 3 + 3 + 2 + 7 + 3
    limits.use({"sheet-elements": elements})
    room = TableRoom()
    assert not read_table("t.xlsx", zipped(parts), room).problems
    assert room.elements == 0
    limits.use({"sheet-elements": elements - 1})
    assert f"--limit sheet-elements=NUMBER (now {elements - 1})" in rows_of("t.xlsx", zipped(parts)).problems[0]


def test_styles_have_no_more_elements_than_a_spreadsheet_can_need(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {STYLES: "<styleSheet><cellXfs><xf/></cellXfs></styleSheet>"}
    monkeypatch.setattr(workbooks, "_MOST_STYLES", 3)
    assert not read_xlsx_rows(xlsx_cell("<v>2</v>"), parts).problems
    monkeypatch.setattr(workbooks, "_MOST_STYLES", 2)
    (problem,) = read_xlsx_rows(xlsx_cell("<v>2</v>"), parts).problems
    assert "its part 'xl/styles.xml' has more elements than a spreadsheet can need" in problem


def test_elements_lie_in_each_other_a_hundred_deep() -> None:
    for depth, is_fine in ((98, True), (99, False)):
        nested = "<a/>" * 120 + "<a>" * depth + "</a>" * depth
        told = read_xlsx_rows(xlsx_cell("<v>2</v>") + nested).problems
        assert is_fine if not told else "has elements more than 100 deep in each other" in told[0]


def test_a_letter_of_a_cell_may_have_so_many_marks() -> None:
    fits, over = ("x" + "\u0301" * count for count in (30, 31))
    rows = HEAD + "".join(f'<row><c t="str"><v>{text}</v></c></row>' for text in (fits, over))
    table = read_table("a.xlsx", zipped(xlsx_parts(rows))).value
    assert table is not None
    (text, fine), (empty, problem) = (row[0].read(as_number=False) for row in table.rows)
    assert (text, fine, empty) == (fits, None, "")
    assert problem is not None
    assert (problem.code, problem.source.line, problem.source.column) == ("too-many-marks", 3, 1)
