"""Fonts and pictures in the file held against their own files.

Every glyph has its own outline and width, and says something. Outlines are drawn by HarfBuzz from both, so what is
compared is the shape that is printed. The name by which texts call a font ends in a hash of its file's bytes
(`Typeface.key`), so that another typeface under it is seen. A variable font's instance is drawn from the whole file, to
which the embedded one has to come within the rounding of its points.

Pictures have the same pixels, in the same colours, all of them. What was copied from a file is compared as it is stored
there, other pictures pixel by pixel. Source: ISO 32000-1, 8.9.5 (images), 7.4.4.4 (predictors); PNG specification, 11.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import uharfbuzz as hb

from duckpress.art.picture_files import opened
from duckpress.art.raster import chunks_of
from duckpress.text.fonts import FontFile, read_compact

if TYPE_CHECKING:
    from PIL.Image import Image


_WIDTH_TOLERANCE = 0.001  # thousandths of an em: widths are written with four decimals
_ROUNDED = 1.51  # units: an instance has its points rounded, and the bearing that a glyph is shifted by
_HEAD_MAGIC = 0x5F0F3CF5  # source: OpenType, table `head`
_rows = re.compile(rb"(\d+)\s*\[([^\]]*)\]").findall
# The glyphs in texts are those of the file by their numbers.
_TRUETYPE = ["/Type0", "/Identity-H", "/CIDFontType2", "/Identity", "/FontFile2", "None"]
_COMPACT = ["/Type0", "/Identity-H", "/CIDFontType0", "None", "/FontFile3", "/CIDFontType0C"]

_digest_of = lru_cache(maxsize=64)(FontFile.digest)

Outline = list[tuple[float, ...]]


class FontRead(NamedTuple):
    """A font: what says which kind it is, how wide each glyph is (thousandths of an em), and its file, if any."""

    kind: list[str]
    widths: Mapping[int, float]
    has_map: bool
    file: Any


def read_font(font: Any) -> FontRead:
    """Return a font."""
    inner = font.get("/DescendantFonts", [{}])[0]
    descriptor = inner.get("/FontDescriptor", {})
    files = [key for key in descriptor if key.startswith("/FontFile")]
    file = descriptor.get(files[0]) if files else None
    names = (font.get("/Subtype"), font.get("/Encoding"), inner.get("/Subtype"), inner.get("/CIDToGIDMap"), *files)
    kind = [*map(str, names), str(None if file is None else file.get("/Subtype"))]
    rows = _rows(inner.W.unparse()) if "/W" in inner else ()
    widths = {glyph: float(width) for first, row in rows for glyph, width in enumerate(row.split(), int(first))}
    return FontRead(kind, widths, "/ToUnicode" in font, file)


def font_faults(key: str, font: FontRead, file_of: Callable[[str], FontFile | None] | None) -> Iterator[str]:
    """Yield why a font is not in the file, not its file's, or cannot be searched and copied.

    `file_of` returns the font file that a key stands for; without it, glyphs are not looked at.
    """
    if not font.has_map:
        yield "does not say what its glyphs mean (no ToUnicode map)"
    if font.file is None:
        yield "is not embedded"
    elif not font.widths or font.kind not in (_TRUETYPE, _COMPACT):
        yield "has no widths, or draws other glyphs than texts ask for"
    elif file_of is not None:
        file = file_of(key)
        if file is None or _digest_of(file)[:8] != key.rpartition("-")[2]:
            yield "is none that texts ask for"
        else:
            yield from _glyph_faults(font, file)


def _glyph_faults(font: FontRead, file: FontFile) -> Iterator[str]:
    face, data = hb.Face(file.data), font.file.read_bytes()
    read = _compact_face(data) if font.kind == _COMPACT else hb.Face(data)
    if read is None or read.upem != face.upem:
        yield "has other glyphs under its numbers, or of another size"
        return
    sound, embedded = file.font(face), hb.Font(read)
    slip = _ROUNDED if file.pins else 0.0
    for glyph, width in font.widths.items():
        if not _is_same(_outline(embedded, glyph), _outline(sound, glyph), slip):
            yield f"draws glyph {glyph} otherwise than its file"
        wanted = sound.get_glyph_h_advance(glyph) * 1000 / face.upem
        if abs(width - wanted) > _WIDTH_TOLERANCE:
            yield f"has glyph {glyph} {width:g} wide, not {wanted:g}"


def _compact_face(cff: bytes) -> hb.Face | None:
    """Return the face of a bare `CFF ` table, as large as it says itself; None where glyphs have other numbers."""
    facts = read_compact(cff)
    if facts is None or not facts.is_direct or not facts.unit_em:
        return None
    head = struct.pack(">IIIIHH34x", 0x10000, 0, 0, _HEAD_MAGIC, 0, min(round(1 / facts.unit_em), 0xFFFF))
    tables = {"CFF ": cff, "head": head, "maxp": struct.pack(">IH", 0x5000, facts.glyph_count)}
    return hb.Face.create_for_tables(lambda _face, tag, _data: tables.get(tag), None)


def _is_same(one: Outline, other: Outline, slip: float) -> bool:
    """Return whether outlines are the same, but for points that are `slip` units off."""
    if not slip or [*map(len, one)] != [*map(len, other)]:
        return one == other
    return all(abs(x - y) <= slip for x, y in zip(chain(*one), chain(*other), strict=True))


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


_BAND = 256  # rows
_KEYS = frozenset(
    ["/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Filter", "/DecodeParms", "/Length"]
)
_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB"}
_PALETTE = 3
_PNG_KINDS = {b"/DeviceGray": (0, 1), b"/DeviceRGB": (2, 3)}  # their numbers, and how many colours they have
_PNG_PARTS = (b"IHDR", b"PLTE", b"IDAT")


def image_bytes(image: Any) -> bytes:
    """Return all that an image is, with its mask, but for the numbers of objects."""
    mask = image_bytes(image.SMask) if "/SMask" in image else b""
    entries = re.sub(rb"\d+ 0 R", b"", image.stream_dict.unparse())
    return b"%b%b%b" % (entries, image.read_raw_bytes(), mask)


def is_grey(image: Any) -> bool:
    """Return whether an image has no colours."""
    from pikepdf import PdfImage
    from PIL import ImageChops

    red, green, blue = PdfImage(image).as_pil_image().convert("RGB").split()
    return not any(ImageChops.difference(red, other).getbbox() for other in (green, blue))


def is_shown(image: Any, data: bytes) -> bool:
    """Return whether an image, with its mask, has the pixels of a file."""
    mask = image.get("/SMask")
    if image.keys() - _KEYS - {"/SMask"} or (mask is not None and mask.keys() - _KEYS):
        return False  # others would change how it is painted
    if "/DecodeParms" in image:
        return mask is None and _has_rows(image, data)
    with opened("a picture", data) as picture:
        if image.Filter == "/DCTDecode":
            is_its_space = image.ColorSpace == _SPACES.get(picture.mode) and image.BitsPerComponent == 8
            return mask is None and is_its_space and image.read_raw_bytes() == data
        mode = next((mode for mode, space in _SPACES.items() if space == image.ColorSpace), None)
        is_alike = mode is not None and (mask is not None) is picture.has_transparency_data
        return is_alike and _has_pixels(image, picture, str(mode)) and (mask is None or _has_pixels(mask, picture, "A"))


def _has_rows(image: Any, data: bytes) -> bool:
    """Return whether an image is the rows of a PNG as they are, in its colours; it has no alpha then."""
    chunks = list(chunks_of(data))
    header, palette, rows = (b"".join([body for name, body in chunks if name == kind]) for kind in _PNG_PARTS)
    kind, colours = _PNG_KINDS.get(image.ColorSpace.unparse(), (_PALETTE, 1))
    width, bits = image.Width, image.BitsPerComponent
    said = {"/Predictor": 15, "/Colors": colours, "/BitsPerComponent": bits, "/Columns": width}
    has_its_colours = kind != _PALETTE or (
        [*image.ColorSpace[:3]] == ["/Indexed", "/DeviceRGB", len(palette) // 3 - 1]
        and bytes(image.ColorSpace[3]) == palette
    )
    return (
        image.Filter == "/FlateDecode"
        and dict(image.DecodeParms) == said
        and header == struct.pack(">IIBBBBB", width, image.Height, bits, kind, 0, 0, 0)
        and b"tRNS" not in dict(chunks)
        and has_its_colours
        and image.read_raw_bytes() == rows
    )


def _has_pixels(image: Any, picture: Image, mode: str) -> bool:
    """Return whether an image is a picture's pixels, packed as they are (`A`: its alpha), looked at band by band."""
    kind = (image.Width, image.Height, image.BitsPerComponent, image.Filter)
    if kind != (*picture.size, 8, "/FlateDecode") or "/DecodeParms" in image:
        return False
    packed, stream, found, wanted = image.read_raw_bytes(), zlib.decompressobj(), sha256(), sha256()
    while packed:
        found.update(stream.decompress(packed, 1 << 20))
        packed = stream.unconsumed_tail
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        band = band.convert("RGBA") if picture.has_transparency_data else band
        wanted.update((band.getchannel("A") if mode == "A" else band.convert(mode)).tobytes())
    return found.digest() == wanted.digest()
