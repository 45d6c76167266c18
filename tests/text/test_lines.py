"""Where lines break and what they say: maps of lines in columns of a known width."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

from duckpress.core.frame import PlacedDrawing, Text
from duckpress.core.geometry import MM_PER_PT, Rect
from duckpress.text import TextStyle
from setting import BODY, EN, LIBRARY, WIDE, font_of, lines_of, set_lines, texts, typesetter

RULES = "Draw two cards, then discard one card from your hand for each duck that flies over the blind."


def width(text: str) -> float:
    return EN.line(text, BODY).width_mm


def test_a_line_takes_what_just_fits_and_not_a_hair_more() -> None:
    two = width("Draw two cards,")
    assert set_lines("Draw two cards,", two + 0.001) == ["Draw two cards,"]
    assert set_lines("Draw two cards,", two - 0.01) == ["Draw two", "cards,"]


def test_the_width_of_a_line_is_its_words_and_spaces() -> None:
    face = LIBRARY.typeface("Alegreya Sans")
    assert face is not None
    units = sum(face.shape(word).width for word in ("Draw", "two", "cards,")) + 2 * face.shape(" ").width
    line = EN.line("Draw two cards,", BODY)
    assert line.width_mm == pytest.approx(units / 1000 * 9 * MM_PER_PT, abs=1e-3)
    assert [item.text for item in texts(line.items)] == ["Draw two cards,"]
    assert texts(line.items)[0].y_mm == 0.0


@pytest.mark.parametrize(
    ("source", "style", "runs"),
    [
        ("Take **two bold** ducks *at once*", BODY, "Regular:Take |Bold:two bold|Regular: ducks |Italic:at once"),
        (
            "a **b** *c*", BODY._replace(weight="medium", is_italic=True),
            "Italic:a |BoldItalic:b|Italic: |Medium:c",
        ),
        # What the family lacks comes from the fallback, and all of it where the family is not there.
        ("Play ♠ or **♥**♣", BODY, "Regular:Play |DejaVuSans:♠|Regular: or |DejaVuSans-Bold:♥|DejaVuSans:♣"),
        ("duck", BODY._replace(family="Nowhere Sans"), "DejaVuSans:duck"),
    ],
)  # fmt: skip
def test_one_item_for_each_font_on_a_line(source: str, style: TextStyle, runs: str) -> None:
    items = texts(EN.fit(source, style, WIDE).items)
    assert "|".join(f"{font_of(item).removeprefix('AlegreyaSans-')}:{item.text}" for item in items) == runs
    for left, right in pairwise(items):
        assert right.x_mm == pytest.approx(left.x_mm + left.width_mm, abs=2e-3)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("aaaa bbbb", ["aaaa", "bbbb"]), ("aaaa\u00a0bbbb", ["aaaa\u00a0bbbb"]),
        ("aaaa\u202fbbbb", ["aaaa\u202fbbbb"]), ("aaaa-bbbb", ["aaaa-", "bbbb"]), ("aaaa/bbbb", ["aaaa/", "bbbb"]),
        ("aaaa—bbbb", ["aaaa—", "bbbb"]), ("aaaa–bbbb", ["aaaa–", "bbbb"]), ("1111-2222", ["1111-2222"]),
        ("1111/2222", ["1111/2222"]), ("a-bbbbbb", ["a-bbbbbb"]), ("aaaa\u200bbbbb", ["aaaa", "bbbb"]),
        ("aaaa\u00adbbbb", ["aaaa\u00ad", "bbbb"]), ("aaaa !", ["aaaa !"]), ("aaaa »", ["aaaa »"]),
        ("« aaaa", ["« aaaa"]), ("aaaa **bbbb**cc", ["aaaa", "bbbbcc"]), ("**aaaa**, bbbb", ["aaaa,", "bbbb"]),
        ("aaaa{shot} bbbb", ["aaaa@", "bbbb"]), ("aaaa\\\nbb", ["aaaa", "bb"]), ("aaaaaaaaaaaa", ["aaaaaaaaaaaa"]),
    ],
)  # fmt: skip
def test_where_a_line_may_end(source: str, expected: list[str]) -> None:
    assert set_lines(source, 7.5) == expected


def test_icons_in_a_row_may_part_but_not_from_their_number() -> None:
    assert set_lines("{shot}{shot}{shot}{shot} 3{shot}", 8.0) == ["@@", "@@", "3@"]


def test_icons_sit_on_the_baseline_and_scale_with_the_letters() -> None:
    fitted = EN.fit("A{wide}", BODY, WIDE)
    letter = texts(fitted.items)[0]
    icon = next(item for item in fitted.items if isinstance(item, PlacedDrawing))
    left, top = icon.matrix.apply(5.0, 5.0)
    right, bottom = icon.matrix.apply(35.0, 15.0)
    assert (right - left) / (bottom - top) == pytest.approx(3.0, abs=1e-3)
    assert left > letter.x_mm + letter.width_mm
    cap_mm = EN.line("A", BODY).cap_height_mm
    assert bottom - letter.y_mm == pytest.approx(letter.y_mm - cap_mm - top, abs=1e-3)
    twice = EN.fit("A{wide}", BODY._replace(size_pt=18.0), WIDE)
    assert next(item for item in twice.items if isinstance(item, PlacedDrawing)).matrix.a == pytest.approx(
        2 * icon.matrix.a, abs=1e-5
    )


def test_hyphenation_by_language() -> None:
    style = BODY._replace(is_hyphenated=True)
    word = "internationalisation communication"
    assert set_lines(word, 18.0, style) == ["international\u00ad", "isation com\u00ad", "munication"]
    assert set_lines(word, 17.0) == ["internationalisation", "communication"]
    german = set_lines("Donaudampfschifffahrt", 22.0, style, typesetter("de-DE"))
    assert [line.replace("\u00ad", "-") for line in german] == ["Donaudampf-", "schifffahrt"]
    assert set_lines("internationalisation", 17.0, style, typesetter("xx")) == ["internationalisation"]


def test_hyphens_are_drawn_and_words_are_whole_where_lines_are_good() -> None:
    style = BODY._replace(is_hyphenated=True)
    assert set_lines(RULES, 44.0, style) == set_lines(RULES, 44.0)
    first = texts(EN.fit("internationalisation", style, Rect(0, 0, 17, 99)).items)[0]
    face = LIBRARY.typeface("Alegreya Sans")
    assert face is not None
    assert first.glyphs.endswith(f"{face.glyph('-'):04X}>")
    assert first.x_mm + first.width_mm <= 17.0


def test_a_soft_hyphen_that_is_not_needed_is_not_drawn() -> None:
    assert set_lines("super\u00adman", 50.0) == ["superman"]
    assert EN.line("super\u00adman", BODY).width_mm == width("superman")


LIST = "Take one:\n- wood, or else all the corn of a neighbour\n- stone{shot}\n- *gold*\n\nand go on"


@pytest.mark.parametrize("align", ["left", "center", "right", "justify", "at-left", "at-right"])
@pytest.mark.parametrize("valign", ["top", "middle"])
def test_a_list_is_one_block_with_its_bullets_at_its_words(align: str, valign: str) -> None:
    box = Rect(10.0, 5.0, 40.0, 60.0)
    items = texts(EN.fit(LIST, BODY._replace(align=align), box, valign).items)
    bullets = [item for item in items if item.text == "•"]
    lines = [item for item in items if item.text in ("neighbour", "stone", "gold") or "wood" in item.text]
    assert (len(bullets), len(lines)) == (3, 4)
    assert len({bullet.x_mm for bullet in bullets}) == len({line.x_mm for line in lines}) == 1, "one below the other"
    gap_mm = lines[0].x_mm - bullets[0].x_mm - bullets[0].width_mm
    assert gap_mm == pytest.approx(0.35 * 9 * MM_PER_PT, abs=2e-3)
    left, right = bullets[0].x_mm, max(line.x_mm + line.width_mm for line in lines)
    if align == "center":
        assert left + right == pytest.approx(box.x_mm + box.right_mm, abs=2e-3)
    elif align in ("right", "at-right"):
        assert right == pytest.approx(box.right_mm, abs=2e-3)
    else:
        assert left == box.x_mm


def test_a_list_too_wide_for_its_column_begins_at_its_left_edge() -> None:
    fitted = EN.fit("- Donaudampfschiff\n- b", BODY._replace(align="right", min_pt=9.0), Rect(5.0, 0.0, 9.0, 60.0))
    assert fitted.over_mm > 0
    assert [item.x_mm for item in texts(fitted.items) if item.text == "•"] == [5.0, 5.0]


def test_paragraphs_stand_further_apart_than_lines() -> None:
    lines, paragraphs = EN.fit("a\\\nb", BODY, WIDE), EN.fit("a\n\nb", BODY, WIDE)
    step = 1.2 * 9 * MM_PER_PT
    gaps = [texts(set_text.items)[1].y_mm - texts(set_text.items)[0].y_mm for set_text in (lines, paragraphs)]
    assert gaps[0] == pytest.approx(step, abs=2e-4)
    assert step * 1.3 < gaps[1] < step * 1.6
    assert texts(EN.fit("a<br/><br/>b", BODY, WIDE).items)[1].y_mm == pytest.approx(
        texts(lines.items)[0].y_mm + 2 * step, abs=2e-4
    )


def test_justified_lines_fill_the_column_but_the_last() -> None:
    items = texts(EN.fit(RULES, BODY._replace(align="justify"), Rect(10.0, 0.0, 44.0, 99.0)).items)
    assert [item.text for item in items] == set_lines(RULES, 44.0)
    assert [item.x_mm for item in items] == [10.0] * 3
    assert [item.width_mm for item in items[:2]] == pytest.approx([44.0, 44.0], abs=1e-3)
    assert items[2].width_mm == pytest.approx(width("that flies over the blind."), abs=1e-3)
    assert ">-" in items[0].glyphs
    two_fonts = texts(EN.fit(f"**{RULES[:20]}**{RULES[20:]}", BODY._replace(align="justify"), Rect(0, 0, 40, 99)).items)
    ends = {item.y_mm: item.x_mm + item.width_mm for item in two_fonts}
    assert next(iter(ends.values())) == pytest.approx(40.0, abs=2e-3)


def blanks(items: Sequence[Text], space: str) -> set[float]:
    """Return the widths of the blanks of runs, in thousandths of an em, beyond what their font has."""
    return {float(move) for item in items for move in re.findall(f"{space}>([-0-9.]+)<", item.glyphs)}


SIGNS = [*(f"one {sign} a" for sign in ":;!?…,⁉"), "(one ) a", "5 % of", "or\u00a0one a"]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("words", SIGNS)
def test_a_justified_line_opens_all_its_blanks_alike(words: str, language: str) -> None:
    source = f"Choose {words} coin or a card, and so on until the line is full of words"
    setter = typesetter(language)
    items = texts(setter.fit(source, BODY._replace(align="justify"), Rect(0.0, 0.0, 44.0, 99.0)).items)
    first = [item for item in items if item.y_mm == items[0].y_mm]
    assert first[-1].x_mm + first[-1].width_mm == pytest.approx(44.0, abs=2e-3)
    face = LIBRARY.typeface("Alegreya Sans")
    assert face is not None
    spaces = "|".join(f"{face.glyph(space):04X}" for space in " \u00a0")
    said = "".join(item.text for item in first)
    opened = blanks(first, f"(?:{spaces})")
    assert len(opened) == 1
    assert max(opened) < 0, said
    count = sum(len(re.findall(f"(?:{spaces})>", item.glyphs)) for item in first)
    assert count == sum(map(said.count, " \u00a0"))


def test_centred_titles_have_even_lines() -> None:
    title = "The Very Long Title of a Card"
    left = set_lines(title, 32.0)
    centred = set_lines(title, 32.0, BODY._replace(align="center"))
    assert left == ["The Very Long Title of a", "Card"]
    assert centred == ["The Very Long", "Title of a Card"]


def test_tracking_widens_every_letter_and_does_not_trail() -> None:
    spaced = EN.line("duck", BODY._replace(tracking=100.0))
    assert spaced.width_mm == pytest.approx(width("duck") + 3 * 0.1 * 9 * MM_PER_PT, abs=1e-3)
    # Letters apart are not joined: fi stays two glyphs.
    assert texts(EN.line("fi", BODY._replace(family="DejaVu Sans")).items)[0].glyphs.count("<") == 1


def test_capitals_are_those_of_the_language() -> None:
    upper = BODY._replace(caps="upper")
    assert set_lines("Été, straße", 99.0, upper) == ["ÉTÉ, STRASSE"]
    assert set_lines("kivi", 99.0, upper, typesetter("tr")) == ["KİVİ"]
    assert set_lines("άλφα", 99.0, upper, typesetter("el")) == ["ΑΛΦΑ"]


def test_small_capitals_from_the_font_or_made_smaller() -> None:
    own = texts(EN.line("Duck", BODY._replace(caps="small")).items)
    assert [(item.text, item.size_mm) for item in own] == [("Duck", pytest.approx(9 * MM_PER_PT, abs=1e-4))]
    assert own[0].glyphs != texts(EN.line("Duck", BODY).items)[0].glyphs
    made = texts(EN.line("Duck 7", BODY._replace(family="DejaVu Sans", caps="small")).items)
    assert [item.text for item in made] == ["D", "UCK", " 7"]
    assert made[1].size_mm == pytest.approx(0.8 * made[0].size_mm, abs=1e-4)


def test_a_character_no_font_has_is_named_and_not_drawn() -> None:
    fitted = EN.fit("snow 鴨 and 鴨 \U00013000 here", BODY, WIDE)
    assert fitted.missing_glyphs == ("鴨", "\U00013000")
    assert (fitted.missing_words, fitted.lost) == ("'鴨' (U+9D28), '\U00013000' (U+13000)", "")
    assert "鴨" not in "".join(item.text for item in texts(fitted.items))
    assert "0000" not in [item.glyphs[i : i + 4] for item in texts(fitted.items) for i in range(1, len(item.glyphs), 4)]
    again = EN.fit("鴨", BODY, WIDE)
    assert again.missing_glyphs == ("鴨",)
    assert EN.line("a鴨", BODY).missing_glyphs == ("鴨",)


def test_unknown_icons_and_fields_are_named_and_shown_as_written() -> None:
    fitted = EN.fit("{shto} and {=gone} {=known}", BODY, WIDE, values={"known": "7"})
    assert (fitted.unknown_icons, fitted.unknown_fields, fitted.lost) == (("shto",), ("gone",), "")
    assert lines_of(fitted.items) == ["{shto} and {=gone} 7"]
