"""What the pen writes: each kind of item as operators, and what the parts of a font say."""

from __future__ import annotations

from array import array

import pytest
from msgspec.structs import replace

from duckpress.core.frame import Group, Item, Outline, Paint, Text
from duckpress.core.geometry import Matrix, Rect, rotation, scaling, translation
from duckpress.impose import Layer
from duckpress.render.bare_canvas import number
from duckpress.render.fonts import GlyphFont, subset_tag, to_unicode_cmap, width_array
from duckpress.render.pen import Pen, seen_through, uses_of
from path_texts import path_of

SQUARE = path_of("0 0 1 1 re")


def drawn(*items: Item | Layer) -> str:
    """Return the operators of items, their lines joined."""
    pen = Pen()
    pen.draw(items)
    return " ".join(pen.getCurrentPageContent().split("\n"))


def run(x_mm: float, glyphs: str = "<0001>", font: str = "a", size_mm: float = 3.0, fill: str = "#000000") -> Text:
    return Text(x_mm, 10.00004, size_mm, font, fill, glyphs, "?", 1.0)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (63.5, "63.5"),
        (1 / 3, ".3333"),
        (-0.00001, "0"),
        (0.0001, ".0001"),
        (123456.0, "123456"),
        (-2.50, "-2.5"),
        (99.99996, "100"),
    ],
)
def test_numbers_have_no_exponent_four_decimals_and_no_trailing_zeros(value: float, written: str) -> None:
    assert number(value) == written


def test_neighbouring_texts_are_one_text_object() -> None:
    first, other = run(5.0, "<0001>-3<0002>"), run(7.0, font="b", size_mm=2.5, fill="#ff0000")
    one = "BT 1 0 0 -1 5 10 Tm /F-a 3 Tf 0 0 0 rg [<0001>-3<0002>] TJ"
    then = "1 0 0 -1 .3333 10 Tm [<0001>] TJ 1 0 0 -1 7 10 Tm /F-b 2.5 Tf 1 0 0 rg [<0001>] TJ ET"
    assert drawn(first, run(1 / 3), other) == f"{one} {then}"
    # What is between them ends the first one, and whatever that set is set again.
    assert drawn(first, Layer("cut", (first,))) == f"{one} ET /OC /L-cut BDC {one} ET EMC"


def test_a_blended_group_is_a_form_of_its_own_named_by_what_it_shows() -> None:
    square = Outline(SQUARE, Paint(fill="#ff0000"))
    pen, mist = Pen(), Group((square,), translation(5, 0), opacity=0.25, mask=(Outline(SQUARE, Paint("#ffffff")),))
    ink = pen.ink((mist,), Rect(0, 0, 40, 40))
    form, mask = sorted(ink.groups, key=lambda name: f"-{name} gs" in ink_text(pen))
    assert ink_text(pen) == f"q\n/O250-250-{mask} gs\n/FormXob.{form} Do\nQ"
    assert ink.uses == (f"FormXob.{form}", f"O250-250-{mask}")
    assert pen.ink((square,), ink.box).groups == {}
    elsewhere = pen.ink((Group((square,), translation(5, 0), opacity=0.5),), Rect(0, 0, 40, 41))
    assert form not in elsewhere.groups


def ink_text(pen: Pen) -> str:
    return str(pen.getCurrentPageContent())


def test_the_names_in_operators_are_what_a_stream_uses() -> None:
    code = "/FormXob.D-1 Do /F-a 3 Tf /O500-500-G-2 gs /OC /L-cut BDC /FormXob.D-1 Do EMC /FormXob.C-0 Do"
    assert uses_of(code) == ("FormXob.C-0", "FormXob.D-1", "L-cut", "O500-500-G-2")
    assert uses_of("") == ()


def test_glyph_numbers_are_told_from_kerning_and_marks_go_with_their_word() -> None:
    pen, mark = Pen(), replace(run(5, "1000<FFFE>12.5 -3<0001>"), y_mm=9.0)
    pen.draw([run(5, "<0012>-1234<00340012>"), mark, run(5), run(5)])
    font = GlyphFont("a")
    font.streams += pen.take_words().values()
    assert list(font.glyphs()) == [0x0001, 0x0012, 0x0034, 0xFFFE]
    assert font.streams[0].texts == ((6, "?"), (10, "??"), (12, "???"), (14, "?"))
    assert pen.take_words() == {}


def test_subset_tags_follow_from_the_glyphs() -> None:
    one, same, other = (subset_tag(array("H", glyphs)) for glyphs in ((1, 2), (1, 2), (1, 3)))
    assert one == same != other
    assert one.isalpha()
    assert one.isupper()
    assert len(one) == 6


def test_widths_stand_in_runs_and_the_map_says_ligatures_and_astral_letters_a_hundred_a_block() -> None:
    assert width_array([3, 4, 9], [500.0, 250.5, 1000.0]) == "3[500 250.5 ]9[1000 ]"
    cmap = to_unicode_cmap({7: "ffi", 300: "\U0001f3b2"})
    assert all(part in cmap for part in ("2 beginbfchar", "<0007> <006600660069>", "<012C> <D83CDFB2>"))
    lines = to_unicode_cmap(dict.fromkeys(range(1, 251), "a")).split("\n")
    assert [line.split()[0] for line in lines if "beginbfchar" in line] == ["100", "100", "50"]


@pytest.mark.parametrize("matrix", [Matrix(), translation(5, 7), scaling(2, 0.5), rotation(30, 4, 4)])
def test_a_box_seen_through_a_matrix_covers_what_it_covered(matrix: Matrix) -> None:
    box = Rect(-2.0, -2.0, 44.0, 64.0)
    assert matrix.around(seen_through(matrix, box)).grown(1e-9).holds(box)
