"""A sheet of an ODS file -> rows of cells: the values as last calculated, never the formulas.

Source of the names: OpenDocument 1.3 part 3, chapters 9 (tables) and 19.385 (value types).
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from duckpress.content.tables.cells import CellText, Faults, SheetError, number_text, placed, shown_otherwise, whole_of
from duckpress.content.tables.zipped_xml import Package
from duckpress.content.yaml.nodes import quoted
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


def read_ods(path: str, sheet: Element, faults: Faults) -> Iterator[list[CellText]]:
    """Yield the rows of a sheet, empty ones left out; `Source` is the row and the column of a cell.

    A cell whose value cannot be used is empty, and `faults` gets its problem. Raises `SheetError` for a row that is
    none.
    """
    number = 1
    for row in sheet.iter(f"{_TABLE}table-row"):
        times = _repeats(row, "rows")
        cells = _cells(row, path, number, faults)
        if cells:
            if times > _FAR:  # rows that a table repeats to the end of the sheet
                fix = "delete the rows below the cards"
                raise SheetError("too-many-cards", cells[0].source, f"this row is there {times} times", fix)
            for again in range(times):
                yield [cell._replace(source=Source(path, number + again, cell.source.column)) for cell in cells]
        number += times


def _cells(row: Element, path: str, number: int, faults: Faults) -> list[CellText]:
    cells: list[CellText] = []
    empty = 0
    for cell in row:
        if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
            continue
        times = _repeats(cell, "columns")
        source = Source(path, number, len(cells) + empty + 1)
        try:
            text = _value(cell, source).strip()
        except SheetError as error:
            text, faults[source] = "", error.problem
        if not text:
            empty += times
            continue
        if times > _FAR or empty > _FAR:
            what = f"the cell stands in column {source.column}, {times} times"
            raise SheetError("csv-row", source, what, "delete it")
        cells += placed(text, source, len(cells), times)
        empty = 0
    return cells


def _value(cell: Element, source: Source) -> str:
    kind = cell.get(f"{_OFFICE}value-type")
    if kind in ("date", "time"):
        what = f"this cell holds a {kind}: spreadsheets make one of words such as 3-1 or 12:30"
        raise SheetError("table-value", source, what, "give the column the format Text and type it again")
    if kind == "boolean":
        return "TRUE" if cell.get(f"{_OFFICE}boolean-value") == "true" else "FALSE"
    text = "\n".join(_written(line) for line in cell if line.tag == f"{_TEXT}p")
    if kind in ("float", "percentage", "currency"):
        number = number_text(cell.get(f"{_OFFICE}value", ""))
        # Shown with a comma or a point, by the language of the sheet; not shown at all by programs that only compute.
        if text and text.strip().lower().replace(",", ".") != number:
            raise shown_otherwise(source, number, f"and shows {quoted(text)}")
        return number
    if text.startswith(("#", "Err:")) and cell.get(f"{_TABLE}formula") is not None:
        what = f"this cell holds the error {text}"
        raise SheetError("table-value", source, what, "correct the formula in the spreadsheet")
    return text


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
