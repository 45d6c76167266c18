"""The pictures in the file held against the picture files: the same pixels, in the same colours, all of them.

Both are decoded by Pillow, that of the file by way of pikepdf: however it is stored there, the pixels count.
"""

from __future__ import annotations

import re
from typing import Any

from duckpress.art.picture_files import opened
from duckpress.proof.opened import refuse_keys

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
            alpha = PdfImage(mask).as_pil_image().convert("L")
            if alpha.size != picture.size or alpha.tobytes() != picture.convert("RGBA").getchannel("A").tobytes():
                return False
            picture = picture.convert("RGBA")  # which leaves colours as they are where nothing is seen
        shown, wanted = PdfImage(image).as_pil_image().convert("RGB"), picture.convert("RGB")
        return shown.size == wanted.size and shown.tobytes() == wanted.tobytes()
