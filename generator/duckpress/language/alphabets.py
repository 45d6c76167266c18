"""A few letters that a language cannot do without, to ask a font for; none where Latin letters are enough."""

from __future__ import annotations

_LETTERS = {
    **dict.fromkeys(("ar", "fa", "ur"), "ابدرس"),
    **dict.fromkeys(("be", "bg", "mk", "ru", "sr", "uk"), "абвгд"),
    "el": "αβγδε",
    **dict.fromkeys(("he", "yi"), "אבגדה"),
    **dict.fromkeys(("hi", "mr", "ne"), "कखगतम"),
    "hy": "աբգդե",
    "ja": "のにはをて",
    "ka": "აბგდე",
    "ko": "가나다의는",
    "th": "กขคงจ",
    "zh": "的一是不人",
}


def letters_of(language: str) -> str:
    """Return letters that every text in a language with a script of its own has, "" for any other language."""
    return _LETTERS.get(language.partition("-")[0], "")
