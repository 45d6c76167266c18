"""Typefaces and picture files -> the fonts and images that a PDF embeds.

Text is written by glyph number (Identity-H), so any glyph of a font can be drawn; what the glyphs say stands in the
ToUnicode map, in UTF-16 and with several letters for a ligature. Source: ISO 32000-1, 9.7 (composite fonts), 9.10.3.

The data of JPEGs and of plain PNGs is copied, everything else decoded by Pillow. A PNG's data is deflated rows behind
PNG predictors, which is a coding PDF knows: copying takes a fraction of a millisecond, decoding and deflating again a
hundred times as long. Source: ISO 32000-1, 7.4.4.4 (predictors), 8.9.5 (images); PNG specification, 11.
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from duckpress.art.picture_files import opened
from duckpress.art.raster.jpeg import JPEG_MAGIC
from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.core.compression import deflated
from duckpress.fonts import Typeface
from duckpress.render.item_operators import number

if TYPE_CHECKING:
    from PIL.Image import Image

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


def font_ink(typeface: Typeface, glyphs: array[int], said: Iterable[str], language: str = "en") -> FontInk:
    """Return the subset of a typeface with these glyphs (sorted), and what they say; `said` are the texts drawn."""
    file = typeface.subset(glyphs)
    name = f"{subset_tag(glyphs)}+{typeface.postscript_name}"
    cmap = to_unicode_cmap(typeface.text_map(glyphs, said, language))
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


_GREY, _RGB, _PALETTE = 0, 2, 3
_BAND = 256  # rows
# SOF0 to SOF15 hold the size and the number of components; C4, C8 and CC are other things. Source: ITU T.81, table B.1.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKERS_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})


class PictureInk(NamedTuple):
    """An image: the entries of its dictionary (without the soft mask and the length), its data, and its mask's."""

    dictionary: str
    data: bytes
    mask: PictureInk | None = None


def picture_ink(data: bytes) -> PictureInk:
    """Return the image of a file's bytes, copied where PDF can hold them as they are."""
    if data.startswith(PNG_MAGIC):
        return _copied_png(data) or _decoded(data)
    if data.startswith(JPEG_MAGIC):
        return _copied_jpeg(data) or _decoded(data)
    return _decoded(data)


def unpacked_ink(data: bytes) -> PictureInk:
    """Return the image of a file's bytes with its pixels as they are: for a document that is only made into pixels.

    What unpacks a document's images does so for each page that shows one.
    """
    return _decoded(data, is_packed=False)


def _entries(width: int, height: int, space: str, bits: int, rest: str) -> str:
    return f"/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace{space}/BitsPerComponent {bits}{rest}"


def _copied_png(data: bytes) -> PictureInk | None:
    """Return a PNG's own data; None for interlaced ones, for alpha of any kind, and for chunks that are damaged."""
    chunks = list(chunks_of(data))
    if not chunks or chunks[0][0] != b"IHDR" or chunks[-1][0] != b"IEND" or any(name == b"tRNS" for name, _ in chunks):
        return None
    width, height, bits, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if interlace or kind not in (_GREY, _RGB, _PALETTE) or (bits != 8 and kind != _PALETTE):
        return None
    palette = next((body for name, body in chunks if name == b"PLTE"), b"")
    if kind == _PALETTE:
        space = f"[/Indexed/DeviceRGB {len(palette) // 3 - 1}<{palette.hex()}>]"
    else:
        space = "/DeviceRGB" if kind == _RGB else "/DeviceGray"
    colours = 3 if kind == _RGB else 1
    parameters = f"<</Predictor 15/Colors {colours}/BitsPerComponent {bits}/Columns {width}>>"
    dictionary = _entries(width, height, space, bits, f"/Filter/FlateDecode/DecodeParms{parameters}")
    return PictureInk(dictionary, b"".join(body for name, body in chunks if name == b"IDAT"))


def _copied_jpeg(data: bytes) -> PictureInk | None:
    """Return a JPEG's own data; None for CMYK. `layout` has turned those that their EXIF turns."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in _MARKERS_WITHOUT_LENGTH:
            at += 1 if marker == 0xFF else 2
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        body = data[at + 4 : at + 2 + length]
        if marker in _FRAME_MARKERS:
            bits, height, width, components = struct.unpack_from(">BHHB", body)
            if bits != 8 or components not in (1, 3):
                return None
            space = "/DeviceRGB" if components == 3 else "/DeviceGray"
            return PictureInk(_entries(width, height, space, 8, "/Filter/DCTDecode"), data)
        at += 2 + length
    return None


def _decoded(data: bytes, *, is_packed: bool = True) -> PictureInk:
    """Return the pixels in RGB or grey, with what is transparent as a soft mask."""
    with opened("a picture", data) as picture:
        is_grey = picture.mode in ("L", "LA", "1")
        if not picture.has_transparency_data:
            return _plain(picture, "L" if is_grey else "RGB", is_packed=is_packed)
        whole = picture if picture.mode in ("LA", "RGBA") else picture.convert("LA" if is_grey else "RGBA")
        colours = _plain(whole, "L" if is_grey else "RGB", is_packed=is_packed)
        return colours._replace(mask=_plain(whole, "A", is_packed=is_packed))


def _plain(picture: Image, mode: str, *, is_packed: bool) -> PictureInk:
    """Return a picture in a mode (`A`: its alpha alone), converted a band of rows at a time."""
    space = "/DeviceRGB" if mode == "RGB" else "/DeviceGray"
    dictionary = _entries(picture.width, picture.height, space, 8, "/Filter/FlateDecode" if is_packed else "")
    pixels = bytearray()
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        rows = band.getchannel("A") if mode == "A" else band.convert(mode)
        pixels += rows.tobytes()
    return PictureInk(dictionary, deflated(pixels) if is_packed else bytes(pixels))
