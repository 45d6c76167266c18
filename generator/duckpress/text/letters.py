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
SPACE_AS_WIDE_AS = {"\u2007": "0", "\u2008": "."}

# A line may end after hyphen, en dash and slash between words (not in 1-2, T-shirt or I/O), after an em dash, and at a
# zero width space.
BREAKS = re.compile(r"(?<=[^\W\d_]{2}[-\u2010\u2013/])(?=[^\W\d_]{2})|(?<=\w\u2014)(?=\w)|(?<=\u200b)(?!$)")
MAY_BREAK = re.compile("[-\u2010\u2013/\u2014\u200b]")
"""A sign without which a word has no such place."""

_DIVIDED = re.compile(r"[^\W\d_]{5,60}")
_LONGEST_WORD = 120  # letters; what is longer is no word, and to try all its divisions would take hours
_BEFORE, _AFTER = 2, 3  # letters that must stay together at either end; the usual of TeX for English

CLOSING = frozenset("!?:;,.)]}»›”’%…‼⁇⁈⁉、。，．：；！？）」』】》〉］｝〕〗〙〛・ーゝゞ々〜")  # never begin a line
OPENING = frozenset("([{«‹„‚“‘¿¡（「『【《〈［｛〔〖〘〚")  # never end one
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]"
)
# Signs drawn as pictures. Sources: Unicode 16, Extended_Pictographic in outline; annex 51 for what joins them.
_PICTURE = (
    "[\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_MORE = "\ufe0f?[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
EMOJI = re.compile(
    f"[0-9#]\ufe0f?\u20e3|[\U0001f1e6-\U0001f1ff]{{2}}|{_PICTURE}{_MORE}(?:\u200d{_PICTURE}{_MORE})*", re.ASCII
)
"""A sign drawn as a picture, with all that belongs to it: a colour of skin, signs joined to one, a flag, a key."""
MAY_BE_EMOJI = re.compile("[^\x00-\u203b]")  # said so, it is compiled in a sixth of the time
"""A letter without which a text has no emoji."""
_JOINED = re.compile("[\u200d\U000e0020-\U000e007f]|^[\U0001f1e6-\U0001f1ff]")
_COLOURING = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]")
_LETTERS = re.compile(f"{EMOJI.pattern}|.", re.ASCII | re.DOTALL)

# More letters than a word has of scripts without spaces, whose words only a dictionary tells apart: Thai, Lao, Burmese,
# Khmer. Who puts zero width spaces between words has fewer in a row.
WITHOUT_SPACES = re.compile(
    "[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3]{16}"
)

# Letters that are joined to the next one (behind their marks), and letters that are joined to the one before. Source:
# ArabicShaping.txt, blocks Arabic, Syriac and Arabic Supplement, types D and C; and R.
_JOINS_NEXT = re.compile(
    "[\u0620\u0626\u0628\u062a-\u062e\u0633-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0"
    "\u06d1\u06fa-\u06fc\u06ff\u0712-\u0714\u071a-\u071d\u071f-\u0727\u0729\u072b\u072d\u072e\u074e\u074f\u0750-\u0758\u075c-\u076a"
    "\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f][\u064b-\u065f\u0670\u0730-\u074a]*\\Z"
)
_JOINS_LAST = re.compile(
    "[\u0620\u0622-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u077f]"
)
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{2}")
JOINER = "\u200d"
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")  # nothing can draw them


def is_invisible(character: str) -> bool:
    """Return whether a character only steers its neighbours (joiners, variation selectors, directions)."""
    return _INVISIBLE.match(character) is not None


def is_joined_to(before: str, after: str) -> bool:
    """Return whether the last letter of a text and the first of the next are drawn in one stroke, as in Arabic."""
    return _JOINS_LAST.match(after) is not None and _JOINS_NEXT.search(before) is not None


def has_stacked_marks(text: str) -> bool:
    """Return whether a letter has several marks, beyond what is one character with it: they stand on each other."""
    return _MARKS.search(text) is not None and _MARKS.search(unicodedata.normalize("NFC", text)) is not None


def script_of(letter: str) -> str:
    """Return the script of a letter, as in the names of Unicode; nothing for signs, figures and marks."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""


def in_one_colour(text: str) -> str:
    """Return a text whose emoji are without what only colour shows: their skin, and that they are to be coloured."""
    return EMOJI.sub(lambda sign: _COLOURING.sub("", sign[0]), text) if MAY_BE_EMOJI.search(text) else text


def is_joined(sign: str) -> bool:
    """Return whether a letter is an emoji of several characters that mean it only as one glyph: people, a flag."""
    return EMOJI.fullmatch(sign) is not None and _JOINED.search(sign) is not None


def emoji_name(sign: str) -> str:
    """Return what a theme calls an emoji: the sign without what says that it is to be one."""
    return sign.replace("\ufe0f", "").replace("\ufe0e", "")


def clusters(word: str) -> list[str]:
    """Return the word's letters with the marks and invisible characters that belong to them; an emoji is one."""
    letters: list[str] = []
    for part in word if word.isascii() else _LETTERS.findall(word):
        if letters and len(part) == 1 and (unicodedata.category(part)[0] == "M" or is_invisible(part)):
            letters[-1] += part
        else:
            letters.append(part)
    return letters


def by_script(text: str, scripts: set[str]) -> list[str]:
    """Return a text cut where its letters change from one script to another: HarfBuzz shapes one at a time."""
    parts: list[str] = [""]
    now = ""
    for letter in clusters(text):
        script = script_of(letter[0])
        if script in scripts and script != now:
            if now:
                parts.append("")
            now = script
        parts[-1] += letter
    return parts


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
