"""Formats of numbers in XLSX files: what a cell shows, and where programs may differ, so that nothing is guessed."""

from __future__ import annotations

import re

import openpyxl
import pytest

from duckpress.content.tables.number_formats import BUILT_IN, read_format
from workbooks import BOOK, HEAD, MAIN, STYLES, book, read_xlsx_rows, rows_of, xlsx_cell, xlsx_parts, zipped


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [
        ("5", "General", "5"), ("0.1", "General", "0.1"), ("5", "@", "5"),
        ("5", 'General" pts"', "5 pts"), ("-0.1", "General;-General", "-0.1"), ("many", "0", "many"),
        ("7", "000", "007"), ("5", "0;d", "5"), ("2.5", "0", "3"),
        ("1.005", "0.00", "1.01"), ("1e-07", "0.0", "0.0"), ("0", "#", ""), ("7", "???", "7"),
        ("0.5", "#.0", ".5"), ("1.5", ".00", "1.50"), ("0.5", "0.##", "0.5"), ("5", "0.##", "5."),
        ("1200", "#,##0", "1,200"), ("1234567.891", "#,##0.00", "1,234,567.89"),
        ("1234567", "0.0,,", "1.2"), ("1234567", '0.0,,"M"', "1.2M"), ("1000", "0,", "1"),
        ("0.5", "0%", "50%"), ("0.125", "0.0%", "12.5%"), ("-0.5", "0%", "-50%"),
        ("1234.5", "$#,##0.00", "$1,234.50"), ("-1234.5", "$#,##0.00", "-$1,234.50"),
        ("1234.5", '#,##0.00\\ "€"', "1,234.50 €"), ("2.25", "[$€-407] 0.00", "€ 2.25"),
        ("2.25", "0.00\\ [$kr.-406]", "2.25 kr."), ("3", "[$¥-411]0", "¥3"), ("3", "0[$€-x-euro2]", "3€"),
        ("-5", "0;(0)", "(5)"), ("-5", "0;[Red]-0", "-5"),
        ("0", '0;-0;"none"', "none"), ("0", "0;-0;", ""), ("2", ";;;", ""), ("-5", "0;;", ""),
        ("5", "[Red]0", "5"), ("5", "[$-409]0", "5"), ("2.5", "[$-en-US]0.0", "2.5"),
        ("5", '0 "m" ', "5 m"), ("5", "0\\x", "5x"), ("5", '"d"0', "d5"), ("5", "_x0_)", "5"), ("5", "* 0", "5"),
        ("5551234", "000-0000", "555-1234"), ("5", '"none"', "none"), ("5", "0k²", None),
        ("12345.678", "0.00E+00", "1.23E+04"), ("0.00123", "0.0E-0", "1.2E-3"), ("9.96", "0.0E+0", "1.0E+1"),
        ("0", "0.00E+00", "0.00E+00"), ("12345", "##0.0E+0", None),
        ("0.5", "# ?/?", None), ("5", "[<5]0;0.0", None), ("5", "0x", None), ("5", "[pink]0", None), ("5", "*x0", None),
        ("5", "0" + " " * 255, None), ("5", "0;0;0;0;0", None), ("-0.001", "0.00", None), ("-5", "0;", None),
        ("1.5", "[$-407]0.0", None), ("1500", "[$-fr-FR]#,##0", None), ("5", "[$-407]0", "5"), ("5", '0"', None),
        ("5", "0.0.0", None), ("5", ",0", None), ("5", "0.0%E+0", None), ("5", "[DBNum1]0", None), ("5", "0.0,0", None),
    ],
)  # fmt: skip
def test_a_number_is_shown_as_spreadsheets_show_it(number: str, code: str, shown: str | None) -> None:
    format_ = read_format(code)
    assert (format_.shown(number), format_.is_date(number)) == (shown, False)


@pytest.mark.parametrize(
    ("number", "code", "shown"),
    [
        ("46025.75", "d/m/y h:mm", "3/1/26 18:00"), ("46025", "dd.mm.yyyy", "03.01.2026"),
        ("46025", "yyyy-mm-dd", "2026-01-03"),
        ("46025", "yyyy-mm-dd;@", "2026-01-03"), ("46025.5", "yyyy\\-mm\\-dd\\Thh:mm:ss", "2026-01-03T12:00:00"),
        ("46025", "d-mmm-yy", "3-Jan-26"), ("46025", "dddd, mmmm d, yyyy", "Saturday, January 3, 2026"),
        ("46025", "ddd", "Sat"), ("46025", "[$-409]mmmm", "January"), ("46025", "[$-407]d. mmmm yyyy", None),
        ("46025", "[$-407]dd.mm.yyyy", "03.01.2026"), ("46025", "[$-F800]dddd, mmmm dd, yyyy", None),
        ("46025", "mmmmm", None),
        ("0.75", "h:mm AM/PM", "6:00 PM"), ("0.25", "h:mm a/p", "6:00 A"), ("0", "h AM/PM", "12 AM"),
        ("0.75", "hh:mm:ss", "18:00:00"),
        ("0.75", "m", None), ("1.5", "[h]:mm:ss", "36:00:00"), ("0.5", "[m]", "720"), ("0.001", "[s]", "86"),
        ("0.00001", "ss.00", "00.86"), ("0.00001", "mm:ss.0", "00:00.9"), ("46025.999999", "d/m/yyyy", "3/1/2026"),
        ("46025.999999", "d h:mm", "4 0:00"),
        ("59", "d/m/y", None), ("61", "d/m/yyyy", "1/3/1900"), ("-1", "d/m/y", None), ("9999999", "d/m/y", None),
        ("5", "g d", None), ("46025", "yyyy 0", None), ("46025", "b2yyyy d", None), ("46025", "ddddd", None),
        ("0.5", "hhh", None), ("-5", "0;d", None),
    ],
)  # fmt: skip
def test_a_date_is_shown_as_spreadsheets_show_it(number: str, code: str, shown: str | None) -> None:
    format_ = read_format(code)
    assert (format_.shown(number), format_.is_date(number)) == (shown, True)


def test_the_formats_that_have_no_code_are_known() -> None:
    """Source: ECMA-376 part 1, 18.8.30; what Excel shows in the USA, without colours and needless quotes."""
    known = openpyxl.styles.numbers.BUILTIN_FORMATS.items()
    told = {number: code.replace('"$"', "$").replace("\\", "").replace("[Red]", "") for number, code in known}
    told |= {
        14: "m/d/yyyy",
        22: "m/d/yyyy h:mm",
        47: "mm:ss.0",
        **dict.fromkeys((*range(27, 37), *range(50, 59)), "g d"),
    }
    told[44] = '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'
    assert told == BUILT_IN
    assert [read_format(BUILT_IN[44]).shown(number) for number in ("1234.5", "-2", "0")] == [
        "$1,234.50",
        "$(2.00)",
        "$-",
    ]


def styles_of(*codes: str) -> dict[str, str]:
    """Return the part of a workbook with a style for each format, a code or the number of one that has none."""
    own = [(180 + at, code) for at, code in enumerate(codes) if not code.isdecimal()]
    quoted = [(at, code.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")) for at, code in own]
    formats = "".join(f'<numFmt numFmtId="{at}" formatCode="{code}"/>' for at, code in quoted)
    numbers = [code if code.isdecimal() else str(180 + at) for at, code in enumerate(codes)]
    crossed = "".join(f'<xf numFmtId="{number}"/>' for number in numbers)
    styles = f'<numFmts><numFmt numFmtId="190"/>{formats}</numFmts><cellXfs>{crossed}</cellXfs>'
    return {STYLES: f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'}


@pytest.mark.parametrize(
    ("number", "code", "text", "value", "told_of_text", "told_of_number"),
    [
        ("1200", '"$"#,##0.00', "$1,200.00", "1200", "", ""),
        ("0.5", "9", "50%", "0.5", "", ""),
        ("0", "0;-0;", "", "0", "", ""),
        ("5", "[<5]0;0.0", "", "5", "the number 5, and it is not sure how its format '[<5]0;0.0' shows it", ""),
        ("46025", "yyyy-mm-dd", "2026-01-03", "", "", "a date, shown as '2026-01-03'"),
        ("46025", "14", "1/3/2026", "", *["a date, shown as '1/3/2026' in the USA and otherwise elsewhere"] * 2),
        ("46025", "[$-407]mmmm", "", "", *["a date, and it is not sure how it is shown"] * 2),
    ],
)
def test_texts_read_what_a_cell_shows_and_numbers_what_it_is(
    number: str, code: str, text: str, value: str, told_of_text: str, told_of_number: str
) -> None:
    row = f'<row><c t="str"><v>last</v></c><c s="0"><v>{number}</v></c></row>'  # the last filled cell of its row
    data = zipped(xlsx_parts(HEAD + row, styles_of(code)))
    for as_number, shown, told in ((False, text, told_of_text), (True, value, told_of_number)):
        rows, problems = rows_of("t.xlsx", data, as_number=as_number)
        expected = [f"2:2 table-value: this cell holds {told}"] if told else []
        assert (rows, [re.split(" -> |; spread", one)[0] for one in problems]) == ([["last", shown]], expected)


def test_days_of_a_workbook_may_be_counted_from_1904_on() -> None:
    is_1904 = book('<sheet name="a" r:id="r1"/>').replace("<sheets>", '<workbookPr date1904="1"/><sheets>')
    parts = styles_of("yyyy-mm-dd") | {BOOK: is_1904}
    assert read_xlsx_rows(xlsx_cell("<v>44563</v>", 's="0"'), parts) == ([["2026-01-03"]], [])


def test_a_style_that_is_not_there_is_general() -> None:
    styles = '<cellXfs><xf/><xf numFmtId="99"/><xf numFmtId="x"/></cellXfs><cellXfs><xf numFmtId="14"/></cellXfs>'
    parts = {STYLES: f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'}
    for style in ("0", "1", "2", "3", "4", "-1", "x"):
        assert read_xlsx_rows(xlsx_cell("<v>2.25</v>", f's="{style}"'), parts) == ([["2.25"]], [])
    first = {STYLES: f'<styleSheet xmlns="{MAIN}"><cellXfs><xf/><xf numFmtId="14"/></cellXfs></styleSheet>'}
    assert read_xlsx_rows(xlsx_cell("<v>2</v>"), first) == ([["2"]], [])
