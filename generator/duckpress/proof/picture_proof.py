"""The pictures in the file held against the picture files: the same pixels, in the same colours, all of them.

Where a file's own data was copied it is compared as it is; other pictures are decoded once more, a band of rows at a
time. Source: ISO 32000-1, 8.9.5 (images), 7.4.4.4 (predictors); PNG specification, 11.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Any

from duckpress.art.picture_files import opened
from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.proof.opened import refuse_keys

if TYPE_CHECKING:
    from PIL.Image import Image

_BAND = 256  # rows
_GREY, _PALETTE = 0, 3
_SIZE = "/Width", "/Height", "/BitsPerComponent"
_KEYS = frozenset([*_SIZE, "/Type", "/Subtype", "/ColorSpace", "/Filter", "/Length", "/DecodeParms", "/SMask"])
_is_grey_space = re.compile(rb"/DeviceGray|\[ /Indexed /DeviceRGB \d+ <(?:([0-9a-f]{2})\1\1)*> \]").fullmatch


def is_grey(image: Any) -> bool:
    """Return whether an image has no colours."""
    return _is_grey_space(_space(image)) is not None


def image_bytes(image: Any) -> bytes:
    """Return all that an image is, with its mask, but for the numbers of objects."""
    facts = [*_size(image), _space(image), *(image.get(key) for key in ("/Filter", "/DecodeParms"))]
    data = repr([one if isinstance(one, int | bytes | None) else one.unparse() for one in facts]).encode()
    mask = image_bytes(image.SMask) if "/SMask" in image else b""
    return b"%b%b%b" % (data, image.read_raw_bytes(), mask)


def is_shown(image: Any, data: bytes) -> bool:
    """Return whether an image, with its mask, has the pixels of a file."""
    refuse_keys(image, _KEYS)
    mask = image.get("/SMask")
    if "/DecodeParms" in image:
        return mask is None and _is_png(image, data)
    with opened("a picture", data) as picture:
        mode, is_opaque = "L" if picture.mode in ("1", "L", "LA") else "RGB", not picture.has_transparency_data
        if (mask is None) is not is_opaque or not _is_plain(image, picture, mode):
            return False
        if image.Filter == "/DCTDecode":
            return mask is None and bool(image.read_raw_bytes() == data)
        if mask is None:
            return _has_pixels(image, picture, mode)
        refuse_keys(mask, _KEYS - {"/SMask", "/DecodeParms"})
        whole = picture if picture.mode.endswith("A") else picture.convert(f"{mode}A")
        is_same = _is_plain(mask, picture, "L") and _has_pixels(mask, whole, "A")
        return is_same and _has_pixels(image, whole, mode)


def _has_pixels(image: Any, picture: Image, mode: str) -> bool:
    """Return whether an image has the pixels of a picture in a mode (`A`: its alpha alone)."""
    pixels, at = memoryview(image.read_bytes()), 0
    for top in range(0, picture.height, _BAND):
        band = picture.crop((0, top, picture.width, min(top + _BAND, picture.height)))
        rows = (band.getchannel("A") if mode == "A" else band.convert(mode)).tobytes()
        if pixels[at : at + len(rows)] != rows:
            return False
        at += len(rows)
    return at == len(pixels)


def _is_plain(image: Any, picture: Image, mode: str) -> bool:
    """Return whether an image is of a picture's size, with eight bits of grey or of each of three colours."""
    space = b"/DeviceGray" if mode == "L" else b"/DeviceRGB"
    return (*_size(image), _space(image)) == (*picture.size, 8, space)


def _is_png(image: Any, data: bytes) -> bool:
    """Return whether an image is a PNG's rows as they are, with its colours."""
    chunks = list(chunks_of(data)) if data.startswith(PNG_MAGIC) else []
    if not chunks or chunks[0][0] != b"IHDR" or any(name == b"tRNS" for name, _ in chunks):
        return False
    width, height, bits, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    palette, rows = (b"".join(body for name, body in chunks if name == wanted) for wanted in (b"PLTE", b"IDAT"))
    space = b"/DeviceGray" if kind == _GREY else b"/DeviceRGB"
    if kind == _PALETTE:
        space = b"[ /Indexed /DeviceRGB %d <%b> ]" % (len(palette) // 3 - 1, palette.hex().encode())
    colours = 1 if kind in (_GREY, _PALETTE) else 3
    parameters = {"/Predictor": 15, "/Colors": colours, "/BitsPerComponent": bits, "/Columns": width}
    is_right = not interlace and (*_size(image), _space(image)) == (width, height, bits, space)
    is_right &= dict(image.DecodeParms) == parameters and image.Filter == "/FlateDecode"
    return is_right and bool(image.read_raw_bytes() == rows)


def _space(image: Any) -> bytes:
    """Return the colour space, written out, the colours of a palette in hexadecimal digits."""
    written: bytes = image.ColorSpace.unparse(resolved=True)
    if not written.startswith(b"[ /Indexed /DeviceRGB "):
        return written
    _, _, highest, colours = image.ColorSpace
    return b"[ /Indexed /DeviceRGB %d <%b> ]" % (highest, bytes(colours).hex().encode())


def _size(image: Any) -> tuple[int, ...]:
    return tuple(int(image.get(side, 0)) for side in _SIZE)
