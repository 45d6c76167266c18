"""Formats of numbers in XLSX files: which show a number as it is, which do not, and which make a date of it."""

from __future__ import annotations

import pytest

from workbooks import (
    MAIN,
    STYLES,
    read_xlsx_rows,
    xlsx_cell,
)


def shown(value: str, code: str) -> str:
    """Return how a cell is taken that shows a value by a format: `as it is`, `a date` or `otherwise`."""
    quoted = code.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    formats = f'<numFmts><numFmt numFmtId="190"/><numFmt numFmtId="180" formatCode="{quoted}"/></numFmts>'
    return taken(value, f'{formats}<cellXfs><xf numFmtId="180"/></cellXfs>')


def taken(value: str, styles: str) -> str:
    parts = {STYLES: f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'}
    rows, problems = read_xlsx_rows(xlsx_cell(f"<v>{value}</v>", 's="0"'), parts)
    if not problems:
        assert rows == [[value]]
        return "as it is"
    (problem,) = problems
    return "a date" if "holds a date" in problem else "otherwise" if "shows in another way" in problem else problem


AS_IT_IS = [
    "5 General", "5 GENERAL", "-5 general", "5 @", "5 0", "0 0", "123 000", "5 #", "5 ?", "-5 0", "5 0;", "-5 0;-0",
    "-5 0;- 0", "-5 x;-0", "0 0;-0", "0 x;x;0", "0 0.0;-0;0", "5 0;x;z", "0.5 0.0", "5.5 0.0#", "5.55 0.0#",
    "5.55 0.??", "5.5 #.0", "999 #,##0", "5 #,##0", "100.5 #,##0.0", "5 0\\ ", '5 0" "', '5 " "0', "5 [Red]0",
    "5 [color 12]0", "5 [Color1]0", "5 [$-409]0", "5 _x0", "5 *x0", "5 0_)", "5 0;x", "5 0;x;x;x", "5 0" + " " * 254,
]  # fmt: skip
OTHERWISE = [
    "5 00", "0 #", "0 ?", "0.5 #.0", "0.5 .0", "1000 #,##0", "5 0,", "5 0.", "5 0.0", "5.5 0", "5.5 0.00", "5.55 0.0",
    "5 0%", "5 $0", "5 0x", "5 x", "5 ", "-5 0;0", "-5 0;", "-5 0;x", "-5 0;-x", "-5 0;-00", "0 0;-0;x", "0 0;-0;",
    "5 0\\x", '5 0"x"', '5 "d"0', '5 "#"0', "5 [<5]0", "5 [$€-407]0", "5 [pink]0", "5 0 0", "5 0" + " " * 255,
    "5 ss", "1e-07 0",
]  # fmt: skip
DATES = ["5 d", "5 yy", "5 mm", "5 [h]:mm", "5 H", "5 0;d", "5 [$-409]d", '5 "x"d']


@pytest.mark.parametrize(
    ("case", "how"),
    [
        *((case, "as it is") for case in AS_IT_IS),
        *((case, "otherwise") for case in OTHERWISE),
        *((case, "a date") for case in DATES),
    ],
)
def test_a_number_is_taken_where_its_format_shows_it_as_it_is(case: str, how: str) -> None:
    assert shown(*case.split(" ", 1)) == how


def test_the_formats_that_have_no_code_are_known() -> None:
    """Source: ECMA-376 part 1, 18.8.30. A letter a format, in rows of ten: . as it is, ! otherwise, d a date."""
    letters = {"as it is": ".", "otherwise": "!", "a date": "d"}

    def map_of(value: str) -> str:
        styles = (f'<cellXfs><xf numFmtId="{number}"/></cellXfs>' for number in range(60))
        line = "".join(letters[taken(value, style)] for style in styles)
        return " ".join(line[at : at + 10] for at in range(0, 60, 10))

    assert map_of("2") == "..!.!!!!!! !!!!dddddd ddd....ddd ddddddd..! !.!!!ddd!. ddddddddd."
    assert map_of("2.25") == ".!.!.!!!!! !!!!dddddd ddd....ddd ddddddd!!. .!!.!ddd!. ddddddddd."


def test_a_style_that_is_not_there_is_general() -> None:
    styles = '<cellXfs><xf/><xf numFmtId="99"/><xf numFmtId="x"/></cellXfs><cellXfs><xf numFmtId="14"/></cellXfs>'
    parts = {STYLES: f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'}
    for style in ("0", "1", "2", "3", "4", "-1", "x"):
        assert read_xlsx_rows(xlsx_cell("<v>2.25</v>", f's="{style}"'), parts) == ([["2.25"]], [])
    first = {STYLES: f'<styleSheet xmlns="{MAIN}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>'}
    assert read_xlsx_rows(xlsx_cell("<v>2</v>"), first) == ([["2"]], [])
    own = '<numFmts><numFmt numFmtId="14" formatCode="0"/><numFmt formatCode="d"/><numFmt numFmtId="99"/></numFmts>'
    odd = styles.replace('"x"', '"1"')
    parts = {STYLES: f'<styleSheet xmlns="{MAIN}">{own}{odd}</styleSheet>'}
    assert read_xlsx_rows(xlsx_cell("<v>2.25</v>", 's="1"'), parts) == ([["2.25"]], [])
    assert read_xlsx_rows(xlsx_cell("<v>2</v>", 's="2"'), parts) == ([["2"]], [])
    own += styles
    parts = {STYLES: f'<styleSheet xmlns="{MAIN}">{own.replace("99", "14")}</styleSheet>'}
    assert read_xlsx_rows(xlsx_cell("<v>2</v>", 's="1"'), parts) == ([["2"]], [])
