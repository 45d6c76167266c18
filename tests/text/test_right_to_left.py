"""Hebrew and Arabic stand as their readers expect: in order, joined, mirrored, at the right; items as they are read."""

from __future__ import annotations

import pytest

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import Rect
from duckpress.text import TextStyle, Typesetter
from duckpress.text.fonts import Typeface
from setting import EN, ICONS, LIBRARY, WIDE, texts

STYLE = TextStyle("DejaVu Sans", size_pt=10.0, min_pt=6.0, leading=1.3)
HE = Typesetter(LIBRARY, lambda name, _colour: ICONS.get(name), "he", is_mirrored=True)
BOX = Rect(10.0, 0.0, 40.0, 100.0)
LONG = "שלפו שלושה קלפים מן הערימה והניחו אותם על השולחן, ואז אמרו duck blind בקול רם."


def face(item: Text) -> Typeface:
    return LIBRARY.typefaces_by_key[item.font]


def glyphs(item: Text) -> list[int]:
    codes = "".join(item.glyphs.replace(">", "<").split("<")[1::2])
    return [int(codes[at : at + 4], 16) for at in range(0, len(codes), 4)]


def across(items: tuple[Item, ...]) -> list[str]:
    """Return what stands on a line from left to right; runs are written as they are read."""
    placed = [(item.x_mm, item.text) if isinstance(item, Text) else (item.matrix.e, "@") for item in items]  # type: ignore[union-attr]
    return [text for _, text in sorted(placed)]


def rows(items: tuple[Item, ...]) -> list[list[Text]]:
    found: dict[float, list[Text]] = {}
    for item in texts(items):
        found.setdefault(item.y_mm, []).append(item)
    return list(found.values())


def ends(row: list[Text]) -> tuple[float, float]:
    return min(item.x_mm for item in row), max(item.x_mm + item.width_mm for item in row)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("שלפו 3 קלפים", ["קלפים", "3", "שלפו"]),
        ("אב (Duck Blind), 10–12 דק", ["דק", "10–12", "),", "Duck Blind", "אב ("]),
        ("Play שלום 12 now", ["Play", "12", "שלום", "now"]),
        ("عدد 12 من Duck", ["Duck", "من", "12", "عدد"]),
    ],
)
def test_runs_stand_in_their_order_and_are_kept_as_they_are_read(text: str, seen: list[str]) -> None:
    items = HE.fit(text, STYLE, WIDE).items if text[0] != "P" else EN.fit(text, STYLE, WIDE).items
    assert "".join(item.text for item in texts(items)) == text
    assert [text.strip() for text in across(items)] == seen


def test_letters_of_a_word_stand_from_right_to_left_and_those_of_arabic_are_joined() -> None:
    (hebrew,) = texts(HE.fit("שלום", STYLE, WIDE).items)
    assert glyphs(hebrew) == [face(hebrew).glyph(letter) for letter in "םולש"]
    (arabic,) = texts(HE.fit("بطة", STYLE, WIDE).items)
    alone = [face(arabic).glyph(letter) for letter in "ةطب"]
    assert all(one != other for one, other in zip(glyphs(arabic), alone, strict=True))


def test_joined_letters_stay_joined_where_the_type_changes_and_are_never_spaced_out() -> None:
    first, _ = texts(HE.fit("ال**بطة**", STYLE, WIDE).items)
    assert glyphs(first)[0] != face(first).glyph("ل")  # its form before another letter
    apart = texts(HE.fit("و**بطة**", STYLE, WIDE).items)[1]
    (alone,) = texts(HE.fit("**بطة**", STYLE, WIDE).items)
    assert glyphs(apart) == glyphs(alone)  # nothing is joined to a waw
    spaced = HE.fit("بطة", STYLE._replace(tracking=100), WIDE).items
    assert texts(spaced)[0].width_mm == pytest.approx(texts(HE.fit("بطة", STYLE, WIDE).items)[0].width_mm, abs=1e-3)


def test_brackets_are_mirrored_once() -> None:
    items = texts(HE.fit("(אב)", STYLE, WIDE).items)
    drawn = [glyph for item in sorted(items, key=lambda item: item.x_mm) for glyph in glyphs(item)]
    assert drawn == [face(items[0]).glyph(letter) for letter in "(בא)"]


@pytest.mark.parametrize(
    ("align", "at_right"), [("left", True), ("right", False), ("at-left", False), ("at-right", True)]
)
@pytest.mark.parametrize("text", ["שלום", "Duck", "12"])
def test_alignments_are_mirrored_in_a_language_that_runs_so(align: str, at_right: bool, text: str) -> None:
    (row,) = rows(HE.fit(text, STYLE._replace(align=align), BOX).items)
    left, right = ends(row)
    assert (abs(right - BOX.right_mm) < 1e-3) is at_right
    assert (abs(left - BOX.x_mm) < 1e-3) is not at_right


def test_in_other_languages_the_first_letter_of_a_paragraph_decides() -> None:
    first, second = rows(EN.fit("שלום duck\n\nduck שלום", STYLE, BOX).items)
    assert ends(first)[1] == pytest.approx(BOX.right_mm, abs=1e-3)
    assert ends(second)[0] == pytest.approx(BOX.x_mm, abs=1e-3)


def test_lines_are_broken_as_they_are_read_and_justified_but_for_the_last() -> None:
    lines = rows(HE.fit(LONG, STYLE._replace(align="justify"), BOX).items)
    assert " ".join("".join(item.text for item in row) for row in lines) == LONG
    for row in lines[:-1]:
        assert ends(row) == pytest.approx((BOX.x_mm, BOX.right_mm), abs=1e-3)
    assert ends(lines[-1])[1] == pytest.approx(BOX.right_mm, abs=1e-3)
    assert ends(lines[-1])[0] > BOX.x_mm + 1.0


@pytest.mark.parametrize("align", ["left", "center", "right", "justify"])
def test_a_list_that_runs_to_the_left_is_one_block_with_its_bullets_at_the_right(align: str) -> None:
    lines = rows(HE.fit("- שלום עולם\n- עולם", STYLE._replace(align=align), BOX).items)
    bullets = [item for row in lines for item in row if isinstance(item, Text) and item.text == "•"]
    words = [item for row in lines for item in row if isinstance(item, Text) and item.text != "•"]
    ends_mm = [item.x_mm + item.width_mm for item in words]
    assert ends_mm == pytest.approx([ends_mm[0]] * 2, abs=1e-3)
    assert len({bullet.x_mm for bullet in bullets}) == 1
    assert bullets[0].x_mm - ends_mm[0] == pytest.approx(0.35 * bullets[0].size_mm, abs=2e-3)
    left, right = min(item.x_mm for item in words), bullets[0].x_mm + bullets[0].width_mm
    if align == "center":
        assert left + right == pytest.approx(BOX.x_mm + BOX.right_mm, abs=2e-3)
    elif align == "right":
        assert left == pytest.approx(BOX.x_mm, abs=1e-3), "mirrored"
    else:
        assert right == pytest.approx(BOX.right_mm, abs=1e-3)


def test_icons_stand_where_they_are_read() -> None:
    items = HE.fit("אב {shot} גד", STYLE, WIDE).items
    assert [isinstance(item, PlacedDrawing) for item in items] == [False, True, False]
    assert [text.strip() for text in across(items)] == ["גד", "@", "אב"]


def test_marks_stand_over_their_letters() -> None:
    """Marks that their font moves up are runs of their own; what is read is whole, and no wider."""
    items = texts(HE.fit("بَطَّةٌ", STYLE, WIDE).items)
    assert "".join(item.text for item in items) == "بَطَّةٌ"
    plain = texts(HE.fit("بطة", STYLE, WIDE).items)[0]
    assert ends(items)[1] - ends(items)[0] == pytest.approx(plain.width_mm, abs=0.4)


def test_letters_of_two_scripts_in_a_word_are_shaped_each_by_its_own() -> None:
    items = texts(HE.fit("אבبط", STYLE, WIDE).items)
    assert "".join(item.text for item in items) == "אבبط"
    drawn = {glyph for item in items for glyph in glyphs(item)}
    assert face(items[0]).glyph("ب") not in drawn
