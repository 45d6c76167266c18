"""Pixels -> a PNG file: Pillow chooses the filters of the rows, `core.compression` packs them, the same everywhere."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.core.compression import deflated

if TYPE_CHECKING:
    from PIL.Image import Image


def png_bytes(picture: Image, dpi: float | None = None) -> bytes:
    """Return a picture as a PNG file, which says how large it is meant to be where `dpi` is given."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=0, **({} if dpi is None else {"dpi": (dpi, dpi)}))
    before, rows, after = _parts(file.getvalue())
    file.close()
    return b"".join((PNG_MAGIC, *before, _chunk(b"IDAT", deflated(zlib.decompress(rows))), *after))


def _parts(data: bytes) -> tuple[list[bytes], bytearray, list[bytes]]:
    """Return the chunks before the rows, what the chunks of rows hold, and the chunks behind them."""
    before: list[bytes] = []
    rows = bytearray()
    after: list[bytes] = []
    for name, content in chunks_of(data):
        if name == b"IDAT":
            rows += content
        else:
            (after if rows else before).append(_chunk(name, content))
    return before, rows, after


def _chunk(name: bytes, content: bytes) -> bytes:
    crc = zlib.crc32(content, zlib.crc32(name))
    return b"".join((struct.pack(">I", len(content)), name, content, struct.pack(">I", crc)))
