"""What characters ask of a line: where it may break, which spaces are how wide, how words are written in capitals.

Words are divided at soft hyphens first, then by the patterns of the language (pyphen, imported when needed).

Sources: Unicode 16, chapter 6 (spaces) and annex 14 (line breaking), of which these are the rules that Latin, Greek
and Cyrillic text needs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import groupby
from typing import Any

SOFT_HYPHEN = "\u00ad"
ZERO_WIDTH_SPACE = "\u200b"

# Widths in em of the spaces a font may lack; None for as wide as its own space, digit or full stop.
SPACE_WIDTHS: dict[str, float | None] = {
    "\u00a0": None,
    "\u2000": 0.5,
    "\u2001": 1.0,
    "\u2002": 0.5,
    "\u2003": 1.0,
    "\u2004": 1 / 3,
    "\u2005": 0.25,
    "\u2006": 1 / 6,
    "\u2007": None,
    "\u2008": None,
    "\u2009": 0.2,
    "\u200a": 0.1,
    "\u202f": 0.2,
    "\u205f": 4 / 18,
    "\u3000": 1.0,
}
SPACE_AS_WIDE_AS = {"\u00a0": " ", "\u2007": "0", "\u2008": "."}

# A line may end after hyphen, en dash and slash between words (not in 1-2, T-shirt or I/O), after an em dash, and at a
# zero width space.
BREAKS = re.compile(r"(?<=[^\W\d_]{2}[-\u2010\u2013/])(?=[^\W\d_]{2})|(?<=\w\u2014)(?=\w)|(?<=\u200b)(?!$)")

_DIVIDED = re.compile(r"[^\W\d_]{5,60}")
_LONGEST_WORD = 120  # letters; what is longer is no word, and to try all its divisions would take hours
_BEFORE, _AFTER = 2, 3  # letters that must stay together at either end; the usual of TeX for English

CLOSING = frozenset("!?:;,.)]}»›”’%…‼⁇⁈⁉")  # never begin a line
OPENING = frozenset("([{«‹„‚“‘¿¡")  # never end one
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]"
)
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")  # nothing can draw them


def is_invisible(character: str) -> bool:
    """Return whether a character only steers its neighbours (joiners, variation selectors, directions)."""
    return _INVISIBLE.match(character) is not None


def has_right_to_left(word: str) -> bool:
    """Return whether a word has letters of a script that is written from right to left. Source: Unicode 16, annex 9."""
    return not word.isascii() and any(
        character.isalpha() and unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in word
    )


def clusters(word: str) -> list[str]:
    """Return the word's letters with the marks and invisible characters that belong to them."""
    letters: list[str] = []
    for character in word:
        if letters and (unicodedata.combining(character) or is_invisible(character)):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def upper(word: str, language: str) -> str:
    """Return the word in capitals as a language writes them: İ in Turkish, no accents in Greek, ẞ as SS."""
    tongue = language.partition("-")[0].partition("_")[0].lower()
    if tongue in ("tr", "az"):
        word = word.replace("i", "İ")
    elif tongue == "el":
        bare = unicodedata.normalize("NFD", word).replace("\u0301", "")
        word = unicodedata.normalize("NFC", bare)
    return word.upper()


def case_runs(word: str) -> list[tuple[bool, str]]:
    """Return the word cut into stretches of small letters (True) and of everything else (False)."""
    runs = groupby(clusters(word), lambda letter: letter != letter.upper())
    return [(is_small, "".join(letters)) for is_small, letters in runs]


class Hyphenator:
    """The divisions of words of one language; a language without patterns divides at soft hyphens only."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._known: dict[str, list[int]] = {}

    def positions(self, word: str, by_patterns: bool) -> list[int]:
        """Return the places at which the word may be divided, left to right; a soft hyphen stands after its place."""
        if len(word) > _LONGEST_WORD:
            return []
        soft = [index for index, letter in enumerate(word) if letter == SOFT_HYPHEN and 0 < index < len(word) - 1]
        if soft or not by_patterns:
            return soft
        places = self._known.get(word)
        if places is None:
            patterns = _patterns(self._language)
            runs = _DIVIDED.finditer(word) if patterns is not None else ()
            places = [run.start() + int(place) for run in runs for place in patterns.positions(run[0])]
            self._known[word] = places
        return places


@cache
def _patterns(language: str) -> Any:
    import pyphen

    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known, left=_BEFORE, right=_AFTER) if known else None
