"""What the pen writes: each kind of item as operators, and what the parts of a font say."""

from __future__ import annotations

from array import array

import pytest

from duckpress.core.frame import Group, Item, Outline, Paint, Picture, PlacedDrawing, Text
from duckpress.core.geometry import Matrix, Rect, rotation, scaling, translation
from duckpress.impose import Layer
from duckpress.render.bare_canvas import number
from duckpress.render.fonts import GlyphFont, subset_tag, to_unicode_cmap, width_array
from duckpress.render.pen import Pen, seen_through, uses_of
from path_texts import path_of

SQUARE, LINE = path_of("0 0 1 1 re"), path_of("0 0 m 1 1 l")


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


@pytest.mark.parametrize(
    ("paint", "end"),
    [
        (Paint(fill="#ff8000"), "1 .502 0 rg n 0 0 1 1 re f"),
        (Paint(fill="#000000", even_odd=True), "0 0 0 rg n 0 0 1 1 re f*"),
        (Paint(stroke="#0000ff", stroke_mm=0.2), "0 0 1 RG .2 w n 0 0 1 1 re S"),
        (Paint(fill="#000000", stroke="#0000ff", stroke_mm=0.2), "0 0 0 rg 0 0 1 RG .2 w n 0 0 1 1 re B"),
        (Paint(fill="#000000", stroke="#0000ff", stroke_mm=1, even_odd=True), "0 0 0 rg 0 0 1 RG 1 w n 0 0 1 1 re B*"),
        (Paint(), ""),
        (Paint(stroke="#000000", stroke_mm=0.0), ""),
    ],
)
def test_how_a_path_is_painted(paint: Paint, end: str) -> None:
    assert drawn(Outline(SQUARE, paint)) == end


@pytest.mark.parametrize(
    ("unusual", "begins"),
    [
        ({"stroke_opacity": 0.5}, "/O1000-500 gs"),
        ({"dash_mm": (1.0, 0.5, 0.25)}, "[1 .5] 0.25 d"),
        ({"cap": 1}, "1 J"),
        ({"join": 2}, "2 j"),
        ({"join": -7}, "7 M"),
        ({"dash_mm": (0.00001, 0.00001), "cap": 2}, "2 J"),  # a line without gaps, as SVG has it
    ],
)
def test_unusual_paint_does_not_outlive_its_path(unusual: dict[str, object], begins: str) -> None:
    paint = Paint(stroke="#000000", stroke_mm=0.5, **unusual)  # type: ignore[arg-type]
    assert drawn(Outline(LINE, paint)) == f"q {begins} 0 0 0 RG .5 w n 0 0 m 1 1 l S Q"


def test_a_long_path_is_drawn_as_a_short_one() -> None:
    path = path_of(" ".join(f"{at} 0 1 1 re" for at in range(100)))
    assert drawn(Outline(path, Paint(fill="#000000"))).count(" re") == 100


def test_neighbouring_texts_are_one_text_object() -> None:
    first, second = run(5.0, "<0001>-3<0002>"), run(1 / 3)
    other = run(7.0, font="b", size_mm=2.5, fill="#ff0000")
    one = "BT 1 0 0 -1 5 10 Tm /F-a 3 Tf 0 0 0 rg [<0001>-3<0002>] TJ"
    assert drawn(first, second, other) == (
        f"{one} 1 0 0 -1 .3333 10 Tm [<0001>] TJ 1 0 0 -1 7 10 Tm /F-b 2.5 Tf 1 0 0 rg [<0001>] TJ ET"
    )
    # What stands between them ends the first one, and whatever that set is set again.
    picture = Picture("k", 1.0, 2.0, 30.0, 20.0)
    assert drawn(first, picture, first) == f"{one} ET q 30 0 0 -20 1 22 cm /FormXob.P-k Do Q {one} ET"
    assert drawn(first, Layer("cut", (first,))) == f"{one} ET /OC /L-cut BDC {one} ET EMC"


def test_groups_and_drawings_are_saved_moved_clipped_and_restored() -> None:
    placed = PlacedDrawing("d", Matrix(0.5, 0, 0, 0.5, 1 / 3, 2))
    assert drawn(placed) == "q .5 0 0 .5 .3333 2 cm /FormXob.D-d Do Q"
    group = Group((placed,), translation(1, 2), clip=SQUARE)
    assert drawn(group) == f"q 1 0 0 1 1 2 cm n 0 0 1 1 re W n {drawn(placed)} Q"
    assert drawn(Group((), translation(1, 2))) == drawn(Group((placed,), opacity=0.0)) == ""


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


def test_glyph_numbers_are_told_from_kerning() -> None:
    pen = Pen()
    pen.draw([run(5, "<0012>-1234<00340012>"), run(5, "1000<FFFE>12.5 -3<0001>")])
    font = GlyphFont("a")
    font.streams += pen.take_glyphs().values()
    assert list(font.glyphs()) == [0x0001, 0x0012, 0x0034, 0xFFFE]
    assert pen.take_glyphs() == {}


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
