"""The pictures in the file held against the picture files: the same pixels, in the same colours, all of them.

Both are decoded by Pillow, that of the file by way of pikepdf: however it is stored there, the pixels count.
"""

from __future__ import annotations

import re
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from duckpress.art.picture_files import opened
from duckpress.proof.opened import refuse_keys

if TYPE_CHECKING:
    from PIL.Image import Image

_BAND = 256  # rows
_KEYS = frozenset(
    ["/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Filter", "/DecodeParms", "/Length"]
)

_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB"}  # of JPEGs, which Pillow takes for what they say themselves


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
    from pikepdf import PdfImage

    refuse_keys(image, _KEYS | {"/SMask"})
    mask = image.get("/SMask")
    with opened("a picture", data) as picture:
        is_alike = image.Filter != "/DCTDecode" or image.ColorSpace == _SPACES.get(picture.mode)
        if not is_alike or (mask is not None) is not picture.has_transparency_data:
            return False
        if mask is not None:
            refuse_keys(mask, _KEYS)
        if mask is not None or (image.Filter == "/FlateDecode" and "/DecodeParms" not in image):
            mode = next((mode for mode, space in _SPACES.items() if space == image.ColorSpace), "")
            return (
                bool(mode) and _has_pixels(image, picture, mode) and (mask is None or _has_pixels(mask, picture, "A"))
            )
        shown, wanted = PdfImage(image).as_pil_image().convert("RGB"), picture.convert("RGB")
        return shown.size == wanted.size and shown.tobytes() == wanted.tobytes()


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
