"""Pixels -> a PNG file in little time: for pictures that are looked at, sent and thrown away.

Choosing a filter for each row takes longer than drawing a card. Here every row says how its pixels differ from those
above, and is packed by what is quickest (`core.compression`): for cards at 300 dpi a tenth of the time of `png_bytes`,
and a fifth more bytes (`benchmarks/pictures.py`). A file is made of strips, each packed by itself, so that those of an
earlier file can be taken over. Source: PNG specification, 9.2 (filter type 2, Up), 10.1 (a stream in several chunks).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from duckpress.art.picture_files import png_bytes, png_chunk
from duckpress.art.raster.png import PNG_MAGIC, chunks_of
from duckpress.core.compression import QUICK_HEAD, quick_end, quick_piece
from duckpress.core.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL.Image import Image

_COLOUR_TYPES = {"L": 0, "RGB": 2, "LA": 4, "RGBA": 6}
_BANDS = {"L": 1, "RGB": 3, "LA": 2, "RGBA": 4}
_BAND_BYTES = 512_000  # rows that a processor holds at hand while it goes over them
_END_BYTES = 6


class PngStrip(NamedTuple):
    """Some rows of a PNG file, packed; `adler` and `length` are those of what was packed."""

    packed: bytes
    adler: int
    length: int


def quick_png(picture: Image, dpi: float | None = None) -> bytes:
    """Return a picture as a PNG file, which says how large it is meant to be where `dpi` is given."""
    if picture.mode not in _COLOUR_TYPES:
        return png_bytes(picture, dpi)
    pixels, length = memoryview(picture.tobytes()), picture.width * _BANDS[picture.mode]
    rows = b"".join(part for at in range(0, len(pixels), length) for part in (pixels[at : at + length], b"\0"))
    return png_of_strips([png_strip(memoryview(bytearray(rows)), length + 1)], picture.size, dpi, picture.mode)


def png_strip(rows: memoryview, stride: int) -> PngStrip:
    """Return rows of pixels as a strip; each takes `stride` bytes, the last of which is written over.

    The strip's first row says its pixels themselves, so it can follow upon any other.
    """
    height = len(rows) // stride
    # The byte behind a row is the number of the next one's filter, once that above it is taken off: 2, for Up.
    rows[stride - 1 :: stride] = _behind_rows(height)
    packed, adler = quick_piece(_differences(rows, stride, height))
    return PngStrip(packed, adler, len(rows))


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


def png_of_strips(strips: Sequence[PngStrip], size: tuple[int, int], dpi: float | None, mode: str = "RGB") -> bytes:
    """Return the PNG file of strips, from the top; `mode` is Pillow's word for what a pixel is."""
    chunks = [png_chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, _COLOUR_TYPES[mode], 0, 0, 0))]
    if dpi is not None:
        a_metre = int(dpi / MM_PER_INCH * 1000 + 0.5)
        chunks.append(png_chunk(b"pHYs", struct.pack(">IIB", a_metre, a_metre, 1)))
    packed = [strip.packed for strip in strips]
    packed[0] = QUICK_HEAD + packed[0]
    packed[-1] += quick_end((strip.adler, strip.length) for strip in strips)
    return b"".join((PNG_MAGIC, *chunks, *(png_chunk(b"IDAT", one) for one in packed), png_chunk(b"IEND", b"")))


def packed_strips(png: bytes) -> list[bytes]:
    """Return what is packed in each strip of a file of `png_of_strips`."""
    packed = [content for name, content in chunks_of(png) if name == b"IDAT"]
    packed[0] = packed[0][len(QUICK_HEAD) :]
    packed[-1] = packed[-1][:-_END_BYTES]
    return packed
