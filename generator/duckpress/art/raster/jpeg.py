"""JPEG files -> what they hold, read from their markers; not a block is decoded.

Every scan of a progressive file costs a pass over all its blocks, in this program and in every viewer of the PDF, so
scans are counted; and as every block takes a bit at least, a header that promises more than the data can hold is found
out. What is not the picture (Exif with its place and thumbnail, profiles, comments, bytes 0xFF that fill, what stands
behind the end) is left out; the marker of Adobe stays, as it says how colours are meant. Source: ITU-T T.81, annex B;
T.872 for Adobe's marker.
"""

from __future__ import annotations

import re
import struct

from msgspec import Struct, field

from duckpress.art.bad_art import BadArt
from duckpress.art.raster.bare_picture import BarePicture, check_size, damaged, exif_turn
from duckpress.core.limits import how_to_raise, limit, written

JPEG_MAGIC = b"\xff\xd8\xff"

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE = 0xC2
_PRINTABLE = (0xC0, 0xC1, _PROGRESSIVE)  # what PDF knows (ISO 32000-1, 7.4.8): no arithmetic coding, no lossless
_BARE = frozenset((0x01, *range(0xD0, 0xD8)))  # markers without a length
_END, _SCAN, _HUFFMAN, _QUANTA = 0xD9, 0xDA, 0xC4, 0xDB
_EXIF, _ADOBE = 0xE1, 0xEE
_NOTES = frozenset((*range(0xE1, 0xF0), 0xFE)) - {_ADOBE}  # of applications, but for JFIF and Adobe; comments
_MARKER = re.compile(b"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
_FILLING = re.compile(b"\xff+")  # any number may stand before a marker, also in the midst of a scan
_RGB_IDS = b"RGB"


class _Jpeg(Struct):
    """What the markers of a file have said so far.

    `is_odd` tells that its colours are stored in a way that PDF viewers take for another.
    """

    width: int = 0
    height: int = 0
    channels: int = 0
    turn: int = 1
    is_odd: bool = False
    blocks: int = 0
    is_progressive: bool = False
    has_adobe: bool = False
    tables: set[int] = field(default_factory=set)


def read_jpeg(path: str, data: bytes) -> BarePicture:
    """Return a file that starts with `JPEG_MAGIC`; raises `BadArt`."""
    jpeg = _Jpeg()
    kept: list[bytes] = []  # what is the picture, before the part that begins at `begin`
    begin, at, scans, coded = 0, 2, 0, 0
    most = limit("jpeg-scans")
    for _ in range(most_parts := limit("jpeg-parts")):
        filled, (marker, at) = at, _next_marker(path, data, at)
        if at - 2 > filled:
            kept.append(data[begin:filled])
            begin = at - 2
        if marker == _END:
            break
        if marker in _BARE:
            continue
        end = at + int.from_bytes(data[at : at + 2], "big")
        if end < at + 2 or end > len(data):
            raise damaged(path)
        if _read_segment(path, jpeg, marker, data[at + 2 : end]):
            kept.append(data[begin : at - 2])
            begin = end
        at = end
        if marker == _SCAN:
            scans += 1
            if scans > most:
                fix = f"save it without 'progressive'; {how_to_raise('jpeg-scans')}"
                raise BadArt(f"{path!r} has more than {most} scans", fix)
            following = _MARKER.search(data, at)
            if following is None or not jpeg.channels or len(jpeg.tables) < 2:
                raise damaged(path)
            scan = data[at : following.start()]
            if data.find(b"\xff\xff", at, following.end()) >= 0:
                scan = _FILLING.sub(b"\xff", scan).removesuffix(b"\xff")
                kept += (data[begin:at], scan)
                begin = following.start()
            coded += len(scan)
            at = following.start()
    else:
        what = f"{path!r} has more than {written(most_parts)} parts"
        raise BadArt(what, f"save it again; {how_to_raise('jpeg-parts')}")
    # A block takes one bit for its mean at least, and another one to say that there is nothing more to it.
    if not scans or coded * 8 < jpeg.blocks * (1 if jpeg.is_progressive else 2):
        raise damaged(path)
    bare = b"".join((*kept, data[begin:at]))
    is_cmyk = jpeg.channels == 4
    note = f"{path!r} is in CMYK; it is turned into RGB without a profile" if is_cmyk else ""
    must_convert = jpeg.turn != 1 or is_cmyk or jpeg.is_odd
    return BarePicture(bare, "jpeg", jpeg.width, jpeg.height, jpeg.turn, must_convert, note)


def _read_segment(path: str, jpeg: _Jpeg, marker: int, body: bytes) -> bool:
    """Note what a segment says; return whether it is no part of the picture."""
    if marker in _FRAMES:
        _read_frame(path, jpeg, marker, body)
    elif marker == _EXIF and body.startswith(b"Exif\0\0"):
        jpeg.turn = exif_turn(body[6:])
    elif marker == _ADOBE:
        jpeg.has_adobe = True
    elif marker in (_HUFFMAN, _QUANTA):
        jpeg.tables.add(marker)
    return marker in _NOTES


def _next_marker(path: str, data: bytes, at: int) -> tuple[int, int]:
    """Return the marker at a place, behind what fills, and the place behind it."""
    if data[at : at + 1] != b"\xff":
        raise damaged(path)
    filled = _FILLING.match(data, at)
    at = filled.end() if filled else at
    if at >= len(data) or data[at] in (0x00, 0xD8):
        raise damaged(path)
    return data[at], at + 1


def _read_frame(path: str, jpeg: _Jpeg, marker: int, body: bytes) -> None:
    if jpeg.channels or len(body) < 6 or len(body) < 6 + 3 * body[5]:
        raise damaged(path)
    bits, height, width, channels = struct.unpack(">BHHB", body[:6])
    check_size(path, width, height)
    if bits != 8 or channels not in (1, 3, 4) or marker not in _PRINTABLE:
        kind = "" if marker in _PRINTABLE else " of a kind that no PDF can hold"
        what = f"{path!r} is a JPEG with {bits} bits and {channels} channels{kind}"
        raise BadArt(what, "save it as plain RGB")
    samplings = [(body[7 + 3 * index] >> 4, body[7 + 3 * index] & 15) for index in range(channels)]
    if not all(1 <= across <= 4 and 1 <= down <= 4 for across, down in samplings):
        raise damaged(path)
    jpeg.width, jpeg.height, jpeg.channels = width, height, channels
    jpeg.is_progressive = marker == _PROGRESSIVE
    if channels == 1:
        samplings = [(1, 1)]  # a single channel is stored block by block, whatever its sampling says
    across, down = (max(sampling[way] for sampling in samplings) for way in (0, 1))
    groups = -(-width // (8 * across)) * -(-height // (8 * down))
    jpeg.blocks = groups * sum(one * other for one, other in samplings)
    # Without Adobe's marker a PDF viewer takes three channels for YCbCr, but libjpeg takes these names for RGB.
    jpeg.is_odd = channels == 3 and not jpeg.has_adobe and bytes(body[6 + 3 * i] for i in range(3)) == _RGB_IDS
