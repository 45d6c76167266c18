"""Light markup -> the letters that it asks for, in order: read by fewer rules than those that set it.

Blanks, stars and backslashes count for nothing on either side, nor do soft hyphens: what is compared are the letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Item, Text

ICON = "{}"  # stands for an icon among letters
_MARKS = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|\{=(?P<field>[^{}\n\\*]{1,80})\}|\{(?P<icon>[^={}\n\\*\s][^{}\n\\*]{0,80})\}"
    r"|(?P<end><br ?/?>)"
)
_ICONS = re.compile(r"\{([^={}\n\\*\s][^{}\n\\*]{0,80})\}")
_ITEMS = re.compile(r"^[ \t\r\f\v]*- ", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1")

_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffe6\U00020000-\U0003fffd"
_WITHIN = re.compile(f"(?<=[-\u2010\u2013\u2014/{_EAST_ASIAN}]) | (?=[{_EAST_ASIAN}])")


_UNSEEN = dict.fromkeys((0xAD, 0x200D))


class AskedWords(NamedTuple):
    """The letters that a text asks for, folded, and the names of its icons.

    `emphasised` are the letters with one star, two and three around them; None where that is not plain to see.
    `has_breaks`: it may have more than one paragraph.
    """

    letters: str
    icons: Sequence[str] = ()
    emphasised: Sequence[str] | None = ()
    has_breaks: bool = False


class _Letters(dict[int, str]):
    """What each character counts as: French quotes as plain ones, what nobody sees as nothing."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        is_seen = not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc")
        self[code] = character if is_seen else ""
        return self[code]


_COLOURING = [0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)]  # of emoji, which are drawn in one colour
_LETTERS = _Letters(
    {**dict.fromkeys(_COLOURING, ""), **{ord(quote): '"' for quote in "«»“”"}, ord("’"): "'", ord("•"): ""}
)


def folded(text: str, caps: str = "none") -> str:
    """Return the letters of a text; where they are set in capitals, all are small and without accents."""
    letters = "".join(text.split())
    if "*" in letters or "\\" in letters:
        letters = letters.replace("*", "").replace("\\", "")
    if not (letters.isascii() and letters.isprintable()):
        letters = letters.translate(_LETTERS)
    if caps != "none":
        bare = unicodedata.normalize("NFKD", letters.replace("ı", "i").casefold())
        letters = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return letters


def asked_words(source: str, values: Mapping[str, str], caps: str = "none") -> AskedWords:
    """Return what a text asks for, with the values of fields that it names."""
    has_breaks = "\n" in source or "<br" in source
    if has_breaks or source.startswith("- "):
        source = _ITEMS.sub("", source)
    icons: list[str] = []
    is_plain = True
    if "\\" in source or "<br" in source or "{=" in source:
        filled = _filled(source, values, icons)
        is_plain = "\\" not in source and filled.count("*") == source.count("*")
        source = filled
    elif "{" in source:
        parts = _ICONS.split(source)
        icons, source = parts[1::2], ICON.join(parts[::2])
    emphasised: Sequence[str] | None = ()
    if "*" in source:
        parts = _EMPHASIS.split(source)
        emphasised = None
        if is_plain and "*" not in "".join(parts[::3]):
            inside = ["", "", ""]
            for stars, inner in zip(parts[1::3], parts[2::3], strict=True):
                inside[len(stars) - 1] += inner
            emphasised = [folded(inner, caps) if inner else "" for inner in inside]
    return AskedWords(folded(source, caps), icons, emphasised, has_breaks)


def _filled(source: str, values: Mapping[str, str], icons: list[str]) -> str:
    """Return a text with its escapes, fields and breaks worked out, and its icons named in `icons`."""

    def said(match: re.Match[str]) -> str:
        if match["field"]:
            return _MARKS.sub(said, values.get(match["field"].strip(), ""))
        if match["icon"]:
            icons.append(match["icon"])
            return ICON
        return match["escaped"] or " "

    return _MARKS.sub(said, source)


def words_apart(text: str) -> str:
    """Return the words of a text with one space between them, none where a line may end within one."""
    return _WITHIN.sub("", " ".join(text.replace("\u00ad ", "").translate(_UNSEEN).split()))


def shown_letters(items: Iterable[Item], caps: str = "none") -> str:
    return folded("".join([item.text if isinstance(item, Text) else ICON for item in items]), caps)


def without_marks(letters: str) -> tuple[str, list[str]]:
    """Return letters without their marks, and the marks: one on a ligature stands beside the whole of it."""
    marks = filter(unicodedata.combining, letters)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), sorted(marks)


def letters_differ(asked: str, shown: str) -> str:
    """Return where letters differ, in words: what stands there, and what was asked for."""
    at = next((at for at, both in enumerate(zip(asked, shown, strict=False)) if both[0] != both[1]), None)
    at = min(len(asked), len(shown)) if at is None else at
    start = max(0, at - 10)
    return f"are {shown[start : at + 15]!r} where {asked[start : at + 15]!r} was asked for"
