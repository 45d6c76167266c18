"""One font file: widths as HarfBuzz gives them, glyph strings, what glyphs say, subsets that keep glyph numbers."""

from __future__ import annotations

import re
from pathlib import Path
from struct import pack

import pytest
import uharfbuzz as hb

from duckpress.text.fonts import FIGURES, SMALL_CAPS, SPACED_FEATURES, USUAL_FEATURES, Typeface, tj_body, tj_number
from duckpress.text.fonts.library import load_typeface

FONTS = Path(__file__).parents[3] / "fonts"


def face(name: str) -> Typeface:
    found = load_typeface((FONTS / name).read_bytes())
    assert isinstance(found, Typeface)
    return found


@pytest.fixture(scope="module")
def regular() -> Typeface:
    return face("alegreya-sans/AlegreyaSans-Regular.ttf")


@pytest.fixture(scope="module")
def dejavu() -> Typeface:
    return face("dejavu-sans/DejaVuSans.ttf")


def pen_travel(typeface: Typeface, glyphs: str) -> float:
    """Return how far a `TJ` body moves the pen, in thousandths of an em, as a PDF reader counts it."""
    travel = 0.0
    for hexadecimal, number in re.findall(r"<([0-9A-F]*)>|([-\d.]+)", glyphs):
        if number:
            travel -= float(number)
        else:
            numbers = [int(hexadecimal[i : i + 4], 16) for i in range(0, len(hexadecimal), 4)]
            travel += sum(typeface.advances(numbers))
    return travel


@pytest.mark.parametrize("word", ["AVATAR", "office", "Tyrant", "x\u0301q\u0323", "12:30", "—", "fjord", "Ποτέ"])
def test_a_word_is_as_wide_as_harfbuzz_says_and_as_a_pdf_reader_draws_it(word: str, dejavu: Typeface) -> None:
    for typeface in (dejavu, face("alegreya-sans/AlegreyaSans-BoldItalic.ttf")):
        font = hb.Font(hb.Face(typeface.file.data))
        buffer = hb.Buffer()
        buffer.add_str(word)
        buffer.language = "en"
        buffer.guess_segment_properties()
        hb.shape(font, buffer, dict(USUAL_FEATURES))
        width = sum(position.x_advance for position in buffer.glyph_positions)
        run = typeface.shape(word)
        assert run.width == width
        assert run.length == len(buffer.glyph_infos)
        assert pen_travel(typeface, tj_body(run.glyphs)) == pytest.approx(
            width * 1000 / typeface.units_per_em, abs=0.01
        )


def test_runs_put_together_draw_as_wide_as_their_sum(regular: Typeface) -> None:
    runs = [regular.shape(word, SPACED_FEATURES, 35.0) for word in ("Tom", "AV", "fi")]
    body = tj_body("".join(run.glyphs for run in runs))
    assert pen_travel(regular, body) == pytest.approx(sum(run.width for run in runs))
    assert runs[1].width == regular.shape("AV", SPACED_FEATURES).width + 2 * 35
    assert "<>" not in body


def test_numbers_between_glyphs_are_plain_decimals() -> None:
    assert (tj_number(12.0), tj_number(-0.5), tj_number(0.0001), tj_number(1e7)) == (">12<", ">-0.5<", "", ">10000000<")
    assert tj_body("0003>-50<") == "<0003>-50"
    assert tj_body(">5<0003") == "5<0003>"


def test_a_ligature_says_its_letters_and_a_space_is_a_space(regular: Typeface, dejavu: Typeface) -> None:
    run = dejavu.shape("fi")
    assert run.length == 1
    ligature = int(run.glyphs, 16)
    assert dejavu.text_map([ligature]) == {ligature: "fi"}
    space = regular.glyph(" ")
    assert regular.text_map([space]) == {space: " "}


def test_a_glyph_seen_in_an_earlier_run_only_is_found_by_what_it_said() -> None:
    first = face("alegreya-sans/AlegreyaSans-Regular.ttf")
    small = int(first.shape("a", USUAL_FEATURES + SMALL_CAPS).glyphs, 16)
    assert small != first.glyph("a")
    fresh = face("alegreya-sans/AlegreyaSans-Regular.ttf")
    others, own = (b"\0\1", [(2, "b a")]), (b"\0\1" + small.to_bytes(2, "big"), [(2, "b"), (4, "an apple a day")])
    assert fresh.text_map([small], [others, own]) == {small: "a"}
    assert first.text_map([small]) == fresh.text_map([small]) == first.text_map([small], [others]) == {}


def test_discretionary_ligatures_stay_off(dejavu: Typeface) -> None:
    assert dejavu.shape("st").length == 2


def test_the_machines_language_does_not_choose_glyphs(monkeypatch: pytest.MonkeyPatch, regular: Typeface) -> None:
    assert regular.shape("şi", language="ro") != regular.shape("şi", language="en")


def test_a_subset_keeps_glyph_numbers_and_drops_the_rest(regular: Typeface) -> None:
    wanted = [regular.glyph(letter) for letter in "Duck"]
    subset = regular.subset(wanted)
    font = hb.Font(hb.Face(subset))
    whole = hb.Font(hb.Face(regular.file.data))
    assert len(subset) < len(regular.file.data) / 10
    for glyph in wanted:
        assert font.get_glyph_extents(glyph) == whole.get_glyph_extents(glyph)
        assert font.get_glyph_h_advance(glyph) == whole.get_glyph_h_advance(glyph)
    assert font.get_glyph_extents(regular.glyph("Z")).height == 0
    assert regular.subset(wanted) == subset


def test_what_a_font_descriptor_asks_for(regular: Typeface) -> None:
    italic = face("alegreya-sans/AlegreyaSans-Italic.ttf")
    assert re.fullmatch(r"AlegreyaSans-Regular-[0-9a-f]{8}", regular.key)
    assert (regular.units_per_em, regular.ascent, regular.descent) == (1000, 800, -200)
    assert regular.figures.flags == 4
    assert italic.figures.flags == 4 + 64
    assert italic.figures.italic_angle < 0
    assert regular.figures.bbox[0] < 0 < regular.figures.bbox[2]
    assert 400 < regular.cap_height < regular.letter_top < 800
    assert regular.letter_bottom < -150


def test_figures_are_those_of_the_font_that_a_style_asks_for(regular: Typeface) -> None:
    texts = [*"0123456789"]
    runs = {name: [regular.shape(text, USUAL_FEATURES + asked) for text in texts] for name, asked in FIGURES.items()}
    heights = {name: max(run.top for run in some) - min(run.top for run in some) for name, some in runs.items()}
    assert heights["own"] == heights["old-style"] > 8 * heights["lining"]
    assert {name for name, some in runs.items() if len({run.width for run in some}) == 1} == {"tabular"}
    assert [run.glyphs for run in runs["own"]] == [run.glyphs for run in runs["old-style"]]
    drawn = {int(run.glyphs[:4], 16): text for some in runs.values() for run, text in zip(some, texts, strict=True)}
    fresh = face("alegreya-sans/AlegreyaSans-Regular.ttf")  # of a frame from a cache nothing was shaped
    assert fresh.text_map(drawn, [(pack(f">{len(drawn)}H", *drawn), [(2 * len(drawn), " ".join(texts))])]) == drawn
