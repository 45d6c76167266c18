"""Picture files -> images of a reportlab document, copied unchanged if PDF supports them.

`drawImage` would unpack a PNG and pack its pixels with zlib; reportlab's image object knows neither palettes nor
predictors. Source: ISO 32000-1, 7.4.4.4 (predictors), 8.9.5 (images); PNG specification, 11.
"""

from __future__ import annotations

import struct
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from duckpress.art.picture_files import opened
from duckpress.art.raster import JPEG_MAGIC, PNG_MAGIC, chunks_of
from duckpress.core.compression import deflated
from duckpress.render.bare_canvas import pdfdoc, readJPEGInfo

if TYPE_CHECKING:
    from PIL.Image import Image

_GREY, _RGB, _PALETTE = 0, 2, 3
_BAND = 256  # rows


class PictureInk(NamedTuple):
    """An image: the entries of its dictionary (without the soft mask and the length), its data, and its mask's."""

    entries: dict[str, object]
    data: bytes
    mask: PictureInk | None = None


def picture_ink(data: bytes, *, is_packed: bool = True) -> PictureInk:
    """Return the image of a file's bytes, copied unchanged if PDF supports them.

    Not packed it holds its pixels: for a document that is only made into pixels, as what unpacks a document's images
    does so for each page that shows one.
    """
    copied = None
    if is_packed and data.startswith(PNG_MAGIC):
        copied = _copied_png(data)
    elif is_packed and data.startswith(JPEG_MAGIC):
        copied = _copied_jpeg(data)
    return copied or _decoded(data, is_packed=is_packed)


def image_entries(width: int, height: int, space: str, bits: int, **rest: object) -> dict[str, object]:
    """Return the entries of an image's dictionary; `space` is its colour space."""
    known = {"Type": "/XObject", "Subtype": "/Image", "Width": width, "Height": height, "ColorSpace": space}
    return {**known, "BitsPerComponent": bits, **rest}


def _copied_png(data: bytes) -> PictureInk | None:
    """Return a PNG's own data; None for interlaced ones, for any alpha, and for damaged chunks."""
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
    parameters = pdfdoc.PDFDictionary({"Predictor": 15, "Colors": colours, "BitsPerComponent": bits, "Columns": width})
    entries = image_entries(width, height, space, bits, Filter="/FlateDecode", DecodeParms=parameters)
    return PictureInk(entries, b"".join(body for name, body in chunks if name == b"IDAT"))


def _copied_jpeg(data: bytes) -> PictureInk | None:
    """Return a JPEG's own data; None for CMYK. `layout` has already converted those with an EXIF turn."""
    try:
        width, height, colours, _ = readJPEGInfo(BytesIO(data))
    except (pdfdoc.PDFError, struct.error):
        return None
    space = {1: "/DeviceGray", 3: "/DeviceRGB"}.get(colours)
    return PictureInk(image_entries(width, height, space, 8, Filter="/DCTDecode"), data) if space else None


def _decoded(data: bytes, *, is_packed: bool) -> PictureInk:
    """Return the pixels in RGB or grey, with transparency as a soft mask."""
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
    entries = image_entries(picture.width, picture.height, space, 8, Filter="/FlateDecode" if is_packed else "[]")
    pixels = bytearray()
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        rows = band.getchannel("A") if mode == "A" else band.convert(mode)
        pixels += rows.tobytes()
    return PictureInk(entries, deflated(pixels) if is_packed else bytes(pixels))


def image_stream(ink: PictureInk, mask: pdfdoc.PDFObjectReference | None = None) -> pdfdoc.PDFStream:
    """Return an image, with its soft mask."""
    return pdfdoc.PDFStream(pdfdoc.PDFDictionary(ink.entries | ({} if mask is None else {"SMask": mask})), ink.data)
