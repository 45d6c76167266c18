"""PDF bytes -> what the oracles ask of a file: its pages, the forms and fonts that they use, layers and bookmarks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import pikepdf

_BLOCKS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_ENTRIES = re.compile(rb"<([0-9A-Fa-f]{4})>\s*<((?:[0-9A-Fa-f]{4})+)>")


class Font(NamedTuple):
    """What each glyph of a font says, how wide it is, and how far letters rise and fall (thousandths of an em)."""

    texts: Mapping[int, str]
    widths: Mapping[int, float]
    ascent: float
    descent: float


class Document:
    """A finished file; what it says is read when it is asked for."""

    def __init__(self, pdf: bytes) -> None:
        self._pdf = pikepdf.open(io.BytesIO(pdf))
        self._fonts: dict[object, Font] = {}

    @property
    def pages(self) -> list[Any]:
        """The objects of the pages."""
        return [page.obj for page in self._pdf.pages]

    @cached_property
    def bookmarks(self) -> tuple[tuple[str, int], ...]:
        """Titles, each with the index of the page that it leads to."""
        return tuple(self._bookmarks())

    def _bookmarks(self) -> Iterator[tuple[str, int]]:
        numbers = {page.objgen: index for index, page in enumerate(self.pages)}
        entry = self._pdf.Root.get("/Outlines", {}).get("/First")
        while entry is not None:
            yield str(entry.get("/Title", "")), numbers.get(entry.Dest[0].objgen, -1)
            entry = entry.get("/Next")

    def font(self, font: Any) -> Font:
        """Return what a font says of its glyphs."""
        if font.objgen not in self._fonts:
            inner = font.DescendantFonts[0]
            descriptor, texts = inner.FontDescriptor, read_cmap(font.ToUnicode.read_bytes())
            figures = float(descriptor.Ascent), float(descriptor.Descent)
            self._fonts[font.objgen] = Font(texts, dict(_widths(inner.W)), *figures)
        return self._fonts[font.objgen]


def read_cmap(data: bytes) -> dict[int, str]:
    """Return what each glyph says, from a ToUnicode map that names glyphs one by one."""
    return {
        int(glyph, 16): bytes.fromhex(letters.decode()).decode("utf-16-be", "replace")
        for block in _BLOCKS.findall(data)
        for glyph, letters in _ENTRIES.findall(block)
    }


def _widths(array: Any) -> Iterator[tuple[int, float]]:
    """Yield the glyphs of a `W` array of the form `first [width width ...]`, each with its width."""
    parts = list(array)
    for first, row in zip(parts[::2], parts[1::2], strict=True):
        yield from enumerate(map(float, row), int(first))
