"""Spaces as a typeface has them, or as they are made of its plain one: each as wide as its character asks; in em."""

from __future__ import annotations

from duckpress.fonts import Typeface, tj_number
from duckpress.text.glyph_pieces import GlyphPiece, PenOf
from duckpress.text.letters import SPACE_AS_WIDE_AS, SPACE_WIDTHS
from duckpress.text.typography import NARROW, NO_BREAK

BLANKS = (" ", NO_BREAK)
"""The spaces that a justified line opens, all alike; all others are as wide as they are."""

# The narrow no-break space of a typeface without one: a share of its space between words, so that a sign stands nearer
# to its own word than to the next, and never so little that it cannot be seen. By eye.
NARROW_SHARE = 0.65
NARROWEST_EM = 0.1


def space_piece(
    space: str, typeface: Typeface | None, pen: PenOf, language: str, tracking: float, level: int
) -> GlyphPiece:
    """Return a space in a typeface, drawn with the glyph of the plain one and moved to its width by a number.

    The no-break space is drawn with its own glyph where there is one.
    """
    if space == NARROW and typeface is not None:
        return _narrow(typeface, pen, tracking, level)
    if typeface is None or not typeface.covers(" "):
        own_pen = pen(typeface.key if typeface else "", 1.0)
        return GlyphPiece(own_pen, "", space, SPACE_WIDTHS.get(space) or 0.25, level=level)
    drawn = space if space == NO_BREAK and typeface.covers(space) else " "
    glyph, em = typeface.glyph(drawn), typeface.units_per_em
    own = typeface.advances([glyph])[0] / 1000
    width = SPACE_WIDTHS.get(space)
    if width is None:
        like = drawn if space in BLANKS else SPACE_AS_WIDE_AS.get(space, " ")
        width = typeface.shape(like, language=language).width / em if typeface.covers(like) else own
    width += tracking / 1000
    glyphs = f"{glyph:04X}{tj_number((own - width) * 1000)}"
    return GlyphPiece(pen(typeface.key, 1.0), glyphs, space, width, level=level)


def _narrow(own: Typeface, pen: PenOf, tracking: float, level: int) -> GlyphPiece:
    """Return a narrow no-break space for a typeface without one: a part of its space, drawn with an empty glyph.

    The glyph is the typeface's own: one of another font alone in its text would be lost when the text is copied.
    """
    word_space = own.advances([own.glyph(" ")])[0] / 1000 if own.covers(" ") else NARROWEST_EM
    width = max(NARROWEST_EM, min(SPACE_WIDTHS[NARROW] or 0.0, NARROW_SHARE * word_space)) + tracking / 1000
    glyph = own.narrow_space
    glyphs = f"{glyph:04X}{tj_number(own.advances([glyph])[0] - width * 1000)}" if glyph else ""
    return GlyphPiece(pen(own.key, 1.0), glyphs, NARROW, width, level=level)
