"""Codes on sheets: every sheet has one that scans, and none of them touches a card, its bleed, a mark or a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp

from duckpress.build import Request, build, load
from duckpress.build.freeplaces import best_spot, ink_boxes, placed_box
from duckpress.build.sheetcodes import SheetCodes
from duckpress.fonts import FontLibrary
from duckpress.frame import Item, Outline
from duckpress.geometry import Rect, Size
from duckpress.impose import Backs, Layer, Leaf, Sheet, SheetLabel, Turn, impose_piece
from duckpress.impose.job import Manner
from duckpress.impose.sheet import Gaps
from duckpress.reports import read_report, report_text
from duckpress.sizes import FORMATS, Format, Paper, paper_of
from duckpress.text import TextStyle, Typesetter
from duckpress.workspace import Workspace

Typeset = Callable[[str, float, bool], tuple[tuple[Item, ...], float]]

# Of these, full sheets have no 4.6 mm left beside cards, marks, fold and footer.
FULL = {
    ("a4", "gutterfold"): {"square-3.5in"},
    ("letter", "gutterfold"): {"poker", "poker-euro", "square-2.5in", "square-3.5in", "token-1in"},
}


@pytest.fixture(scope="module")
def typeset(project: Workspace) -> Typeset:
    setter = Typesetter(FontLibrary(project), lambda _name, _colour: None, "en")
    style = TextStyle("Alegreya Sans", colour="#333333")

    def line(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        found = setter.line(text, style._replace(size_pt=size_pt, weight="bold" if is_bold else "regular"))
        return found.items, found.width_mm

    return line


def full_sheet(format_: Format, paper: Paper, backs: Backs, typeset: Typeset) -> Sheet:
    label = SheetLabel("Duck Blind", "Play deck: ducks, wardens, actions", "0.3")
    leaves = [Leaf(format_, 250, "front", "back")]
    return impose_piece(leaves, paper, backs, Turn.LONG, label, typeset, Manner(gaps=Gaps.AUTO))[0]


def taken(sheet: Sheet, trim: Size) -> Iterator[Rect]:
    for placed in sheet.front.placements:
        yield placed_box(placed, trim)
    for item in sheet.front.items:
        yield from ink_boxes(item.items if isinstance(item, Layer) else (item,))


def code_of(sheet: Sheet) -> tuple[Outline, Rect] | None:
    last = sheet.front.items[-1]
    if not isinstance(last, Outline):
        return None
    boxes = list(ink_boxes((last,)))
    left, top = min(box.x_mm for box in boxes), min(box.y_mm for box in boxes)
    right, bottom = max(box.right_mm for box in boxes), max(box.bottom_mm for box in boxes)
    return last, Rect(left, top, right - left, bottom - top)


@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.GUTTERFOLD], ids=lambda one: str(one.value))
@pytest.mark.parametrize("paper_name", ["a4", "letter"])
def test_full_sheets_of_common_cards_have_a_code_beside_everything(
    paper_name: str, backs: Backs, typeset: Typeset
) -> None:
    paper, without = paper_of(paper_name), set()
    for name in (
        "poker", "poker-euro", "bridge", "tarot", "mini-euro", "mini", "square-70", "square-2.5in", "square-3.5in",
        "token-1in", "round-1.5in", "hex-2in", "business", "divider",
    ):  # fmt: skip
        sheet = full_sheet(FORMATS[name], paper, backs, typeset)
        trims = dict.fromkeys(("front", "back"), FORMATS[name].trim)
        (coded,) = SheetCodes("duck-blind", "0.3", ["play-deck"]).coded([sheet], "play-deck", paper, trims)
        found = code_of(coded)
        if found is None or coded == sheet:
            without.add(name)
            continue
        code = found[1]
        printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
        assert printable.holds(code, 1e-3)
        room = code.grown(0.2)
        for box in taken(sheet, FORMATS[name].trim):
            is_apart = (
                box.right_mm <= room.x_mm
                or box.x_mm >= room.right_mm
                or box.bottom_mm <= room.y_mm
                or box.y_mm >= room.bottom_mm
            )
            assert is_apart, (name, code, box)
    assert without <= FULL.get((paper_name, backs.value), set())


def test_a_long_name_gives_way_to_a_number() -> None:
    page = Rect(5, 5, 200, 287)
    taken = [Rect(5, 5, 200, 281.25)]  # 5.75 mm are left along the lower edge
    spot = best_spot((25, 21), page, taken)
    assert spot is not None
    assert (spot.text, spot.module_mm) == (1, 0.25)
    assert best_spot((25, 0), page, taken) is not None  # smaller, where there is no shorter text
    assert best_spot((25, 21), page, [Rect(5, 5, 200, 284)]) is None  # 3 mm
    wide = best_spot((25, 21), page, [])
    assert wide is not None
    assert (wide.text, wide.module_mm) == (0, 0.4)


def test_reports_read_back() -> None:
    report = read_report(report_text("duck-blind", "0.3", "duck", "mallard-hen"))
    assert report is not None
    assert report == ("duck-blind", "0.3", ("duck", "mallard-hen"))
    for other in ("https://example.com/", "duck-blind", "duck-blind/0.3", "/0.3/aid", "Some words/of/others"):
        assert read_report(other) is None, other


@pytest.mark.parametrize(
    ("game", "piece", "request_", "dpis"),
    [
        ("duck-blind", "bonus", Request(papers=("letter",)), (200, 300)),  # a full sheet of nine
        ("duck-blind", "aids", Request(papers=("a4",), ink="low", cut="lines"), (200,)),
        ("blind-mans-draft", "aids", Request(papers=("letter",), backs="gutterfold"), (200,)),
        ("canardage", "aids", Request(papers=("a4",), language="en"), (200,)),
        ("canardage", "board", Request(papers=("letter",)), (200,)),  # in tiles
        ("duck-pens", "aids", Request(papers=("a4",), ink="grey"), (200,)),
        ("ducks-in-a-row", "aids", Request(papers=("letter",), ink="low"), (200,)),
    ],
)
def test_sheets_and_aids_scan(
    game: str, piece: str, request_: Request, dpis: tuple[int, ...], project: Workspace, tmp_path: Path
) -> None:
    loaded = load(project, game)
    assert loaded.game is not None
    version = loaded.game.version
    built = build(project, loaded, replace(request_, pieces=(piece,)), tmp_path)
    assert not built.has_errors
    (name,) = (name for name in built.files if name.endswith(".pdf"))
    for dpi in dpis:
        with pypdfium2.PdfDocument(built.folder / name) as document:
            found = [
                {code.text for code in zxingcpp.read_barcodes(page.render(scale=dpi / 72).to_pil().convert("L"))}
                for page in document
            ]
        step = len(found) // sum(built.sheets_in_all.values())  # two sides, or one
        for number, texts in enumerate(found[::step], 1):
            sheets = [read_report(text) for text in texts if text.rpartition("/")[2].isdigit()]
            assert len(sheets) == 1, (number, texts)
            assert sheets[0] is not None
            assert (sheets[0].game, sheets[0].version, int(sheets[0].parts[-1])) == (game, version, number)
        if piece == "aids":
            assert report_text(game, version, "aid") in set().union(*found)
