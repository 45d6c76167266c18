"""Bytes -> deflated bytes: all compression of written files is here.

zlib is whatever the machine has, and zlib-ng, which replaces it on more and more of them, packs otherwise. libdeflate
comes with the package, so the same version of that gives the same bytes everywhere, in half of zlib's time.

Pictures that are only looked at are packed by zlib-ng, which comes with a package, too, in 0.3 of libdeflate's least
time, for a fiftieth more bytes. (ISA-L takes a third of that, but what it chooses depends on where in memory it works:
about one picture in two hundred got other bytes than in the run before.)
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import deflate

# Content streams are 3 % smaller than by zlib's 6, in 40 % of its time; 8 saves one more part in a hundred for 70 % of
# that time, and from 10 on it takes four times as long as zlib. Measured on all streams of the five games.
_LEVEL = 6
# Of zlib-ng: 1 saves a quarter of the time for a quarter more bytes, 3 takes a sixth longer and saves a sixtieth.
_QUICK = 2
_MOST_MEMORY = 9  # in powers of two: a twentieth of the time less than with 8, for a hundredth more bytes
_ADLER = 65521

QUICK_HEAD, _QUICK_END = b"\x78\x01", b"\x03\x00"  # of a zlib stream, and of its last block, which is empty


def deflated(data: bytes | bytearray) -> bytes:
    """Return the data as a zlib stream (RFC 1950), for PDF's `FlateDecode` and PNG; it does not block other threads."""
    return bytes(deflate.zlib_compress(data, _LEVEL))


def quick_piece(parts: Iterable[bytes]) -> tuple[bytes, int]:
    """Return the joined parts as a piece of a zlib stream that refers to no other piece, and its checksum.

    Pieces after each other, between `QUICK_HEAD` and `quick_end`, are a stream.
    """
    from zlib_ng import zlib_ng

    packer = zlib_ng.compressobj(_QUICK, zlib.DEFLATED, -zlib.MAX_WBITS, _MOST_MEMORY)
    packed, adler = [], 1
    for part in parts:
        packed.append(packer.compress(part))
        adler = zlib_ng.adler32(part, adler)
    return b"".join((*packed, packer.flush(zlib.Z_FULL_FLUSH))), adler


def quick_end(pieces: Iterable[tuple[int, int]]) -> bytes:
    """Return the end of a stream of pieces, by the checksum and length of each. Source: zlib's `adler32_combine`."""
    low, high = 1, 0
    for adler, length in pieces:
        high = (high + (adler >> 16) + length * (low - 1)) % _ADLER
        low = (low + (adler & 0xFFFF) - 1) % _ADLER
    return _QUICK_END + (high << 16 | low).to_bytes(4, "big")
