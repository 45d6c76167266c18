"""The tables of a TrueType font held against each other: HarfBuzz and readers of PDFs draw nothing where they disagree.

What is wrong with single outlines is found when their letters are used (`Typeface.undrawn`), not here.
Source: OpenType specification 1.9, tables `head`, `maxp`, `hhea`, `hmtx`, `loca`.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable

_SMALLEST_EM, _LARGEST_EM = 16, 16_384
_LENGTHS = {"head": 54, "maxp": 6, "hhea": 36}


def contradiction(table: Callable[[str], bytes]) -> str:
    """Return what is wrong, as the end of a sentence about the font; empty where its tables agree."""
    head, maxp, hhea = (table(tag) for tag in _LENGTHS)
    for tag, data in zip(_LENGTHS, (head, maxp, hhea), strict=True):
        if len(data) < _LENGTHS[tag]:
            return f"its table '{tag}' is {len(data)} bytes long"
    (em,) = struct.unpack_from(">H", head, 18)
    (kind,) = struct.unpack_from(">h", head, 50)
    (glyphs,) = struct.unpack_from(">H", maxp, 4)
    (advances,) = struct.unpack_from(">H", hhea, 34)
    if not _SMALLEST_EM <= em <= _LARGEST_EM:
        return f"its em is {em} units, and {_SMALLEST_EM} to {_LARGEST_EM} are possible"
    if kind not in (0, 1):
        return f"its index of outlines ('loca') is of format {kind}, and there are 0 and 1"
    if not 1 <= advances <= glyphs or len(table("hmtx")) < 4 * advances + 2 * (glyphs - advances):
        return f"it has {glyphs} glyphs, and widths ('hmtx') for another number"
    places = array("I" if kind else "H", _whole(table("loca"), 4 if kind else 2))
    if sys.byteorder == "little":
        places.byteswap()
    if len(places) - 1 - glyphs not in (0, 1):  # one more in some fonts, which fill the table up to four bytes
        return f"it has {glyphs} glyphs, and an index of {max(0, len(places) - 1)} outlines ('loca')"
    listed = places[: glyphs + 1].tolist()
    if listed != sorted(listed) or listed[-1] * (1 if kind else 2) > len(table("glyf")):
        return "its index of outlines ('loca') points beyond them, or backwards"
    return ""


def _whole(data: bytes, size: int) -> bytes:
    return data[: len(data) // size * size]
