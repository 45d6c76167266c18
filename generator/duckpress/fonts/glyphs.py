"""Shaped words -> the strings that a PDF draws: the numbers of glyphs, and numbers between them that move the pen.

Those between are thousandths of an em to the left, as in the `TJ` arrays they end up in (ISO 32000-1, 9.4.3). Other
lengths are in font units (`units_per_em` to the type size), y growing upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

_LEAST_MOVE = 0.0005  # thousandths of an em: a number below it would be written as 0


class GlyphRun(NamedTuple):
    """A shaped word: its glyphs, its advance, how many glyphs it has, and the top and bottom of its ink.

    The glyphs are four hexadecimal digits each, with numbers between them as in `>-12<` (thousandths of an em, to the
    left): put one after the other, runs are a line, of which `tj_body` makes what `core.frame.Text` holds.
    """

    glyphs: str
    width: float
    length: int
    top: float
    bottom: float


class RaisedRun(NamedTuple):
    """A part of a word whose glyphs all stand `rise` above the line, and what they say."""

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
    """Return a number between glyphs (positive: to the left), empty where it would move nothing."""
    number = f"{thousandths:.3f}".rstrip("0").rstrip(".") if abs(thousandths) >= _LEAST_MOVE else ""
    return f">{number}<" if number else ""


def tj_body(glyphs: str) -> str:
    """Return the body of a PDF `TJ` array for the glyphs of one or more runs."""
    return f"<{glyphs}>".removeprefix("<>").removesuffix("<>")
