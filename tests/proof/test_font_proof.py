"""Fonts of every kind are right in a finished file, and another outline or width under the same name is seen."""

from __future__ import annotations

import io

import pikepdf
import pytest

import font_kinds
from duckpress.files.memo import Pack
from duckpress.impose import Sheet, Side
from duckpress.proof import Expected, ExpectedFace, ExpectedPage
from duckpress.proof.file_proof import check_file
from duckpress.proof.opened import opened_pdf
from duckpress.render import DocumentInfo, render_pdf
from duckpress.text.fonts import Typeface
from handmade import A4, Shelf, booklet, card, placed, words
from pdf_reading import opened

PINS = (("wght", 550.0),)
KINDS = {
    "truetype": Typeface(font_kinds.truetype()),
    "compact": Typeface(font_kinds.compact()),
    "keyed": Typeface(font_kinds.keyed()),
    "variable": Typeface(font_kinds.variable(), PINS),
    "variable compact": Typeface(font_kinds.variable(is_compact=True), PINS),
}
OTHERS = {
    "truetype": KINDS["variable"],
    "compact": KINDS["variable compact"],
    "keyed": KINDS["variable compact"],
    "variable": Typeface(font_kinds.variable(), (("wght", 600.0),)),
    "variable compact": Typeface(font_kinds.variable(is_compact=True), (("wght", 600.0),)),
}


def printed(typeface: Typeface) -> tuple[bytes, Expected]:
    """Return a file with a card in a font, and what it must hold."""
    face = card(words("Duck Teal", face=typeface))
    side = Side((placed(0, face, 20, 20),), ())
    info = DocumentInfo("Ducks", language="en")
    pdf = render_pdf([booklet([Sheet(A4, side, None, 1, 1)], [face])], Shelf({typeface.key: typeface}), info)
    faces, pages = (ExpectedFace("ducks", "teal", 1, face, None),), (ExpectedPage(side, A4),)
    font_file = {typeface.key: typeface.file}.get
    return pdf, Expected(faces, A4, 5.0, None, "Ducks", "en", {}, pages=pages, font_file=font_file)


def found(pdf: bytes, expected: Expected) -> set[str]:
    with opened_pdf(pdf) as document:
        return {problem.code for problem in check_file(document, expected, Pack())}


@pytest.mark.parametrize("kind", KINDS)
def test_a_font_of_a_kind_is_right_and_the_outlines_of_another_are_seen(kind: str) -> None:
    """The file gets the glyphs of a bolder one: everything else is as it was."""
    pdf, expected = printed(KINDS[kind])
    assert found(pdf, expected) == set()
    other, _ = printed(OTHERS[kind])
    out = io.BytesIO()
    with opened(pdf) as one, opened(other) as another:
        (font,), (bolder,) = (list(file.pages[0].Resources.Font.values()) for file in (one, another))
        target, source = (each.DescendantFonts[0].FontDescriptor for each in (font, bolder))
        name = "/FontFile3" if "/FontFile3" in target else "/FontFile2"
        target[name].write(source[name].read_bytes())
        one.save(out)
    assert found(out.getvalue(), expected) == {"proof-font"}


def test_another_width() -> None:
    pdf, expected = printed(KINDS["truetype"])
    out = io.BytesIO()
    with opened(pdf) as file:
        (font,) = file.pages[0].Resources.Font.values()
        row = next(part for part in font.DescendantFonts[0].W if isinstance(part, pikepdf.Array))
        row[0] = float(row[0]) + 1
        file.save(out)
    assert found(out.getvalue(), expected) == {"proof-font"}
