"""Glyphs -> what they draw: their outlines, and the top and bottom of these; in font units, y growing upwards."""

from __future__ import annotations

from functools import cache

import uharfbuzz as hb

from duckpress.core.paths import Path, PathBuilder


def ink_of(font: hb.Font, glyph: int) -> tuple[int, int]:
    """Return the top and the bottom of what a glyph draws."""
    extents = font.get_glyph_extents(glyph)
    return (extents.y_bearing, extents.y_bearing + extents.height) if extents else (0, 0)


def outline_of(font: hb.Font, glyph: int) -> Path:
    """Return what a glyph draws."""
    builder = PathBuilder()
    font.draw_glyph(glyph, _pen(), builder)
    return builder.path()


def is_drawn(font: hb.Font, glyph: int) -> bool:
    """Return whether a glyph has an outline that can be drawn; what its header says does not count."""
    strokes: list[int] = []
    font.draw_glyph(glyph, _strokes(), strokes)
    return bool(strokes)


@cache
def _strokes() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that add to a list for each contour they are to draw."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda _x, _y, strokes: strokes.append(1))
    return functions


@cache
def _pen() -> hb.DrawFuncs:
    """Return functions of HarfBuzz that build a path; it makes cubic curves of the others itself."""
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, builder: builder.move(x, y))
    pen.set_line_to_func(lambda x, y, builder: builder.line(x, y))
    pen.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, builder: builder.curve(x1, y1, x2, y2, x, y))
    pen.set_close_path_func(lambda builder: builder.close())
    return pen
