"""The bare picture of a PNG or JPEG file, and what is wrong with a file that has none, in the words of a problem."""

from __future__ import annotations

import struct

from msgspec import Struct

from duckpress.art.bad_art import BadArt
from duckpress.core.limits import how_to_raise, limit

_TO_PNG = "convert it to PNG or JPEG"

# First bytes of what is taken for pictures: they say what a file is, whatever it is called.
_KINDS = (
    (b"RIFF", "a WebP picture"),
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"8BPS", "a Photoshop file"),
    (b"%!", "an EPS or PostScript file"),
    (b"\xc5\xd0\xd3\xc6", "an EPS file"),
    (b"%PDF", "a PDF file"),
    (b"PK", "a zip archive"),
    (b"\0\0\0\x0cjP", "a JPEG 2000 picture"),
    (b"\xff\x0a", "a JPEG XL picture"),
    (b"\0\0\x01\0", "an icon file"),
)


class BarePicture(Struct, frozen=True):
    """The picture in a file and nothing else: its size as it is stored, what it needs, and words for a warning.

    `kind` is `png` or `jpeg`, `turn` the orientation that its Exif data asks for (1 for none).
    """

    data: bytes
    kind: str
    width: int
    height: int
    turn: int
    must_convert: bool  # a PDF cannot take it as it is
    note: str
    colours: int = 0  # of a palette that is shorter than its pixels can count: one of them may name a colour it lacks


def damaged(path: str, how: str = "") -> BadArt:
    """Return the words for a file that is not as its maker left it."""
    more = f": {how}" if how else ""
    return BadArt(f"{path!r} is cut off or damaged{more}", "copy or save it again")


def check_size(path: str, width: int, height: int) -> None:
    """Raise `BadArt` for a picture of no pixels or of more than one may have."""
    most = limit("image-pixels")
    if not width or not height:
        raise BadArt(f"{path!r} has {width} x {height} pixels", "save it again")
    if width * height > most:
        what = f"{path!r} has {width} x {height} pixels; {most / 1e6:g} million are the most"
        raise BadArt(what, f"make the picture smaller; {how_to_raise('image-pixels')}")


def kind_of_file(path: str, data: bytes) -> BadArt:
    """Return the words for a file that is neither PNG nor JPEG."""
    if b"<svg" in data[:1000]:
        return BadArt(f"{path!r} is an SVG file", "give it a name that ends in .svg")
    if data[4:8] == b"ftyp":
        kind = "an AVIF or HEIC picture"
    else:
        kind = next((kind for start, kind in _KINDS if data.startswith(start)), "")
    if kind:
        return BadArt(f"{path!r} is {kind}, whatever its name says; neither PNG, JPEG nor SVG", _TO_PNG)
    return BadArt(f"{path!r} is neither PNG, JPEG nor SVG, whatever its name says", _TO_PNG)


def exif_turn(exif: bytes) -> int:
    """Return the orientation (1 to 8) from the first directory of Exif data; 1 where it says none. Source: Exif 2.3."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None or len(exif) < 14:
        return 1
    start = struct.unpack(f"{order}I", exif[4:8])[0]
    if start + 2 > len(exif):
        return 1
    count = struct.unpack(f"{order}H", exif[start : start + 2])[0]
    for index in range(min(count, 200)):
        entry = exif[start + 2 + 12 * index : start + 14 + 12 * index]
        if len(entry) == 12 and struct.unpack(f"{order}H", entry[:2])[0] == 0x0112:
            turn = int(struct.unpack(f"{order}H", entry[8:10])[0])
            return turn if 1 <= turn <= 8 else 1
    return 1
