"""The fonts in the file held against the font files: every glyph has its own outline and width, and says something.

Outlines are drawn by HarfBuzz from both, so what is compared is the shape that is printed. The name by which texts call
a font ends in a hash of its file's bytes (`Typeface.key`), so that another typeface under it is seen. A variable font's
instance is drawn from the whole file, to which the embedded one has to come within the rounding of its points.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import cache

import uharfbuzz as hb

from duckpress.core.problems import Problem
from duckpress.fonts import FontFile, read_compact
from duckpress.proof.expected import fault
from duckpress.proof.used_things import FontRead

_WIDTH_TOLERANCE = 0.001  # thousandths of an em: widths are written with four decimals
_ROUNDED = 1.51  # units: an instance has its points rounded, and the bearing that a glyph is shifted by
_HEAD_MAGIC = 0x5F0F3CF5  # source: OpenType, table `head`

Outline = list[tuple[float, ...]]


def check_font(key: str, font: FontRead, font_file: Callable[[str], FontFile | None] | None) -> Iterator[Problem]:
    """Yield a `proof-font` for a font that is not in the file, not its file's, or cannot be searched and copied.

    `font_file` returns the font file that a key stands for; without it, glyphs are not looked at.
    """
    name = font.name or "a font without a name"
    if not font.file:
        yield fault("proof-font", f"the font {name} ({font.kind}) is not embedded")
    elif not font.widths or not font.is_direct:
        yield fault("proof-font", f"the font {name} has no widths, or draws other glyphs than texts ask for")
    elif font_file is not None:
        file = font_file(key)
        if file is None or file.digest()[:8] != key.rpartition("-")[2]:
            yield fault("proof-font", f"the font {name} is none that texts ask for ({key})")
        else:
            yield from _check_glyphs(name, font, file)
    if not font.has_map:
        yield fault("proof-font", f"the font {name} does not say what its glyphs mean (no ToUnicode map)")


def _check_glyphs(name: str, font: FontRead, file: FontFile) -> Iterator[Problem]:
    face = hb.Face(file.data)
    read = _compact_face(font.file) if font.is_compact else hb.Face(font.file)
    if read is None:
        yield fault("proof-font", f"the font {name} has other glyphs under its numbers, or none")
        return
    sound, embedded = file.font(face), hb.Font(read)
    slip = _ROUNDED if file.pins else 0.0
    if embedded.face.upem != face.upem:
        yield fault("proof-font", f"the font {name} is of another size: {embedded.face.upem} units, not {face.upem}")
    for glyph, width in font.widths.items():
        says = font.texts.get(glyph, "")
        if not _is_same(_outline(embedded, glyph), _outline(sound, glyph), slip):
            yield fault("proof-font", f"the font {name} draws glyph {glyph} ({says!r}) otherwise than its file")
        wanted = sound.get_glyph_h_advance(glyph) * 1000 / face.upem
        if abs(width - wanted) > _WIDTH_TOLERANCE:
            yield fault("proof-font", f"the font {name} has glyph {glyph} ({says!r}) {width:g} wide, not {wanted:g}")


def _compact_face(cff: bytes) -> hb.Face | None:
    """Return the face of a bare `CFF ` table, as large as it says itself; None where glyphs have other numbers."""
    facts = read_compact(cff)
    if facts is None or not facts.is_direct or not facts.unit_em:
        return None
    tables = {
        "CFF ": cff,
        "head": struct.pack(">IIIIHH34x", 0x10000, 0, 0, _HEAD_MAGIC, 0, min(round(1 / facts.unit_em), 0xFFFF)),
        "maxp": struct.pack(">IH", 0x5000, facts.glyph_count),
    }
    return hb.Face.create_for_tables(lambda _face, tag, _data: tables.get(tag), None)


def _is_same(one: Outline, other: Outline, slip: float) -> bool:
    """Return whether outlines are the same, but for points that are `slip` units off."""
    if not slip or len(one) != len(other):
        return one == other
    pairs = zip(one, other, strict=True)
    return all(len(a) == len(b) and all(abs(x - y) <= slip for x, y in zip(a, b, strict=True)) for a, b in pairs)


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
