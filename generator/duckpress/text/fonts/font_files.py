"""Font files -> one plain font: WOFF is unpacked; collections and variable fonts are reduced to one font.

A font of a collection is named as style sheets do it, `Noto.ttc#NotoSansCJKjp-Regular`: by its PostScript name, its
full name or its number, from 1. An instance stands after the file, `Inter.ttf @ Condensed Bold` or
`Inter.ttf @ wdth=75 opsz=14`; what it does not name follows from the weight and slant of the style. Sources: W3C, WOFF
File Format 1.0; OpenType specification 1.9, `ttcf`, `fvar`, registered axes; CSS Fonts 4, 4.3.1 (fragments of
collections); Adobe Technical Note 5902 (names of instances).
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import NamedTuple

import uharfbuzz as hb

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import did_you_mean
from duckpress.text.fonts.opentype import Unusable, damaged

MEMBER = "#"
"""Stands between the file of a collection and the name of one of its fonts."""

_WOFF, _COLLECTION = b"wOFF", b"ttcf"
_MOST_FONTS = 256
_LONGEST_NAME = 80  # letters
_NAMES = (hb.OTNameIdPredefined.POSTSCRIPT_NAME, hb.OTNameIdPredefined.FULL_NAME)

Tables = dict[bytes, bytes]


def plain_font(data: bytes, member: str) -> bytes | Unusable:
    """Return the bytes of the font in a file, unchanged for a plain one, or why there is none.

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
        return damaged("it cannot be unpacked")


def _woff(data: bytes) -> bytes | Unusable:
    """Return the font in a WOFF file; raises errors of `struct` and `zlib` and `ValueError` if it is damaged."""
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
        return damaged("it ends too early")
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
    """Return a font of these tables. Checksums are left out: no reader here needs them."""
    head, body = [version + struct.pack(">HHHH", len(tables), 0, 0, 0)], []
    at = 12 + 16 * len(tables)
    for tag in sorted(tables):
        table = tables[tag]
        head.append(struct.pack(">4sIII", tag, 0, at, len(table)))
        body.append(table + bytes(-len(table) % 4))
        at += len(body[-1])
    return b"".join((*head, *body))


def _too_large() -> Unusable:
    what = f"unpacks to more than {limit('font-file')} bytes"
    return Unusable("not-a-font", what, f"use a smaller font; {how_to_raise('font-file')}")


MARK = " @ "
"""Stands between a font file and its instance."""


class FontFile(NamedTuple):
    """The bytes of a font file, and the axis values of a variable one, by tag."""

    data: bytes
    pins: tuple[tuple[str, float], ...] = ()

    def digest(self) -> str:
        """Return the unique key of this file and instance."""
        pins = "".join(f"{tag}={value:g} " for tag, value in self.pins)
        return hashlib.sha256(self.data + pins.encode()).hexdigest()

    def font(self, face: hb.Face) -> hb.Font:
        """Return the instance of the file's face, for measuring and drawing."""
        font = hb.Font(face)
        if self.pins:
            font.set_variations(dict(self.pins))
        return font


def pinned(face: hb.Face, wanted: str, weight: int, is_italic: bool) -> tuple[tuple[str, float], ...] | Unusable:
    """Return the axis values for a style (none for a static font), or why there is no such instance.

    `wanted` is what stands after the file: the name of an instance, values of axes, or nothing.
    """
    try:
        listed = list(face.axis_infos)
    except UnicodeDecodeError:
        return damaged("one of its axes has no name")
    axes = {axis.tag: axis for axis in listed}
    if len(axes) < len(listed):
        return damaged("two of its axes have one name")
    if not axes:
        fix = f"write its file without `{MARK.strip()} ...`"
        return _unusable("is not variable, and has no instances", fix) if wanted else ()
    pins = {tag: axis.default_value for tag, axis in axes.items()}
    if wanted and "=" not in wanted:
        named = {(face.get_name(one.subfamily_name_id) or "").lower(): one for one in face.named_instances}
        instance = named.get(wanted.lower())
        if instance is None:
            fix = did_you_mean(wanted, named, else_say="it has") or "write values of its axes, as `wght=600`"
            return _unusable(f"has no instance {wanted!r}", fix)
        pins = dict(zip(pins, map(float, instance.design_coords), strict=True))
    else:
        # What the name of a style says of the axes that there are.
        pins |= {"wght": float(weight)} if "wght" in axes else {}
        lean = next((tag for tag in ("ital", "slnt") if is_italic and tag in axes), "")
        if lean:
            pins[lean] = axes[lean].max_value if lean == "ital" else axes[lean].min_value
        for word in wanted.split():
            tag, _, value = word.partition("=")
            if tag not in axes:
                return _unusable(f"has no axis {tag!r}", did_you_mean(tag, axes, else_say="its axes are"))
            try:
                pins[tag] = float(value)
            except ValueError:
                return _unusable(f"cannot have {value!r} on its axis {tag!r}", "write a number")
    for tag, axis in axes.items():
        if not axis.min_value <= pins[tag] <= axis.max_value:  # also of what is no number
            reach = f"from {axis.min_value:g} to {axis.max_value:g}"
            what = f"goes {reach} on its axis {tag!r}, and {pins[tag]:g} is asked for"
            return _unusable(what, f"write `FILE{MARK}{tag}={axis.max_value:g}`, or take the style out")
    return tuple(pins.items())


def _unusable(what: str, fix: str) -> Unusable:
    return Unusable("font-variable", what, fix)


def name_of(face: hb.Face, pins: tuple[tuple[str, float], ...]) -> str:
    """Return the PostScript name of an instance: with each axis value other than the default."""
    own = face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or ""
    usual = {axis.tag: axis.default_value for axis in face.axis_infos}
    moved = "".join(f"_{value:g}{tag.strip()}" for tag, value in pins if value != usual[tag])
    if not moved:
        return own
    family = face.get_name(hb.OTNameIdPredefined.VARIATIONS_PS_PREFIX) or own.partition("-")[0]
    return family + moved.replace(".", "p")
