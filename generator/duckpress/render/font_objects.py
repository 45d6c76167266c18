"""A typeface and the glyphs a document uses of it -> the PDF objects of an embedded font.

Text is written by glyph number (Identity-H), so any glyph of a font can be drawn; what the glyphs say stands in the
ToUnicode map, in UTF-16 and with several letters for a ligature. Source: ISO 32000-1, 9.7 (composite fonts), 9.10.3.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Mapping

from msgspec import Struct

from duckpress.core.compression import deflated
from duckpress.fonts import Typeface
from duckpress.render.item_operators import number

_BLOCK = 100
"""The most entries one `beginbfchar` may have. Source: Adobe Technical Note 5411."""

_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{blocks}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


class FontInk(Struct, frozen=True):
    """The parts of an embedded font: its name in the document, the deflated font file and its length, and the map."""

    name: str
    file: bytes
    file_length: int
    to_unicode: bytes
    widths: str


def font_ink(typeface: Typeface, glyphs: array[int], said: Iterable[str]) -> FontInk:
    """Return the subset of a typeface with these glyphs (sorted), and what they say; `said` are the texts drawn."""
    file = typeface.subset(glyphs)
    name = f"{subset_tag(glyphs)}+{typeface.postscript_name}"
    cmap = to_unicode_cmap(typeface.text_map(glyphs, said))
    widths = width_array(glyphs, typeface.advances(glyphs))
    return FontInk(name, deflated(file), len(file), deflated(cmap.encode("ascii")), widths)


def subset_tag(glyphs: array[int]) -> str:
    """Return six capital letters that follow from the glyphs in use, so that equal subsets have equal names."""
    digest = hashlib.sha256(",".join(map(str, glyphs)).encode()).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


def to_unicode_cmap(texts: Mapping[int, str]) -> str:
    """Return the map from glyph numbers to what they say; letters above U+FFFF are surrogate pairs."""
    entries = [f"<{glyph:04X}> <{text.encode('utf-16-be').hex().upper()}>" for glyph, text in sorted(texts.items())]
    blocks = (entries[at : at + _BLOCK] for at in range(0, len(entries), _BLOCK))
    return _CMAP.format(blocks="\n".join("\n".join((f"{len(b)} beginbfchar", *b, "endbfchar")) for b in blocks))


def width_array(glyphs: Iterable[int], widths: Iterable[float]) -> str:
    """Return the `W` array: runs of neighbouring glyph numbers, each with its widths in thousandths of an em."""
    parts: list[str] = []
    last = -2
    for glyph, width in zip(glyphs, widths, strict=True):
        if glyph != last + 1:
            parts.append(f"{']' if parts else ''}{glyph}[")
        parts.append(f"{number(width)} ")
        last = glyph
    return "".join(parts) + "]" if parts else ""


def descendant_dictionary(ink: FontInk, descriptor: str) -> str:
    """Return the entries of the CIDFont, given the reference to its descriptor."""
    return (
        f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{ink.name}/CIDToGIDMap/Identity/DW 1000/W[{ink.widths}]"
        f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor {descriptor}>>"
    )


def descriptor_dictionary(typeface: Typeface, ink: FontInk, file: str) -> str:
    """Return the font descriptor, given the reference to the font file; its lengths are thousandths of an em."""
    scale = 1000 / typeface.units_per_em
    box = " ".join(str(round(edge * scale)) for edge in typeface.figures.bbox)
    return (
        f"<</Type/FontDescriptor/FontName/{ink.name}/Flags {typeface.figures.flags}/FontBBox[{box}]"
        f"/ItalicAngle {number(typeface.figures.italic_angle)}/Ascent {round(typeface.ascent * scale)}"
        f"/Descent {round(typeface.descent * scale)}/CapHeight {round(typeface.cap_height * scale)}"
        f"/StemV {typeface.figures.stem_v}/FontFile2 {file}>>"
    )


def font_dictionary(ink: FontInk, descendant: str, to_unicode: str) -> str:
    """Return the font itself, given the references to its CIDFont and its map."""
    return (
        f"<</Type/Font/Subtype/Type0/BaseFont/{ink.name}/Encoding/Identity-H"
        f"/DescendantFonts[{descendant}]/ToUnicode {to_unicode}>>"
    )
