"""Tables of cards made to grow, to lie, to reach out or to compute: values only, in bounded time and memory."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from harness import assert_refused, assert_sound, needs_posix, run_command, run_here
from hostile_game import DECK, GOOD, zipped

from duckpress.core.limits import LIMITS

CSV, XLSX, ODS = (f"content/g/decks/duck.{suffix}" for suffix in ("csv", "xlsx", "ods"))
HEAD = DECK.partition("cards:")[0]
ROWS = [["id", "name", "text"], ["teal", "Teal", "Small."], ["smew", "Smew", "Dives."]]
TABLE = "".join(",".join(row) + "\n" for row in ROWS)
_NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def with_table(path: str, data: str | bytes) -> dict[str, str | bytes]:
    """Return what differs from the good game: the deck's cards come from a table."""
    return {"content/g/decks/duck.yaml": f"{HEAD}cards: {path.rpartition('/')[2]}\n", path: data}


LINES = [
    pytest.param("id,name\nteal,a\x00b\n", "bad-character", 2, id="x-csv-nul"),
    pytest.param(TABLE + "," * 1_000_000, "csv-row", 4, id="x-csv-millions-of-columns"),
    pytest.param(TABLE + "x" * 50_000_000, "file-too-large", None, id="x-csv-cell-of-50-megabytes"),
    pytest.param(TABLE + "".join(f"c{n},a,b\n" for n in range(500_000)), "too-many-cards", None, id="34-csv-rows"),
    pytest.param("\n" * 2_000_000, "empty-file", None, id="x-csv-empty-lines"),
]


@pytest.mark.sweep(4)
@needs_posix
@pytest.mark.parametrize(("text", "code", "line"), LINES)
def test_a_csv_file_made_to_hurt(text: str, code: str, line: int | None, tmp_path: Path) -> None:
    at = f"{CSV}:{line}" if line else CSV if code != "file-too-large" else "content/g/decks/duck.yaml"
    assert_refused(tmp_path, with_table(CSV, text), code=code, at=at)


def test_34_a_formula_in_csv_is_a_text(tmp_path: Path) -> None:
    table = TABLE.replace("Small.", "\"=cmd|'/c calc'!A1\"").replace("Dives.", "@SUM(1)")
    ran = run_here(tmp_path, "show", "duck/teal", files={**GOOD, **with_table(CSV, table)})
    assert_sound(ran, status=0)
    assert "=cmd|'/c calc'!A1" in ran.out


def test_x_the_same_wrong_value_in_every_row_is_told_so_often(tmp_path: Path) -> None:
    fields = ", ".join(f"f{n}: whole" for n in range(100))
    deck = f"title: D\nsize: poker\nfront: face\nfields: {{{fields}}}\ncards: duck.csv\n"
    head = ",".join(["id", *(f"f{n}" for n in range(100))])
    rows = "".join(f"c{n}" + ",x" * 100 + "\n" for n in range(60))
    ran = run_here(tmp_path, "check", "g", files={**GOOD, CSV: f"{head}\n{rows}", "content/g/decks/duck.yaml": deck})
    assert_sound(ran, status=1)
    assert "too-many-problems" in ran.codes()
    assert len(ran.problems) == LIMITS["problems"].usual + 1


def test_x_unknown_columns_are_told_once_each(tmp_path: Path) -> None:
    head = ",".join(["id", "name", "text", *(f"nam{n}" for n in range(190))])
    rows = "".join(f"c{n},a,b" + ",x" * 190 + "\n" for n in range(80))
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **with_table(CSV, f"{head}\n{rows}")})
    assert_sound(ran, status=1)
    assert ran.codes() == ["unknown-key"] * 190


def parts_of(rows: list[list[str]] | None = None) -> dict[str, bytes]:
    """Return the parts of an XLSX file with these rows."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows or ROWS:
        book.active.append(row)
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def xlsx(name: str, old: str, new: str) -> bytes:
    """Return the table as XLSX, with words of one part replaced by others; a new part where there was none."""
    parts = parts_of()
    before = parts.get(name, b"").decode()
    assert old in before
    return zipped({**parts, name: (before.replace(old, new, 1) if old else new).encode()})


def with_sheet(data: bytes) -> bytes:
    return zipped({**parts_of(), SHEET: data})


def linked(target: str) -> bytes:
    return xlsx(LINKS, "/xl/worksheets/sheet1.xml", target)


def ods(rows: str, before: str = "") -> bytes:
    content = (
        f'<?xml version="1.0"?>{before}<office:document-content {_NAMES}><office:body><office:spreadsheet>'
        f'<table:table table:name="a">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    return zipped({"content.xml": content.encode()})


SHEET, LINKS = "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"
BILLION = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
) + "]>"  # fmt: skip
SPANS = "<text:span>" * 3000 + "x" + "</text:span>" * 3000
CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
WIDE = CELL.format("x").replace("cell ", 'cell table:number-columns-repeated="1000" ', 1)
TEXTS = "xl/sharedStrings.xml"
ROW = "<table:table-row>"
ZEROS = b"<sst>" + b" " * 70_000_000 + b"</sst>"

SHEETS = [
    pytest.param(XLSX, lambda: xlsx(SHEET, "<worksheet", f"{BILLION}<worksheet"), "DOCTYPE", id="x-xlsx-laughs"),
    pytest.param(XLSX, lambda: linked("../../../../etc/passwd"), "missing", id="x-xlsx-out"),
    pytest.param(XLSX, lambda: with_sheet(b"<a>" * 500_000), "deep in each other", id="x-xlsx-depth"),
    pytest.param(XLSX, lambda: with_sheet(b"<a>" + b"<b/>" * 600_000), "elements", id="x-xlsx-elements"),
    pytest.param(XLSX, lambda: with_sheet(b"<a b='" + b"x" * 10_000_000), "well-formed", id="x-xlsx-name"),
    pytest.param(XLSX, lambda: zipped(parts_of(), zipfile.ZIP_BZIP2), "packed in a way", id="x-xlsx-bzip2"),
    pytest.param(XLSX, lambda: zipped({f"p{n}": b"" for n in range(30_000)}), "30000 files", id="x-xlsx-parts"),
    pytest.param(XLSX, lambda: b"PK\x03\x04" + b"\x00" * 100, "zip", id="x-xlsx-no-zip"),
    pytest.param(XLSX, lambda: zipped(parts_of()).replace(b"worksheet", b"workshoot"), "", id="x-xlsx-names-differ"),
    pytest.param(ODS, lambda: ods("", BILLION), "DOCTYPE", id="x-ods-laughs"),
    pytest.param(ODS, lambda: ods(f"{ROW}{CELL.format(SPANS)}</table:table-row>"), "deep", id="x-ods-spans"),
    pytest.param(ODS, lambda: ods(f"{ROW}{WIDE * 2000}</table:table-row>"), "cells", id="x-ods-wide"),
]


@pytest.mark.sweep(15)
@needs_posix
@pytest.mark.parametrize(("path", "make", "says"), SHEETS)
def test_a_spreadsheet_made_to_hurt(path: str, make: object, says: str, tmp_path: Path) -> None:
    data = make()  # type: ignore[operator]
    assert len(data) < 8_000_000
    ran = run_here(tmp_path, "check", "g", files={**GOOD, **with_table(path, data)})
    assert_sound(ran, status=1)
    assert not ran.written
    assert len(ran.problems) == 1, ran.problems
    assert ran.codes()[0] in ("table-file", "csv-row")
    assert says in ran.problems[0]["what"]
    assert ran.problems[0]["fix"]
    assert "root:" not in ran.out


@pytest.mark.sweep(2)
@needs_posix
@pytest.mark.parametrize(
    "kind", [pytest.param("bomb", id="34-xlsx-bomb-measured"), pytest.param("shared", id="x-xlsx-shared-text-bomb")]
)
def test_a_bomb_takes_no_memory(kind: str, tmp_path: Path) -> None:
    parts = parts_of()
    if kind == "bomb":
        parts[TEXTS] = ZEROS
    else:  # one long text with a space behind it, shown by 90,000 cells
        row = "<row>" + '<c t="s"><v>0</v></c>' * 60 + "</row>"
        parts[TEXTS] = b"<sst xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><si><t>"
        parts[TEXTS] += b"x" * 99_000 + b" </t></si></sst>"
        name = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"
        parts[SHEET] = f"<worksheet {name}><sheetData>{row * 1500}</sheetData></worksheet>".encode()
    ran = run_command(tmp_path, "check", "g", files={**GOOD, **with_table(XLSX, zipped(parts))}, megabytes=800)
    assert_sound(ran, status=1)
    assert ran.problems


@needs_posix
def test_x_many_small_spreadsheets_are_as_bad_as_a_large_one(tmp_path: Path) -> None:
    """Each of twenty files of a few kilobytes unpacks to what one may be: together they may not be more."""
    bomb = with_sheet(b"<a>" + b"<b/>" * 40_000 + b"</a>")
    files = dict(GOOD)
    for number in range(20):
        files[f"content/g/decks/d{number}.yaml"] = HEAD + f"cards: d{number}.xlsx\n"
        files[f"content/g/decks/d{number}.xlsx"] = bomb
    ran = run_here(tmp_path, "--limit", "sheet-elements=60k", "check", "g", files=files)
    assert_sound(ran, status=1)
    assert "table-file" in ran.codes()
    assert sum("elements" in problem["what"] for problem in ran.problems) == 1


def with_styles(styles: str) -> bytes:
    return zipped({**parts_of(), "xl/styles.xml": f"<styleSheet {_MAIN}>{styles}</styleSheet>".encode()})


_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def numbered(element: str, count: int) -> str:
    """Return an element as often as that, each with its number where it says `#`."""
    return "".join(element.replace("#", str(number)) for number in range(count))


LARGE: dict[str, tuple[str, Callable[[], str | bytes], str]] = {
    "x-csv-a-cell-of-quotes": (CSV, lambda: TABLE + 'gadwall,"' + '""' * 3_900_000 + '",x\n', "text-too-long"),
    "x-csv-quotes-that-do-not-close": (CSV, lambda: TABLE + 'gadwall,"' + '""a' * 2_600_000, "csv-syntax"),
    "x-xlsx-number-formats": (
        XLSX, lambda: with_styles("<numFmts>" + numbered('<numFmt numFmtId="#" formatCode="0#"/>', 490_000)),
        "table-file",
    ),
    "x-xlsx-attributes": (
        XLSX, lambda: with_styles(numbered('<x a="#" b="#" c2="#" d="#" e="#" f="#"/>', 400_000)), "table-file",
    ),
    "x-ods-styles": (ODS, lambda: ods('<x a="1" b="2" c2="3" d="4"/>' * 600_000), "table-file"),
}  # fmt: skip


@pytest.mark.sweep(6)
@needs_posix
@pytest.mark.parametrize("case", LARGE)
def test_tables_of_anything_take_bounded_memory(case: str, tmp_path: Path) -> None:
    path, make, code = LARGE[case]
    ran = assert_refused(tmp_path, with_table(path, make()), code=code, at=path, as_process=True)
    assert ran.megabytes < 300
