"""Hostile inputs 6 to 9, and more of their kind: pictures that lie, burst, hide something, or are none."""

from __future__ import annotations

import io
import os
import struct
import time
import zlib
from pathlib import Path

import pytest
from harness import assert_prints, assert_refused, needs_posix
from hostile_game import png, with_art
from PIL import Image

from duckpress.art import BadArt
from duckpress.art.picture_files import read_picture

AT = "content/g/art/pond.png"
MAGIC = b"\x89PNG\r\n\x1a\n"


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def drawn_png(
    width: int, height: int, bits: int = 8, kind: int = 0, *, rows: bytes | None = None, more: bytes = b"", way: int = 0
) -> bytes:
    """Return a PNG of zeros, or with any bytes for its rows; `more` are chunks before them, `way` says interlaced."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    count = (1 + (width * bits * channels + 7) // 8) * height
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, way)
    packed = zeros(count) if rows is None else rows
    return MAGIC + chunk(b"IHDR", header) + more + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def zeros(count: int) -> bytes:
    """Return a deflated stream of so many zeros: a megabyte packed once, repeated, and the checksum of them all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    megabyte = b""
    if count >> 20:
        megabyte = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)  # what follows does not look back
    rest = packer.compress(bytes(count & 0xFFFFF)) + packer.flush()
    adler = count % 65_521 << 16 | 1  # RFC 1950: a sum that stays 1, and as often that 1 as there are bytes
    return b"\x78\xda" + megabyte * (count >> 20) + rest + struct.pack(">I", adler)


def jpeg(width: int = 300, height: int = 200, mode: str = "RGB", **options: object) -> bytes:
    """Return a JPEG of one colour."""
    out = io.BytesIO()
    Image.new(mode, (width, height), 90 if mode == "L" else (200, 90, 40, 0)[: len(mode)]).save(out, "JPEG", **options)
    return out.getvalue()


def patched(data: bytes, marker: int, offset: int, new: bytes) -> bytes:
    """Return a JPEG with bytes replaced behind the first of a marker."""
    at = data.index(bytes((0xFF, marker))) + offset
    return data[:at] + new + data[at + len(new) :]


def sized(data: bytes, width: int, height: int) -> bytes:
    return patched(data, 0xC0, 5, struct.pack(">HH", height, width))


def stuffed(data: bytes, *segments: bytes) -> bytes:
    return data[:2] + b"".join(segments) + data[2:]


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def exif(turn: int, order: str = ">") -> bytes:
    """Return Exif data with an orientation."""
    mark = b"MM" if order == ">" else b"II"
    directory = struct.pack(f"{order}HHHIHH", 1, 0x0112, 3, 1, turn, 0) + bytes(4)
    return mark + struct.pack(f"{order}HI", 42, 8) + directory


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/tmp/duckpress-was-here) (w) file closefile\n%%EOF\n"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"
PALETTE = chunk(b"PLTE", bytes(3 * 4))

REFUSED: dict[str, tuple[bytes, str]] = {
    "06-eps-named-png": (EPS, "EPS"),
    "07-png-20000x20000": (drawn_png(20_000, 20_000, rows=zeros(9_000_000)), "20000 x 20000"),
    "08-png-9400x9400": (drawn_png(9_400, 9_400), "9400 x 9400"),
    "09-png-cut-in-the-header": (png(300, 300)[:20], "cut off"),
    "09-png-of-half-its-rows": (drawn_png(300, 300, rows=zeros(150 * 301)), "cut off"),
    "09-jpeg-cut": (jpeg()[:-200], "cut off"),
    "09-webp-named-png": (WEBP, "WebP"),
    "09-svg-named-png": (b'<?xml version="1.0"?><svg xmlns="x"/>', "ends in .svg"),
    "09-gif-named-png": (b"GIF89a", "neither PNG"),
    "09-nothing-named-png": (b"", "neither PNG"),
    "x-heic-named-png": (b"\0\0\0\x18ftypheic" + bytes(60), "HEIC"),
    "x-png-0x0": (drawn_png(0, 0), "0 x 0"),
    "x-png-of-2-to-the-31": (drawn_png(1, 1).replace(b"\0\0\0\1\0\0\0\1", b"\x80\0\0\0\0\0\0\1"), "damaged"),
    "x-png-larger-than-it-says": (drawn_png(10, 10, rows=zeros(600_000_000)), "more than its picture"),
    "x-png-of-rubbish": (drawn_png(4, 2, 16, rows=b"rubbish"), "unpacked"),
    "x-png-filter-9": (drawn_png(2, 1, rows=zlib.compress(b"\x09ab")), "make no sense"),
    "x-png-7-bits": (drawn_png(9, 9, 7), "makes no sense"),
    "x-png-bad-checksum": (drawn_png(9, 9)[:-20] + b"\xff" + drawn_png(9, 9)[-19:], "damaged"),
    "x-png-without-rows": (MAGIC + drawn_png(9, 9)[8:33] + chunk(b"IEND", b""), "cut off"),
    "x-png-no-palette": (drawn_png(9, 9, 8, 3), "no palette"),
    "x-png-palette-of-2-bytes": (drawn_png(9, 9, 8, 3, more=chunk(b"PLTE", b"ab")), "palette"),
    "x-png-palette-too-short": (
        drawn_png(9, 9, 8, 3, more=chunk(b"PLTE", bytes(9)), rows=zlib.compress((b"\0" + b"\2" * 8 + b"\3") * 9)),
        "palette has 3 colours, and a pixel has the number 3",
    ),
    "x-png-palette-too-short-of-two-bits": (
        drawn_png(9, 9, 2, 3, more=chunk(b"PLTE", bytes(6)), rows=zlib.compress((b"\0" + b"\x12\0\0") * 9)),
        "palette has 2 colours, and a pixel has the number 2",
    ),
    "x-png-more-transparent-than-colours": (
        drawn_png(9, 9, 8, 3, more=PALETTE + chunk(b"tRNS", bytes(200))), "transparent",
    ),
    "x-png-two-headers": (drawn_png(9, 9, more=drawn_png(99, 99)[8:33]), "wrong place"),
    "x-png-unknown-part": (drawn_png(9, 9, more=chunk(b"EVIL", b"x")), "nobody knows"),
    "x-png-part-of-2-gigabytes": (drawn_png(9, 9, more=b"\x7f\xff\xff\xfftEXt"), "cut off"),
    "x-png-16-bits-one-transparent": (drawn_png(9, 9, 16, 0, more=chunk(b"tRNS", b"\1\2")), "alpha channel"),
    "x-png-interlaced-but-not": (drawn_png(20, 20, way=1), "damaged"),
    "x-jpeg-65535x65535": (sized(jpeg(), 65_535, 65_535), "65535 x 65535"),
    "x-jpeg-larger-than-its-data": (sized(jpeg(), 7_000, 7_000), "cut off"),
    "x-jpeg-without-its-end": (jpeg()[:-2], "cut off"),
    "x-jpeg-arithmetic": (patched(jpeg(), 0xC0, 1, b"\xc9"), "no PDF"),
    "x-jpeg-12-bits": (patched(jpeg(), 0xC0, 4, b"\x0c"), "12 bits"),
    "x-jpeg-2-channels": (patched(jpeg(), 0xC0, 9, b"\2"), "2 channels"),
    "x-jpeg-sampling-0": (patched(jpeg(), 0xC0, 11, b"\0"), "damaged"),
    "x-jpeg-segment-of-0": (stuffed(jpeg(), b"\xff\xe5\0\0"), "damaged"),
    "x-jpeg-two-frames": (stuffed(jpeg(), segment(0xC0, b"\x08\0\x09\0\x09\1\1\x11\0")), "damaged"),
    "x-jpeg-only-fill-bytes": (b"\xff\xd8" + b"\xff" * 3_000_000, "damaged"),
}  # fmt: skip


IN_A_PROCESS = {"06-eps-named-png", "07-png-20000x20000", "08-png-9400x9400"} if os.name == "posix" else set()


@pytest.mark.sweep(12)
@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_picture_is_refused(tmp_path: Path, case: str) -> None:
    """In a process of its own, one that would take 880 MB takes next to nothing, and no other program is started."""
    data, says = REFUSED[case]
    how = {"code": "bad-picture", "at": AT, "says": says, "as_process": case in IN_A_PROCESS}
    assert assert_refused(tmp_path, with_art("pond.png", data), **how).megabytes < 250


def test_every_bad_picture_is_refused_by_its_reader() -> None:
    for case, (data, says) in REFUSED.items():
        if case not in IN_A_PROCESS:
            with pytest.raises(BadArt) as refused:
                read_picture("pond.png", data)
            assert refused.value.fix
            assert says in f"{refused.value}; {refused.value.fix}"


BOMB = zeros(300_000_000)
PRINTS: dict[str, bytes] = {
    "09-jpeg-named-png": jpeg(),
    "09-png-16-bits": drawn_png(300, 300, 16, 2),
    "x-png-broken-profile-with-alpha": drawn_png(300, 300, 8, 6, more=chunk(b"iCCP", b"a\0\0rubbish")),
    "x-png-bomb-with-alpha": drawn_png(300, 300, 8, 6, more=chunk(b"zTXt", b"a\0\0" + BOMB)),
    "x-png-16-bits-and-bomb": drawn_png(300, 300, 16, 0, more=chunk(b"iCCP", b"a\0\0" + BOMB)),
    "x-jpeg-exif-into-nowhere": stuffed(jpeg(), segment(0xE1, b"Exif\0\0MM\0*\xff\xff\xff\xff" + bytes(20))),
    "x-jpeg-exif-turn-99": stuffed(jpeg(), segment(0xE1, b"Exif\0\0" + exif(99))),
}  # fmt: skip


@pytest.mark.sweep(4)
@pytest.mark.parametrize("case", PRINTS)
def test_a_harmless_part_of_a_picture_is_left_out(tmp_path: Path, case: str) -> None:
    is_apart = os.name == "posix" and case == "x-png-bomb-with-alpha"
    ran = assert_prints(tmp_path, with_art("pond.png", PRINTS[case]), as_process=is_apart)
    assert not ran.codes()
    assert ran.megabytes < 250


@needs_posix
def test_a_jpeg_of_millions_of_parts_takes_no_memory(tmp_path: Path) -> None:
    """x-jpeg-of-comments-and-other-parts: each of them is four bytes."""
    files = with_art("a.jpg", stuffed(jpeg(), (segment(0xFE, b"") + segment(0xE0, b"")) * 2_500_000))
    how = {"code": "bad-picture", "at": "content/g/art/a.jpg", "says": "more than 10k parts"}
    assert assert_refused(tmp_path, files, **how, as_process=True).megabytes < 250


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(
            drawn_png(300, 300, more=chunk(b"acTL", bytes(8))) + chunk(b"fdAT", b"x"), "animated", id="09-png-animated"
        ),
        pytest.param(jpeg(mode="CMYK"), "CMYK", id="09-jpeg-cmyk"),
    ],
)
def test_what_is_printed_otherwise_is_said(tmp_path: Path, data: bytes, words: str) -> None:
    ran = assert_prints(tmp_path, with_art("pond.png", data))
    assert ran.codes("warning") == ["picture-converted"]
    assert words in ran.problems[0]["what"]


def pixels(data: bytes) -> list[tuple[int, ...]]:
    """Return the corners of a picture as it goes to print, clockwise from the top left, to the nearest 64."""
    picture, _ = read_picture("a", data)
    with Image.open(io.BytesIO(picture.data)) as opened:
        right, bottom = opened.width - 1, opened.height - 1
        rgb = opened.convert("RGB")
        corners = [rgb.getpixel(at) for at in ((0, 0), (right, 0), (right, bottom), (0, bottom))]
    return [tuple(round(value / 255) for value in corner) for corner in corners if isinstance(corner, tuple)]


def quarters() -> Image.Image:
    image = Image.new("RGB", (64, 32))
    for colour, at in (("red", (0, 0)), ("lime", (32, 0)), ("white", (32, 16)), ("blue", (0, 16))):
        image.paste(colour, (*at, at[0] + 32, at[1] + 16))
    return image


R, G, W, B = (1, 0, 0), (0, 1, 0), (1, 1, 1), (0, 0, 1)
TURNS = {1: [R, G, W, B], 2: [G, R, B, W], 3: [W, B, R, G], 4: [B, W, G, R],
         5: [R, B, W, G], 6: [B, R, G, W], 7: [W, G, R, B], 8: [G, W, B, R]}  # fmt: skip


@pytest.mark.sweep(2)
@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: f"09-exif-{turn}")
def test_a_picture_is_turned_as_its_exif_says(turn: int) -> None:
    """Source: Exif 2.3, tag 0x0112: 6 says that the first row is the right-hand side, and so on."""
    image = quarters()
    for order in "<>":
        out = io.BytesIO()
        image.save(out, "JPEG", quality=100, subsampling=0, exif=b"Exif\0\0" + exif(turn, order))
        assert pixels(out.getvalue()) == TURNS[turn]
    out = io.BytesIO()
    image.save(out, "PNG")
    data = out.getvalue()
    assert pixels(data[:33] + chunk(b"eXIf", exif(turn)) + data[33:]) == TURNS[turn]


def test_a_photograph_keeps_its_secrets(tmp_path: Path) -> None:
    """x-exif-place: where and by whom a photograph was taken does not go into a PDF that others get."""
    secret = b"GPS 54.3213 N, owner Ann Bird"
    notes = segment(0xE1, b"Exif\0\0" + exif(1) + secret), segment(0xFE, secret), segment(0xED, secret)
    data = stuffed(jpeg(progressive=True), *notes) + secret
    picture, _ = read_picture("a.jpg", data)
    assert secret not in picture.data
    noted = drawn_png(300, 300, more=chunk(b"tEXt", secret) + chunk(b"eXIf", exif(1) + secret))
    assert secret not in read_picture("a.png", noted)[0].data
    ran = assert_prints(tmp_path, with_art("pond.png", data))
    for path in ran.written:
        assert secret not in (tmp_path / path).read_bytes()


FILLED = {
    "before each part": lambda data, fill: data.replace(b"\xff\xc4", fill + b"\xff\xc4"),
    "before a note": lambda data, fill: stuffed(data, fill + b"\xff\xe5\0\4ab"),
    "before its end": lambda data, fill: data[:-2] + fill + data[-2:],
    "within a scan": lambda data, fill: data.replace(b"\xff\xd3", fill + b"\xff\xd3", 1),
    "before a stuffed zero": lambda data, fill: data.replace(b"\xff\0", fill + b"\xff\0", 1),
}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("where", FILLED)
@pytest.mark.parametrize("progressive", [False, True])
def test_bytes_that_fill_a_jpeg_are_not_carried_along(where: str, progressive: bool) -> None:
    """x-jpeg-of-fill-bytes: 30 MB of 0xFF took 19 seconds, and were in both PDFs."""
    out = io.BytesIO()
    Image.effect_noise((160, 120), 90).save(out, "JPEG", quality=95, restart_marker_blocks=9, progressive=progressive)
    bare, how = read_picture("a.jpg", out.getvalue())[0].data, FILLED[where]
    for count in (1, 2, 1001):
        filled = how(out.getvalue(), b"\xff" * count)
        assert len(filled) >= len(out.getvalue()) + count
        picture, _ = read_picture("a.jpg", filled)
        assert picture.data == bare
        assert Image.open(io.BytesIO(filled)).tobytes() == Image.open(io.BytesIO(bare)).tobytes()
    filled = how(out.getvalue(), b"\xff" * (300_000 if "each" in where else 10_000_000))
    began = time.process_time()
    assert read_picture("a.jpg", filled)[0].data == bare
    assert time.process_time() - began < 1.5


def test_bytes_that_fill_a_jpeg_are_no_part_of_its_picture() -> None:
    """They do not count for the blocks that a header promises."""
    with pytest.raises(BadArt, match="cut off"):
        read_picture("a.jpg", FILLED["before its end"](sized(jpeg(), 7_000, 7_000), b"\xff" * 3_000_000))


def test_odd_but_right_pictures_are_read() -> None:
    """What other programs write and few readers meet is not refused."""
    for data in (
        drawn_png(33, 21, 1), drawn_png(33, 21, 2), drawn_png(33, 21, 4), drawn_png(33, 21, 16, 4),
        drawn_png(9, 9, 8, 3, more=chunk(b"PLTE", bytes(9)), rows=zlib.compress((b"\0" + b"\2" * 9) * 9)),
        drawn_png(33, 21, 16, 6), drawn_png(33, 21, 2, 3, more=PALETTE), drawn_png(1, 1), drawn_png(30_000, 1),
        drawn_png(33, 21, 8, 2, more=chunk(b"tRNS", bytes(6))), drawn_png(33, 21, 8, 4),
        stuffed(jpeg(), b"\xff\xff\xff\xe5\0\4ab"), jpeg(mode="L"), jpeg(restart_marker_blocks=2), jpeg(1, 1),
        jpeg(3000, 3000, quality=1, optimize=True), jpeg(3000, 3000, quality=1, progressive=True),
    ):  # fmt: skip
        picture, _ = read_picture("a", data)
        assert picture.width_px
        assert picture.height_px


def test_interlaced_pictures_show_the_same() -> None:
    """x-png-interlaced: PDF does not know the passes of a PNG, so they are put together before."""
    whole, half = bytearray(), 0x50
    passes = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
    for left, top, across, down in passes:
        for _ in range(top, 16, down):
            whole += bytes((0, *(half if x < 8 else 0xF0 for x in range(left, 16, across))))
    data = drawn_png(16, 16, rows=zlib.compress(bytes(whole)), way=1)
    picture, _ = read_picture("a", data)
    assert picture.data[28] == 0
    assert pixels(data) == [(0, 0, 0), W, W, (0, 0, 0)]
    with pytest.raises(BadArt):
        read_picture("a", drawn_png(16, 16, rows=zlib.compress(bytes(whole[:-3])), way=1))


@pytest.mark.soak
@needs_posix
def test_a_huge_picture_with_alpha_takes_bounded_memory(tmp_path: Path) -> None:
    """x-rgba-40-megapixels: decoded once and written a band at a time."""
    data = drawn_png(6_000, 4_000, 8, 6, rows=zeros((1 + 6_000 * 4) * 4_000))
    ran = assert_prints(tmp_path, with_art("pond.png", data), as_process=True)
    assert ran.megabytes < 400


def test_the_pictures_of_a_piece_are_counted(tmp_path: Path) -> None:
    """x-many-pictures: each may be large, but not all together."""
    element = '<image href="art/{}.png" width="5" height="5"/>'
    files: dict[str, str | bytes] = {
        "content/g/layouts/face.xml": f"<face>{''.join(element.format(n) for n in range(5))}</face>",
        **{f"content/g/art/{n}.png": png(60, 60, level=n) + bytes(4000) for n in range(5)},
    }
    command = ("--limit", "art-bytes=400", "check", "g")
    assert_refused(tmp_path, files, code="too-much-art", at="content/g/art/4.png", command=command)
