"""What glyphs say that are drawn from right to left: they stand from left to right in a file, as all do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress

TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""A letter, a mark or a figure of a script that is written from right to left."""

_OTHER_SIDE = {"LEFT": "RIGHT", "RIGHT": "LEFT", "LESS": "GREATER", "GREATER": "LESS"}


def reading_of(sayings: Sequence[str]) -> str:
    """Return what a run says as it is read, given what each of its glyphs says as they stand."""
    said = "".join(sayings)
    if said.isascii() or not TURNED.search(said):
        return said
    return turned(sayings) if any(map(is_turned, said)) else said


def is_turned(letter: str) -> bool:
    """Return whether a letter is written from right to left."""
    return unicodedata.bidirectional(letter) in ("R", "AL")


def turned(sayings: Sequence[str]) -> str:
    """Return what glyphs say from right to left."""
    return "".join(_mirrored(letters) for letters in reversed(sayings))


def _mirrored(letters: str) -> str:
    """Return a sign as it is read from right to left: what is drawn as a closing bracket opens one."""
    if len(letters) != 1 or not unicodedata.mirrored(letters):
        return letters
    words = re.sub("LEFT|RIGHT|LESS|GREATER", lambda side: _OTHER_SIDE[side[0]], unicodedata.name(letters))
    with suppress(KeyError):
        return unicodedata.lookup(words)
    return letters
