"""Small numbers as words, for prose: `{{ 4|spelled }}` gives four. Other languages, and larger numbers, get digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_WORDS = {
    "en": (
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ),
    "fr": (
        "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
        "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt",
    ),
}  # fmt: skip


def speller(language: str, number: Callable[[Any], str]) -> Callable[[object], str]:
    """Return the filter that spells numbers in a language; texts stay as they are.

    `number` writes the numbers that are not spelled, and refuses what is none.
    """
    words = _WORDS.get(language.partition("-")[0], ())

    def spelled(value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(words):
            return words[value]
        return value if isinstance(value, str) else number(value)

    return spelled
