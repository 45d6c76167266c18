"""Two texts -> the same texts with marks on the words that went and that came, as each kind of page has them.

On paper a mark is no colour: a word that went stands in brackets, one that came is bold.
"""

from __future__ import annotations

import difflib
import re

from duckpress.rulebook.setting.furniture import escaped

# Noncharacters: Unicode keeps them for the inside of programs, so no text of a game has them.
_WENT, _WENT_END, _CAME, _CAME_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
_LETTER = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # scripts without spaces: every letter is a word
_WORD = re.compile(f"[{_LETTER}]|[^\\s{_LETTER}]+")


def marked(old: str, new: str) -> tuple[str, str]:
    """Return both texts, with a mark around each run of words of the one that the other has not.

    Where they have no word in common, nothing is marked: all of the one stands for all of the other.
    """
    was, now = list(_WORD.finditer(old)), list(_WORD.finditer(new))
    matcher = difflib.SequenceMatcher(None, [word[0] for word in was], [word[0] for word in now], autojunk=False)
    went, came = [], []
    for tag, first, end, first_now, end_now in matcher.get_opcodes():
        if tag != "equal":
            went += [(was[first].start(), was[end - 1].end())] if first < end else []
            came += [(now[first_now].start(), now[end_now - 1].end())] if first_now < end_now else []
    if not matcher.ratio():
        return old, new
    return _enclosed(old, went, _WENT, _WENT_END), _enclosed(new, came, _CAME, _CAME_END)


def has_marks(words: str) -> bool:
    """Return whether a word of a text is marked."""
    return _WENT in words or _CAME in words


def as_markup(words: str) -> str:
    """Return marked words as markup of a page; everything else in them as it is."""
    return _replaced(escaped(words), "[", "]", "**", "**")


def as_markdown(words: str) -> str:
    """Return marked words as Markdown."""
    plain = "".join(f"\\{letter}" if letter in "\\*_`<[#" else letter for letter in words)
    return _replaced(plain, "\\[", "]", "**", "**")


def as_text(words: str) -> str:
    """Return marked words as plain text, which has no bold."""
    return _replaced(words, "[", "]", "", "")


def _replaced(words: str, *marks: str) -> str:
    return words.translate(dict(zip(map(ord, (_WENT, _WENT_END, _CAME, _CAME_END)), marks, strict=True)))


def _enclosed(text: str, runs: list[tuple[int, int]], before: str, after: str) -> str:
    for start, end in reversed(runs):
        text = f"{text[:start]}{before}{text[start:end]}{after}{text[end:]}"
    return text
