"""Spreadsheets made of the parts that they are zipped of, for what no spreadsheet program would write at once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

from duckpress.content.tables.tables import read_table
from duckpress.core.problems import Read
from problem_lines import problem_lines

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"
BOOK, LINKS, SHEET = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"
STRINGS, STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
HEAD = '<row><c t="str"><v>id</v></c><c t="str"><v>b</v></c><c t="str"><v>c</v></c></row>'
AGAIN = "save it again in a spreadsheet program, or save it as CSV"


def zipped(parts: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def book(*sheets: str) -> str:
    return f'<workbook xmlns="{MAIN}" xmlns:r="{LINK}"><sheets>{"".join(sheets)}</sheets></workbook>'


def links(target: str) -> str:
    return f'<Relationships><Relationship Id="r0" Target="x"/><Relationship Id="r1" Target="{target}"/></Relationships>'


def xlsx_parts(rows: str, parts: Mapping[str, str] | None = None, main: str = MAIN) -> dict[str, str]:
    sheet = f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'
    return {
        BOOK: book('<sheet name="a" r:id="r1"/>'), LINKS: links("worksheets/sheet1.xml"), SHEET: sheet, **(parts or {})
    }  # fmt: skip


def read_xlsx_rows(rows: str, parts: Mapping[str, str] | None = None, main: str = MAIN) -> Read[list[list[str]]]:
    """Return the rows below the first of an XLSX file with these rows, and what is told of it."""
    return rows_of("t.xlsx", zipped(xlsx_parts(HEAD + rows, parts, main)))


def rows_of(name: str, data: bytes, *, as_number: bool = False) -> Read[list[list[str]]]:
    """Return what fields read of the rows below the first, and what is told of it."""
    table, problems = read_table(name, data)
    cells = [[cell.read(as_number=as_number) for cell in row] for row in (table.rows if table is not None else ())]
    told = [*problems, *(problem for row in cells for _, problem in row if problem is not None)]
    return Read([[text for text, _ in row] for row in cells], problem_lines(told, name))  # type: ignore[arg-type]


def ods(*rows: str, before: str = "") -> bytes:
    """Return an ODS file with these rows in its first sheet."""
    names = " ".join(f'xmlns:{name}="{OASIS}:{name}:1.0"' for name in ("office", "table", "text"))
    sheets = f"<table:table>{''.join(rows)}</table:table><table:table/>"
    return zipped({"content.xml": f"{before}<office:body {names}>{sheets}</office:body>"})


def ods_row(*texts: str, more: str = "") -> str:
    """Return a row of an ODS file with a cell for each text, each of its lines a paragraph, and with more cells."""
    cells = ("".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n")) if text else "" for text in texts)
    row = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    return f"<table:table-row>{row}{more}</table:table-row>"


def xlsx_cell(inner: str, attributes: str = "") -> str:
    return f"<row><c {attributes}>{inner}</c></row>"
