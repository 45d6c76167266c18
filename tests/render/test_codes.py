"""Codes of sheets as they come out: every module where it has to be, at every place and in every turn of the file."""

from __future__ import annotations

import random

import pypdfium2
import pytest

from duckpress.core.geometry import Rect
from duckpress.impose.sheets import Code
from duckpress.render import DocumentInfo, render_pdf
from handmade import FONTS, booklet, card, placed, sheet, words

DPI = 600
CARD = card(words("A duck"))


@pytest.mark.sweep(6)
@pytest.mark.parametrize("count", [21, 25, 29, 33])
def test_every_module_is_where_it_has_to_be(count: int) -> None:
    dice = random.Random(count)
    rows = tuple(dice.getrandbits(count) for _ in range(count))
    code = Code(rows, 31.3, 200.7, 0.3, "#204060")
    assert code.box == Rect(31.3, 200.7, pytest.approx(count * 0.3), pytest.approx(count * 0.3))
    plain = sheet([placed(0, CARD, 20, 20)], None)
    coded = plain._replace(front=plain.front._replace(code=code))
    info = DocumentInfo("T", "", "", "en", None)
    pdf = pypdfium2.PdfDocument(render_pdf([booklet([coded], [CARD])], FONTS, info))
    picture = pdf[0].render(scale=DPI / 72).to_pil().convert("RGB")
    found = []
    for row in range(count):
        is_dark = [picture.getpixel(_middle(code, row, column)) == (0x20, 0x40, 0x60) for column in range(count)]
        found.append(int("".join("01"[one] for one in is_dark), 2))
    assert tuple(found) == rows
    for beside in ((-1, 0), (count, count - 1), (0, -1), (count - 1, count)):
        assert picture.getpixel(_middle(code, *beside)) == (255, 255, 255)


def _middle(code: Code, row: int, column: int) -> tuple[int, int]:
    x_mm, y_mm = code.x_mm + (column + 0.5) * code.module_mm, code.y_mm + (row + 0.5) * code.module_mm
    return round(x_mm / 25.4 * DPI), round(y_mm / 25.4 * DPI)
