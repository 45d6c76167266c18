"""What the finished file says of itself, and that everything is in it once."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest

from duckpress.core.frame import Group, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size
from duckpress.files.memo import Pack
from duckpress.render import Booklet, DocumentInfo, Renderer, render_pdf
from duckpress.render.bare_canvas import fp_str
from duckpress.render.pen import Pen
from handmade import FONTS, ICON, booklet, box, card, placed, sheet, words
from pdf_reading import opened

INFO = DocumentInfo("The Game: Cards", "A. Author", "a subject", "en", "long")
WOLF = card(words("The office wolf"), PlacedDrawing(ICON.key, Matrix(0.5, 0, 0, 0.5, 5, 20)))
DUCK = card(
    words("A duck"), PlacedDrawing(ICON.key, Matrix(e=5, f=20)), Group((box(5, 40, 20, 10, "#00aa00"),), opacity=0.5)
)
BACK = card(words("Back"), ground="#224466")


def two_cards() -> Booklet:
    """Return a wolf twice and a duck, with the same back."""
    fronts = [placed(0, WOLF, 20, 20), placed(0, WOLF, 70, 20), placed(1, DUCK, 20, 90)]
    backs = [placed(0, BACK, x, y, is_back=True) for x, y in ((150, 20), (100, 20), (150, 90))]
    return booklet([sheet(fronts, backs, words("sheet 1 of 1", 20, 290))], [WOLF, DUCK, BACK])


PDF = render_pdf([two_cards()], FONTS, INFO)


def test_pages_and_their_boxes() -> None:
    with opened(PDF) as pdf:
        assert len(pdf.pages) == 2
        page = pdf.pages[0].obj
        assert [round(float(edge) / 72 * 25.4, 3) for edge in page.MediaBox] == [0, 0, 210, 297]
        assert page.Contents.read_bytes().startswith(b"2.834646 0 0 -2.834646 0 841.8898 cm 4 M\nq\n1 0 0 1 20 20 cm\n")
        assert {"/Rotate", "/Trans"}.isdisjoint(page.keys())
        # x from the left, y from the bottom: trims reach from 20 to 110 across and from 20 to 150 down.
        assert [round(float(edge) / 72 * 25.4, 2) for edge in page.TrimBox] == [20, 147, 110, 277]
        assert [round(float(edge) / 72 * 25.4, 2) for edge in page.BleedBox] == [18, 145, 112, 279]


def test_what_only_a_copy_has_is_drawn_last() -> None:
    (one,) = two_cards().sheets
    copy = two_cards()._replace(sheets=(one._replace(front=one.front._replace(own=(words("of Ann", 20, 285),))),))
    with opened(render_pdf([copy], FONTS, INFO)) as pdf, opened(PDF) as plain:
        own, without = (document.pages[0].Contents.read_bytes().rstrip() for document in (pdf, plain))
    assert own.startswith(without)
    assert own[len(without) :].startswith(b"\nBT 1 0 0 -1 20 285 Tm /F-")


def test_what_earlier_builds_have_drawn_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, ink = list[Rect](), Pen.ink
    monkeypatch.setattr(Pen, "ink", lambda pen, items, box: drawn.append(box) or ink(pen, items, box))
    other, body = booklet([sheet([placed(0, WOLF, 20, 20)], None)], [WOLF]), b""
    counts = []
    for now in (two_cards(), two_cards(), other, two_cards()):
        pack = Pack(body)
        renderer = Renderer(FONTS, pack)
        branch = renderer.branch()
        renderer.render([now], INFO)
        counts.append(len(drawn))
        assert branch.render([now], INFO) == render_pdf([now], FONTS, INFO)
        drawn.clear()
        body = pack.news() or body
    assert counts == [5, 0, 0, 0]  # three faces, a group and a drawing


def test_what_the_document_says_of_itself() -> None:
    with opened(PDF) as pdf:
        info = pdf.docinfo
        assert str(info.Title) == "The Game: Cards"
        assert str(info.Author) == "A. Author"
        assert str(info.Subject) == "a subject"
        assert str(info.Creator) == "duckpress"
        assert str(info.Producer).startswith("duckpress")
        assert "/CreationDate" not in info, "there is no clock"
        assert str(pdf.Root.Lang) == "en"
        preferences = pdf.Root.ViewerPreferences
        assert preferences.PrintScaling == "/None"
        assert preferences.DisplayDocTitle is True
        assert preferences.Duplex == "/DuplexFlipLongEdge"
    for duplex, name in ((None, "/Simplex"), ("short", "/DuplexFlipShortEdge")):
        with opened(render_pdf([two_cards()], FONTS, INFO._replace(duplex=duplex))) as pdf:
            assert pdf.Root.ViewerPreferences.Duplex == name


def test_a_face_is_drawn_once_and_a_drawing_is_shared() -> None:
    with opened(PDF) as pdf:
        forms = [
            thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
        ]
        assert len(forms) == 5  # two fronts, a back, the drawing, the group
        front = pdf.pages[0]
        assert front.Contents.read_bytes().count(f"/FormXob.C-{WOLF.hash} Do".encode()) == 2
        found = {
            front.Resources.XObject[f"/FormXob.C-{frame.hash}"].Resources.XObject[f"/FormXob.D-{ICON.key}"].objgen
            for frame in (WOLF, DUCK)
        }
        assert len(found) == 1
        assert set(pdf.pages[1].Resources.XObject.keys()) == {f"/FormXob.C-{BACK.hash}"}


def test_streams_are_compressed_and_binary() -> None:
    assert b"ASCII85" not in PDF
    with opened(PDF) as pdf:
        streams = [thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]
        filters = [stream.Filter for stream in streams]
        assert all(one == "/FlateDecode" or list(one) == ["/FlateDecode"] for one in filters)
        assert all(stream.read_bytes() for stream in streams)


def test_one_bookmark_a_booklet() -> None:
    booklets = [two_cards()._replace(title="Karten für Zwei"), two_cards()._replace(title="Tokens")]
    with opened(render_pdf(booklets, FONTS, INFO)) as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == ["Karten für Zwei", "Tokens"]
        assert [item.destination[0].objgen for item in outline.root] == [pdf.pages[0].objgen, pdf.pages[2].objgen]


def test_a_renderer_gives_the_same_bytes_as_a_fresh_one() -> None:
    renderer = Renderer(FONTS)
    small = two_cards()
    letter = small._replace(sheets=tuple(one._replace(paper=Size(215.9, 279.4)) for one in small.sheets))
    renderer.render([letter], INFO)
    assert renderer.render([small], INFO) == PDF
    assert renderer.render([letter], INFO) == render_pdf([letter], FONTS, INFO)


def test_another_place_makes_another_file() -> None:
    other = two_cards()
    (one,) = other.sheets
    moved = tuple(place._replace(x_mm=place.x_mm + 1) for place in one.front.placements)
    pdf = render_pdf([other._replace(sheets=(one._replace(front=one.front._replace(placements=moved)),))], FONTS, INFO)
    with opened(PDF) as before, opened(pdf) as after:
        assert bytes(before.trailer.ID[0]) != bytes(after.trailer.ID[0])


def test_the_same_bytes_wherever_and_whenever(tmp_path: Path) -> None:
    """In any folder, with any hash seed, at any time, and whether reportlab formats numbers in C or in Python."""
    here = Path(__file__).resolve().parent
    code = """import random, sys
sys.modules["_rl_accel"] = None
import test_document
from duckpress.render.bare_canvas import fp_str
numbers = random.Random(35)
sys.stdout.buffer.write(test_document.PDF)
for _ in range(5000):
    print(fp_str(round(numbers.uniform(-1, 1) * 10 ** numbers.randint(-6, 5), numbers.randint(0, 8))), file=sys.stderr)
print(type(fp_str).__name__, file=sys.stderr)
"""
    paths = (os.environ.get("PYTHONPATH"), str(here), str(here.parent), str(here.parent / "kit"))
    changed = {"PYTHONHASHSEED": "2", "RL_pageCompression": "1", "RL_invariant": "0", "RL_useA85": "1"}
    changed |= {"SOURCE_DATE_EPOCH": "1700000000", "TZ": "Asia/Tokyo"}
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths)), **changed}
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, check=True)
    assert run.stdout == PDF
    *said, kind = run.stderr.decode().split()
    assert (len(said), kind) == (5000, "function")
    numbers = random.Random(35)
    for one in said:
        assert fp_str(round(numbers.uniform(-1, 1) * 10 ** numbers.randint(-6, 5), numbers.randint(0, 8))) == one


TOOLS = {
    "gs": ["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-dPDFSTOPONERROR", "-sDEVICE=nullpage", "cards.pdf"],
    "pdftoppm": ["-r", "20", "-png", "cards.pdf", "out"],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_other_programs_read_it_without_complaint(tool: str, tmp_path: Path) -> None:
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"{tool} is not installed")
    (tmp_path / "cards.pdf").write_bytes(PDF)
    run = subprocess.run([program, *TOOLS[tool]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
