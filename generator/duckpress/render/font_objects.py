"""The five objects of an embedded font: the font, the file with its outlines, two descriptions, what its glyphs say.

Source: ISO 32000-1, 9.7 (composite fonts), 9.8 (descriptors).
"""

from __future__ import annotations

from duckpress.fonts import Typeface
from duckpress.render.embedded import FontInk
from duckpress.render.item_operators import number
from duckpress.render.pdf_file import Number, PdfFile


class FontObjects:
    """The objects of one font: `number` is that of the font itself, `name` what it is called in the file."""

    def __init__(self, file: PdfFile) -> None:
        self.number = file.add()
        self.name = ""
        self._parts: tuple[Number, ...] = ()
        self._of: tuple[Typeface, FontInk] | None = None

    def enter(self, file: PdfFile) -> None:
        """Add the other objects to the file."""
        self._parts = tuple(file.add() for _ in range(4))

    def write(self, file: PdfFile, typeface: Typeface, ink: FontInk) -> None:
        """Write the subset of a typeface, where it is not the one that was written last."""
        if self._of is not None and self._of[0] is typeface and self._of[1] == ink:
            return
        self._of, self.name = (typeface, ink), ink.name
        data, descriptor, descendant, said = self._parts
        kind, how, glyph_map = "CIDFontType2", f"/Length1 {ink.file_length}", "/CIDToGIDMap/Identity"
        if typeface.is_compact:
            kind, how, glyph_map = "CIDFontType0", "/Subtype/CIDFontType0C", ""
        file.put_stream(data, f"{how}/Filter/FlateDecode", ink.file)
        file.put(descriptor, descriptor_dictionary(typeface, ink, data))
        file.put(
            descendant,
            f"<</Type/Font/Subtype/{kind}/BaseFont/{ink.name}{glyph_map}/DW 1000/W[{ink.widths}]"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor {descriptor} 0 R>>",
        )
        file.put_stream(said, "/Filter/FlateDecode", ink.to_unicode)
        file.put(
            self.number,
            f"<</Type/Font/Subtype/Type0/BaseFont/{ink.name}/Encoding/Identity-H/DescendantFonts[{descendant} 0 R]"
            f"/ToUnicode {said} 0 R>>",
        )


def descriptor_dictionary(typeface: Typeface, ink: FontInk, file: Number) -> str:
    """Return the font descriptor, given the number of the font file; its lengths are thousandths of an em."""
    scale = 1000 / typeface.units_per_em
    box = " ".join(str(round(edge * scale)) for edge in typeface.figures.bbox)
    return (
        f"<</Type/FontDescriptor/FontName/{ink.name}/Flags {typeface.figures.flags}/FontBBox[{box}]"
        f"/ItalicAngle {number(typeface.figures.italic_angle)}/Ascent {round(typeface.ascent * scale)}"
        f"/Descent {round(typeface.descent * scale)}/CapHeight {round(typeface.cap_height * scale)}"
        f"/StemV {typeface.figures.stem_v}/{'FontFile3' if typeface.is_compact else 'FontFile2'} {file} 0 R>>"
    )
