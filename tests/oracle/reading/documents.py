"""PDF bytes -> what the oracles ask of a file: pages, forms, fonts, bookmarks; and what glyphs say."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
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
        return [page.obj for page in self._pdf.pages]

    @cached_property
    def bookmarks(self) -> tuple[tuple[str, int], ...]:
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


TURNED = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""A letter, a mark or a figure of a script that is written from right to left."""

_OTHER_SIDE = {"LEFT": "RIGHT", "RIGHT": "LEFT", "LESS": "GREATER", "GREATER": "LESS"}


def reading_of(sayings: Sequence[str]) -> str:
    """Return what a run says as it is read, given what each of its glyphs says as they stand."""
    said = "".join(sayings)
    if said.isascii() or not TURNED.search(said):
        return said
    return turned(sayings) if any(map(is_turned, said)) else said


def first_way(text: str) -> str:
    """Return the way of the first letter, L or R; nothing where there is none."""
    ways = map(unicodedata.bidirectional, text)
    return next(({"L": "L", "R": "R", "AL": "R"}[way] for way in ways if way in ("L", "R", "AL")), "")


def is_turned(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def turned(sayings: Sequence[str]) -> str:
    return "".join(_mirrored(letters) for letters in reversed(sayings))


def _mirrored(letters: str) -> str:
    """Return a sign as it is read from right to left: what is drawn as a closing bracket opens one."""
    if len(letters) != 1 or not unicodedata.mirrored(letters):
        return letters
    words = re.sub("LEFT|RIGHT|LESS|GREATER", lambda side: _OTHER_SIDE[side[0]], unicodedata.name(letters))
    with suppress(KeyError):
        return unicodedata.lookup(words)
    return letters
