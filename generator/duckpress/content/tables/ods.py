"""A sheet of an ODS file -> rows of cells: the values as last calculated, never the formulas.

Source of the names: OpenDocument 1.3 part 3, chapters 9 (tables) and 19.385 (value types).
"""

from __future__ import annotations

from collections.abc import Iterator
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
from duckpress.content.tables.zipped_xml import Package
from duckpress.core.problems import Source

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_FAR = 1_000  # a filled cell repeated more often than this was not meant as cards
_LONGEST_SPACE = 1_000


def ods_sheets(package: Package) -> dict[str, Element]:
    """Return the sheets by name, in order; raises `BadArchive` for a file that cannot be read."""
    sheets: dict[str, Element] = {}
    for sheet in package.xml("content.xml").iter(f"{_TABLE}table"):
        sheets.setdefault(sheet.get(f"{_TABLE}name", ""), sheet)
    return sheets


def read_ods(path: str, sheet: Element) -> Iterator[list[CellText]]:
    """Yield the rows of a sheet, empty ones left out; `Source` is the row and the column of a cell.

    Raises `SheetError` for a row that is none.
    """
    number = 1
    for row in sheet.iter(f"{_TABLE}table-row"):
        times = _repeats(row, "rows")
        cells = _cells(row, path, number)
        if cells:
            if times > _FAR:  # rows that a table repeats to the end of the sheet
                fix = "delete the rows below the cards"
                raise SheetError("too-many-cards", cells[0].source, f"this row is there {times} times", fix)
            for again in range(times):
                yield cells if not again else [cell.moved(cell.source._replace(line=number + again)) for cell in cells]
        number += times


def _cells(row: Element, path: str, number: int) -> list[CellText]:
    cells: list[CellText] = []
    empty = 0
    for cell in row:
        if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        times = _repeats(cell, "columns")
        source = Source(path, number, len(cells) + empty + 1)
        value = _value(cell, source)
        if not value.is_filled:
            empty += times
            continue
        if times > _FAR or empty > _FAR:
            what = f"the cell stands in column {source.column}, {times} times"
            raise SheetError("csv-row", source, what, "delete it")
        cells += placed(value, len(cells), times)
        empty = 0
    return cells


def _value(cell: Element, source: Source) -> CellText:
    kind, formula = cell.get(f"{_OFFICE}value-type"), cell.get(f"{_TABLE}formula")
    text = "\n".join(_written(line) for line in cell if line.tag == f"{_TEXT}p").strip()
    if kind in ("date", "time"):
        return date_cell(source, text or None)
    if kind == "boolean":
        return CellText("TRUE" if cell.get(f"{_OFFICE}boolean-value") == "true" else "FALSE", source)
    if kind in ("float", "percentage", "currency") and (number := number_text(cell.get(f"{_OFFICE}value", ""))):
        # Not shown at all by programs that only compute.
        read = numeric_cell(source, number, text or (number if kind == "float" else None), f"a {kind}")
        return read._replace(is_sum=is_over_own_column(formula or "", source))
    if text.startswith(("#", "Err:")) and formula is not None:
        return refused_cell(source, f"this cell holds the error {text}", "correct the formula in the spreadsheet")
    return CellText(text, source)


def _written(element: Element) -> str:
    """Return the text of a paragraph; runs of spaces, tabs and line breaks are elements of their own."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * min(whole_of(child.get(f"{_TEXT}c"), 1), _LONGEST_SPACE))
        elif child.tag == f"{_TEXT}tab":
            parts.append(" ")
        elif child.tag == f"{_TEXT}line-break":
            parts.append("\n")
        elif child.tag in (f"{_TEXT}span", f"{_TEXT}a"):
            parts.append(_written(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _repeats(element: Element, what: str) -> int:
    return max(1, whole_of(element.get(f"{_TABLE}number-{what}-repeated"), 1))
