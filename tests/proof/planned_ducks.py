"""A file with something of everything, and what was planned for it."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
from PIL import Image

from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing
from duckpress.core.geometry import Matrix
from duckpress.files.memo import Pack
from duckpress.impose import Edges, Layer, Sheet, Side
from duckpress.impose.sheets import Code
from duckpress.layout import PictureData
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from duckpress.proof.file_proof import check_file
from duckpress.proof.opened import UnreadablePdf, opened_pdf
from duckpress.render import DocumentInfo, render_pdf
from handmade import A4, FONTS, ICON, SYMBOLS, booklet, box, card, placed, words
from path_texts import path_of
from pdf_reading import opened


def picture(mode: str, colour: tuple[int, ...], kind: str = "PNG") -> PictureData:
    """Return a picture of 60 x 40 pixels, the last one black."""
    out, image = io.BytesIO(), Image.new(mode, (60, 40), colour)
    image.putpixel((59, 39), (0,) * len(colour))
    image.save(out, kind)
    return PictureData("", out.getvalue(), kind.lower(), 60, 40)


PICTURES = {
    "a" * 32: picture("RGBA", (200, 30, 30, 128)),
    "b" * 32: picture("RGB", (30, 200, 30), "JPEG"),
    "c" * 32: picture("RGB", (30, 30, 200)),
}
DASHED = Paint(stroke="#102030", stroke_mm=0.4, stroke_opacity=0.5, dash_mm=(1.0, 0.5, 0.25), cap=1, join=-3)
CURVE = path_of("2 2 m 10 2 12 8 20 8 c 20 20 l h")
ITEMS: dict[str, Item] = {
    "title": words("Mallard", 3.0, 8.0),
    "red": words("and more", 3.0, 12.0, 3.0, fill="#aa0000"),
    "symbol": words("♠", 30.0, 12.0, 4.0, SYMBOLS),
    "curve": Outline(CURVE, Paint(fill="#336699", stroke="#000000", stroke_mm=0.5, even_odd=True)),
    "dashed": Outline(path_of("2 30 m 38 30 l"), DASHED),
    "see-through": Picture("a" * 32, 5.0, 30.0, 6.0, 4.0),
    "photo": Picture("b" * 32, 15.0, 30.0, 6.0, 4.0),
    "plain": Picture("c" * 32, 25.0, 30.0, 6.0, 4.0),
    "icon": PlacedDrawing(ICON.key, Matrix(0.5, 0.0, 0.0, 0.5, 30.0, 40.0)),
    "turned": Group((box(0, 0, 4, 2, "#222222"),), Matrix(0.0, 1.0, -1.0, 0.0, 20.0, 40.0), path_of("0 0 3 2 re")),
    "faint": Group((box(0, 0, 4, 2, "#770000"), words("faint", 0, 2)), Matrix(e=5.0, f=50.0), opacity=0.5),
    "masked": Group((box(0, 0, 9, 9, "#007700"),), Matrix(e=20.0, f=50.0), mask=(box(0, 0, 9, 4, "#808080"),)),
}
FRONT, BACK = card(*ITEMS.values()), card(words("Back"), ground="#224466")
MARKS = (Layer("cut", (Outline(path_of("10 20 m 10 280 l"), Paint(stroke="#ff0000", stroke_mm=0.1)),)),)
CODE = Code((0b101, 0b010, 0b111), 150.0, 20.0, 2.0, "#000000")
FRONT_SIDE = Side(
    (placed(0, FRONT, 20, 20), placed(0, FRONT, 90, 20, 180)._replace(bleed=Edges(1.0, 1.0, 1.0, 1.0))),
    (words("Sheet 1", 20, 285, 3.0), *MARKS, box(5, 5, 2, 2, "#000000")),
    Matrix(1.001, 0.0, 0.0, 0.999, 0.2, -0.1),
    CODE,
    (words("Copy 7", 120, 285, 3.0),),
)
BACK_SIDE = Side((placed(0, BACK, 150, 20, is_back=True), placed(0, BACK, 80, 20, 180, is_back=True)), ())
INFO = DocumentInfo("Ducks", language="en", duplex="long", layers={"cut": "Cuts"})
EXPECTED = Expected(
    (ExpectedFace("ducks", "mallard", 2, FRONT, BACK),),
    A4,
    5.0,
    "long",
    "Ducks",
    "en",
    PICTURES,
    {ICON.key: ICON},
    layers={"L-cut": "Cuts"},
    pages=(ExpectedPage(FRONT_SIDE, A4), ExpectedPage(BACK_SIDE, A4)),
    font_file=lambda key: FONTS[key].file,
)
PDF = render_pdf([booklet([Sheet(A4, FRONT_SIDE, BACK_SIDE, 1, 1)], (FRONT, BACK), PICTURES)], FONTS, INFO)


def found(pdf: bytes = PDF, expected: Expected = EXPECTED, proven: Pack | None = None) -> list[tuple[str, str]]:
    """Return the codes and words of everything in which a file is not what is expected."""
    with opened_pdf(pdf) as document:
        return [(problem.code, problem.what) for problem in check_file(document, expected, proven or Pack())]


def told(pdf: bytes, proven: Pack | None = None) -> list[tuple[str, str]]:
    """Return what is found in a file, also that it cannot be read."""
    try:
        return found(pdf, proven=proven)
    except UnreadablePdf as error:
        return [("proof-unreadable", str(error))]


def edited(edit: Callable[[pikepdf.Pdf], object]) -> bytes:
    """Return the file with a fault."""
    out = io.BytesIO()
    with opened(PDF) as pdf:
        edit(pdf)
        pdf.save(out)
    return out.getvalue()
