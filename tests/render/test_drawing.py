"""What frames look like on the page, as letters, one for 10 mm square; and codes of sheets, module by module."""

from __future__ import annotations

import random

import pypdfium2

from duckpress.core.frame import Drawing, Frame, Group, Item, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, translation
from duckpress.impose import Edges, Placement
from duckpress.impose.sheets import Code
from duckpress.render import DocumentInfo, render_pdf
from handmade import FONTS, SYMBOLS, booklet, box, card, placed, sheet, words
from pdf_reading import letter_map, text_of

INFO = DocumentInfo("Drawing", language="en")
TRIM = Size(20.0, 30.0)
PAGE = Size(60.0, 70.0)
RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def shown(*items: Item, drawings: tuple[Drawing, ...] = ()) -> list[str]:
    """Return the page with one face of these items, its trim 20 mm from the corner."""
    face = Frame(TRIM, 2.0, items)
    front = sheet([placed(0, face, 20, 20)], None, paper=PAGE)
    return letter_map(render_pdf([booklet([front], [face], drawings=drawings)], FONTS, INFO))


def test_a_placement_shows_only_so_much_bleed() -> None:
    face = Frame(TRIM, 12.0, (box(-12, -12, 44, 54, RED),))
    front = [Placement(0, False, 20, 20, 0, face.hash, Edges(10, 0, 0, 10))]
    rows = letter_map(render_pdf([booklet([sheet(front, None, paper=PAGE)], [face])], FONTS, INFO))
    assert rows == ["......", "......", ".RRR..", ".RRR..", ".RRR..", ".RRR..", "......"]


def test_what_a_group_sets_does_not_outlive_it() -> None:
    inside = Group((box(0, 0, 10, 10, RED), words("x", 0, 25, fill=RED)))
    square = words("■", 0, 28, 12, face=SYMBOLS, fill=GREEN)
    rows = shown(words("■", 10, 8, 12, face=SYMBOLS, fill=GREEN), inside, square)
    assert rows[2] == "..RG.."
    assert rows[4][2] == "G"


def test_groups_in_groups_in_drawings() -> None:
    half = Group((Group((box(0, 0, 5, 5, BLUE),), Matrix(2, 0, 0, 2, 0, 0), opacity=0.9999),), translation(0, 10))
    drawing = Drawing(Rect(0, 0, 10, 20), (box(0, 0, 10, 10, RED), half))
    assert shown(PlacedDrawing(drawing.key, translation(10, 10)), drawings=(drawing,))[3:5] == ["...R..", "...B.."]


def test_ligatures_and_letters_above_the_first_plane_copy_right() -> None:
    face = card(words("office fluffy"), words("die 🂡 or 𝔸", y_mm=20, face=SYMBOLS))
    pdf = render_pdf([booklet([sheet([placed(0, face, 20, 20)], None)], [face])], FONTS, INFO)
    text = text_of(pdf)
    assert "office fluffy" in text
    assert "die 🂡 or 𝔸" in text


def test_every_module_of_a_code_is_where_it_has_to_be() -> None:
    dice, count = random.Random(21), 21
    code = Code(tuple(dice.getrandbits(count) for _ in range(count)), 31.3, 40.7, 0.3, "#204060")
    face = Frame(TRIM, 2.0, ())
    plain = sheet([placed(0, face, 20, 5)], None, paper=PAGE)
    coded = plain._replace(front=plain.front._replace(code=code))
    with pypdfium2.PdfDocument(render_pdf([booklet([coded], [face])], FONTS, INFO)) as document:
        picture = document[0].render(scale=600 / 72).to_pil().convert("RGB")

    def colour(row: int, column: int) -> tuple[int, int, int]:
        middle = (code.x_mm + (column + 0.5) * code.module_mm, code.y_mm + (row + 0.5) * code.module_mm)
        return picture.getpixel((round(middle[0] / 25.4 * 600), round(middle[1] / 25.4 * 600)))

    for row, bits in enumerate(code.rows):
        dark = [colour(row, column) == (0x20, 0x40, 0x60) for column in range(count)]
        assert int("".join("01"[one] for one in dark), 2) == bits
    beside = ((-1, 0), (count, count - 1), (0, -1), (count - 1, count))
    assert {colour(*place) for place in beside} == {(255, 255, 255)}
