"""Pillow's only way in and out: a checked PNG or JPEG -> its pixels, and pixels -> a PNG. Loaded when first needed.

Pillow chooses the filters of a PNG's rows; `core.compression` packs them, the same everywhere.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from duckpress.art.bad_art import BadArt
from duckpress.art.raster.bare_picture import check_size
from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.core.compression import deflated

if TYPE_CHECKING:
    from PIL.Image import Image


@contextmanager
def opened(path: str, data: bytes) -> Iterator[Image]:
    """Yield the picture of bytes that `read_png` or `read_jpeg` passed.

    Raises `BadArt`, also for what is done with it inside the `with`.
    """
    from PIL import Image as Images

    # Pillow's own cap on pixels would count before ours, whatever that is set to; ours is asked for here again.
    usual, Images.MAX_IMAGE_PIXELS = Images.MAX_IMAGE_PIXELS, None
    try:
        # `formats` keeps Pillow's other readers, some of which start programs, away from the bytes.
        with warnings.catch_warnings(action="ignore"), Images.open(BytesIO(data), formats=("PNG", "JPEG")) as picture:
            check_size(path, *picture.size)
            picture.load()
            yield picture
    except BadArt:
        raise
    except (OSError, SyntaxError, ValueError) as error:
        raise BadArt(f"{path!r} cannot be decoded: {error}", "save it again") from error
    finally:
        Images.MAX_IMAGE_PIXELS = usual


def upright(picture: Image, turn: int) -> Image:
    """Return a picture turned as an Exif orientation (1 to 8) says."""
    from PIL.Image import Transpose

    ways = (
        None, Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.FLIP_TOP_BOTTOM,
        Transpose.TRANSPOSE, Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90,
    )  # fmt: skip
    way = ways[turn - 1]
    return picture if way is None else picture.transpose(way)


def png_bytes(picture: Image, dpi: float | None = None) -> bytes:
    """Return a picture as a PNG file, which says how large it is meant to be where `dpi` is given."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=0, **({} if dpi is None else {"dpi": (dpi, dpi)}))
    chunks = list(chunks_of(file.getvalue()))
    rows = zlib.decompress(b"".join(content for name, content in chunks if name == b"IDAT"))
    *before, end = (_chunk(name, content) for name, content in chunks if name != b"IDAT")
    return b"".join((PNG_MAGIC, *before, _chunk(b"IDAT", deflated(rows)), end))


def _chunk(name: bytes, content: bytes) -> bytes:
    crc = zlib.crc32(content, zlib.crc32(name))
    return b"".join((struct.pack(">I", len(content)), name, content, struct.pack(">I", crc)))
