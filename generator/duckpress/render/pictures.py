"""Picture files -> images of a reportlab document, copied as they are where PDF can hold them so.

`drawImage` would unpack a PNG and pack its pixels with zlib; reportlab's image object knows neither palettes nor
predictors. Source: ISO 32000-1, 7.4.4.4 (predictors), 8.9.5 (images); PNG specification, 11.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from duckpress.art.picture_files import opened
from duckpress.art.raster.jpeg import JPEG_MAGIC
from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.core.compression import deflated
from duckpress.render.pdfdoc import PDFDictionary, PDFObjectReference, PDFStream

if TYPE_CHECKING:
    from PIL.Image import Image

_GREY, _RGB, _PALETTE = 0, 2, 3
_BAND = 256  # rows
# SOF0 to SOF15 hold the size and the number of components; C4, C8 and CC are other things. Source: ITU T.81, table B.1.
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MARKERS_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})


class PictureInk(NamedTuple):
    """An image: the entries of its dictionary (without the soft mask and the length), its data, and its mask's."""

    entries: dict[str, object]
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


def _entries(width: int, height: int, space: str, bits: int, **rest: object) -> dict[str, object]:
    known = {"Type": "/XObject", "Subtype": "/Image", "Width": width, "Height": height, "ColorSpace": space}
    return {**known, "BitsPerComponent": bits, **rest}


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
    parameters = PDFDictionary({"Predictor": 15, "Colors": colours, "BitsPerComponent": bits, "Columns": width})
    entries = _entries(width, height, space, bits, Filter="/FlateDecode", DecodeParms=parameters)
    return PictureInk(entries, b"".join(body for name, body in chunks if name == b"IDAT"))


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
            return PictureInk(_entries(width, height, space, 8, Filter="/DCTDecode"), data)
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
    entries = _entries(picture.width, picture.height, space, 8, Filter="/FlateDecode" if is_packed else "[]")
    pixels = bytearray()
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        rows = band.getchannel("A") if mode == "A" else band.convert(mode)
        pixels += rows.tobytes()
    return PictureInk(entries, deflated(pixels) if is_packed else bytes(pixels))


def image_stream(ink: PictureInk, mask: PDFObjectReference | None = None) -> PDFStream:
    """Return an image, with the image that is its soft mask."""
    return PDFStream(PDFDictionary(ink.entries | ({} if mask is None else {"SMask": mask})), ink.data)
