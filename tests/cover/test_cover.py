"""Cover sheets read back from the PDF, and held against the other pages of their file."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from duckpress.build import Built, Request, build, load
from duckpress.cover.facts import Shapes
from duckpress.cover.picture import Colours, sheet_picture
from duckpress.cover.cuts import trim_of
from duckpress.fonts import FontLibrary
from duckpress.frame import Group, Placed
from duckpress.problems import Problem
from duckpress.units import mm_from_pt
from duckpress.workspace import Workspace

GAME = """\
title: Pond
version: "0.2"
designer: A. Nonymous
players: 2-4
languages: [en, fr]
theme: base
bring: [a pencil for each player]
licence: Pond is A. Nonymous's game. Print it to play it.
pieces:
  - {id: cards, title: Playing cards, decks: [duck]}
  - {id: tokens, title: Egg tokens, decks: [egg, chick]}
  - {id: form, title: Score form, decks: [form]}
credits: [{role: Design, name: A. Nonymous}]
"""


def deck(title: str, size: str, copies: int, more: str = "") -> str:
    return (
        f"title: {title}\nsize: {size}\nfront: face\n{more}fields: {{name: text}}\n"
        f"cards:\n  - {{id: one, copies: {copies}, name: One}}\n"
    )


FILES: dict[str, str | bytes] = {
    "content/pond/game.yaml": GAME,
    "content/pond/decks/duck.yaml": deck("Duck cards", "poker", 20, "back: back\n"),
    "content/pond/decks/egg.yaml": deck("Eggs", "round-1in", 7),
    "content/pond/decks/chick.yaml": deck("Chicks", "token-1in", 5),
    "content/pond/decks/form.yaml": deck("Score form", "page", 1, "component: no\n"),
    "content/pond/layouts/face.xml": '<face><ground fill="panel"/></face>',
    "content/pond/layouts/back.xml": '<face><ground fill="accent"/></face>',
    "content/pond/lang/fr.yaml": "title: Étang\n",
}
Make = Callable[[Mapping[str, str | bytes]], Workspace]


@pytest.fixture
def made(make_workspace: Make) -> Callable[..., Built]:
    def make(game: str = GAME, **options: object) -> Built:
        workspace = make_workspace({**FILES, "content/pond/game.yaml": game})
        asked = Request(**{"papers": ("a4",), "has_cover": True, **options})  # type: ignore[arg-type]
        return build(workspace, load(workspace, "pond"), asked, workspace.root / "output")

    return make


def words_of(path: Path, number: int = 0) -> str:
    page = pypdfium2.PdfDocument(path.read_bytes())[number]
    return re.sub(r"\s+", " ", page.get_textpage().get_text_range().replace("\ufffe", "")).strip()


class Told(NamedTuple):
    """What a cover says of one piece."""

    number: int
    sheets: int
    cuts: int
    first: int
    last: int


def told(words: str, title: str) -> Told:
    """Read a piece's facts from the cover's own words."""
    own = words.partition(f"{title} ")[2]
    cuts = re.search(r"Straight cuts (?:(?:up to )?\d+ a sheet, )?(\d+)", own)
    pages = re.search(r"Pages (\d+)(?:–(\d+))?", own)
    number, sheets = re.search(r"(?:Cards|Pieces) (\d+) ·", own), re.search(r"Sheets (\d+),", own)
    assert cuts and pages and number and sheets, own
    return Told(int(number[1]), int(sheets[1]), int(cuts[1]), int(pages[1]), int(pages[2] or pages[1]))


def cuts_at_marks(page: pypdfium2.PdfPage) -> int:
    """Count the lines that the thin black strokes around the cards stand on, which a ruler is laid along."""
    lines: set[tuple[str, int]] = set()
    for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=2):
        width, colour = ctypes.c_float(), [ctypes.c_uint() for _ in range(4)]
        pdfium.FPDFPageObj_GetStrokeWidth(found.raw, ctypes.byref(width))
        pdfium.FPDFPageObj_GetStrokeColor(found.raw, *map(ctypes.byref, colour))
        width_mm = width.value * mm_from_pt(found.get_matrix().a)
        if [one.value for one in colour[:3]] == [0, 0, 0] and abs(width_mm - 0.15) < 1e-3:
            points = []
            for at in range(pdfium.FPDFPath_CountSegments(found.raw)):
                x, y = ctypes.c_float(), ctypes.c_float()
                segment = pdfium.FPDFPath_GetPathSegment(found.raw, at)
                pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
                points.append((round(x.value * 20), round(y.value * 20)))
            for (x1, y1), (x2, y2) in zip(points[::2], points[1::2], strict=True):
                lines.add(("upright", x1) if x1 == x2 else ("level", y1))
                assert (x1 == x2) != (y1 == y2)
    return len(lines)


@pytest.mark.parametrize("options", [{}, {"turn": "short"}, {"backs": "none"}, {"papers": ("letter",)}])
def test_the_numbers_are_those_of_the_other_pages(made: Callable[..., Built], options: dict[str, object]) -> None:
    built = made(**options)
    assert [one.code for one in built.checked.problems if one.level == "error"] == []
    manifest = json.loads((built.folder / "manifest.json").read_text())
    files = {one["piece"]: one for one in manifest["files"]}
    words = words_of(built.folder / files["cover"]["name"])
    document = pypdfium2.PdfDocument((built.folder / files["all"]["name"]).read_bytes())
    assert words_of(built.folder / files["all"]["name"]) == words  # the bundle begins with it
    a_sheet = 1 if options.get("backs") == "none" else 2
    at, cuts, sheets = a_sheet, 0, 0
    for piece, title, number in (("cards", "Playing cards", 20), ("tokens", "Egg tokens", 12), ("form", "Score form", 1)):
        facts = told(words, title)
        assert facts.number == number
        assert facts.sheets == files[piece]["sheets"]
        assert (facts.first, facts.last) == (at + 1, at + a_sheet * facts.sheets)
        fronts = range(at, facts.last, a_sheet)
        assert all(title in document[page].get_textpage().get_text_range() for page in fronts)
        assert sum(cuts_at_marks(document[page]) for page in fronts) == facts.cuts, piece
        at, cuts, sheets = facts.last, cuts + facts.cuts, sheets + facts.sheets
    assert at == len(document) == files["all"]["pages"]
    assert f"{sheets} Sheets of" in words
    assert f"{cuts} Straight cuts" in words
    assert "Cut out by hand 7" in words
