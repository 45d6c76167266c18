"""Emoji: what belongs to one sign, which of it one colour shows, which is an icon, and what no font draws as one."""

from __future__ import annotations

import pytest

from duckpress.text import named_emoji
from duckpress.text.letters import clusters, in_one_colour, is_joined
from setting import BODY, EN, WIDE, font_of, texts

ASTRONAUT, FAMILY = "👩\u200d🚀", "👨\u200d👩\u200d👧"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    "sign", ["⭐", "☀\ufe0f", "👍🏽", ASTRONAUT, FAMILY, SCOTLAND, "🇫🇷", "1\ufe0f\u20e3", "❤\ufe0f\u200d🔥"]
)
def test_an_emoji_is_one_letter(sign: str) -> None:
    assert clusters(f"a{sign}b{sign}{sign}") == ["a", sign, "b", sign, sign]


def test_other_letters_are_as_they_were() -> None:
    assert clusters("e\u0301a\u200db") == ["e\u0301", "a\u200d", "b"]
    assert clusters("½™12#") == ["½", "™", "1", "2", "#"]


def test_skin_and_colour_are_left_out() -> None:
    assert in_one_colour("👍🏽 ☀\ufe0f x\ufe0f") == "👍 ☀ x\ufe0f"
    assert in_one_colour("👩🏽\u200d🚀") == ASTRONAUT


def test_which_signs_are_only_one_together() -> None:
    assert all(map(is_joined, (ASTRONAUT, FAMILY, SCOTLAND, "🇫🇷")))
    assert not any(map(is_joined, ("⭐", "👍🏽", "1\u20e3", "a\u200d")))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a ⭐️⭐ b", "a {⭐}{⭐} b"), ("{⭐} \\{⭐} 🦆", "{⭐} \\{{⭐}} 🦆"), ("**⭐** {=name}", "**{⭐}** {=name}"),
        (f"{ASTRONAUT}🚀", f"{ASTRONAUT}{{🚀}}"),
    ],
)  # fmt: skip
def test_an_emoji_that_names_an_icon_is_that_icon(text: str, named: str) -> None:
    assert named_emoji(text, ("⭐", "🚀").__contains__) == named


def test_a_font_that_comes_along_draws_emoji() -> None:
    fitted = EN.fit("A 🦆 and 👍🏽 in ☀️", BODY, WIDE)
    assert fitted.missing_glyphs == ()
    drawn = {item.text.strip(): font_of(item) for item in texts(fitted.items)}
    assert drawn["🦆"] == drawn["👍"] == "NotoEmoji-Regular"
    assert drawn["☀"] == "DejaVuSans"


@pytest.mark.parametrize("sign", [ASTRONAUT, FAMILY, SCOTLAND, "🇫🇷", "❤️\u200d🔥", "1️⃣"])
def test_what_no_font_draws_as_one_is_told_as_one(sign: str) -> None:
    (told,) = EN.fit(f"A {sign} here", BODY, WIDE).missing_glyphs
    assert told.startswith(f"{sign[0]}, the first of ")


def test_every_emoji_of_the_font_is_a_letter_of_its_own() -> None:
    """Nothing in it is joined or exchanged: each glyph says the one character that it is drawn for."""
    face = next(face for face in EN._fonts.fallbacks() if face.postscript_name == "NotoEmoji-Regular")
    assert len(face.codes) > 1200
    assert face.glyph_length <= len(face.codes) + 8
    assert not any(face.has_feature(tag) for tag in ("liga", "ccmp", "clig", "rlig"))
