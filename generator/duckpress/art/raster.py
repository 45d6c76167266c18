"""PNG and JPEG files -> the bare picture in them, or an error: all pictures are read here.

A file is known by its first bytes and measured by its headers; how many pixels it may have is asked before anything is
decoded. What is kept is the picture and nothing else: no notes, no place where a photograph was taken, no profile.

The rows of a PNG are inflated piece by piece, counted and thrown away: a file whose data is not what its header says is
found out, and one that inflates to a thousand times as much is stopped where its picture ends. Of a JPEG not a block is
decoded: every scan of a progressive file costs a pass over all its blocks, in this program and in every viewer of the
PDF, so scans are counted; and as every block takes a bit at least, a header that promises more than the data can hold
is found out. The marker of Adobe stays, as it says how colours are meant.

Source: ISO/IEC 15948 (PNG); ITU-T T.81, annex B, and T.872 for the marker of Adobe (JPEG).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator

from msgspec import Struct, field

from duckpress.art import BadArt
from duckpress.core.limits import how_to_raise, limit, written

_NEITHER = "neither PNG, JPEG nor SVG, whatever its name says"

# First bytes of what is taken for pictures: they say what a file is, whatever it is called.
_KINDS = (
    (b"RIFF", "a WebP picture"), (b"GIF8", "a GIF picture"), (b"BM", "a BMP picture"), (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"), (b"8BPS", "a Photoshop file"), (b"%!", "an EPS or PostScript file"),
    (b"\xc5\xd0\xd3\xc6", "an EPS file"), (b"%PDF", "a PDF file"), (b"PK", "a zip archive"),
    (b"\0\0\0\x0cjP", "a JPEG 2000 picture"), (b"\xff\x0a", "a JPEG XL picture"), (b"\0\0\x01\0", "an icon file"),
)  # fmt: skip


class BarePicture(Struct, frozen=True):
    """The picture in a file without other data: its stored size, its colours and turn, and words for a warning.

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
    """Return the error for a damaged file."""
    more = f": {how}" if how else ""
    return BadArt(f"{path!r} is cut off or damaged{more}", "copy or save it again")


def check_size(path: str, width: int, height: int) -> None:
    """Raise `BadArt` for a picture without pixels or above the limit."""
    most = limit("image-pixels")
    if not width or not height:
        raise BadArt(f"{path!r} has {width} x {height} pixels", "save it again")
    if width * height > most:
        what = f"{path!r} has {width} x {height} pixels; {most / 1e6:g} million are the most"
        raise BadArt(what, f"make the picture smaller; {how_to_raise('image-pixels')}")


def kind_of_file(path: str, data: bytes) -> BadArt:
    """Return the error for a file that is neither PNG nor JPEG."""
    if b"<svg" in data[:1000]:
        return BadArt(f"{path!r} is an SVG file", "give it a name that ends in .svg")
    kind = next((kind for start, kind in _KINDS if data.startswith(start)), "")
    if data[4:8] == b"ftyp":
        kind = "an AVIF or HEIC picture"
    says = f"{kind}, whatever its name says; neither PNG, JPEG nor SVG" if kind else _NEITHER
    return BadArt(f"{path!r} is {says}", "convert it to PNG or JPEG")


def exif_turn(exif: bytes) -> int:
    """Return the orientation (1 to 8) from the first directory of Exif data; 1 by default. Source: Exif 2.3."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(f"{order}I", exif, 4)
        (count,) = struct.unpack_from(f"{order}H", exif, start)
        for index in range(min(count, 200)):
            tag, turn = struct.unpack_from(f"{order}H6xH2x", exif, start + 2 + 12 * index)
            if tag == 0x0112:
                return int(turn) if 1 <= turn <= 8 else 1
    except struct.error:  # cut off
        pass
    return 1


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
    """Return the places of the image chunks, the content of small chunks, whether it is animated, and its turn."""
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
    """Raise `BadArt` unless the data inflates to exactly the expected rows, each with a known filter."""
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
    """The facts from a file's markers so far.

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
    """Note the facts of a segment; return whether the bare picture leaves it out."""
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
    """Return the marker at a place, after any fill bytes, and the place after it."""
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
