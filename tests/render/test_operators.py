"""Numbers, colours and paths as PDF writes them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import pytest

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import Matrix, Rect, rotation, scaling, translation
from duckpress.render.embedded import subset_tag, to_unicode_cmap, width_array
from duckpress.render.glyph_use import GlyphUse
from duckpress.render.ink import glyph_numbers, seen_through
from duckpress.render.item_operators import colour, factor, number, painted_path
from path_texts import path_of


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (100.0, "100"),
        (63.5, "63.5"),
        (1 / 3, "0.3333"),
        (-0.00001, "0"),
        (0.0001, "0.0001"),
        (1e-7, "0"),
        (123456.0, "123456"),
        (-2.50, "-2.5"),
    ],
)
def test_numbers_have_no_exponent_and_no_trailing_zeros(value: float, written: str) -> None:
    assert number(value) == written


def test_factors_keep_a_metre_exact_to_a_tenth_of_a_thousandth() -> None:
    assert abs(float(factor(1 / 3)) * 1000 - 1000 / 3) < 1e-4


def test_colours() -> None:
    assert colour("#ff8000") == "1 0.502 0"


def test_a_plain_path_sets_only_its_colour() -> None:
    path = painted_path(Outline(path_of("0 0 1 1 re"), Paint(fill="#ff0000")))
    assert path == ("1 0 0 rg 0 0 1 1 re f", "#ff0000", None)


@pytest.mark.parametrize(
    ("paint", "end"),
    [
        (Paint(fill="#000000", even_odd=True), "f*"),
        (Paint(stroke="#000000", stroke_mm=0.2), "S"),
        (Paint(fill="#000000", stroke="#000000", stroke_mm=0.2), "B"),
        (Paint(fill="#000000", stroke="#000000", stroke_mm=0.2, even_odd=True), "B*"),
    ],
)
def test_how_a_path_is_painted(paint: Paint, end: str) -> None:
    path = painted_path(Outline(path_of("0 0 1 1 re"), paint))
    assert path is not None
    assert path.operators.endswith(f" {end}")


def test_unusual_paint_does_not_outlive_its_path() -> None:
    paint = Paint(stroke="#000000", stroke_mm=0.5, stroke_opacity=0.5, dash_mm=(1.0, 0.5), cap=1, join=2)
    path = painted_path(Outline(path_of("0 0 m 1 1 l"), paint))
    assert path is not None
    assert path.operators == "q /O1000-500 gs [1 0.5] 0 d 1 J 2 j 0 0 0 RG 0.5 w 0 0 m 1 1 l S Q"
    assert path.state == "O1000-500"
    assert path.fill is None


@pytest.mark.parametrize("paint", [Paint(), Paint(stroke="#000000", stroke_mm=0.0)])
def test_what_shows_nothing_is_not_written(paint: Paint) -> None:
    assert painted_path(Outline(path_of("0 0 m 1 1 l"), paint)) is None


def test_glyph_numbers_are_told_from_kerning() -> None:
    runs = ["<0012>-1234<00340012>", "1000<FFFE>12.5 -3<0001>"]
    assert list(used([glyph_numbers(runs)])) == [0x0001, 0x0012, 0x0034, 0xFFFE]


def used(streams: Iterable[bytes]) -> array[int]:
    use = GlyphUse()
    for glyphs in streams:
        use.add(glyphs)
    return use.distinct()


def test_glyphs_that_no_stream_draws_any_more_are_not_used() -> None:
    use = GlyphUse()
    for glyphs in (b"\0\1\0\2\0\2", b"\0\2\1\0"):
        use.add(glyphs)
    assert list(use.distinct()) == [1, 2, 256]
    use.replace(b"\0\1\0\2\0\2", b"\0\3")
    assert list(use.distinct()) == [2, 3, 256]
    use.replace(b"\0\2\1\0", b"")
    assert list(use.distinct()) == [3]


def test_subset_tags_follow_from_the_glyphs() -> None:
    one, same, other = (subset_tag(used([glyphs])) for glyphs in (b"\0\1\0\2", b"\0\2\0\1", b"\0\1\0\3"))
    assert one == same != other
    assert one.isalpha()
    assert one.isupper()
    assert len(one) == 6


def test_widths_stand_in_runs() -> None:
    assert width_array([3, 4, 9], [500.0, 250.5, 1000.0]) == "3[500 250.5 ]9[1000 ]"


def test_the_map_says_ligatures_and_astral_letters() -> None:
    cmap = to_unicode_cmap({7: "ffi", 300: "\U0001f3b2"})
    assert "2 beginbfchar" in cmap
    assert "<0007> <006600660069>" in cmap
    assert "<012C> <D83CDFB2>" in cmap


def test_the_map_has_at_most_a_hundred_entries_a_block() -> None:
    cmap = to_unicode_cmap(dict.fromkeys(range(1, 251), "a"))
    assert [line for line in cmap.split("\n") if "beginbfchar" in line] == [
        "100 beginbfchar",
        "100 beginbfchar",
        "50 beginbfchar",
    ]


@pytest.mark.parametrize("matrix", [Matrix(), translation(5, 7), scaling(2, 0.5), rotation(30, 4, 4)])
def test_a_box_seen_through_a_matrix_covers_what_it_covered(matrix: Matrix) -> None:
    box = Rect(-2.0, -2.0, 44.0, 64.0)
    inner = seen_through(matrix, box)
    corners = [matrix.apply(x, y) for x in (inner.x_mm, inner.right_mm) for y in (inner.y_mm, inner.bottom_mm)]
    assert min(x for x, _ in corners) <= box.x_mm + 1e-9
    assert max(x for x, _ in corners) >= box.right_mm - 1e-9
    assert min(y for _, y in corners) <= box.y_mm + 1e-9
    assert max(y for _, y in corners) >= box.bottom_mm - 1e-9
