"""What glyphs say: letters with several marks once, letters that borrow a glyph, and letters of other languages."""

from __future__ import annotations

from pathlib import Path
from struct import pack
from unicodedata import normalize

import pytest

from duckpress.text.fonts.glyphs import SMALL_CAPS, USUAL_FEATURES
from duckpress.text.fonts.library import load_typeface
from duckpress.text.fonts.typeface import Typeface
from oracle.reading.streams import glyphs_of

FONTS = Path(__file__).resolve().parents[3] / "fonts"
FILES = sorted(path for path in FONTS.glob("*/*-Regular.[ot]tf"))
MARKED = (
    "a\u0323\u0308\u0301", "a\u0308\u0301\u0300", "x\u0301\u0302\u0303", "e\u0331\u0301\u0302", "I\u0301\u0300",
    *("a" + "\u0301" * count for count in (1, 2, 3, 5, 30)), "\u0301\u0301\u0301a", "a\u200d\u0301\u200d\u0302",
    "Tie\u0302\u0301ng", "Vie\u0323\u0302t",
)  # fmt: skip


def fresh(path: Path) -> Typeface:
    typeface = load_typeface(path.read_bytes())
    assert isinstance(typeface, Typeface)
    return typeface


def glyphs(typeface: Typeface, text: str, language: str = "en", *, is_small: bool = False) -> list[int]:
    features = USUAL_FEATURES + SMALL_CAPS if is_small else USUAL_FEATURES
    return glyphs_of(f"<{typeface.shape(text, features, language=language).glyphs}>")


def said(typeface: Typeface, text: str, language: str = "en", *, is_small: bool = False) -> str:
    """Return what is read back of a text by a program that has not shaped it: a frame may come from a cache."""
    drawn = glyphs(typeface, text, language, is_small=is_small)
    runs = [(pack(f">{len(drawn)}H", *drawn), [(2 * len(drawn), text)])]
    texts = Typeface(typeface.file.data).text_map(drawn, runs, language)
    return "".join(texts.get(glyph, "\ufffd") for glyph in drawn)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("is_small", [False, True], ids=["plain", "small capitals"])
def test_a_letter_with_marks_is_said_once(path: Path, *, is_small: bool) -> None:
    typeface = fresh(path)
    texts = [text for text in MARKED if typeface.covers(text.replace("\u200d", ""))]
    assert texts or not typeface.covers("aé\u0301")
    for text in texts:
        wanted = normalize("NFC", text.replace("\u200d", ""))
        assert normalize("NFC", said(typeface, text, is_small=is_small)) == wanted, ascii(text)


@pytest.mark.parametrize(
    ("language", "text"),
    [("tr", "iyi kirpi"), ("sr", "обоба"), ("ro", "şi ţară"), ("nl", "bíj\u0301na"), ("pl", "łódź ćma")],
)
def test_letters_of_a_language_are_read_back_though_they_have_glyphs_of_their_own(language: str, text: str) -> None:
    for path in FILES:
        typeface = fresh(path)
        if typeface.covers(text):
            words = [said(typeface, word, language) for word in text.split()]
            assert normalize("NFC", " ".join(words)) == normalize("NFC", text), path.stem


def test_many_marks_do_not_say_each_other() -> None:
    """What is read back grows with the text: each of 20,000 marks said all of them, which took gigabytes."""
    typeface, text = fresh(FONTS / "alegreya-sans" / "AlegreyaSans-Regular.ttf"), "a" + "\u0301" * 20_000
    assert len(said(typeface, text)) <= 2 * len(text)
