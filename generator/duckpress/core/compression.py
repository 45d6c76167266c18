"""Bytes -> deflated bytes, by libdeflate: the one place where what the program writes is compressed.

zlib is whatever the machine has, and zlib-ng, which replaces it on more and more of them, packs otherwise. libdeflate
comes with the package, so the same version of that gives the same bytes everywhere, in half of zlib's time.
"""

from __future__ import annotations

import deflate

# Content streams are 3 % smaller than by zlib's 6, in 40 % of its time; 8 saves one more part in a hundred for 70 % of
# that time, and from 10 on it takes four times as long as zlib. Measured on all streams of the five games.
_LEVEL = 6
QUICK = 2  # a third of the time of 6, and a twentieth more bytes: for pictures that are only looked at


def deflated(data: bytes | bytearray, level: int = _LEVEL) -> bytes:
    """Return the data as a zlib stream (RFC 1950), as PDF's `FlateDecode` and PNG have it; other threads go on."""
    return bytes(deflate.zlib_compress(data, level))
