"""A sheet of an XLSX or ODS file -> rows of cells: the last calculated values, never the formulas.

The zip is read through the one door to archives. Its XML is read without DOCTYPE, so there are no entities to expand
and nothing outside to fetch; elements are counted, and how deep they lie in one another.
Source of the names: ECMA-376 part 1, SpreadsheetML (sections 18.2 to 18.4; 18.8.30 and 18.8.31 for number formats);
OpenDocument 1.3 part 3, chapters 9 (tables) and 19.385 (value types).
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from duckpress.content.tables.cells import (
    CellText,
    SheetError,
    TableRoom,
    date_cell,
    is_over_own_column,
    number_text,
    numeric_cell,
    placed,
    refused_cell,
    whole_of,
)
from duckpress.content.tables.number_formats import BUILT_IN, FIRST_DAYS, OF_ITS_COMPUTER, NumberFormat, read_format
from duckpress.content.yaml.nodes import quoted
from duckpress.core.coordinates import letters_column
from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Problem, Source
from duckpress.files.archives import Archive, BadArchive

_PREFIXES = {
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "link:",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "link:",
    **{f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0": f"{name}:" for name in ("table", "office", "text")},
}
"""What names begin with here, by their namespace: nothing in XLSX, whichever of its two forms it has."""
# The attributes that are asked for; what is kept of all others would be most of a part.
_READ = frozenset((
    *("Id", "Target", "date1904", "formatCode", "name", "numFmtId", "r", "s", "state", "t", "link:id"),
    *("table:name", "table:formula", "table:number-columns-repeated", "table:number-rows-repeated"),
    *("office:boolean-value", "office:value", "office:value-type", "text:c"),
))  # fmt: skip
_DEEPEST = 100  # elements in each other; spreadsheets have a dozen, and what reads them goes down with them
_STRINGS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
# Elements of the styles. Source: Excel specifications and limits, 65,490 cell formats; each holds two more at most.
_MOST_STYLES = 200_000
_RETURN = re.compile("_x000[Dd]_(?=\n)")  # how a line break of two characters is written. Source: ECMA-376, ST_Xstring
# Columns: a cell beyond was typed by accident. What is repeated more often was not meant as cards.
_FAR = 1_000
_LONGEST_SPACE = 1_000
_GENERAL = read_format("General")
_WRONG_FORMULA = "correct the formula in the spreadsheet"


def open_workbook(path: str, data: bytes, room: TableRoom) -> Xlsx | Ods:
    """Return a workbook, by the suffix of its file.

    Of its sheets (in XLSX the visible ones) it has the names, in order, and the rows; empty rows are left out, the
    `Source` of a cell is its row and column. Raises `BadArchive` for a file that cannot be read, `SheetError` for a
    row that is none.
    """
    package = _Package(data, room)
    return Xlsx(path, package) if path.endswith(".xlsx") else Ods(path, package)


class _Package:
    """The parts of a zipped document, by name."""

    def __init__(self, data: bytes, room: TableRoom) -> None:
        self._room = room
        self._archive = Archive(io.BytesIO(data), "sheet-file")

    def __contains__(self, name: str) -> bool:
        return name in self._archive.entries

    def xml(self, name: str, most: int | None = None) -> Element:
        """Return the root element of a part, which may have `most` elements, by default the rest of the limit.

        Raises `BadArchive`: missing, damaged, too large, with a DOCTYPE.
        """
        if name not in self:
            raise BadArchive(f"its part {name[:80]!r} is missing")
        data = self._archive.read(name, "sheet-file")
        self._room.bytes -= len(data)
        if self._room.bytes < 0:
            what = f"unpacked, the spreadsheets of the game come to more than {written(limit('sheet-file'))} bytes"
            raise BadArchive(what, how_to_raise("sheet-file"))
        parser = XMLParser(target=_TreeBuilder(name, self._room, most))
        try:
            # At once: older versions of expat read a long name again with every chunk that does not end it.
            parser.feed(data)
            root: Element = parser.close()
        except (ParseError, ValueError, LookupError) as error:
            raise BadArchive(f"its part {name[:80]!r} is not well-formed") from error
        return root


class _TreeBuilder:
    """Builds a tree whose names have the prefixes of `_PREFIXES`."""

    def __init__(self, part: str, room: TableRoom, most: int | None) -> None:
        tree = TreeBuilder()
        self.data, self.close, self._start, self._end = tree.data, tree.close, tree.start, tree.end
        self._part, self._room = part, room
        self._least_left = -1 if most is None else room.elements - most
        self._depth = 0
        self._known: dict[str, str] = {}  # what names are called

    def doctype(self, *_words: object) -> None:
        raise BadArchive(f"its part {self._part!r} has a DOCTYPE, which is not read")

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self._room.elements -= 1
        self._depth += 1
        if self._room.elements < 0:
            what = f"the spreadsheets of the game have more than {written(limit('sheet-elements'))} elements"
            raise BadArchive(what, how_to_raise("sheet-elements"))
        if self._room.elements < self._least_left:
            raise BadArchive(f"its part {self._part!r} has more elements than a spreadsheet can need")
        if self._depth > _DEEPEST:
            raise BadArchive(f"its part {self._part!r} has elements more than {_DEEPEST} deep in each other")
        named = ((self._name(key), value) for key, value in attrs.items())
        self._start(self._name(tag), {key: value for key, value in named if key in _READ})

    def end(self, tag: str) -> None:
        self._depth -= 1
        self._end(self._name(tag))

    def _name(self, name: str) -> str:
        known = self._known.get(name)
        if known is None:
            namespace, _, local = name.rpartition("}")
            known = self._known[name] = f"{_PREFIXES.get(namespace[1:], 'other:') if namespace else ''}{local}"
        return known


class _Formats(NamedTuple):
    """The number formats of the cell styles, the locale-dependent styles, and whether days count from 1904."""

    of_styles: list[NumberFormat]
    local: frozenset[int]
    is_from_1904: bool


class Xlsx:
    """A workbook of Excel."""

    def __init__(self, path: str, package: _Package) -> None:
        self._path, self._package = path, package
        book = package.xml("xl/workbook.xml")
        self._is_from_1904 = any(one.get("date1904") in ("1", "true") for one in book.iter("workbookPr"))
        links = {link.get("Id"): link.get("Target", "") for link in package.xml("xl/_rels/workbook.xml.rels")}
        self.names: dict[str, str] = {}  # with the part that holds each
        for sheet in book.iter("sheet"):
            if sheet.get("state", "visible") != "visible":
                continue
            name, target = sheet.get("name", ""), links.get(sheet.get("link:id"))
            if target is None:
                raise BadArchive(f"its sheet {quoted(name)} is missing" if self.names else "its first sheet is missing")
            part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            self.names.setdefault(name, posixpath.normpath(part))

    def rows(self, name: str) -> Iterator[list[CellText]]:
        sheet = self._package.xml(self.names[name])
        strings = self._package.xml(_STRINGS) if _STRINGS in self._package else ()
        # Stripped here, not in each cell: a million cells may show the same long text.
        texts = [_string(item).strip() for item in strings if item.tag == "si"]
        formats = self._formats()
        number = 0
        for row in sheet.iter("row"):
            number = whole_of(row.get("r"), number + 1)
            cells: list[CellText] = []
            column = 0
            for cell in row:
                if cell.tag != "c":
                    continue
                reference = _REFERENCE.fullmatch(cell.get("r", ""))  # `AB7` is column 28
                column = column + 1 if reference is None else letters_column(reference[1]) + 1
                source = Source(self._path, number, column)
                value = _xlsx_value(cell, texts, formats, source)
                if value.is_filled:
                    empty = column - 1 - len(cells)
                    if empty > _FAR or empty < 0:
                        what = f"the cell stands in column {column}"
                        raise SheetError(Problem("csv-row", source, what, "delete it"))
                    cells += placed(value, len(cells))
            if cells:
                yield cells

    def _formats(self) -> _Formats:
        if _STYLES not in self._package:
            return _Formats([], frozenset(), self._is_from_1904)
        styles = self._package.xml(_STYLES, _MOST_STYLES)
        own = {
            whole_of(style.get("numFmtId"), -1): style.get("formatCode", "General")
            for style in styles.iterfind("numFmts/numFmt")
        }
        codes = BUILT_IN | own
        crossed = next(styles.iter("cellXfs"), None)
        numbers = [] if crossed is None else [whole_of(style.get("numFmtId"), 0) for style in crossed.iterfind("xf")]
        known = {number for number in numbers if codes.get(number, _GENERAL.code) != _GENERAL.code}
        read = {number: read_format(codes[number]) for number in known}
        local = frozenset(at for at, number in enumerate(numbers) if number in OF_ITS_COMPUTER - own.keys())
        return _Formats([read.get(number, _GENERAL) for number in numbers], local, self._is_from_1904)


def _xlsx_value(cell: Element, texts: list[str], formats: _Formats, source: Source) -> CellText:
    kind = cell.get("t")
    if kind == "inlineStr":
        return CellText("".join(_string(child) for child in cell if child.tag == "is").strip(), source)
    value, formula = cell.findtext("v", ""), cell.find("f")
    if kind == "str":  # a formula may give an empty text
        return CellText(value.strip(), source)
    if not value:
        what, fix = "this formula has no value yet", "open the file in a spreadsheet program and save it"
        return CellText("", source) if formula is None else refused_cell(source, what, fix)
    if kind == "s":
        index = whole_of(value, -1)
        if not 0 <= index < len(texts):
            raise BadArchive(f"the text of row {source.line}, column {source.column} is missing")
        return CellText(texts[index], source)
    if kind == "b":
        return CellText("TRUE" if value.strip() == "1" else "FALSE", source)
    if kind == "e":
        return refused_cell(source, f"this cell holds the error {value}", _WRONG_FORMULA)
    read = _number(value, whole_of(cell.get("s"), 0), formats, source, is_iso=kind == "d")
    return read if formula is None else read._replace(is_sum=is_over_own_column(formula.text or "", source))


def _number(value: str, style: int, formats: _Formats, source: Source, *, is_iso: bool) -> CellText:
    """Return the cell of a number, or of a date in ISO 8601."""
    format_ = formats.of_styles[style] if style < len(formats.of_styles) else _GENERAL
    number = value if is_iso else number_text(value)
    if is_iso:
        with suppress(ValueError):  # what is no date stays as it is
            passed = datetime.fromisoformat(value.strip().removesuffix("Z")) - FIRST_DAYS[formats.is_from_1904]
            number = f"{passed.days + passed.seconds / 86_400:.15g}"
    if format_ is _GENERAL and not is_iso:
        return CellText(number, source)
    shown = format_.shown(number, is_from_1904=formats.is_from_1904)
    if is_iso or format_.is_date(number):
        return date_cell(source, shown if format_.is_date(number) else None, is_local=style in formats.local)
    return numeric_cell(source, number, shown, f"its format {quoted(format_.code)}")


def _string(element: Element) -> str:
    """Return the text of a string, its runs joined, without Japanese phonetic text (`rPh`)."""
    parts = []
    for child in element:
        if child.tag == "t":
            parts.append(child.text or "")
        elif child.tag == "r":
            parts += [run.text or "" for run in child if run.tag == "t"]
    return _RETURN.sub("", "".join(parts))


class Ods:
    """A workbook of OpenDocument; hidden sheets are read like others."""

    def __init__(self, path: str, package: _Package) -> None:
        self._path = path
        self.names: dict[str, Element] = {}  # with each sheet
        for sheet in package.xml("content.xml").iter("table:table"):
            self.names.setdefault(sheet.get("table:name", ""), sheet)

    def rows(self, name: str) -> Iterator[list[CellText]]:
        number = 1
        for row in self.names[name].iter("table:table-row"):
            times = _repeats(row, "rows")
            cells = self._cells(row, number)
            if cells:
                if times > _FAR:  # rows that a table repeats to the end of the sheet
                    what, fix = f"this row is there {times} times", "delete the rows below the cards"
                    raise SheetError(Problem("too-many-cards", cells[0].source, what, fix))
                yield cells
                for line in range(number + 1, number + times):
                    yield [cell.moved(cell.source._replace(line=line)) for cell in cells]
            number += times

    def _cells(self, row: Element, number: int) -> list[CellText]:
        cells: list[CellText] = []
        empty = 0
        for cell in row:
            if cell.tag not in ("table:table-cell", "table:covered-table-cell"):
                continue
            times = _repeats(cell, "columns")
            source = Source(self._path, number, len(cells) + empty + 1)
            value = _ods_value(cell, source)
            if not value.is_filled:
                empty += times
                continue
            if times > _FAR or empty > _FAR:
                what = f"the cell stands in column {source.column}, {times} times"
                raise SheetError(Problem("csv-row", source, what, "delete it"))
            cells += placed(value, len(cells), times)
            empty = 0
        return cells


def _repeats(element: Element, what: str) -> int:
    return max(1, whole_of(element.get(f"table:number-{what}-repeated"), 1))


def _ods_value(cell: Element, source: Source) -> CellText:
    kind, formula = cell.get("office:value-type"), cell.get("table:formula")
    text = "\n".join(_paragraph(line) for line in cell if line.tag == "text:p").strip()
    if kind in ("date", "time"):
        return date_cell(source, text or None)
    if kind == "boolean":
        return CellText("TRUE" if cell.get("office:boolean-value") == "true" else "FALSE", source)
    if kind in ("float", "percentage", "currency") and (number := number_text(cell.get("office:value", ""))):
        # Not shown at all by programs that only compute.
        read = numeric_cell(source, number, text or (number if kind == "float" else None), f"a {kind}")
        return read._replace(is_sum=is_over_own_column(formula or "", source))
    if text.startswith(("#", "Err:")) and formula is not None:
        return refused_cell(source, f"this cell holds the error {text}", _WRONG_FORMULA)
    return CellText(text, source)


def _paragraph(element: Element) -> str:
    """Return the text of a paragraph; runs of spaces, tabs and line breaks are elements of their own."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == "text:s":
            parts.append(" " * min(whole_of(child.get("text:c"), 1), _LONGEST_SPACE))
        elif child.tag == "text:tab":
            parts.append(" ")
        elif child.tag == "text:line-break":
            parts.append("\n")
        elif child.tag in ("text:span", "text:a"):
            parts.append(_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)
