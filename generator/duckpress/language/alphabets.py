"""What a language is written in: a few letters it cannot do without, to ask a font for; and which way they run."""

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


_RIGHT_TO_LEFT = frozenset(("ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))


def runs_right_to_left(language: str) -> bool:
    """Return whether a language is written from right to left, as far as its code says so. Source: Unicode CLDR 47."""
    return language.partition("-")[0] in _RIGHT_TO_LEFT


def letters_of(language: str) -> str:
    """Return letters that every text in a language with a script of its own has, "" for any other language."""
    return _LETTERS.get(language.partition("-")[0], "")
