"""Codes on sheets: every sheet has one that scans, and none of them touches a card, its bleed, a mark or a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from msgspec.structs import replace

from duckpress.art.qr_code import modules_of
from duckpress.core.backs import Backs
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Rect, Size
from duckpress.core.report_address import read_report, report_text, report_within
from duckpress.core.sizes import FORMATS, Format, Paper, paper_of
from duckpress.files.workspace import Workspace
from duckpress.impose import Layer, Leaf, Sheet, SheetLabel, Turn, impose_piece
from duckpress.impose.grid import fit_grid
from duckpress.impose.job import Manner
from duckpress.impose.sheets import FOLD_LAYER, Gaps
from duckpress.press.pipeline import build
from duckpress.press.print_job import PrintJob
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from duckpress.press.sheets.free_places import best_spot, ink_boxes, with_gap
from duckpress.press.sheets.piece_sheets import Imposer
from duckpress.press.sheets.sheet_codes import SheetCodes
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import FontLibrary
from path_texts import path_of

Typeset = Callable[[str, float, bool], tuple[tuple[Item, ...], float]]

SQUARES = [
    Format("square", Size(float(side), float(side)), 3.0, 3.0, 3.0) for side in (38.3, 61.1, 61.8, 65.5, 89, 94.5)
]
KINDS = [FORMATS[name] for name in FORMATS if not name.endswith(("-landscape", "-upright"))] + SQUARES
NAMES = [
    ("duck-blind", "0.3", "play-deck"),
    ("a-rather-long-id-for-a-game-of-ducks", "1.12.3", "cards-for-two-players"),
]
GAMES = Workspace(Path(__file__).resolve().parents[2]).games()


@pytest.fixture(scope="module")
def typeset(project: Workspace) -> Typeset:
    setter = Typesetter(FontLibrary(project), lambda _name, _colour: None, "en")
    style = TextStyle("Alegreya Sans", colour="#333333")

    def line(text: str, size_pt: float, is_bold: bool) -> tuple[tuple[Item, ...], float]:
        found = setter.line(text, style._replace(size_pt=size_pt, weight="bold" if is_bold else "regular"))
        return found.items, found.width_mm

    return line


def full_sheet(format_: Format, paper: Paper, backs: Backs, typeset: Typeset, gaps: Gaps = Gaps.AUTO) -> Sheet:
    label = SheetLabel("Duck Blind", "Play deck: ducks, wardens, actions", "0.3")
    leaves = [Leaf(format_, 120, "front", "back")]
    return impose_piece(leaves, paper, backs, Turn.LONG, label, typeset, Manner(gaps=gaps))[0]


def taken(sheet: Sheet, trim: Size) -> Iterator[Rect]:
    for placed in sheet.front.placements:
        yield placed.bleed.around(placed.trim_box(trim))
    for item in sheet.front.items:
        yield from ink_boxes(item.items if isinstance(item, Layer) else (item,))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("backs", [Backs.DUPLEX, Backs.GUTTERFOLD], ids=lambda one: str(one.value))
@pytest.mark.parametrize("paper_name", ["a4", "letter"])
def test_full_sheets_of_all_cards_have_a_code_beside_everything(
    paper_name: str, backs: Backs, typeset: Typeset
) -> None:
    paper = paper_of(paper_name)
    for format_ in KINDS:
        if fit_grid(format_, paper) is None:
            continue
        sheet = full_sheet(format_, paper, backs, typeset)
        trims = dict.fromkeys(("front", "back"), format_.trim)
        for game, version, piece in NAMES:
            (coded,) = SheetCodes(game, version, [piece]).coded([sheet], piece, paper, trims)
            assert coded.front.code is not None, (format_, game)
            code, module_mm = coded.front.code.box, coded.front.code.module_mm
            printable = Rect(0.0, 0.0, *sheet.paper).inside(paper.margins(sheet.paper))
            assert printable.holds(code, 1e-3)
            count = len(coded.front.code.rows)
            assert module_mm >= 0.18 - 1e-3, format_
            assert count == 21 or module_mm > 0.26 or game == "duck-blind", format_  # a long id gives way
            room = code.grown(module_mm - 1e-3)
            assert all(box.is_apart(room) for box in taken(coded, format_.trim)), (format_, code)


@pytest.mark.parametrize(
    ("name", "paper_name", "gaps"),
    [
        ("poker", "letter", Gaps.NEVER),
        ("square-3.5in", "a4", Gaps.ALWAYS),
    ],
)
def test_a_code_on_a_fold_leaves_the_line_on_both_sides_of_it(
    name: str, paper_name: str, gaps: Gaps, typeset: Typeset
) -> None:
    """These cards leave less beside them on a folded sheet than the strip along the fold is wide."""
    format_, paper = FORMATS[name], paper_of(paper_name)
    sheet = full_sheet(format_, paper, Backs.GUTTERFOLD, typeset, gaps)
    trims = dict.fromkeys(("front", "back"), format_.trim)
    (coded,) = SheetCodes("duck-blind", "0.3", ["play-deck"]).coded([sheet], "play-deck", paper, trims)
    assert coded.front.code is not None
    code = coded.front.code.box
    fold = next(item for item in coded.front.items if isinstance(item, Layer) and item.name == FOLD_LAYER)
    whole = next(item for item in sheet.front.items if isinstance(item, Layer) and item.name == FOLD_LAYER)
    before, after = ink_boxes(fold.items[:1])
    (line,) = ink_boxes(whole.items[:1])
    assert fold.items[1:] == whole.items[1:]
    if line.width_mm > line.height_mm:  # read every line as one from top to bottom
        code, before, after, line = (box.turned() for box in (code, before, after, line))
    assert code.x_mm < line.x_mm < line.right_mm < code.right_mm
    assert before.y_mm == line.y_mm
    assert after.bottom_mm == pytest.approx(line.bottom_mm)
    gap_mm = after.y_mm - before.bottom_mm
    assert code.height_mm < gap_mm <= code.height_mm + 8 * code.height_mm / 21
    assert max(before.height_mm, after.height_mm) > 50


@pytest.mark.parametrize("d", ["5.000 0.000 m 5.000 90.000 l", "0.000 5.000 m 90.000 5.000 l"])
def test_a_line_gives_way_to_a_square_at_its_end_too(d: str) -> None:
    line = Outline(path_of(d), Paint(stroke="#000000", stroke_mm=0.2))
    for room, parts in ((Rect(3, 3, 4, 4), 2), (Rect(-1, -1, 8, 8), 1), (Rect(-1, -1, 99, 99), 0)):
        (layer,) = with_gap((Layer(FOLD_LAYER, (line,)),), room)
        assert isinstance(layer, Layer)
        boxes = list(ink_boxes(layer.items)) if parts else []
        assert len(boxes) == parts
        last = boxes[parts == 2 :]
        assert not any(box.x_mm < room.right_mm - 0.2 and box.y_mm < room.bottom_mm - 0.2 for box in last)


def test_long_ids_are_cut_down_until_the_smallest_code_holds_them() -> None:
    text = report_within(25, "a-rather-long-id-for-a-game", "1.12.3", "2", "13")
    assert text == "A-RATHER-LON*/1.12.3/2/13"
    assert len(text) == 25
    assert len(modules_of(text, "l")) == 21
    report = read_report(text)
    assert report is not None
    assert report.is_of("a-rather-long-id-for-a-game")
    assert not report.is_of("a-rather")
    assert not report._replace(game="duck").is_of("duck-blind")
    assert report.parts == ("2", "13")
    assert report_within(10, "pond", "1.12.3-beta", "2", "13") == "POND/1.12.3-BETA/2/13"  # nothing would help
    report = read_report(report_text("duck-blind", "0.3", "duck", "mallard-hen"))
    assert report == ("duck-blind", "0.3", ("duck", "mallard-hen"))
    for other in ("https://example.com/", "duck-blind", "duck-blind/0.3", "/0.3/aid", "Some words/of/others"):
        assert read_report(other) is None, other


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


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_every_sheet_of_every_game_has_a_code(game_id: str, whole: Callable[[str], Built], project: Workspace) -> None:
    """They are clean: pages that are read have none, and the margins of all others name the cards on them, too."""
    checked, paper = whole(game_id).checked, paper_of("a4")
    assert checked.game is not None
    bare_game, fonts = replace(checked.game, finish=""), FontLibrary(project)
    for backs, gaps in ((Backs.DUPLEX, "never"), (Backs.GUTTERFOLD, "always"), (Backs.NONE, "never")):
        request = Request(("a4",), backs=backs, gaps=gaps)
        imposer, bare = (Imposer(PrintJob(game, request, fonts)) for game in (checked.game, bare_game))
        for one in checked.pieces:
            for sheet, other in zip(imposer.impose(one, paper), bare.impose(one, paper), strict=True):
                if not all(placed.is_back for placed in sheet.front.placements):
                    at = (backs, gaps, one.piece.id, sheet.number)
                    assert (sheet.front.code is None) is bool(one.piece.book), at
                    assert (len(sheet.front.items) > len(other.front.items)) is not bool(one.piece.book), at


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("game", "piece", "request_"),
    [
        ("duck-pens", "aids", Request(papers=("a4",), ink="grey")),
        ("duck-blind", "bonus", Request(papers=("letter",))),  # a full sheet of nine
        ("blind-mans-draft", "aids", Request(papers=("letter",), backs=Backs.GUTTERFOLD)),
        ("canardage", "board", Request(papers=("letter",))),  # in tiles
    ],
)
def test_sheets_and_aids_scan(game: str, piece: str, request_: Request, project: Workspace, tmp_path: Path) -> None:
    loaded = load(project, game)
    assert loaded.game is not None
    version = loaded.game.version
    loaded = replace(loaded, game=replace(loaded.game, finish=""))  # with the codes of its theme
    built = build(project, loaded, replace(request_, pieces=(piece,)), tmp_path)
    (name,) = (name for name in built.files if name.endswith(".pdf"))
    with pypdfium2.PdfDocument(built.folder / name) as document:
        images = (page.render(scale=200 / 72).to_pil().convert("L") for page in document)
        found = [{code.text for code in zxingcpp.read_barcodes(image)} for image in images]
    step = len(found) // sum(built.sheets_in_all.values())  # two sides, or one
    for number, texts in enumerate(found[::step], 1):
        (sheet,) = (read_report(text) for text in texts if text.rpartition("/")[2].isdigit())
        assert sheet is not None
        assert (sheet.game, sheet.version, int(sheet.parts[-1])) == (game, version, number)
    if piece == "aids":
        assert report_text(game, version, "aid") in set().union(*found)
