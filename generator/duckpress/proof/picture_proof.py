"""The pictures in the file held against the picture files: the same pixels, in the same colours, all of them.

What was copied from a file is compared as it is stored there, other pictures pixel by pixel. Source: ISO 32000-1, 8.9.5
(images), 7.4.4.4 (predictors); PNG specification, 11.
"""

from __future__ import annotations

import re
import struct
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from duckpress.art.picture_files import opened
from duckpress.art.raster import chunks_of

if TYPE_CHECKING:
    from PIL.Image import Image

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
