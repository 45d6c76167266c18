"""Pixels -> a PNG file in little time: for pictures that are looked at, sent and thrown away.

Choosing a filter for each row takes longer than drawing a card. Here every row says how its pixels differ from those
above, and is packed by what is quickest (`core.compression`): for cards at 300 dpi a tenth of the time of `png_bytes`,
and a fifth more bytes (`benchmarks/pictures.py`). Source: PNG specification, 9.2 (filter type 2, Up), 10.1 (a stream in
several chunks).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from duckpress.art.picture_files import png_bytes, png_chunk
from duckpress.art.raster import PNG_MAGIC
from duckpress.core.compression import QUICK_HEAD, quick_end, quick_piece
from duckpress.core.geometry import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image

_COLOUR_TYPES = {"L": 0, "RGB": 2, "LA": 4, "RGBA": 6}
_BANDS = {"L": 1, "RGB": 3, "LA": 2, "RGBA": 4}
_BAND_BYTES = 512_000  # rows that a processor holds at hand while it goes over them


def quick_png(picture: Image, dpi: float | None = None, strip_px: int = 0) -> bytes:
    """Return a picture as a PNG file, which says how large it is meant to be where `dpi` is given.

    With `strip_px`, each so many rows are a chunk that is packed by itself.
    """
    if picture.mode not in _COLOUR_TYPES:
        return png_bytes(picture, dpi)
    chunks = [png_chunk(b"IHDR", struct.pack(">IIBBBBB", *picture.size, 8, _COLOUR_TYPES[picture.mode], 0, 0, 0))]
    if dpi is not None:
        a_metre = int(dpi / MM_PER_INCH * 1000 + 0.5)
        chunks.append(png_chunk(b"pHYs", struct.pack(">IIB", a_metre, a_metre, 1)))
    packed: list[bytes] = []
    sums: list[tuple[int, int]] = []
    high = strip_px or picture.height
    for top in range(0, picture.height, high):
        rows = _rows(picture.crop((0, top, picture.width, min(top + high, picture.height))))
        piece, adler = quick_piece(rows)
        packed.append(piece)
        sums.append((adler, (picture.width * _BANDS[picture.mode] + 1) * min(high, picture.height - top)))
    packed[0] = QUICK_HEAD + packed[0]
    packed[-1] += quick_end(sums)
    return b"".join((PNG_MAGIC, *chunks, *(png_chunk(b"IDAT", one) for one in packed), png_chunk(b"IEND", b"")))


def _rows(picture: Image) -> Iterator[bytes]:
    """Yield the rows as PNG has them; the first says its pixels themselves, so it can follow upon any other."""
    pixels, length = memoryview(picture.tobytes()), picture.width * _BANDS[picture.mode]
    # The byte behind a row is the number of the next one's filter, once that above it is taken off: 2, for Up.
    behind = (number.to_bytes() for number in _behind_rows(picture.height))
    parts = zip(range(0, len(pixels), length), behind, strict=True)
    rows = bytearray().join(part for at, end in parts for part in (pixels[at : at + length], end))
    return _differences(memoryview(rows), length + 1, picture.height)


@lru_cache(maxsize=8)
def _behind_rows(height: int) -> bytes:
    return bytes(2 * number + 2 & 0xFF for number in range(height))


def _differences(rows: Any, stride: int, height: int) -> Iterator[bytes]:
    from PIL import Image as Pictures
    from PIL import ImageChops

    yield b"\0" + bytes(rows[: stride if height > 1 else -1])
    band = max(1, _BAND_BYTES // stride)
    for top in range(1, height, band):
        many = min(band, height - top)
        size = many * stride, 1  # for Pillow a single row: a long one is handed out in one piece
        here, above = (
            Pictures.frombuffer("L", size, rows[start * stride : (start + many) * stride], "raw", "L", 0, 1)
            for start in (top, top - 1)
        )
        found = ImageChops.subtract_modulo(here, above).tobytes()
        yield found if top + many < height else found[:-1]
