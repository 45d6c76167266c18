"""What the proof promises of folds, cuts and layers, broken on purpose; and layers as PDFium shows and prints them."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pypdfium2
import pytest
from pypdfium2 import raw

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Rect
from duckpress.core.problems import Source
from duckpress.impose import CUT_LAYER, FOLD_LAYER, Layer, Placement
from duckpress.impose.marks import LINE_PAINT, lines_across, stroked
from duckpress.proof import Expected, ExpectedFace, prove_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, booklet, card, placed, sheet, words
from path_texts import path_of

SOURCE = Source("content/woods/game.yaml", 7, 3)
WOLF, DUCK = card(words("The wolf")), card(words("A duck"))
BACK = card(words("Forest"), ground="#224466")
FACES = (ExpectedFace("forest", "wolf", 1, WOLF, BACK), ExpectedFace("forest", "duck", 1, DUCK, None))
TITLES = {CUT_LAYER: "Cut lines", FOLD_LAYER: "Fold line"}
EXPECTED = Expected(
    FACES, A4, 5.0, None, "Woods", "en", {},
    fold_turn="long", cut="marks", layers={f"L-{name}": title for name, title in TITLES.items()},
)  # fmt: skip
INFO = DocumentInfo("Woods", language="en", layers=TITLES)
DASHED = Paint(stroke="#000000", stroke_mm=0.2, dash_mm=(2.0, 1.2))

# Cards are 40 x 60 mm: two above each other, left of the middle at 105 mm.
FRONTS = (placed(0, WOLF, 50, 20), placed(1, DUCK, 50, 100))
BEHIND = placed(0, BACK, 120, 20, is_back=True)


def marks(left: float = 50, right: float = 120) -> Outline:
    columns = [(x, 8.0, x, 12.0) for start in (left, right) for x in (start, start + 40)]
    return stroked([*columns, *((8.0, y, 12.0, y) for y in (20.0, 80.0, 100.0, 160.0))])


def fold(at: float = 105.0) -> Layer:
    return Layer(FOLD_LAYER, (Outline(path_of(f"{at:g} 5 m {at:g} 290 l"), DASHED), words("fold", at - 10, 170, 2)))


def printed(
    *around: Item | Layer, placements: tuple[Placement, ...] = (*FRONTS, BEHIND), info: DocumentInfo = INFO
) -> bytes:
    items = around or (Layer(CUT_LAYER, (marks(),)), fold())
    one = sheet(placements, None, *items)  # type: ignore[arg-type]
    return render_pdf([booklet([one], (WOLF, DUCK, BACK))], FONTS, info)


def findings(pdf: bytes, expected: Expected = EXPECTED) -> dict[str, str]:
    """Return the first finding of every code."""
    found: dict[str, str] = {}
    for problem in prove_pdf(pdf, expected, SOURCE):
        found.setdefault(problem.code, problem.what)
    return found


def edited(edit: Callable[[pikepdf.Pdf], None]) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(printed())) as document:
        edit(document)
        document.save(out)
    return out.getvalue()


def test_a_right_sheet_has_no_findings() -> None:
    assert findings(printed()) == {}


def test_below_a_level_fold_backs_stand_at_180_degrees() -> None:
    line = Layer(FOLD_LAYER, (Outline(path_of("5 148.5 m 205 148.5 l"), DASHED),))
    level = stroked([(8.0, y, 12.0, y) for y in (20.0, 80.0, 217.0, 277.0)])
    upright = stroked([(x, 8.0, x, 12.0) for x in (50.0, 90.0)])
    cut = Layer(CUT_LAYER, (level, upright))
    expected = EXPECTED._replace(faces=FACES[:1])
    for turn, wanted in ((180, set()), (0, {"proof-back"})):
        back = placed(0, BACK, 50, 217, turn, is_back=True)
        assert set(findings(printed(cut, line, placements=(FRONTS[0], back)), expected)) == wanted


@pytest.mark.parametrize(
    "back",
    [
        placed(0, BACK, 120.2, 20, is_back=True),  # beside its place
        placed(0, BACK, 120, 20, 180, is_back=True),  # upside down
        placed(0, BACK, 120, 100, is_back=True),  # behind the duck
    ],
)
def test_a_back_elsewhere(back: Placement) -> None:
    assert "proof-back" in findings(printed(placements=(*FRONTS, back)))


def test_a_card_without_a_back_must_have_none() -> None:
    duck = placed(1, BACK, 120, 100, is_back=True)
    assert "proof-back" in findings(printed(placements=(FRONTS[0], FRONTS[1], duck)))


def test_a_fold_in_the_wrong_place_puts_no_back_behind_its_front() -> None:
    assert "proof-back" in findings(printed(Layer(CUT_LAYER, (marks(),)), fold(104.5)))


def test_without_a_fold_there_is_nothing_behind() -> None:
    assert "proof-back" in findings(printed(Layer(CUT_LAYER, (marks(),))))


def test_a_face_too_near_to_the_fold() -> None:
    near = (placed(0, WOLF, 58.5, 20), placed(1, DUCK, 50, 100), placed(0, BACK, 111.5, 20, is_back=True))
    around = (Layer(CUT_LAYER, (marks(), marks(58.5, 111.5))), fold())
    found = findings(printed(*around, placements=near))
    assert found == {"proof-fold": "page 1: a face comes as near as 4.5 mm to the fold, not 5 mm"}


def test_a_back_on_the_next_sheet_is_glued_behind_its_front() -> None:
    def pages(x_mm: float) -> bytes:
        cut = Layer(CUT_LAYER, (marks(50, 120),))
        sheets = [sheet(FRONTS, None, cut), sheet([placed(0, BACK, x_mm, 20, is_back=True)], None, cut)]
        return render_pdf([booklet(sheets, (WOLF, DUCK, BACK))], FONTS, INFO)

    assert findings(pages(120.0)) == {}
    assert "proof-back" in findings(pages(120.0), EXPECTED._replace(fold_turn="short"))
    assert "proof-copies" in findings(pages(121.0))


def test_a_missing_mark() -> None:
    assert findings(printed(Layer(CUT_LAYER, (marks(50.1),)), fold()))["proof-cut"].startswith(
        "page 1: there is no mark at the cut 50.00 mm across"
    )
    assert "proof-cut" in findings(printed(marks(), fold()))  # there, but not in the layer
    assert findings(printed(fold()), EXPECTED._replace(cut="none")) == {}


def test_lines_go_along_every_edge() -> None:
    columns, rows = (50.0, 90.0, 120.0, 160.0), (20.0, 80.0, 100.0, 160.0)
    expected = EXPECTED._replace(cut="lines")
    whole = stroked(lines_across(columns, rows, Rect(5, 5, 200, 280)), LINE_PAINT)
    short = stroked(lines_across(columns, rows, Rect(5, 5, 200, 150)), LINE_PAINT)
    assert findings(printed(Layer(CUT_LAYER, (whole,)), fold()), expected) == {}
    assert "proof-cut" in findings(printed(Layer(CUT_LAYER, (short,)), fold()), expected)
    assert "proof-cut" in findings(printed(), expected)


def test_layers_that_are_not_as_promised() -> None:
    def without(pdf: pikepdf.Pdf) -> None:
        del pdf.Root.OCProperties

    def renamed(pdf: pikepdf.Pdf) -> None:
        pdf.Root.OCProperties.OCGs[0].Name = pikepdf.String("Scissors")

    def hidden(pdf: pikepdf.Pdf) -> None:
        pdf.Root.OCProperties.D.OFF = pikepdf.Array([pdf.Root.OCProperties.OCGs[0]])

    assert "is not in the document's list" in findings(edited(without))["proof-layer"]
    assert "is called 'Scissors' in the file, not 'Cut lines'" in findings(edited(renamed))["proof-layer"]
    assert "does not show on a screen" in findings(edited(hidden))["proof-layer"]
    assert findings(printed(), EXPECTED._replace(prints_layers=False))["proof-layer"].endswith("be left out in print")
    unprinted = printed(info=INFO._replace(prints_layers=False))
    assert findings(unprinted, EXPECTED._replace(prints_layers=False)) == {}
    assert findings(unprinted)["proof-layer"].endswith("should be printed")


def test_a_layer_that_says_off_but_is_never_asked_is_printed() -> None:
    def unasked(pdf: pikepdf.Pdf) -> None:
        for group in pdf.Root.OCProperties.OCGs:
            group.Usage.Print.PrintState = pikepdf.Name.OFF
        del pdf.Root.OCProperties.D.AS

    assert findings(edited(unasked)) == {}


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
    plain, silent = printed(), printed(info=INFO._replace(prints_layers=False))
    assert darkness(plain, for_print=False) > 50
    assert darkness(plain, for_print=True) == darkness(plain, for_print=False)
    assert darkness(silent, for_print=False) == darkness(plain, for_print=False)
    assert darkness(silent, for_print=True) == 0


def test_titles_of_layers_may_have_accents() -> None:
    info = INFO._replace(layers={CUT_LAYER: "Lignes à découper", FOLD_LAYER: "折り線"})
    with pikepdf.open(io.BytesIO(printed(info=info))) as document:
        assert [str(one.Name) for one in document.Root.OCProperties.OCGs] == ["Lignes à découper", "折り線"]


def test_a_document_without_marks_has_no_layers() -> None:
    pdf = printed(marks())
    with pikepdf.open(io.BytesIO(pdf)) as document:
        assert "/OCProperties" not in document.Root
