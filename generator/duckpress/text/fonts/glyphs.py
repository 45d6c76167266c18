"""Shaped words -> the glyphs for a PDF: features, outlines, the texts of glyphs, and the strings of a `TJ` array.

Numbers between glyphs are thousandths of an em to the left, as in the `TJ` arrays they end up in (ISO 32000-1, 9.4.3).
Other lengths are in font units (`units_per_em` to the type size), y growing upwards.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import uharfbuzz as hb

from duckpress.core.paths import Path, PathBuilder

Features = tuple[tuple[str, bool], ...]

# Discretionary ligatures ("st", "ct") are for titles set by hand; the rest is what any reader expects.
USUAL_FEATURES: Features = (("kern", True), ("liga", True), ("clig", True), ("calt", True), ("dlig", False))
# Spaced-out letters must not be joined. Source: CSS Text 3, letter-spacing.
SPACED_FEATURES: Features = (("kern", True), ("liga", False), ("clig", False), ("calt", False), ("dlig", False))
SMALL_CAPS: Features = (("smcp", True),)
FIGURES: dict[str, Features] = {
    "own": (),
    "lining": (("lnum", True),),
    "tabular": (("lnum", True), ("tnum", True)),
    "old-style": (("onum", True),),
}
"""By how a style has its figures; a font without a feature keeps its own."""


def ink_of(font: hb.Font, glyph: int) -> tuple[int, int]:
    """Return the top and the bottom of a glyph's outline."""
    extents = font.get_glyph_extents(glyph)
    return (extents.y_bearing, extents.y_bearing + extents.height) if extents else (0, 0)


def outline_of(font: hb.Font, glyph: int) -> Path:
    """Return a glyph's outline."""
    builder = PathBuilder()
    font.draw_glyph(glyph, _pen(), builder)
    return builder.path()


def is_drawn(font: hb.Font, glyph: int) -> bool:
    """Return whether a glyph has a drawable outline; its header does not count."""
    strokes: list[int] = []
    font.draw_glyph(glyph, _strokes(), strokes)
    return bool(strokes)


@cache
def _strokes() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that append to a list for each contour."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda _x, _y, strokes: strokes.append(1))
    return functions


@cache
def _pen() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that build a path; it converts quadratic curves to cubic ones itself."""
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, builder: builder.move(x, y))
    pen.set_line_to_func(lambda x, y, builder: builder.line(x, y))
    pen.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, builder: builder.curve(x1, y1, x2, y2, x, y))
    pen.set_close_path_func(lambda builder: builder.close())
    return pen


_LEAST_MOVE = 0.0005  # thousandths of an em: a number below it would be written as 0


class GlyphRun(NamedTuple):
    """A shaped word: its glyphs, its advance, its number of glyphs, and the top and bottom of its ink.

    The glyphs are four hexadecimal digits each, with numbers between them as in `>-12<` (thousandths of an em, to the
    left): put one after the other, runs are a line, of which `tj_body` makes what `core.frame.Text` holds.
    """

    glyphs: str
    width: float
    length: int
    top: float
    bottom: float


class RaisedRun(NamedTuple):
    """A part of a word with all glyphs `rise` above the line, and its text."""

    run: GlyphRun
    rise: float
    text: str


def write_run(
    infos: list[Any],
    positions: list[Any],
    units_per_em: int,
    tracking: float,
    advance: Callable[[int], int],
    ink: Callable[[int], tuple[int, int]],
    *,
    is_spread: bool = True,
) -> GlyphRun:
    """Return the run of the glyphs that HarfBuzz chose and placed; `tracking` (thousandths of an em) follows each.

    It follows the last alone of those that are not spread.

    `advance` and `ink` give a glyph's own advance, and the top and bottom of what it draws.
    """
    # A TJ number moves the pen left: after each glyph, by what its own advance has over the shaped one.
    thousandth = 1000 / units_per_em
    parts: list[str] = []
    pending = 0.0
    width = 0.0
    top = bottom = 0
    each = tracking if is_spread else 0.0
    for info, position in zip(infos, positions, strict=True):
        glyph, shift, shaped = info.codepoint, position.x_offset, position.x_advance
        left = pending - shift * thousandth
        if left >= _LEAST_MOVE or left <= -_LEAST_MOVE:
            parts.append(tj_number(left))
        parts.append(f"{glyph:04X}")
        pending = (advance(glyph) + shift - shaped) * thousandth - each
        width += shaped
        glyph_top, glyph_bottom = ink(glyph)
        if glyph_top > top:
            top = glyph_top
        if glyph_bottom < bottom:
            bottom = glyph_bottom
    parts.append(tj_number(pending if is_spread else pending - tracking))
    count = len(infos) if is_spread else 1
    return GlyphRun("".join(parts), width + count * tracking / thousandth, len(infos), top, bottom)


def tj_number(thousandths: float) -> str:
    """Return a number between glyphs (positive: to the left), empty if it would move nothing."""
    number = f"{thousandths:.3f}".rstrip("0").rstrip(".") if abs(thousandths) >= _LEAST_MOVE else ""
    return f">{number}<" if number else ""


def tj_body(glyphs: str) -> str:
    """Return the body of a PDF `TJ` array for the glyphs of one or more runs."""
    return f"<{glyphs}>".removeprefix("<>").removesuffix("<>")


_JOINER = "\u200d"
_NARROW = "\u202f"
_EMPTY_GLYPHS = ("nonmarkingreturn", "CR", "uni000D", ".null", "NULL", "uni0000")
# The presentation forms of ligatures, and of Hebrew and Arabic letters: they copy as the letters they join.
_KEPT_AS_LETTERS = frozenset((*range(0xFB00, 0xFB07), *range(0xFB1D, 0xFDFE), *range(0xFE70, 0xFEFD)))


class GlyphTexts:
    """The text of each glyph in one font."""

    def __init__(self, font: hb.Font, codes: frozenset[int]) -> None:
        self._font, self._codes = font, codes

    def said_by(self, text: str, infos: list[Any]) -> list[str]:
        """Return the text of each glyph: in a cluster mapped glyphs have their own, the others a letter each, in order.

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
                letter = self.letters.get(infos[at].codepoint, "")
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
    def letters(self) -> dict[int, str]:
        """The text of each glyph in the font's character map; ligatures are in none."""
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
        """The number of a glyph that can serve as a narrow no-break space, or 0.

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
    """Return letters without a glyph's letters, composed or decomposed; None if some of those are missing."""
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
    """Return the end of each cluster, by the index of its first character."""
    starts = sorted({info.cluster for info in infos})
    return dict(zip(starts, [*starts[1:], len(text)], strict=False))  # none where nothing is drawn
