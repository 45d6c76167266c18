"""A sheet of an XLSX file -> rows of cells: the values as last calculated, never the formulas.

Source of the names: ECMA-376 part 1, SpreadsheetML (sections 18.2 to 18.4; 18.8.30 and 18.8.31 for number formats).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from duckpress.content.tables.cells import CellText, Faults, SheetError, number_text, placed, shown_otherwise, whole_of
from duckpress.content.tables.zipped_xml import Package
from duckpress.content.yaml.nodes import quoted
from duckpress.core.coordinates import letters_column
from duckpress.core.problems import Source
from duckpress.files.archives import BadArchive

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_STRINGS = "xl/sharedStrings.xml"
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
# Formats that have a number instead of a code. Source: ECMA-376 part 1, 18.8.30; for money, what Excel shows.
_BUILT_IN = {
    number: code
    for code, numbers in (
        ("0", (1,)),
        ("0.00", (2,)),
        ("#,##0", (3,)),
        ("#,##0.00", (4,)),
        ("$#,##0", (5, 6, 42)),
        ("$#,##0.00", (7, 8, 44)),
        ("0%", (9,)),
        ("0.00%", (10,)),
        ("0.00E+00", (11, 48)),
        ("# ?/?", (12, 13)),
        ("d/m/yy h:mm", (*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59))),
        ("#,##0;(#,##0)", (37, 38, 41)),
        ("#,##0.00;(#,##0.00)", (39, 40, 43)),
        ("@", (49,)),
    )
    for number in numbers
}
# Elements of the styles. Source: Excel specifications and limits, 65,490 cell formats; each holds two more at most.
_MOST_STYLES = 200_000
_LONGEST = 255  # characters; spreadsheets take no longer format
_COLOUR = r"black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2}"
# Words, then what shows nothing of its own (a colour, a language, the width of a sign, a sign that fills the cell).
_SIGNS = re.compile(rf'"([^"]*)"|\\(.)|\[(?:{_COLOUR}|\$-[^\]]*)\]|(\[[^\]]*\])|_.|\*.', re.DOTALL | re.IGNORECASE)
_WORD = '"'  # stands for any words
_DIGITS = re.compile(r"([0#?,]*[0#?])(?:\.([0#?]*))?")
_TYPED = re.compile(r"(\d+)(?:\.(\d+))?")
_RETURN = re.compile("_x000[Dd]_(?=\n)")  # how a line break of two characters is written. Source: ECMA-376, ST_Xstring
_FAR = 1_000  # columns; beyond it a cell was typed by accident


class NumberFormat(NamedTuple):
    """A format as written, and its sections (for numbers, negative numbers, zero, texts) without what shows nothing."""

    code: str
    sections: tuple[str, ...]

    @property
    def is_date(self) -> bool:
        """Whether it shows numbers as dates or times of day."""
        return any(re.search("[dmyh]", section) for section in self.sections)

    def shows(self, number: str) -> bool:
        """Return whether a number, written as a person would type it, looks just so."""
        digits = number.removeprefix("-")
        which = 1 if digits != number else 2 if number == "0" else 0
        if which >= len(self.sections):
            which = 0
        section = self.sections[which]
        if which == 1:
            if not section.startswith("-"):
                return False
            section = section[1:].strip()
        return section in ("general", "@") or _shows_digits(section, digits)


def _read_format(code: str) -> NumberFormat:
    """Return a format; one that is longer than spreadsheets take shows no number as it is."""
    signs = _SIGNS.sub(_sign, code.lower()) if len(code) <= _LONGEST else _WORD
    return NumberFormat(code, tuple(section.strip() for section in signs.split(";")))


def _sign(match: re.Match[str]) -> str:
    words = match[1] or match[2] or match[3] or ""
    return _WORD if words.strip() else words


def _shows_digits(section: str, digits: str) -> bool:
    """Return whether places for digits are filled by those there are: none added, left out, rounded or parted."""
    places, typed = _DIGITS.fullmatch(section), _TYPED.fullmatch(digits)
    if places is None or typed is None:
        return False
    whole, decimals = places.groups()
    units, fraction = typed.groups()
    least = len(whole.replace(",", "").lstrip("#?"))
    if len(units) < least or (units == "0" and not least) or ("," in whole and len(units) > 3):
        return False
    if decimals is None or fraction is None:
        return decimals is fraction
    return len(decimals.rstrip("#?")) <= len(fraction) <= len(decimals)


_GENERAL = _read_format("General")


def xlsx_sheets(package: Package) -> dict[str, str]:
    """Return the names of the sheets that are not hidden, in order, and the part of each; `BadArchive` if broken."""
    book = package.xml("xl/workbook.xml")
    sheets = [sheet for sheet in _all(book, "sheet") if sheet.get("state", "visible") == "visible"]
    links = {link.get("Id"): link.get("Target", "") for link in package.xml("xl/_rels/workbook.xml.rels")}
    parts: dict[str, str] = {}
    for sheet in sheets:
        wanted = next((value for name, value in sheet.items() if name.endswith("}id")), None)
        target = links.get(wanted)
        if target is None:
            raise BadArchive(
                f"its sheet {quoted(sheet.get('name', ''))} is missing" if parts else "its first sheet is missing"
            )
        part = posixpath.normpath(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
        parts.setdefault(sheet.get("name", ""), part)
    return parts


def read_xlsx(path: str, package: Package, part: str, faults: Faults) -> Iterator[list[CellText]]:
    """Yield the rows of a sheet, empty ones left out; `Source` is the row and the column of a cell.

    A cell whose value cannot be used is empty, and `faults` gets its problem. Raises `BadArchive` for a file that
    cannot be read, `SheetError` for a row that is none.
    """
    sheet = package.xml(part)
    strings = package.xml(_STRINGS) if _STRINGS in package else ()
    # Stripped here, not in each cell: a million cells may show the same long text.
    texts = [_written(item).strip() for item in strings if _name(item) == "si"]
    formats = _formats(package)
    number = 0
    for row in _all(sheet, "row"):
        number = whole_of(row.get("r"), number + 1)
        cells: list[CellText] = []
        column = 0
        for cell in _children(row, "c"):
            column = _column(cell.get("r"), column + 1)
            source = Source(path, number, column)
            try:
                text = _text(cell, texts, formats, source)
            except SheetError as error:
                text, faults[source] = "", error.problem
            if text:
                empty = column - 1 - len(cells)
                if empty > _FAR or empty < 0:
                    raise SheetError("csv-row", source, f"the cell stands in column {column}", "delete it")
                cells += placed(text, source, len(cells))
        if cells:
            yield cells


def _formats(package: Package) -> list[NumberFormat]:
    """Return the number formats of the cell styles."""
    if "xl/styles.xml" not in package:
        return []
    styles = package.xml("xl/styles.xml", _MOST_STYLES)
    own = {
        whole_of(style.get("numFmtId"), -1): style.get("formatCode", "General")
        for group in _children(styles, "numFmts")
        for style in _children(group, "numFmt")
    }
    codes = _BUILT_IN | own
    crossed = next(_all(styles, "cellXfs"), None)
    numbers = [] if crossed is None else [whole_of(style.get("numFmtId"), 0) for style in _children(crossed, "xf")]
    read = {number: _read_format(codes[number]) for number in set(numbers) & codes.keys()}
    return [read.get(number, _GENERAL) for number in numbers]


def _text(cell: Element, texts: list[str], formats: list[NumberFormat], source: Source) -> str:
    kind = cell.get("t")
    if kind == "inlineStr":
        return "".join(_written(child) for child in _children(cell, "is")).strip()
    value = next((child.text or "" for child in _children(cell, "v")), "")
    if not value:
        if next(_children(cell, "f"), None) is not None:
            what, fix = "this formula has no value yet", "open the file in a spreadsheet program and save it"
            raise SheetError("table-value", source, what, fix)
        return ""
    if kind == "s":
        index = whole_of(value, -1)
        if not 0 <= index < len(texts):
            raise BadArchive(f"the text of row {source.line}, column {source.column} is missing")
        return texts[index]
    if kind == "b":
        return "TRUE" if value.strip() == "1" else "FALSE"
    if kind == "e":
        what = f"this cell holds the error {value}"
        raise SheetError("table-value", source, what, "correct the formula in the spreadsheet")
    if kind == "str":
        return value.strip()
    style = whole_of(cell.get("s"), 0)
    shown = formats[style] if style < len(formats) else _GENERAL
    if kind == "d" or shown.is_date:
        what = "this cell holds a date: spreadsheets make one of words such as 3-1"
        raise SheetError("table-value", source, what, "give the column the format Text and type it again")
    number = number_text(value)
    if not shown.shows(number):
        raise shown_otherwise(source, number, f"which its format {quoted(shown.code)} shows in another way")
    return number


def _written(element: Element) -> str:
    """Return the text of a string, its runs joined, without the reading aids of Japanese (`rPh`)."""
    parts = []
    for child in element:
        name = _name(child)
        if name == "t":
            parts.append(child.text or "")
        elif name == "r":
            parts += [run.text or "" for run in _children(child, "t")]
    return _RETURN.sub("", "".join(parts))


def _name(element: Element) -> str:
    return str(element.tag).removeprefix(_MAIN).removeprefix(_STRICT)


def _children(element: Element, name: str) -> Iterator[Element]:
    tags = (_MAIN + name, _STRICT + name, name)
    return (child for child in element if child.tag in tags)


def _all(element: Element, name: str) -> Iterator[Element]:
    tags = (_MAIN + name, _STRICT + name, name)
    return (inner for inner in element.iter() if inner.tag in tags)


def _column(reference: str | None, default: int) -> int:
    """Return the number of a reference's column: `AB7` is 28."""
    match = _REFERENCE.fullmatch(reference or "")
    return default if match is None else letters_column(match[1]) + 1
