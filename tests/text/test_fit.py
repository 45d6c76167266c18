"""Fitting is a contract: full size where it fits, never under the smallest, and what is over is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckpress.core.frame import PlacedDrawing
from duckpress.core.geometry import MM_PER_PT, Rect
from duckpress.text import Fitted, TextStyle
from profiles import examples
from setting import BODY, EN, LIBRARY, lines_of, texts

RULES = "Draw two cards, then discard one card from your hand for each duck that flies over the blind. " * 3
SLIP_MM = 2e-3


def fit(source: str, width_mm: float, height_mm: float, style: TextStyle = BODY) -> Fitted:
    return EN.fit(source, style, Rect(5.0, 7.0, width_mm, height_mm))


def test_a_box_as_high_as_the_text_keeps_its_size_and_a_hair_less_shrinks_it() -> None:
    height_mm = EN.height(RULES, BODY, 50.0)
    assert fit(RULES, 50.0, height_mm).size_pt == 9.0
    smaller = fit(RULES, 50.0, height_mm - 0.02)
    assert smaller.size_pt < 9.0
    assert smaller.over_mm == 0.0


def test_it_is_the_largest_step_that_fits() -> None:
    fitted = fit(RULES, 50.0, 15.0)
    assert fitted.over_mm == 0.0
    assert 6.0 < fitted.size_pt < 9.0
    assert (9.0 - fitted.size_pt) % 0.25 == 0.0
    larger = EN.fit(RULES, BODY, Rect(0, 0, 50.0, 15.0), size_pt=fitted.size_pt + 0.25)
    assert larger.over_mm > 0.0


def test_it_never_goes_under_the_smallest_size_and_says_what_is_over() -> None:
    fitted = fit(RULES, 50.0, 8.0)
    assert fitted.size_pt == 6.0
    assert fitted.over_mm == pytest.approx(fitted.height_mm - 8.0, abs=1e-3)
    assert fitted.over_words == ()
    assert lines_of(fitted.items)
    assert fit(RULES, 50.0, 8.0, BODY._replace(min_pt=6.1)).size_pt == 6.1


def test_a_word_wider_than_the_box_is_named() -> None:
    fitted = fit("a Donaudampfschiff b", 10.0, 50.0)
    assert fitted.size_pt == 6.0
    assert fitted.over_words == ("Donaudampfschiff",)
    width_mm = EN.line("Donaudampfschiff", BODY._replace(size_pt=6.0)).width_mm
    assert fitted.over_mm == pytest.approx(width_mm - 10.0, abs=1e-3)
    assert lines_of(fitted.items) == ["a", "Donaudampfschiff", "b"]


def test_a_word_wider_than_the_box_is_divided_before_it_shrinks() -> None:
    fitted = fit("Donaudampfschiff", 20.0, 50.0, BODY._replace(is_hyphenated=True))
    assert fitted.over_mm == 0.0
    assert fitted.size_pt == 9.0


def test_too_many_lines_are_over_too() -> None:
    two = EN.fit("one two three four five six", BODY, Rect(0, 0, 30, 50), max_lines=1)
    assert two.over_mm == 0.0
    assert (two.line_count, two.size_pt) == (1, 8.5)
    many = EN.fit(RULES, BODY, Rect(0, 0, 30, 500), max_lines=2)
    assert many.over_mm == pytest.approx((many.line_count - 2) * 1.2 * 6.0 * MM_PER_PT, abs=1e-3)


@pytest.mark.parametrize("empty", ["", "  ", "\n\n", "<br/>", "{=none}"])
def test_nothing_takes_no_room(empty: str) -> None:
    assert EN.fit(empty, BODY, Rect(0, 0, 50, 0), values={"none": ""}) == Fitted((), 9.0, 0.0)
    assert EN.height(empty, BODY, 50.0, {"none": ""}) == 0.0


def test_a_single_line_in_the_middle_is_centred_by_its_capitals() -> None:
    cap_mm = EN.line("D", BODY).cap_height_mm
    line = texts(EN.fit("Duck", BODY, Rect(0, 10, 50, 20), "middle").items)[0]
    assert line.y_mm - cap_mm / 2 == pytest.approx(20.0, abs=1e-3)


DEEP = [
    "Experimental Quarter Receiver",
    "Of all|the ducks there are",
    "Ångström Receiver of Jays",
    "No *fjord* unless a *jay* is it",
]


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
@pytest.mark.parametrize("family", ["Alegreya Sans", "Alfa Slab One"])
@pytest.mark.parametrize("source", DEEP)
def test_the_height_is_that_of_the_lines_as_they_stand(source: str, family: str, valign: str) -> None:
    """Evened lines of a centred text have other letters in their first and last; these reach as far as is reckoned."""
    style = BODY._replace(family=family, align="center")
    for width_mm in range(18, 60, 2):
        box = Rect(0.0, 5.0, width_mm, 20.0)
        fitted = EN.fit(source, style, box, valign)
        items = texts(fitted.items)
        tops, bottoms = [], []
        for item in items:
            face = LIBRARY.load_key(item.font)
            assert face is not None
            em = face.units_per_em / item.size_mm
            inks = [face.shape(word) for word in item.text.split()]
            tops.append(item.y_mm - max([ink.top for ink in inks]) / em)
            bottoms.append(item.y_mm - min([ink.bottom for ink in inks]) / em)
        voice = LIBRARY.typeface(family)
        assert voice is not None
        em = voice.units_per_em / items[0].size_mm
        top = min(*tops, items[0].y_mm - voice.letter_top / em)
        bottom = max(*bottoms, items[-1].y_mm - voice.letter_bottom / em)
        assert bottom - top == pytest.approx(fitted.height_mm, abs=2e-3)
        free_mm = 20.0 - fitted.height_mm
        if fitted.line_count > 1:
            above_mm = {"top": 0.0, "middle": free_mm / 2, "bottom": free_mm}[valign]
            assert top - 5.0 == pytest.approx(above_mm, abs=2e-3), width_mm


def test_lines_are_not_evened_where_there_is_no_room_for_it() -> None:
    """A deep letter in the last line would leave a box that is just high enough for the lines as they were broken."""
    style, source = BODY._replace(family="Alfa Slab One", align="center", min_pt=9.0), "Éxperimental Qu|rter Receiver"
    loose = {width: EN.fit(source, style, Rect(0.0, 0.0, width, 99.0)) for width in range(26, 50)}
    for width_mm, fitted in loose.items():
        broken = EN.fit(source, style._replace(align="left"), Rect(0.0, 0.0, width_mm, 99.0))
        tight = EN.fit(source, style, Rect(0.0, 0.0, width_mm, broken.height_mm + 1e-4))
        assert not tight.over_mm
        assert tight.height_mm <= broken.height_mm + SLIP_MM
        if fitted.height_mm <= broken.height_mm:
            assert [item.text for item in texts(tight.items)] == [item.text for item in texts(fitted.items)]
    assert any(
        fitted.height_mm > EN.fit(source, style._replace(align="left"), Rect(0.0, 0.0, width, 99.0)).height_mm + SLIP_MM
        for width, fitted in loose.items()
    )


STYLES = st.builds(
    TextStyle,
    family=st.sampled_from(["Alegreya Sans", "DejaVu Sans", "Nowhere"]),
    weight=st.sampled_from(["light", "regular", "bold", "black"]),
    is_italic=st.booleans(),
    size_pt=st.floats(6.0, 40.0),
    min_pt=st.floats(3.0, 12.0),
    leading=st.floats(1.0, 2.0),
    align=st.sampled_from(["left", "center", "right", "justify"]),
    is_hyphenated=st.booleans(),
    tracking=st.sampled_from([0.0, 0.0, 40.0, -20.0]),
    caps=st.sampled_from(["none", "upper", "small"]),
    figures=st.sampled_from(["own", "lining", "tabular", "old-style"]),
)
WORDS = st.sampled_from(
    ["duck", "**bold", "bold**", "*it*", "{shot}", "{wide}", "{=n}", "\n\n", "- ", "\\\n", "É", "fi", "—", "« oui »",
     "\u202f!", "well-known", "su\u00adper\u00adman", "♠", "鴨", "internationalisation", "a\u0301", "\ud800", "»",
     "1807"]
)  # fmt: skip
SOURCES = st.one_of(
    st.text(max_size=60), st.lists(WORDS, max_size=20).map(" ".join), st.lists(WORDS, max_size=9).map("".join)
)


@examples(50)
@given(SOURCES, STYLES, st.floats(1.0, 90.0), st.floats(1.0, 60.0), st.sampled_from(["top", "middle", "bottom"]))
def test_no_text_raises_and_what_fits_stays_in_its_box(
    source: str, style: TextStyle, width_mm: float, height_mm: float, valign: str
) -> None:
    box = Rect(3.0, 4.0, width_mm, height_mm)
    fitted = EN.fit(source, style, box, valign, values={"n": "**4** ducks"})
    assert min(style.min_pt, style.size_pt) <= fitted.size_pt <= style.size_pt
    assert fitted.lost == ""
    if fitted.over_mm:
        return
    assert fitted.height_mm <= height_mm + SLIP_MM
    for item in fitted.items:
        if isinstance(item, PlacedDrawing):
            corner = item.matrix.apply(*((10.0, 10.0) if item.key == "shot-key" else (35.0, 15.0)))
            assert item.matrix.e >= box.x_mm - 10 * item.matrix.a
            assert corner[0] <= box.right_mm + SLIP_MM
            assert corner[1] <= box.bottom_mm + SLIP_MM
        else:
            face = LIBRARY.load_key(item.font)
            assert face is not None
            glyphs = item.glyphs.replace("<", "").replace(">", " ").split(" ")
            assert "0000" not in glyphs
            assert item.x_mm >= box.x_mm - SLIP_MM
            assert item.x_mm + item.width_mm <= box.right_mm + SLIP_MM
            ink = face.shape(item.text.replace("\u00ad", "-").strip())
            em = face.units_per_em / item.size_mm
            if style.caps != "small":
                assert item.y_mm - ink.top / em >= box.y_mm - SLIP_MM
                assert item.y_mm - ink.bottom / em <= box.bottom_mm + SLIP_MM


@examples(50)
@given(SOURCES, STYLES)
def test_every_word_is_set_once_and_in_order(source: str, style: TextStyle) -> None:
    plain = source.replace("*", "").replace("{", "").replace("\\", "").replace("<", "").replace("- ", "")
    plain = "".join(letter for letter in plain if letter.isascii() and letter.isprintable())
    fitted = EN.fit(plain, style._replace(caps="none"), Rect(0.0, 0.0, 60.0, 60.0))
    set_words = "".join(item.text for item in texts(fitted.items) if item.text != "•").replace("\u00ad", "")
    assert "".join(set_words.split()) == "".join(plain.split())
