"""What frames look like on the page, as letters, one for 10 mm square; and codes of sheets, module by module."""

from __future__ import annotations

import random

import pypdfium2
import pytest

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, rotation, translation
from duckpress.impose import Edges, Placement
from duckpress.impose.sheets import Code
from duckpress.render import DocumentInfo, render_pdf
from handmade import FONTS, SERIF, SYMBOLS, booklet, box, card, placed, sheet, words
from path_texts import path_of
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


FLAG = Frame(TRIM, 2.0, (box(0, 0, 10, 10, RED), box(10, 0, 10, 10, GREEN), box(0, 20, 20, 10, BLUE)))


@pytest.mark.parametrize(
    ("turn", "at_mm", "rows"),
    [
        (0, 20, ["..RG..", "......", "..BB.."]),
        (180, 20, ["..BB..", "......", "..GR.."]),
        # 30 mm wide and 20 mm high about the same middle: from 15 to 45 across, from 25 to 45 down.
        (90, 15, [".B.R..", ".B.G..", "......"]),
        (270, 15, [".G.B..", ".R.B..", "......"]),
    ],
)
def test_a_face_turned_clockwise(turn: int, at_mm: float, rows: list[str]) -> None:
    front = sheet([placed(0, FLAG, at_mm, at_mm, turn)], None, paper=PAGE)
    page = letter_map(render_pdf([booklet([front], [FLAG])], FONTS, INFO))
    assert page == ["......", "......", *rows, "......", "......"]


def test_a_placement_shows_only_so_much_bleed() -> None:
    face = Frame(TRIM, 12.0, (box(-12, -12, 44, 54, RED),))
    front = [Placement(0, False, 20, 20, 0, face.hash, Edges(10, 0, 0, 10))]
    rows = letter_map(render_pdf([booklet([sheet(front, None, paper=PAGE)], [face])], FONTS, INFO))
    assert rows == ["......", "......", ".RRR..", ".RRR..", ".RRR..", ".RRR..", "......"]


def test_a_group_moves_turns_and_clips() -> None:
    inner = (box(0, 0, 10, 10, RED), box(10, 0, 10, 10, GREEN))
    assert shown(Group(inner, translation(0, 10)))[3] == "..RG.."
    assert shown(Group(inner, rotation(90, 10, 10)))[2:4] == ["...R..", "...G.."]
    assert shown(Group(inner, clip=path_of("0 0 10 10 re")))[2] == "..R..."


def test_what_a_group_sets_does_not_outlive_it() -> None:
    inside = Group((box(0, 0, 10, 10, RED), words("x", 0, 25, fill=RED)))
    square = words("■", 0, 28, 12, face=SYMBOLS, fill=GREEN)
    rows = shown(words("■", 10, 8, 12, face=SYMBOLS, fill=GREEN), inside, square)
    assert rows[2] == "..RG.."
    assert rows[4][2] == "G"


def pixels(face: Frame, *places_mm: tuple[float, float]) -> list[tuple[int, int, int]]:
    """Return the colours of a page with one face, its trim 20 mm from the corner."""
    pdf = render_pdf([booklet([sheet([placed(0, face, 20, 20)], None, paper=PAGE)], [face])], FONTS, INFO)
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0].render(scale=72 / 25.4).to_pil().convert("RGB")
    return [page.getpixel((round(x_mm * 8), round(y_mm * 8))) for x_mm, y_mm in places_mm]


def test_opacity_holds_for_a_group_as_a_whole_and_a_mask_shows_as_much_as_it_is_light() -> None:
    both = (box(0, 0, 30, 10, RED), box(0, 0, 30, 10, BLUE))
    (colour,) = pixels(Frame(TRIM, 2.0, (Group(both, opacity=0.5),)), (25, 25))
    assert colour == pytest.approx((127, 127, 255), abs=2)  # with each half transparent the red would show through
    mask = (box(0, 0, 10, 10, "#ffffff"), box(10, 0, 10, 10, "#808080"))
    face = Frame(TRIM, 2.0, (Group(both, Matrix(1, 0, 0, 1, -5, 0), mask=mask),))
    light, grey, beside = pixels(face, (22, 25), (28, 25), (37, 25))
    assert (light, beside) == ((0, 0, 255), (255, 255, 255))
    assert grey == pytest.approx((127, 127, 255), abs=2)


def test_groups_in_groups_in_drawings() -> None:
    half = Group((Group((box(0, 0, 5, 5, BLUE),), Matrix(2, 0, 0, 2, 0, 0), opacity=0.9999),), translation(0, 10))
    drawing = Drawing(Rect(0, 0, 10, 20), (box(0, 0, 10, 10, RED), half))
    assert shown(PlacedDrawing(drawing.key, translation(10, 10)), drawings=(drawing,))[3:5] == ["...R..", "...B.."]


def test_a_drawing_is_cut_off_at_its_box() -> None:
    drawing = Drawing(Rect(0, 0, 10, 10), (box(0, 0, 30, 10, RED),))
    assert shown(PlacedDrawing(drawing.key, Matrix()), drawings=(drawing,))[2] == "..R..."


def test_an_even_odd_fill_has_a_hole() -> None:
    d = path_of("0 0 20 30 re 5 10 10 10 re")
    rows = shown(Outline(path_of("0 0 20 30 re -1 10 22 10 re"), Paint(fill=RED, even_odd=True)))
    assert [row[2:4] for row in rows[2:5]] == ["RR", "..", "RR"]
    assert shown(Outline(d, Paint(fill=RED)))[3] == "..RR.."


def test_ligatures_and_letters_above_the_first_plane_copy_right() -> None:
    face = card(words("office fluffy"), words("die 🂡 or 𝔸", y_mm=20, face=SYMBOLS))
    pdf = render_pdf([booklet([sheet([placed(0, face, 20, 20)], None)], [face])], FONTS, INFO)
    text = text_of(pdf)
    assert "office fluffy" in text
    assert "die 🂡 or 𝔸" in text


def test_words_of_two_fonts_stand_where_they_are_put() -> None:
    face = card(words("Hx", 5, 10, 4, face=SERIF), words("Hx", 5, 30, 4, face=SYMBOLS))
    pdf = render_pdf([booklet([sheet([placed(0, face, 20, 20)], None)], [face])], FONTS, INFO)
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0].get_textpage()
        left, bottom, _, top = page.get_charbox(0)
    millimetre = 72 / 25.4
    assert abs(bottom / millimetre - (297 - 30)) < 0.05
    assert abs((top - bottom) / millimetre - SERIF.cap_height * 4 / SERIF.units_per_em) < 0.1
    assert 25 <= left / millimetre < 25.6


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
