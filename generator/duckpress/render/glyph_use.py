"""Which glyphs of a font the streams of a document draw."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterable


class GlyphUse:
    """The glyphs of one font; streams are added, and may be replaced by others. Glyph numbers take two bytes each."""

    def __init__(self) -> None:
        self._streams: list[bytes] = []
        self._counts: Counter[int] | None = None  # counted once something is replaced: it takes twice as long

    def add(self, glyphs: bytes) -> None:
        """Add the glyphs of a stream."""
        self._streams.append(glyphs)

    def replace(self, old: bytes, new: bytes) -> None:
        """Let a stream draw other glyphs than it did."""
        if self._counts is None:
            self._counts = Counter(_numbers(self._streams))
        self._counts.subtract(_numbers([old]))
        self._counts.update(_numbers([new]))

    def distinct(self) -> array[int]:
        """Return the glyphs that are drawn, sorted, each once."""
        used: Iterable[int] = set(_numbers(self._streams)) if self._counts is None else +self._counts
        return array("H", sorted(used))


def _numbers(streams: Iterable[bytes]) -> array[int]:
    glyphs = array("H", b"".join(streams))
    if sys.byteorder == "little":
        glyphs.byteswap()
    return glyphs
