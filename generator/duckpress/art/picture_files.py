"""PNG and JPEG files -> `PictureData`, known by their bytes and measured by their headers, never by decoding.

Only what a PDF cannot take as it is goes through Pillow (loaded then): pictures that say they must be turned, JPEGs in
CMYK, PNGs with 16 bits or in passes; and PNGs whose palette is shorter than their pixels can count. `art.raster` reads
the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct

from duckpress.art.raster.bare_picture import BarePicture, damaged, kind_of_file
from duckpress.art.raster.jpeg import JPEG_MAGIC, read_jpeg
from duckpress.art.raster.pixels import opened, png_bytes, upright
from duckpress.art.raster.png import PNG_MAGIC, read_png

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_REMEMBERED = 10_000
_checked: dict[str, None] = {}  # the keys of files whose rows were looked through in this run, for watching


class PictureData(Struct, frozen=True):
    """A raster file ready for the PDF: `key` is the hash of the file it was read from; `kind` is `png` or `jpeg`."""

    key: str
    data: bytes
    kind: str
    width_px: int
    height_px: int


def read_picture(path: str, data: bytes, *, is_grey: bool = False) -> tuple[PictureData, str]:
    """Return a picture, and words for a warning where only a part of the file is used; raises `BadArt`.

    `is_grey` turns its colours into the greys that look as light (luma by ITU-R BT.601, as for all other colours).
    """
    key = hashlib.sha256(data + b"grey" if is_grey else data).hexdigest()[:32]
    if data.startswith(PNG_MAGIC):
        bare = read_png(path, data, is_checked=key in _checked)
        remember_checked((key,))
    elif data.startswith(JPEG_MAGIC):
        bare = read_jpeg(path, data)
    else:
        raise kind_of_file(path, data)
    if bare.colours:
        _check_palette(path, bare)
    if not bare.must_convert and not is_grey:
        return PictureData(key, bare.data, bare.kind, bare.width, bare.height), bare.note
    return _converted(path, key, bare, is_grey=is_grey), bare.note


def remember_checked(keys: Iterable[str]) -> None:
    """Remember files, by their keys, of which the rows were looked through here or by a worker."""
    _checked.update(dict.fromkeys(keys))
    while len(_checked) > _MOST_REMEMBERED:
        del _checked[next(iter(_checked))]


def _check_palette(path: str, bare: BarePicture) -> None:
    """Raise `BadArt` where a pixel names a colour that is not in the palette: viewers show it as they like."""
    with opened(path, bare.data) as picture:
        last = max(number for number, count in enumerate(picture.histogram()) if count)
    if last >= bare.colours:
        raise damaged(path, f"its palette has {bare.colours} colours, and a pixel has the number {last}")


def _converted(path: str, key: str, bare: BarePicture, *, is_grey: bool) -> PictureData:
    with opened(path, bare.data) as picture:
        if bare.kind == "jpeg":
            is_rgb = picture.mode != "L"
            plain = upright(picture.convert("RGB") if is_rgb else picture, bare.turn)
            out = BytesIO()
            _greyed(plain, is_grey).save(out, "JPEG", quality=95, **({"subsampling": 0} if is_rgb else {}))
            data = out.getvalue()
        else:
            plain = upright(_eight_bits(picture), bare.turn)
            data = png_bytes(_greyed(plain, is_grey))
    return PictureData(key, data, bare.kind, plain.width, plain.height)


def _eight_bits(image: Image) -> Image:
    if image.mode.startswith("I"):
        # 16-bit grey: Pillow's own conversion would cut every value off at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.mode in ("L", "LA", "RGBA"):
        return image
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _greyed(image: Image, is_grey: bool) -> Image:
    if not is_grey:
        return image
    return image.convert("LA" if "A" in image.mode else "L")
