"""Where words may be divided: soft hyphens first, then the patterns of the language (pyphen, imported when needed)."""

from __future__ import annotations

import re
from typing import Any

from duckpress.text.letters import SOFT_HYPHEN

_LETTERS = re.compile(r"[^\W\d_]{5,60}")
_LONGEST_WORD = 120  # letters; what is longer is no word, and to try all its divisions would take hours
_BEFORE, _AFTER = 2, 3  # letters that must stay together at either end; the usual of TeX for English


class Hyphenator:
    """The divisions of words of one language; a language without patterns divides at soft hyphens only."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._patterns: Any = None
        self._is_loaded = False
        self._known: dict[str, list[int]] = {}

    def positions(self, word: str, by_patterns: bool) -> list[int]:
        """Return the places at which the word may be divided, left to right; a soft hyphen stands after its place."""
        if len(word) > _LONGEST_WORD:
            return []
        soft = [index for index, letter in enumerate(word) if letter == SOFT_HYPHEN and 0 < index < len(word) - 1]
        if soft or not by_patterns:
            return soft
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = self._divide(word)
        return found

    def _divide(self, word: str) -> list[int]:
        patterns = self._load()
        if patterns is None:
            return []
        return [
            letters.start() + int(place)
            for letters in _LETTERS.finditer(word)
            for place in patterns.positions(letters[0])
        ]

    def _load(self) -> Any:
        if not self._is_loaded:
            import pyphen

            self._is_loaded = True
            known = pyphen.language_fallback(self._language.replace("-", "_"))
            self._patterns = pyphen.Pyphen(lang=known, left=_BEFORE, right=_AFTER) if known else None
        return self._patterns
