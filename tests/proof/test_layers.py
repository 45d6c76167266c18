"""What the proof promises of layers, broken on purpose; and layers as PDFium shows and prints them."""

from __future__ import annotations

import io

import pikepdf
import pypdfium2
from pypdfium2 import raw

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.problems import Source
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Layer
from duckpress.impose.marks import stroked
from duckpress.proof import Expected, ExpectedFace, ExpectedPage, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, booklet, card, placed, sheet, words
from path_texts import path_of

WOLF, BACK = card(words("The wolf")), card(words("Forest"), ground="#224466")
TITLES = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}
INFO = DocumentInfo("Woods", language="en", layers=TITLES)
MARKS = stroked([*((x, 8.0, x, 12.0) for x in (50.0, 90.0, 120.0, 160.0)), *((8.0, y, 12.0, y) for y in (20.0, 80.0))])
LINE = Outline(path_of("105 5 m 105 290 l"), Paint(stroke="#000000", stroke_mm=0.2, dash_mm=(2.0, 1.2)))
SHEET = sheet(
    [placed(0, WOLF, 50, 20), placed(0, BACK, 120, 20, is_back=True)], None,
    Layer(CUT_LAYER, (MARKS,)), Layer(FOLD_LAYER, (LINE, words("fold", 95, 170, 2))),
)  # fmt: skip
EXPECTED = Expected(
    (ExpectedFace("forest", "wolf", 1, WOLF, BACK),), A4, 5.0, None, "Woods", "en", {}, fold_turn="long", cut="marks",
    layers={f"L-{name}": title for name, title in TITLES.items()}, pages=(ExpectedPage(SHEET.front, A4),),
    font_file=lambda key: FONTS[key].file,
)  # fmt: skip


def printed(info: DocumentInfo = INFO, *around: Item) -> bytes:
    one = sheet(SHEET.front.placements, None, *around) if around else SHEET
    return render_pdf([booklet([one], (WOLF, BACK))], FONTS, info)


def findings(pdf: bytes, expected: Expected = EXPECTED) -> dict[str, str]:
    """Return the first finding of every code."""
    found: dict[str, str] = {}
    for problem in prove_pdf(pdf, expected, Source("game.yaml")):
        found.setdefault(problem.code, problem.what)
    return found


def test_layers_that_are_printed_and_that_are_not() -> None:
    assert findings(printed()) == {}
    silent, unprinted = EXPECTED._replace(prints_layers=False), printed(INFO._replace(prints_layers=False))
    assert findings(printed(), silent)["proof-layer"].endswith("be left out in print")
    assert findings(unprinted, silent) == {}
    assert findings(unprinted)["proof-layer"].endswith("should show on a screen and be printed")


def darkness(pdf: bytes, *, for_print: bool) -> int:
    """Return how many pixels of the margin, where only marks are, PDFium paints dark: on a screen, or for a printer."""
    page = pypdfium2.PdfDocument(pdf)[0]
    width, height = 420, 594
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pypdfium2.raw.FPDFBitmap_BGRx)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    flags = raw.FPDF_PRINTING if for_print else 0
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    picture = bitmap.to_pil().convert("L").crop((0, 0, width, 30))
    return sum(picture.histogram()[:160])


def test_pdfium_leaves_out_in_print_what_need_not_be_printed() -> None:
    plain, silent = printed(), printed(INFO._replace(prints_layers=False))
    assert darkness(plain, for_print=False) > 50
    assert darkness(plain, for_print=True) == darkness(plain, for_print=False)
    assert darkness(silent, for_print=False) == darkness(plain, for_print=False)
    assert darkness(silent, for_print=True) == 0


def test_titles_of_layers_may_have_accents() -> None:
    info = INFO._replace(layers={CUT_LAYER: "Lignes à découper", FOLD_LAYER: "折り線"})
    with pikepdf.open(io.BytesIO(printed(info))) as document:
        assert [str(one.Name) for one in document.Root.OCProperties.OCGs] == ["Lignes à découper", "折り線"]


def test_a_document_without_marks_has_no_layers() -> None:
    pdf = printed(INFO, MARKS)
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert "/OCProperties" not in document.Root
