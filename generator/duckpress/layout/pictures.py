"""PNG and JPEG files -> `PictureData`, known by their bytes and measured by their headers, never by decoding.

Only what a PDF cannot take as it is goes through Pillow (loaded then): JPEGs that say they must be turned, JPEGs in
CMYK, PNGs with 16 bits. Sources: PNG (ISO 15948), JPEG (ITU-T T.81, B.1.1.3), Exif 2.3 (tag 0x0112).
"""

from __future__ import annotations

import hashlib
import struct
import warnings
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 50_000_000

_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


class PictureData(NamedTuple):
    """A raster file ready for the PDF: `key` is the hash of the file it was read from; `kind` is `png` or `jpeg`."""

    key: str
    data: bytes
    kind: str
    width_px: int
    height_px: int


class BadPicture(ValueError):
    """A raster file that cannot be printed; its words are those of a problem, with the `fix`."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


class _Header(NamedTuple):
    kind: str
    width_px: int
    height_px: int
    must_convert: bool
    note: str = ""


def read_picture(path: str, data: bytes, *, is_grey: bool = False) -> tuple[PictureData, str]:
    """Give a picture, and words for a warning where only a part of the file is used; raises `BadPicture`.

    `is_grey` turns its colours into the greys that look as light (luma by ITU-R BT.601, as for all other colours).
    """
    if data.startswith(_PNG_MAGIC):
        header = _png_header(path, data)
    elif data.startswith(b"\xff\xd8\xff"):
        header = _jpeg_header(path, data)
    else:
        raise BadPicture(f"{path!r} is neither PNG, JPEG nor SVG, whatever its name says", "convert it to PNG or JPEG")
    pixels = header.width_px * header.height_px
    if not 0 < pixels <= MAX_PIXELS:
        most = f"{MAX_PIXELS // 1_000_000} million are the most"
        what = f"{path!r} has {header.width_px} x {header.height_px} pixels; {most}"
        raise BadPicture(what, "make the picture smaller")
    key = hashlib.sha256(data + b"grey" if is_grey else data).hexdigest()[:32]
    if not header.must_convert and not is_grey:
        return PictureData(key, data, header.kind, header.width_px, header.height_px), header.note
    return _converted(path, key, data, header, is_grey=is_grey), header.note


def _png_header(path: str, data: bytes) -> _Header:
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise _truncated(path)
    width, height, bits = struct.unpack(">IIB", data[16:25])
    position, is_animated, has_pixels = 8, False, False
    while True:
        if position + 12 > len(data):
            raise _truncated(path)
        length = int.from_bytes(data[position : position + 4], "big")
        chunk = data[position + 4 : position + 8]
        is_animated = is_animated or chunk == b"acTL"
        has_pixels = has_pixels or chunk == b"IDAT"
        position += 12 + length
        if chunk == b"IEND":
            break
    if not has_pixels or position > len(data):
        raise _truncated(path)
    note = f"{path!r} is animated; its first picture is printed" if is_animated else ""
    return _Header("png", width, height, bits == 16 or is_animated, note)


def _jpeg_header(path: str, data: bytes) -> _Header:
    position, turn = 2, 1
    while position + 9 < len(data):
        if data[position] != 0xFF:
            raise _truncated(path)
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
            continue
        length = int.from_bytes(data[position + 2 : position + 4], "big")
        if marker == 0xE1 and data[position + 4 : position + 10] == b"Exif\0\0":
            turn = _exif_turn(data[position + 10 : position + 2 + length])
        if marker in _FRAME_MARKERS:
            bits, height, width, channels = struct.unpack(">BHHB", data[position + 4 : position + 10])
            if data.rfind(b"\xff\xd9", position) < 0:
                raise _truncated(path)
            if bits != 8 or channels not in (1, 3, 4):
                raise BadPicture(f"{path!r} is a JPEG with {bits} bits and {channels} channels", "save it as plain RGB")
            if turn >= 5:
                width, height = height, width
            note = f"{path!r} is in CMYK; it is turned into RGB without a profile" if channels == 4 else ""
            return _Header("jpeg", width, height, turn != 1 or channels == 4, note)
        position += 2 + length
    raise _truncated(path)


def _exif_turn(exif: bytes) -> int:
    """Give the orientation (1 to 8) from the first directory of Exif data; 1 where it says none."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None or len(exif) < 14:
        return 1
    start = struct.unpack(f"{order}I", exif[4:8])[0]
    if start + 2 > len(exif):
        return 1
    count = struct.unpack(f"{order}H", exif[start : start + 2])[0]
    for index in range(min(count, 200)):
        entry = exif[start + 2 + 12 * index : start + 14 + 12 * index]
        if len(entry) == 12 and struct.unpack(f"{order}H", entry[:2])[0] == 0x0112:
            turn = int(struct.unpack(f"{order}H", entry[8:10])[0])
            return turn if 1 <= turn <= 8 else 1
    return 1


def _converted(path: str, key: str, data: bytes, header: _Header, *, is_grey: bool) -> PictureData:
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        # `formats` keeps Pillow's other readers, some of which start programs, away from the bytes.
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(data), formats=("PNG", "JPEG")) as opened:
            upright = ImageOps.exif_transpose(opened) if header.kind == "jpeg" else opened
            out = BytesIO()
            if header.kind == "jpeg":
                is_rgb = upright.mode != "L"
                plain = upright.convert("RGB") if is_rgb else upright
                _greyed(plain, is_grey).save(out, "JPEG", quality=95, **({"subsampling": 0} if is_rgb else {}))
            else:
                _greyed(_eight_bits(upright), is_grey).save(out, "PNG", compress_level=6)
    except (OSError, SyntaxError, ValueError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise BadPicture(f"{path!r} cannot be decoded: {error}", "save it again") from error
    return PictureData(key, out.getvalue(), header.kind, upright.width, upright.height)


def _eight_bits(image: Image) -> Image:
    if image.mode.startswith("I"):
        # 16-bit grey: Pillow's own conversion would cut every value off at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    return image.convert("RGBA" if "A" in image.mode or "transparency" in image.info else "RGB")


def _greyed(image: Image, is_grey: bool) -> Image:
    if not is_grey:
        return image
    return image.convert("LA" if "A" in image.mode else "L")


def _truncated(path: str) -> BadPicture:
    return BadPicture(f"{path!r} is cut off or damaged", "copy or save it again")
