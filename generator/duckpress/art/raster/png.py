"""PNG files -> what they hold, checked to the last row without keeping any of it.

The rows are inflated piece by piece, counted and thrown away: a file whose data is not what its header says is found
out, and one that inflates to a thousand times as much is stopped where its picture ends. Chunks that are not the
picture (texts, profiles, times, frames of an animation) are left out unread. Source: ISO/IEC 15948 (PNG).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from duckpress.art.bad_art import BadArt
from duckpress.art.raster.bare_picture import BarePicture, check_size, damaged, exif_turn
from duckpress.core.limits import how_to_raise, limit

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"

GREY, RGB, PALETTE, GREY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
_BITS = {GREY: (1, 2, 4, 8, 16), RGB: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16), RGB_ALPHA: (8, 16)}
_CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGB_ALPHA: 4}
_KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_ONCE = (b"IHDR", b"PLTE", b"tRNS")  # before the rows
_BLOCK = 1 << 20
_LAST_FILTER = 4


def read_png(path: str, data: bytes, *, is_checked: bool = False) -> BarePicture:
    """Return a file that starts with `PNG_MAGIC`; raises `BadArt`. `is_checked`: its rows are known to be right."""
    if len(data) < 33 or data[12:16] != b"IHDR" or data[8:12] != b"\0\0\0\r":
        raise damaged(path)
    width, height, bits, kind, packing, filtering, interlace = struct.unpack(">IIBBBBB", data[16:29])
    if bits not in _BITS.get(kind, ()) or packing or filtering or interlace > 1 or width >> 31 or height >> 31:
        raise damaged(path, "its header makes no sense")
    check_size(path, width, height)
    kept, body, is_animated, turn = _parts_of(path, data)
    palette, key = body.get(b"PLTE"), body.get(b"tRNS")
    if kind == PALETTE and palette is None:
        raise damaged(path, "it has no palette")
    if palette is not None and (len(palette) % 3 or not 3 <= len(palette) <= 3 << (bits if kind == PALETTE else 8)):
        raise damaged(path, "its palette makes no sense")
    if key is not None and len(key) > (len(palette) // 3 if kind == PALETTE and palette else 6):
        raise damaged(path, "its transparent colours make no sense")
    if not is_checked:
        sizes = _row_sizes(width, height, bits * _CHANNELS[kind], is_interlaced=interlace == 1)
        _check_rows(path, (data[start:end] for start, end in kept if data[start + 4 : start + 8] == b"IDAT"), sizes)
    whole = len(PNG_MAGIC) + sum(end - start for start, end in kept)
    bare = data if whole == len(data) else b"".join((PNG_MAGIC, *(data[start:end] for start, end in kept)))
    colours = len(palette) // 3 if kind == PALETTE and palette is not None and len(palette) < 3 << bits else 0
    if key is not None and (bits == 16 or (kind == GREY and bits < 8)):
        what = f"{path!r} has {bits} bits and one transparent colour"
        raise BadArt(what, "save it with 8 bits, or with an alpha channel")
    note = f"{path!r} is animated; its first picture is printed" if is_animated else ""
    return BarePicture(bare, "png", width, height, turn, bits == 16 or interlace == 1 or turn != 1, note, colours)


def chunks_of(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks (name, content) up to the first damaged one."""
    at = len(PNG_MAGIC)
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 8 + length
        if end + 4 > len(data) or zlib.crc32(data[at + 4 : end]) != struct.unpack_from(">I", data, end)[0]:
            return
        yield data[at + 4 : at + 8], data[at + 8 : end]
        at = end + 4


def _parts_of(path: str, data: bytes) -> tuple[list[tuple[int, int]], dict[bytes, bytes], bool, int]:
    """Return where the chunks of the picture are, what its small ones hold, whether it is animated, and its turn."""
    kept: list[tuple[int, int]] = []
    body: dict[bytes, bytes] = {}
    is_animated, turn = False, 1
    at = len(PNG_MAGIC)
    view = memoryview(data)
    for _ in range(most := limit("png-chunks")):
        if at + 12 > len(data):
            raise damaged(path)
        length = int.from_bytes(data[at : at + 4], "big")
        name, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            raise damaged(path)
        if name in _KEPT:
            if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
                raise damaged(path, f"the checksum of its part {name.decode()} is wrong")
            if name in _ONCE and (name in body or b"IDAT" in body):
                raise damaged(path, f"its part {name.decode()} stands in a wrong place")
            body[name] = data[at + 8 : end - 4] if name in _ONCE else b""
            kept.append((at, end))
        elif not name[0] & 0x20:  # a capital: nobody who does not know it may show the picture
            raise damaged(path, f"it has a part {name[:4].decode('ascii', 'replace')!r} that nobody knows")
        is_animated = is_animated or name == b"acTL"
        turn = exif_turn(data[at + 8 : end - 4]) if name == b"eXIf" else turn
        at = end
        if name == b"IEND":
            if b"IDAT" not in body:
                raise damaged(path)
            return kept, body, is_animated, turn
    raise BadArt(f"{path!r} has more than {most} parts", f"save it again; {how_to_raise('png-chunks')}")


def _row_sizes(width: int, height: int, bits: int, *, is_interlaced: bool) -> list[tuple[int, int]]:
    """Return (bytes of a row with its filter, rows) of each pass."""
    if not is_interlaced:
        return [(1 + (width * bits + 7) // 8, height)]
    passes = []
    for left, top, across, down in _PASSES:
        columns, rows = -(-(width - left) // across), -(-(height - top) // down)
        if columns > 0 and rows > 0:
            passes.append((1 + (columns * bits + 7) // 8, rows))
    return passes


def _check_rows(path: str, chunks: Iterator[bytes], passes: list[tuple[int, int]]) -> None:
    """Raise `BadArt` unless the data inflates to exactly the rows there have to be, each with a known filter."""
    from zlib_ng import zlib_ng  # three fifths of zlib's time; imported where there is a picture

    inflater = zlib_ng.decompressobj()
    waiting = iter(passes)
    size, rows = next(waiting)
    at = 0  # in the pass at hand
    for chunk in chunks:
        packed = chunk[8:-4]
        while packed and not inflater.eof:
            try:
                block = inflater.decompress(packed, _BLOCK)
            except zlib_ng.error:  # type: ignore[misc]  # its stubs say that it is no class
                raise damaged(path, "its pixels cannot be unpacked") from None
            packed = inflater.unconsumed_tail
            begin = 0
            while begin < len(block):
                if size == 0:
                    raise damaged(path, "it holds more than its picture")
                step = min(len(block) - begin, size * rows - at)
                filters = block[begin + (-at) % size : begin + step : size]
                if filters and max(filters) > _LAST_FILTER:
                    raise damaged(path, "its pixels make no sense")
                begin, at = begin + step, at + step
                if at == size * rows:
                    size, rows = next(waiting, (0, 0))
                    at = 0
    if size or not inflater.eof:
        raise damaged(path)
