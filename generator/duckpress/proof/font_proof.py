"""The fonts in the file held against the font files: every glyph has its own outline and width, and says something.

Outlines are drawn by HarfBuzz from both, so what is compared is the shape that is printed. The name by which texts call
a font ends in a hash of its file's bytes (`Typeface.key`), so that another typeface under it is seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache

import uharfbuzz as hb

from duckpress.core.problems import Problem
from duckpress.proof.expected import fault
from duckpress.proof.used_things import FontRead

_WIDTH_TOLERANCE = 0.001  # thousandths of an em: widths are written with four decimals

Outline = list[tuple[float, ...]]


def check_font(key: str, font: FontRead, font_file: Callable[[str], bytes | None] | None) -> Iterator[Problem]:
    """Yield a `proof-font` for a font that is not in the file, not its file's, or cannot be searched and copied.

    `font_file` returns the bytes of the font file that a key stands for; without it, they are not looked at.
    """
    name = font.name or "a font without a name"
    if not font.file:
        yield fault("proof-font", f"the font {name} ({font.kind}) is not embedded")
    elif not font.widths or not font.is_direct:
        yield fault("proof-font", f"the font {name} has no widths, or draws other glyphs than texts ask for")
    elif font_file is not None:
        data = font_file(key)
        if data is None or hashlib.sha256(data).hexdigest()[:8] != key.rpartition("-")[2]:
            yield fault("proof-font", f"the font {name} is none that texts ask for ({key})")
        else:
            yield from _check_glyphs(name, font, data)
    if not font.has_map:
        yield fault("proof-font", f"the font {name} does not say what its glyphs mean (no ToUnicode map)")


def _check_glyphs(name: str, font: FontRead, data: bytes) -> Iterator[Problem]:
    face = hb.Face(data)
    sound, embedded = hb.Font(face), hb.Font(hb.Face(font.file))
    if embedded.face.upem != face.upem:
        yield fault("proof-font", f"the font {name} is of another size: {embedded.face.upem} units, not {face.upem}")
    for glyph, width in font.widths.items():
        says = font.texts.get(glyph, "")
        if _outline(embedded, glyph) != _outline(sound, glyph):
            yield fault("proof-font", f"the font {name} draws glyph {glyph} ({says!r}) otherwise than its file")
        wanted = sound.get_glyph_h_advance(glyph) * 1000 / face.upem
        if abs(width - wanted) > _WIDTH_TOLERANCE:
            yield fault("proof-font", f"the font {name} has glyph {glyph} ({says!r}) {width:g} wide, not {wanted:g}")


def _outline(font: hb.Font, glyph: int) -> Outline:
    outline: Outline = []
    font.draw_glyph(glyph, _pen(), outline)
    return outline


@cache
def _pen() -> hb.DrawFuncs:
    """Return functions that enter each stroke of a glyph into a list: how many points it has, and where they are."""
    pen = hb.DrawFuncs()
    pen.set_move_to_func(lambda x, y, outline: outline.append((x, y)))
    pen.set_line_to_func(lambda x, y, outline: outline.append((1, x, y)))
    pen.set_quadratic_to_func(lambda x1, y1, x, y, outline: outline.append((2, x1, y1, x, y)))
    pen.set_cubic_to_func(lambda x1, y1, x2, y2, x, y, outline: outline.append((3, x1, y1, x2, y2, x, y)))
    pen.set_close_path_func(lambda outline: outline.append(()))
    return pen
