"""What the glyphs of a font say, for copied text: its character map, and the ligatures and variants shaped so far."""

from __future__ import annotations

import unicodedata
from functools import cached_property, partial
from typing import Any

import uharfbuzz as hb

from duckpress.fonts.drawn_glyphs import ink_of

_JOINER = "\u200d"
_NARROW = "\u202f"
_EMPTY_GLYPHS = ("nonmarkingreturn", "CR", "uni000D", ".null", "NULL", "uni0000")
# The presentation forms of ligatures, and of Hebrew and Arabic letters: they copy as the letters they join.
_KEPT_AS_LETTERS = frozenset((*range(0xFB00, 0xFB07), *range(0xFB1D, 0xFDFE), *range(0xFE70, 0xFEFD)))


class GlyphTexts:
    """What each glyph of one font says; `seen` are those of texts that were shaped."""

    def __init__(self, font: hb.Font, codes: frozenset[int]) -> None:
        self._font, self._codes = font, codes
        self.seen: dict[int, str] = {}

    def text(self, glyph: int) -> str:
        """Return what a glyph says; nothing where that is not known."""
        return self._character_map.get(glyph) or self.seen.get(glyph, "")

    def is_mapped(self, glyph: int) -> bool:
        """Return whether a character stands for a glyph."""
        return glyph in self._character_map

    def learn(self, text: str, infos: list[Any]) -> None:
        """Note what the glyphs of a shaped text say."""
        for info, stands_for in zip(infos, self.said_by(text, infos), strict=True):
            if not self.seen.get(info.codepoint):
                self.seen[info.codepoint] = stands_for

    def said_by(self, text: str, infos: list[Any]) -> list[str]:
        """Return what each glyph says: of a cluster what it says by itself, the others in their order a letter each.

        The last of them says all that is left. Written from right to left, the first says all of it.
        """
        said = [""] * len(infos)
        places: dict[int, list[int]] = {}
        for at, info in enumerate(infos):
            places.setdefault(info.cluster, []).append(at)
        for start, end in ends_of_clusters(text, infos).items():
            letters, own = text[start:end].replace(_JOINER, ""), places[start]
            if len(own) == 1:
                said[own[0]] = letters
                continue
            for at in own:
                letter = self._character_map.get(infos[at].codepoint, "")
                left = _without(letters, letter)
                if left is not None:
                    said[at], letters = letter, left
            silent = [at for at in own if not said[at]] or own[:1]
            if "\u0590" <= text[start] <= "\u08ff":  # Hebrew to Arabic
                silent = silent[:1]
            composed = unicodedata.normalize("NFC", letters)
            letters = composed if len(composed) >= len(silent) > 1 else letters
            for at, letter in zip(silent[:-1], letters, strict=False):
                said[at] = letter
            said[silent[-1]] += letters[len(silent) - 1 :]
        return said

    @cached_property
    def _character_map(self) -> dict[int, str]:
        nominal = self._font.get_nominal_glyph
        texts: dict[int, str] = {}
        # Private characters say the least of what a glyph means.
        for code in sorted(self._codes, key=lambda code: (0xE000 <= code <= 0xF8FF or code >= 0xF0000, code)):
            character = chr(code)
            said = unicodedata.normalize("NFKC", character).strip() if code in _KEPT_AS_LETTERS else character
            texts.setdefault(nominal(code) or 0, said)
        if texts.get(self.narrow_space, "\r") in "\r\0":
            texts[self.narrow_space] = _NARROW
        texts.pop(0, None)
        return texts

    @cached_property
    def narrow_space(self) -> int:
        """The number of a glyph that can stand for a narrow no-break space, 0 where there is none.

        It is the font's own, else an empty one that no text uses (the return that old fonts carry), which then says
        U+202F in copied text; else its no-break space, or its plain one.
        """
        unused = [self._glyph("\r"), *(int(self._font.get_glyph_from_name(name) or 0) for name in _EMPTY_GLYPHS)]
        kept = [self._glyph(space) for space in ("\u00a0", " ")]
        empty = [glyph for glyph in unused if glyph and glyph not in kept and ink_of(self._font, glyph) == (0, 0)]
        return self._glyph(_NARROW) or next((glyph for glyph in (*empty, *kept) if glyph), 0)

    def _glyph(self, character: str) -> int:
        return int(self._font.get_nominal_glyph(ord(character)) or 0)


def _without(letters: str, said: str) -> str | None:
    """Return letters without those that a glyph says, composed or not; None where they are not all among them."""
    for as_written in (str, partial(unicodedata.normalize, "NFD")):
        left, parts = as_written(letters), as_written(said)
        for part in parts:
            if part not in left:
                break
            left = left.replace(part, "", 1)
        else:
            return left if parts else None
    return None


def ends_of_clusters(text: str, infos: list[Any]) -> dict[int, int]:
    """Return where each cluster ends: it is the index of the first of the characters that its glyphs stand for."""
    starts = sorted({info.cluster for info in infos})
    return dict(zip(starts, [*starts[1:], len(text)], strict=False))  # none where nothing is drawn
