"""Typefaces -> fonts of a document, in which text is written by glyph number (Identity-H).

Any glyph of a TrueType or CFF font can be drawn so; reportlab's own embedded fonts are TrueType in pieces of 256
letters. What the glyphs say stands in the ToUnicode map, in UTF-16 and with several letters for a ligature. Source: ISO
32000-1, 9.7 (composite fonts), 9.8 (descriptors), 9.10.3.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from duckpress.core.compression import deflated
from duckpress.render.bare_canvas import Finished, entries, fp_str, number, pdfdoc, referred
from duckpress.render.pen import Words
from duckpress.text.fonts import Typeface

_BLOCK = 100
"""The most entries one `beginbfchar` may have. Source: Adobe Technical Note 5411."""

_PACKED = "Filter", "/FlateDecode"
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


def font_ink(typeface: Typeface, glyphs: array[int], said: Sequence[Words], language: str = "en") -> FontInk:
    """Return a typeface's subset with these glyphs (sorted), and their texts, by the words drawn with them."""
    file = typeface.subset(glyphs)
    name = f"{subset_tag(glyphs)}+{typeface.postscript_name}"
    cmap = to_unicode_cmap(typeface.text_map(glyphs, said, language))
    widths = width_array(glyphs, typeface.advances(glyphs))
    return FontInk(name, deflated(file), len(file), deflated(cmap.encode("ascii")), widths)


def subset_tag(glyphs: array[int]) -> str:
    """Return six capital letters made from the glyphs in use, so that equal subsets have equal names."""
    digest = hashlib.sha256(",".join(map(str, glyphs)).encode()).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in digest[:6])


def to_unicode_cmap(texts: Mapping[int, str]) -> str:
    """Return the map from glyph numbers to texts; characters above U+FFFF are surrogate pairs."""
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


class GlyphFont:
    """A font of one document, in the protocol of reportlab's fonts, written once all its glyphs are known.

    `streams` are the words of each stream; `cut` is set before the document is written.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self.streams: list[Words] = []
        self.cut: tuple[Typeface, FontInk] | None = None

    def glyphs(self) -> array[int]:
        """Return the drawn glyphs, sorted, without repetitions."""
        drawn = array("H", b"".join([words.glyphs for words in self.streams]))
        if sys.byteorder == "little":
            drawn.byteswap()
        return array("H", sorted(set(drawn)))

    def addObjects(self, document: pdfdoc.PDFDocument) -> None:  # noqa: N802 - reportlab's name
        """Add the objects of the font to the document."""
        assert self.cut is not None
        typeface, ink = self.cut
        descriptor = referred(document, _descriptor(typeface, ink, document))
        descendant = {
            "Type": "/Font",
            "Subtype": "/CIDFontType0" if typeface.is_compact else "/CIDFontType2",
            "BaseFont": f"/{ink.name}",
            "CIDSystemInfo": entries({"Registry": "(Adobe)", "Ordering": "(Identity)", "Supplement": 0}),
            "DW": 1000,
            "W": f"[{ink.widths}]",
            "FontDescriptor": descriptor,
            **({} if typeface.is_compact else {"CIDToGIDMap": "/Identity"}),
        }
        font = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": f"/{ink.name}",
            "Encoding": "/Identity-H",
            "DescendantFonts": f"[ {referred(document, Finished(descendant))} ]",
            "ToUnicode": referred(document, Finished(dict([_PACKED]), ink.to_unicode)),
        }
        # The one dictionary that all streams name; a font of reportlab's registry would be one of the whole process.
        every = document.idToObject[pdfdoc.BasicFonts].dict
        every[f"F-{self.key}"] = document.Reference(Finished(font))


def _descriptor(typeface: Typeface, ink: FontInk, document: pdfdoc.PDFDocument) -> Finished:
    """Return the font descriptor; its lengths are thousandths of an em."""
    scale, figures = 1000 / typeface.units_per_em, typeface.figures
    how: tuple[str, object] = ("Subtype", "/CIDFontType0C") if typeface.is_compact else ("Length1", ink.file_length)
    file = referred(document, Finished(dict([_PACKED, how]), ink.file))
    return Finished(
        {
            "Type": "/FontDescriptor",
            "FontName": f"/{ink.name}",
            "Flags": figures.flags,
            "FontBBox": f"[ {' '.join([str(round(edge * scale)) for edge in figures.bbox])} ]",
            "ItalicAngle": fp_str(figures.italic_angle),
            "Ascent": round(typeface.ascent * scale),
            "Descent": round(typeface.descent * scale),
            "CapHeight": round(typeface.cap_height * scale),
            "StemV": figures.stem_v,
            "FontFile3" if typeface.is_compact else "FontFile2": file,
        }
    )
