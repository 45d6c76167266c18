"""The one check of texts that every build makes: whatever a line, a style or a language changes, no letter is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from duckpress.core.frame import Item, PlacedDrawing, Text
from duckpress.core.geometry import Rect
from duckpress.text.drawing import lost_letters
from duckpress.text.markup import parse_markup
from duckpress.text.styles import TextStyle
from setting import BODY, EN, LIBRARY, typesetter

WORDS = 'Take **two** ducks, {shot} or *one*:\n- teal\n- sm\u00adew \\*\n\nand "go" on<br/>l\'été !'
BOX = Rect(0.0, 0.0, 30.0, 90.0)
SOURCES = [
    WORDS,
    "ἄνθρωπος straße ﬁne ǅ İstanbul ılık",
    "שלום duck (12) עולם",
    "بَطَّةٌ duck",
    "鴨「かも」 duck。",
    "🧑🏽‍🌾 🦆\ufe0f ♠",
    "a\u0301\u0323 \u200bzero \u200bwidth",
    "l\u0328\u0323 Z\u0351\u0343a\u0341\u0300 o\u031b\u0323 \u0131\u0307",
]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("caps", ["none", "upper", "small"])
@pytest.mark.parametrize("language", ["en", "fr", "de", "tr", "el", "ja"])
@pytest.mark.parametrize("source", SOURCES)
def test_what_lines_and_languages_change_is_no_loss(source: str, language: str, caps: str) -> None:
    setter = typesetter(language)
    for align in ("left", "justify"):
        style = TextStyle("DejaVu Sans", size_pt=9.0, min_pt=6.0, align=align, caps=caps, is_hyphenated=True)
        assert setter.fit(source, style, BOX).lost == ""
        assert setter.set_paragraphs(source, style, 30.0).lost == ""


def dropped(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if not isinstance(item, PlacedDrawing)]


def cut(items: Sequence[Item]) -> list[Item]:
    return [replace(item, text=item.text[:-1]) if isinstance(item, Text) else item for item in items]


LOSSES: dict[str, Callable[[Sequence[Item]], Sequence[Item]]] = {
    "the first run": lambda items: items[1:],
    "the last run": lambda items: items[:-1],
    "a run twice": lambda items: [*items, items[-1]],
    "their order": lambda items: [items[1], items[0], *items[2:]],
    "an icon": dropped,
    "the last letter of runs": cut,
    "all": lambda items: (),
}


@pytest.mark.parametrize("what", LOSSES)
def test_a_loss_is_told_with_the_letters_about_it(what: str) -> None:
    items = EN.fit(WORDS, BODY, BOX).items
    blocks = parse_markup(WORDS, {}, [])
    assert lost_letters(blocks, (), items) == ""
    assert lost_letters(blocks, (), LOSSES[what](items)).startswith("has '")


def test_a_lost_mark_is_a_loss_but_not_one_that_stands_beside_its_ligature() -> None:
    blocks = parse_markup("بَطَّةٌ", {}, [])
    style = TextStyle("DejaVu Sans")
    items = [item for item in EN.fit("بَطَّةٌ", style, BOX).items if isinstance(item, Text)]
    assert lost_letters(blocks, (), items) == ""
    assert lost_letters(blocks, (), [replace(item, text=item.text.replace("\u064e", "", 1)) for item in items]) != ""
    assert LIBRARY.typeface("DejaVu Sans") is not None
