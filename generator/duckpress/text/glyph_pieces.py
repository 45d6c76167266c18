"""Pieces of a line: glyphs of one font at a share of the text's size, or an icon; in em, the type size."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from duckpress.text.styles import IconGlyph


class ScaledFont:
    """A font at a share of the text's size; lines are drawn in runs of one pen."""

    __slots__ = ("key", "scale")

    def __init__(self, key: str, scale: float) -> None:
        self.key = key
        self.scale = scale


class GlyphPiece(NamedTuple):
    """Glyphs of one font, or an icon (its `IconGlyph` in the pen's place); lengths in em, y growing upwards.

    Glyphs stand from left to right, the text as it is read: with an odd level they go against each other. Marks may
    stand on a line of their own, `rise` above that of the text.
    """

    pen: ScaledFont | IconGlyph
    glyphs: str
    text: str
    width: float
    top: float = 0.0
    bottom: float = 0.0
    level: int = 0
    rise: float = 0.0


PenOf = Callable[[str, float], ScaledFont]
