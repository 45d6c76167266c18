"""Files that hold fonts in another form -> one plain font: WOFF is unpacked, of a collection one font is taken.

A font of a collection is named as style sheets do it, `Noto.ttc#NotoSansCJKjp-Regular`: by its PostScript name, its
full name or its number, from 1. Sources: W3C, WOFF File Format 1.0; OpenType specification 1.9, `ttcf`; CSS Fonts 4,
4.3.1 (fragments of collections).
"""

from __future__ import annotations

import struct
import zlib

import uharfbuzz as hb

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import did_you_mean
from duckpress.fonts.opentype import Unusable

MEMBER = "#"
"""Stands between the file of a collection and the name of one of its fonts."""

_WOFF, _COLLECTION = b"wOFF", b"ttcf"
_MOST_FONTS = 256
_LONGEST_NAME = 80  # letters
_NAMES = (hb.OTNameIdPredefined.POSTSCRIPT_NAME, hb.OTNameIdPredefined.FULL_NAME)

Tables = dict[bytes, bytes]


def plain_font(data: bytes, member: str) -> bytes | Unusable:
    """Return the bytes of the font in a file, as they are where it is a plain one, or why there is none.

    `member` names one of a collection; a file of one font takes no name.
    """
    if data[:4] == _COLLECTION:
        return _member(data, member)
    if member:
        return Unusable("font-collection", f"is no collection with a font {member!r}", f"leave out `{MEMBER}{member}`")
    if data[:4] != _WOFF:
        return data
    try:
        return _woff(data)
    except (struct.error, zlib.error, ValueError):
        return _damaged("it cannot be unpacked")


def _woff(data: bytes) -> bytes | Unusable:
    """Return the font in a WOFF file; raises errors of `struct` and `zlib` and `ValueError` where it is damaged."""
    version, (count,) = data[4:8], struct.unpack_from(">H", data, 12)
    records = [struct.unpack_from(">4sIIII", data, 44 + 20 * at) for at in range(count)]
    if sum(size for _, _, _, size, _ in records) > limit("font-file"):
        return _too_large()
    tables: Tables = {}
    for tag, at, packed, size, _ in records:
        body = data[at : at + packed]
        table = body if packed == size else zlib.decompressobj().decompress(body, size + 1)
        if len(body) != packed or len(table) != size:
            raise ValueError
        tables[tag] = table
    return _built(version, tables)


def _member(data: bytes, wanted: str) -> bytes | Unusable:
    """Return one font of a collection; the only one needs no name."""
    try:
        count = min(struct.unpack_from(">I", data, 8)[0], _MOST_FONTS)
        places = struct.unpack_from(f">{count}I", data, 12)
        listed = [_listed(data, place) for place in places]
        names = [_names(data, records) for records in listed]
    except (struct.error, UnicodeDecodeError):
        return _damaged("it ends too early")
    known = {name.lower(): at for at, own in reversed(list(enumerate(names))) for name in own}
    known |= {str(at + 1): at for at in range(count)}
    at = known.get(wanted.lower(), -1) if wanted else 0 if count == 1 else -1
    if at < 0:
        plain = [own[0] for own in names if own]
        what = f"has no font {wanted!r}" if wanted else f"is a collection of {count} fonts"
        fix = did_you_mean(wanted, plain, else_say="it has") if wanted else f"name one of {', '.join(plain[:8])}"
        return Unusable("font-collection", what, f"{fix}: `FILE.ttc{MEMBER}{plain[0] if plain else 1}`")
    if sum(size for _, _, size in listed[at]) > limit("font-file"):
        return _too_large()
    tables = {tag: data[start : start + size] for tag, start, size in listed[at]}
    return _built(data[places[at] : places[at] + 4], tables)


def _listed(data: bytes, at: int) -> list[tuple[bytes, int, int]]:
    """Return the tag, the place and the length of each table of a font."""
    (count,) = struct.unpack_from(">H", data, at + 4)
    records = [struct.unpack_from(">4sIII", data, at + 12 + 16 * number) for number in range(count)]
    if any(start + size > len(data) for _, _, start, size in records):
        raise struct.error
    return [(tag, start, size) for tag, _, start, size in records]


def _names(data: bytes, records: list[tuple[bytes, int, int]]) -> list[str]:
    """Return the names of a font, its PostScript name first."""
    tables = {tag: data[start : start + size] for tag, start, size in records if tag == b"name"}
    face = hb.Face(_built(b"\0\1\0\0", tables))
    return [name for name in map(face.get_name, _NAMES) if name and name.isprintable() and len(name) <= _LONGEST_NAME]


def _built(version: bytes, tables: Tables) -> bytes:
    """Return a font of these tables. Checksums are left out: nothing here reads them."""
    head, body = [version + struct.pack(">HHHH", len(tables), 0, 0, 0)], []
    at = 12 + 16 * len(tables)
    for tag in sorted(tables):
        table = tables[tag]
        head.append(struct.pack(">4sIII", tag, 0, at, len(table)))
        body.append(table + bytes(-len(table) % 4))
        at += len(body[-1])
    return b"".join((*head, *body))


def _damaged(what: str) -> Unusable:
    return Unusable("not-a-font", f"is damaged: {what}", "get the whole file again")


def _too_large() -> Unusable:
    what = f"unpacks to more than {limit('font-file')} bytes"
    return Unusable("not-a-font", what, f"use a smaller font; {how_to_raise('font-file')}")
