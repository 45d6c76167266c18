"""A sheet of an XLSX file -> rows of cells: the values as last calculated, never the formulas.

Source of the names: ECMA-376 part 1, SpreadsheetML (sections 18.2 to 18.4; 18.8.30 and 18.8.31 for number formats).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element

from duckpress.content.tables.cells import (
    CellText,
    SheetError,
    date_cell,
    is_over_own_column,
    number_text,
    numeric_cell,
    placed,
    refused_cell,
    whole_of,
)
from duckpress.content.tables.number_formats import BUILT_IN, FIRST_DAYS, OF_ITS_COMPUTER, NumberFormat, read_format
from duckpress.content.tables.zipped_xml import Package
from duckpress.content.yaml.nodes import quoted
from duckpress.core.coordinates import letters_column
from duckpress.core.problems import Source
from duckpress.files.archives import BadArchive

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_STRINGS = "xl/sharedStrings.xml"
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
# Elements of the styles. Source: Excel specifications and limits, 65,490 cell formats; each holds two more at most.
_MOST_STYLES = 200_000
_RETURN = re.compile("_x000[Dd]_(?=\n)")  # how a line break of two characters is written. Source: ECMA-376, ST_Xstring
_FAR = 1_000  # columns; beyond it a cell was typed by accident


_GENERAL = read_format("General")


class XlsxSheet(NamedTuple):
    """The part that holds a sheet, and whether its days are counted from 1904 on."""

    part: str
    is_from_1904: bool


def xlsx_sheets(package: Package) -> dict[str, XlsxSheet]:
    """Return the sheets that are not hidden by name, in order; `BadArchive` if broken."""
    book = package.xml("xl/workbook.xml")
    is_from_1904 = any(properties.get("date1904") in ("1", "true") for properties in _all(book, "workbookPr"))
    sheets = [sheet for sheet in _all(book, "sheet") if sheet.get("state", "visible") == "visible"]
    links = {link.get("Id"): link.get("Target", "") for link in package.xml("xl/_rels/workbook.xml.rels")}
    parts: dict[str, XlsxSheet] = {}
    for sheet in sheets:
        wanted = next((value for name, value in sheet.items() if name.endswith("}id")), None)
        target = links.get(wanted)
        if target is None:
            raise BadArchive(
                f"its sheet {quoted(sheet.get('name', ''))} is missing" if parts else "its first sheet is missing"
            )
        part = posixpath.normpath(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
        parts.setdefault(sheet.get("name", ""), XlsxSheet(part, is_from_1904))
    return parts


def read_xlsx(path: str, package: Package, which: XlsxSheet) -> Iterator[list[CellText]]:
    """Yield the rows of a sheet, empty ones left out; `Source` is the row and the column of a cell.

    Raises `BadArchive` for a file that cannot be read, `SheetError` for a row that is none.
    """
    sheet = package.xml(which.part)
    strings = package.xml(_STRINGS) if _STRINGS in package else ()
    # Stripped here, not in each cell: a million cells may show the same long text.
    texts = [_written(item).strip() for item in strings if _name(item) == "si"]
    formats = _formats(package, is_from_1904=which.is_from_1904)
    number = 0
    for row in _all(sheet, "row"):
        number = whole_of(row.get("r"), number + 1)
        cells: list[CellText] = []
        column = 0
        for cell in _children(row, "c"):
            column = _column(cell.get("r"), column + 1)
            source = Source(path, number, column)
            value = _value(cell, texts, formats, source)
            if value.is_filled:
                empty = column - 1 - len(cells)
                if empty > _FAR or empty < 0:
                    raise SheetError("csv-row", source, f"the cell stands in column {column}", "delete it")
                cells += placed(value, len(cells))
        if cells:
            yield cells


class _Formats(NamedTuple):
    """The number formats of the cell styles, those of its computer, and from when days are counted."""

    of_styles: list[NumberFormat]
    local: frozenset[int]
    is_from_1904: bool


def _formats(package: Package, *, is_from_1904: bool) -> _Formats:
    if "xl/styles.xml" not in package:
        return _Formats([], frozenset(), is_from_1904)
    styles = package.xml("xl/styles.xml", _MOST_STYLES)
    own = {
        whole_of(style.get("numFmtId"), -1): style.get("formatCode", "General")
        for group in _children(styles, "numFmts")
        for style in _children(group, "numFmt")
    }
    codes = BUILT_IN | own
    crossed = next(_all(styles, "cellXfs"), None)
    numbers = [] if crossed is None else [whole_of(style.get("numFmtId"), 0) for style in _children(crossed, "xf")]
    read = {
        number: read_format(codes[number]) for number in set(numbers) & codes.keys() if codes[number] != _GENERAL.code
    }
    local = frozenset(at for at, number in enumerate(numbers) if number in OF_ITS_COMPUTER - own.keys())
    return _Formats([read.get(number, _GENERAL) for number in numbers], local, is_from_1904)


def _value(cell: Element, texts: list[str], formats: _Formats, source: Source) -> CellText:
    kind = cell.get("t")
    if kind == "inlineStr":
        return CellText("".join(_written(child) for child in _children(cell, "is")).strip(), source)
    value = next((child.text or "" for child in _children(cell, "v")), "")
    formula = next(_children(cell, "f"), None)
    if kind == "str":  # a formula may give an empty text
        return CellText(value.strip(), source)
    if not value:
        if formula is None:
            return CellText("", source)
        fix = "open the file in a spreadsheet program and save it"
        return refused_cell(source, "this formula has no value yet", fix)
    if kind == "s":
        index = whole_of(value, -1)
        if not 0 <= index < len(texts):
            raise BadArchive(f"the text of row {source.line}, column {source.column} is missing")
        return CellText(texts[index], source)
    if kind == "b":
        return CellText("TRUE" if value.strip() == "1" else "FALSE", source)
    if kind == "e":
        return refused_cell(source, f"this cell holds the error {value}", "correct the formula in the spreadsheet")
    read = _number(value, whole_of(cell.get("s"), 0), formats, source, is_iso=kind == "d")
    return read if formula is None else read._replace(is_sum=is_over_own_column(formula.text or "", source))


def _number(value: str, style: int, formats: _Formats, source: Source, *, is_iso: bool) -> CellText:
    """Return the cell of a number, or of a date as ISO 8601 has it."""
    format_ = formats.of_styles[style] if style < len(formats.of_styles) else _GENERAL
    number = _days(value, is_from_1904=formats.is_from_1904) if is_iso else number_text(value)
    if format_ is _GENERAL and not is_iso:
        return CellText(number, source)
    shown = format_.shown(number, is_from_1904=formats.is_from_1904)
    if is_iso or format_.is_date(number):
        return date_cell(source, shown if format_.is_date(number) else None, is_local=style in formats.local)
    return numeric_cell(source, number, shown, f"its format {quoted(format_.code)}")


def _days(text: str, *, is_from_1904: bool) -> str:
    """Return a date as its number of days; what is none as it is."""
    try:
        passed = datetime.fromisoformat(text.strip().removesuffix("Z")) - FIRST_DAYS[is_from_1904]
    except ValueError:
        return text
    return f"{passed.days + passed.seconds / 86_400:.15g}"


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
