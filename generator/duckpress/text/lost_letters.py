"""The letters of a text held against those of the runs that it was set in: all there, once, in order.

The one check of a text that every build makes, because it depends on its words and fonts. What a line break, a style, a
language or a font may change counts for nothing: blanks, hyphens, capitals, quotes, marks that only steer.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence

from duckpress.core.frame import Item, Text
from duckpress.text.letters import is_invisible
from duckpress.text.markup import BREAK, ICON, MarkupBlock

_ICON = "{}"
_COLOURING = (0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400))  # of emoji, which are drawn in one colour
_QUOTES = {**{ord(quote): '"' for quote in "«»“”"}, ord("’"): "'"}
_SHOWN = 15  # letters of a difference


class _Letters(dict[int, str]):
    """What each character counts as: what nobody sees as nothing."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        is_unseen = letter.isspace() or is_invisible(letter) or unicodedata.category(letter) in ("Cc", "Cf")
        self[code] = "" if is_unseen else letter
        return self[code]


_LETTERS = _Letters({**dict.fromkeys(_COLOURING, ""), **_QUOTES, ord("•"): ""})


def lost_letters(
    blocks: Sequence[MarkupBlock], unknown_icons: Collection[str], items: Iterable[Item], caps: str = "none"
) -> str:
    """Return in words where the runs of a text say something else than its blocks; nothing where they do not."""
    tokens = [token for block in blocks for token in block.tokens if token[0] != BREAK]
    asked = "".join(
        words if kind != ICON else f"{{{words}}}" if words in unknown_icons else _ICON for kind, words in tokens
    )
    said = "".join(item.text if isinstance(item, Text) else _ICON for item in items)
    if "".join(asked.split()) == "".join(said.split()):
        return ""
    asked, said = _plain(asked, caps), _plain(said, caps)
    if _letters_and_marks(asked, caps) == _letters_and_marks(said, caps):
        return ""
    at = next((at for at, both in enumerate(zip(asked, said, strict=False)) if both[0] != both[1]), None)
    at = min(len(asked), len(said)) if at is None else at
    start, end = max(0, at - _SHOWN), at + _SHOWN
    return f"has {asked[start:end]!r} where {said[start:end]!r} is drawn"


def _plain(text: str, caps: str) -> str:
    """Return the letters that count; where they are set in capitals, all are small."""
    letters = text.translate(_LETTERS)
    return letters if caps == "none" else unicodedata.normalize("NFKD", letters.replace("ı", "i").casefold())


def _letters_and_marks(text: str, caps: str) -> tuple[str, list[str]]:
    """Return letters, and their marks by themselves: one on a ligature stands beside the whole of it.

    Capitals have their own marks: Greek ones none, Turkish ones a dot. A font may have the letter with one of its
    marks, and draw the others beside it.
    """
    if text.isascii():
        return text, []
    text = unicodedata.normalize("NFD", text)
    marks = sorted(filter(unicodedata.combining, text)) if caps == "none" else []
    return "".join(letter for letter in text if not unicodedata.combining(letter)), marks
