"""A font file's tables -> the figures for a PDF, or why the file is unusable.

HarfBuzz and readers of PDFs draw nothing where tables disagree, so they are held against each other. Source: OpenType
specification 1.9, tables `head`, `maxp`, `hhea`, `hmtx`, `loca`, `OS/2`, `post`; ISO 32000-1, 9.8 (font descriptors).
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Callable
from itertools import pairwise

from msgspec import Struct

FONT_MAGICS = (b"\x00\x01\x00\x00", b"true", b"OTTO")
_NEEDED_TABLES = frozenset({"head", "hhea", "hmtx", "maxp", "cmap"})
_OUTLINES = ("CFF ", "CFF2")  # of OpenType; those of TrueType are `glyf` and `loca`

# OS/2 fsType: bit 1 alone forbids embedding; bit 8 forbids subsets and bit 9 outlines, and a PDF made here has both.
_RESTRICTED = 0x0002
_OTHER_PERMISSIONS = 0x000C
_NO_SUBSETTING = 0x0100
_BITMAPS_ONLY = 0x0200

_SMALLEST_EM, _LARGEST_EM = 16, 16_384
_MATRIX_SLIP = 0.001  # of an em: matrices are written with few decimals
_LENGTHS = {"head": 54, "maxp": 6, "hhea": 36}

_CHARACTERS = 0x110000  # that Unicode has room for
_MOST_MAPS = 10  # fonts have two to five, for systems of several ages
_LARGEST_MAP = 2_000_000  # bytes; that of 65,535 glyphs has 800,000


class Unusable(Struct, frozen=True):
    """Why a font file is unusable: the words of a problem."""

    code: str
    what: str
    fix: str


def damaged(what: str) -> Unusable:
    return Unusable("not-a-font", f"is damaged: {what}", "get the whole file again")


class FontFigures(Struct, frozen=True):
    """The figures of a PDF's font descriptor; lengths in font units, the angle in degrees from upright.

    `flags`: fixed pitch, symbolic (glyphs go by number), italic. `stem_v` is the thickness of upright stems in
    thousandths of an em, guessed from the weight as PDF writers usually do.
    """

    bbox: tuple[int, int, int, int]
    italic_angle: float
    flags: int
    stem_v: int


def refuse_container(data: bytes) -> Unusable | None:
    """Return why a file is unusable, from its first bytes, or None for TrueType and OpenType."""
    magic = data[:4]
    if magic in FONT_MAGICS:
        # HarfBuzz would read what is there of a file cut short, and draw nothing for the rest.
        count = _number(data, 4)
        places = (struct.unpack_from(">II", data, 20 + 16 * index) for index in range(count))
        is_whole = len(data) >= 12 + 16 * count and all(offset + length <= len(data) for offset, length in places)
        return None if is_whole else damaged("it ends too early")
    if magic == b"wOF2":
        fix = "unpack it to .ttf: `fonttools ttLib.woff2 decompress FILE`, or download the .ttf or .woff file"
        return Unusable("font-not-truetype", "is a web font of the second kind (WOFF2)", fix)
    return Unusable("not-a-font", "is not a font", "put a TrueType or OpenType file there (.ttf, .otf, .ttc, .woff)")


def refuse_tables(tags: list[str], table: Callable[[str], bytes]) -> Unusable | None:
    """Return why a font is unusable, from its tables, or None: no outlines, embedding forbidden."""
    outlines = frozenset[str]() if any(tag in tags for tag in _OUTLINES) else {"glyf", "loca"}
    missing = sorted((_NEEDED_TABLES | outlines).difference(tags))
    if missing:
        return Unusable("not-a-font", f"lacks the font tables {', '.join(missing)}", "get the whole file again")
    if wrong := _contradiction(table, "".join(tag for tag in tags if tag in _OUTLINES)):
        return damaged(wrong)
    if not _is_mapped_once(table("cmap")):
        return Unusable("not-a-font", "maps characters over and over again", "get the whole file again")
    permissions = _number(table("OS/2"), 8)
    is_restricted = permissions & _RESTRICTED and not permissions & _OTHER_PERMISSIONS
    if is_restricted or permissions & (_NO_SUBSETTING | _BITMAPS_ONLY):
        return Unusable(
            "font-embedding",
            f"may not be embedded in a PDF (fsType {permissions:#06x})",
            "use a font whose licence allows it, such as one under the SIL Open Font License",
        )
    return None


def _contradiction(table: Callable[[str], bytes], outlines: str) -> str:
    """Return the mistake of a font's tables, as the end of a sentence; empty if they agree.

    What is wrong with single outlines is found when their letters are used (`Typeface.undrawn`), not here.
    """
    head, maxp, hhea = (table(tag) for tag in _LENGTHS)
    for tag, data in zip(_LENGTHS, (head, maxp, hhea), strict=True):
        if len(data) < _LENGTHS[tag]:
            return f"its table '{tag}' is {len(data)} bytes long"
    em, kind = _number(head, 18), _number(head, 50, ">h")
    glyphs, advances = _number(maxp, 4), _number(hhea, 34)
    if not _SMALLEST_EM <= em <= _LARGEST_EM:
        return f"its em is {em} units, and {_SMALLEST_EM} to {_LARGEST_EM} are possible"
    if not outlines and kind not in (0, 1):
        return f"its index of outlines ('loca') is of format {kind}, and there are 0 and 1"
    if not 1 <= advances <= glyphs or len(table("hmtx")) < 4 * advances + 2 * (glyphs - advances):
        return f"it has {glyphs} glyphs, and widths ('hmtx') for another number"
    if not outlines:
        return _index_contradiction(table, kind, glyphs)
    facts = read_compact(table("CFF ")) if outlines == "CFF " else None
    if outlines == "CFF " and facts is None:
        return "its outlines ('CFF ') make no sense"
    if facts is not None and facts.glyph_count != glyphs:
        return f"it has {glyphs} glyphs, and {facts.glyph_count} outlines ('CFF ')"
    if facts is not None and (facts.unit_em is None or abs(facts.unit_em * em - 1) > _MATRIX_SLIP):
        return f"its outlines ('CFF ') are of another size than its em of {em} units, or of several"
    return ""


def _index_contradiction(table: Callable[[str], bytes], kind: int, glyphs: int) -> str:
    loca, size = table("loca"), 4 if kind else 2
    places = array("I" if kind else "H", loca[: len(loca) // size * size])
    if sys.byteorder == "little":
        places.byteswap()
    if len(places) - 1 - glyphs not in (0, 1):  # one more in some fonts, which fill the table up to four bytes
        return f"it has {glyphs} glyphs, and an index of {max(0, len(places) - 1)} outlines ('loca')"
    listed = places[: glyphs + 1].tolist()
    if listed != sorted(listed) or listed[-1] * (1 if kind else 2) > len(table("glyf")):
        return "its index of outlines ('loca') points beyond them, or backwards"
    return ""


def _is_mapped_once(cmap: bytes) -> bool:
    """Return whether the ranges of a character map are of sensible length together, so that reading it ends.

    Going through a map takes as long as its ranges are together, and a small file can hold a million of the largest.
    """
    places = {_number(cmap, 8 + 8 * index, ">I") for index in range(min(_number(cmap, 2), _MOST_MAPS))}
    return len(cmap) <= _LARGEST_MAP and sum(_span(cmap, place) for place in places) <= _MOST_MAPS * _CHARACTERS


def _span(cmap: bytes, at: int) -> int:
    """Return the total length of the ranges in one part of a character map."""
    kind = _number(cmap, at)
    if kind == 4:
        size = _number(cmap, at + 6) & ~1
        bounds = [cmap[at + begin : at + begin + size] for begin in (14, 16 + size)]
        ends, starts = (struct.unpack(f">{len(bound) // 2}H", bound[: len(bound) & ~1]) for bound in bounds)
        return sum(max(0, end - start) for start, end in zip(starts, ends, strict=False))
    if kind in (8, 12, 13):
        count = min(_number(cmap, at + 12, ">I"), len(cmap) // 12)
        body = cmap[at + 16 : at + 16 + 12 * count]
        groups = struct.iter_unpack(">III", body[: len(body) // 12 * 12])
        return sum(max(0, min(end, _CHARACTERS) - start) for start, end, _ in groups)
    return 0


def read_figures(table: Callable[[str], bytes]) -> FontFigures:
    """Return the figures of a font that `refuse_tables` accepted; missing bytes of a table count as zeros."""
    head, post, os2 = table("head"), table("post"), table("OS/2")
    box = (_number(head, 36, ">h"), _number(head, 38, ">h"), _number(head, 40, ">h"), _number(head, 42, ">h"))
    angle = _number(post, 4, ">h") + _number(post, 6) / 65536
    flags = 4 | (1 if any(post[12:16]) else 0) | (64 if angle else 0)
    return FontFigures(box, angle, flags, round(50 + ((_number(os2, 4) or 400) / 65) ** 2))


def _number(data: bytes, offset: int, kind: str = ">H") -> int:
    """Return a number of a table, zero if the table is too short."""
    return int(struct.unpack_from(kind, data, offset)[0]) if len(data) >= offset + struct.calcsize(kind) else 0


_ROS, _MATRIX, _FD_ARRAY = 1230, 1207, 1236  # operators of two bytes: 12 and another, as 1200 and more
_CHARSET, _CHAR_STRINGS = 15, 17
_NIBBLES = "0123456789.EE -"  # the third E has a minus behind it, see `_real`
_THOUSANDTH = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
_MOST_DICTS = 256

Dictionary = dict[int, list[float]]


class CompactFacts(Struct, frozen=True):
    """A font's number of glyphs, its unit in em (None: several sizes, or slanted), and its keys.

    `is_direct`: the number by which a PDF asks for a glyph is the glyph's own.
    """

    glyph_count: int
    unit_em: float | None
    is_direct: bool


def read_compact(data: bytes) -> CompactFacts | None:
    """Return the facts of a `CFF ` table; None if it is damaged."""
    try:
        _, at = _index(data, data[2])
        tops, _ = _index(data, at)
        top = _dictionary(tops[0])
        (glyph_count,) = struct.unpack_from(">H", data, int(top[_CHAR_STRINGS][0]))
        is_cid = _ROS in top
        matrices = {tuple(top.get(_MATRIX, _THOUSANDTH))}
        if is_cid:
            parts, _ = _index(data, int(top[_FD_ARRAY][0]))
            outer = top.get(_MATRIX)
            inner = [_dictionary(part).get(_MATRIX) for part in parts[:_MOST_DICTS]]
            matrices = {  # of which plain scales alone are multiplied
                tuple(round(a * b, 12) for a, b in zip(outer, own, strict=True))
                if outer is not None and own is not None
                else tuple(outer or own or _THOUSANDTH)
                for own in inner
            }
        is_direct = not is_cid or _is_identity(data, int(top.get(_CHARSET, [0])[0]), glyph_count)
    except (IndexError, KeyError, ValueError, OverflowError, struct.error):
        return None
    (matrix,) = matrices if len(matrices) == 1 else (None,)
    is_plain = matrix is not None and len(matrix) == 6 and matrix[0] == matrix[3] and not any(matrix[1:3] + matrix[4:])
    return CompactFacts(glyph_count, matrix[0] if is_plain and matrix is not None else None, is_direct)


def _index(data: bytes, at: int) -> tuple[list[bytes], int]:
    """Return the parts of an index, and its end."""
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
    """Return the operands of each operator."""
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
    """Return a number in nibbles, and its end."""
    written = ""
    while True:
        byte = data[at]
        at += 1
        for nibble in (byte >> 4, byte & 15):
            if nibble == 15:
                return float(written), at
            written += "E-" if nibble == 12 else _NIBBLES[nibble]


def _is_identity(data: bytes, at: int, glyph_count: int) -> bool:
    """Return whether the character set of a CID-keyed font gives each glyph its own number."""
    kind, at, glyph = data[at], at + 1, 1
    while glyph < glyph_count:
        (first,) = struct.unpack_from(">H", data, at)
        left = 0 if kind == 0 else data[at + 2] if kind == 1 else struct.unpack_from(">H", data, at + 2)[0]
        if first != glyph or kind > 2:
            return False
        glyph += left + 1
        at += 2 + kind
    return True
