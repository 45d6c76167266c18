"""A `CFF ` table -> the facts on which HarfBuzz and readers of PDFs have to agree, or None where it makes no sense.

HarfBuzz draws by the number of a glyph and by the em of `head`; a reader of PDFs goes through the font's own character
set (where it is keyed by CIDs) and its own matrix. Source: Adobe Technical Note 5176, The Compact Font Format.
"""

from __future__ import annotations

import struct
from itertools import pairwise

from msgspec import Struct

_ROS, _MATRIX, _FD_ARRAY = 1230, 1207, 1236  # operators of two bytes: 12 and another, as 1200 and more
_CHARSET, _CHAR_STRINGS = 15, 17
_NIBBLES = "0123456789.EE -"  # the third E has a minus behind it, see `_real`
_THOUSANDTH = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
_MOST_DICTS = 256

Dictionary = dict[int, list[float]]


class CompactFacts(Struct, frozen=True):
    """How many glyphs a font has, how large each unit is in em (None: of several sizes, or slanted), and its keys.

    `is_direct`: the number by which a PDF asks for a glyph is the glyph's own.
    """

    glyph_count: int
    unit_em: float | None
    is_direct: bool


def read_compact(data: bytes) -> CompactFacts | None:
    """Return the facts of a `CFF ` table; None where it is damaged."""
    try:
        _, at = _index(data, data[2])
        tops, _ = _index(data, at)
        top = _dictionary(tops[0])
        (glyph_count,) = struct.unpack_from(">H", data, int(top[_CHAR_STRINGS][0]))
        is_cid = _ROS in top
        matrices = {tuple(top.get(_MATRIX, _THOUSANDTH))}
        if is_cid:
            parts, _ = _index(data, int(top[_FD_ARRAY][0]))
            own = top.get(_MATRIX)
            inner = [_dictionary(part).get(_MATRIX) for part in parts[:_MOST_DICTS]]
            matrices = {_product(own, matrix) for matrix in inner}
        is_direct = not is_cid or _is_identity(data, int(top.get(_CHARSET, [0])[0]), glyph_count)
    except (IndexError, KeyError, ValueError, OverflowError, struct.error):
        return None
    (matrix,) = matrices if len(matrices) == 1 else (None,)
    is_plain = matrix is not None and len(matrix) == 6 and matrix[0] == matrix[3] and not any(matrix[1:3] + matrix[4:])
    return CompactFacts(glyph_count, matrix[0] if is_plain and matrix is not None else None, is_direct)


def _product(outer: list[float] | None, inner: list[float] | None) -> tuple[float, ...]:
    """Return the matrix of the glyphs of one part of a font, of which plain scales alone are multiplied."""
    if outer is None or inner is None:
        return tuple(outer or inner or _THOUSANDTH)
    return tuple(round(a * b, 12) for a, b in zip(outer, inner, strict=True))


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """Return the parts of an index, and where it ends."""
    (count,) = struct.unpack_from(">H", data, at)
    if not count:
        return [], at + 2
    size = data[at + 2]
    places = [int.from_bytes(data[at + 3 + size * k : at + 3 + size * (k + 1)], "big") for k in range(count + 1)]
    base = at + 2 + size * (count + 1)
    if not 1 <= size <= 4 or places[0] != 1 or places != sorted(places) or base + places[-1] > len(data):
        raise ValueError
    return [data[base + a : base + b] for a, b in pairwise(places)], base + places[-1]


def _dictionary(data: bytes) -> Dictionary:
    """Return the numbers before each operator."""
    entries: Dictionary = {}
    numbers: list[float] = []
    at = 0
    while at < len(data):
        first = data[at]
        at += 1
        if first <= 21:
            if first == 12:
                first, at = 1200 + data[at], at + 1
            entries[first], numbers = numbers, []
        elif first == 30:
            value, at = _real(data, at)
            numbers.append(value)
        elif first in (28, 29):
            size = 2 if first == 28 else 4
            numbers.append(int.from_bytes(data[at : at + size], "big", signed=True))
            at += size
        elif first <= 246:
            numbers.append(first - 139)
        else:
            sign, base = (1, 247) if first <= 250 else (-1, 251)
            numbers.append(sign * ((first - base) * 256 + data[at] + 108))
            at += 1
    return entries


def _real(data: bytes, at: int) -> tuple[float, int]:
    """Return a number that is written in half bytes, and where it ends."""
    written = ""
    while True:
        byte = data[at]
        at += 1
        for nibble in (byte >> 4, byte & 15):
            if nibble == 15:
                return float(written), at
            written += "E-" if nibble == 12 else _NIBBLES[nibble]


def _is_identity(data: bytes, at: int, glyph_count: int) -> bool:
    """Return whether the character set of a font keyed by CIDs numbers each glyph as the font does."""
    kind, at, glyph = data[at], at + 1, 1
    while glyph < glyph_count:
        (first,) = struct.unpack_from(">H", data, at)
        left = 0 if kind == 0 else data[at + 2] if kind == 1 else struct.unpack_from(">H", data, at + 2)[0]
        if first != glyph or kind > 2:
            return False
        glyph += left + 1
        at += 2 + kind
    return True
