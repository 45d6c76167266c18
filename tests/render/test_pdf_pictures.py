"""Picture files in the PDF: copied where PDF can hold them as they are, decoded where it cannot; each file once."""

from __future__ import annotations

import hashlib
import io
import random
import struct
import zlib
from typing import NamedTuple

import pytest
from pikepdf import Stream
from PIL import Image

from duckpress.art import BadArt
from duckpress.core.frame import Picture
from duckpress.core.geometry import Size
from duckpress.render import DocumentInfo, Renderer, render_pdf
from duckpress.render.pictures import picture_ink
from handmade import FONTS, booklet, card, placed, sheet
from pdf_reading import letter_map, opened

INFO = DocumentInfo("Pictures", language="en")
RED, GREEN, BLUE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)


class File(NamedTuple):
    """A picture's bytes and size, as `layout` hands it over."""

    data: bytes
    width_px: int
    height_px: int


def quarters(mode: str = "RGB", size: int = 40) -> Image.Image:
    """Return a picture: red and green above, blue and black below."""
    picture = Image.new("RGB", (size, size))
    half = size // 2
    for colour, place in ((RED, (0, 0)), (GREEN, (half, 0)), (BLUE, (0, half)), (BLACK, (half, half))):
        picture.paste(colour, (*place, place[0] + half, place[1] + half))
    return picture.quantize(8) if mode == "P" else picture.convert(mode)


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    """Return a picture's file."""
    out = io.BytesIO()
    picture.save(out, kind, **options)  # type: ignore[arg-type]
    return out.getvalue()


def page_with(data: bytes, *, is_packed: bool = True) -> bytes:
    """Return a PDF with the picture on 40 x 40 mm, at 10 mm from the corner of a page of 60 x 60 mm."""
    key = hashlib.sha256(data).hexdigest()[:32]
    face = card(Picture(key, 0.0, 0.0, 40.0, 40.0), ground="#ffffff", trim=Size(40.0, 40.0))
    front = sheet([placed(0, face, 10, 10)], None, paper=Size(60.0, 60.0))
    renderer = Renderer(FONTS)
    if not is_packed:
        renderer.unpack([key])
    return renderer.render([booklet([front], [face], {key: File(data, 40, 40)})], INFO)


def transparent(mode: str) -> Image.Image:
    """Return a picture whose red quarter is clear."""
    picture = quarters(mode)
    if mode == "RGBA":
        picture.paste((0, 0, 0, 0), (0, 0, 20, 20))
    return picture


CLEAR = {"transparency": quarters("P").getpixel((0, 0))}


@pytest.mark.parametrize(
    ("data", "space", "is_copied", "has_mask", "top"),
    [
        (saved(quarters(), "PNG"), "/DeviceRGB", True, False, "RRGG"),
        (saved(quarters(), "JPEG", quality=100, subsampling=0), "/DeviceRGB", True, False, "RRGG"),
        (saved(quarters("L"), "PNG"), "/DeviceGray", True, False, None),
        (saved(quarters("P"), "PNG"), "/Indexed", True, False, "RRGG"),
        (saved(quarters("P"), "PNG", **CLEAR), "/DeviceRGB", False, True, "..GG"),
        (saved(transparent("RGBA"), "PNG"), "/DeviceRGB", False, True, "..GG"),
        (saved(quarters("LA"), "PNG"), "/DeviceGray", False, True, None),
        (saved(quarters("1"), "PNG"), "/DeviceGray", False, False, None),
        (saved(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG"), "/DeviceRGB", False, False, "RRRR"),
    ],
)
def test_a_picture_is_copied_or_decoded_and_shows_the_right_way_up(
    data: bytes, space: str, is_copied: bool, has_mask: bool, top: str | None
) -> None:
    ink = picture_ink(data)
    assert (ink.data in data, ink.mask is not None) == (is_copied, has_mask)
    assert space in str(ink.entries["ColorSpace"])
    page, unpacked = (letter_map(page_with(data, is_packed=is_packed)) for is_packed in (True, False))
    assert page == unpacked
    if top is not None:
        below = "RRRR" if top == "RRRR" else "BBKK"
        assert page == ["......", *[f".{top}."] * 2, *[f".{below}."] * 2, "......"]


def test_what_is_only_made_into_pixels_holds_them_unpacked() -> None:
    assert quarters().tobytes() in page_with(saved(quarters(), "PNG"), is_packed=False)


def test_the_data_of_a_plain_png_is_copied() -> None:
    noise = random.Random(1).randbytes(60 * 50 * 3)
    data = saved(Image.frombytes("RGB", (60, 50), noise), "PNG")
    ink = picture_ink(data)
    assert ink.data in data
    assert ink.entries["DecodeParms"].dict == {"Predictor": 15, "Colors": 3, "BitsPerComponent": 8, "Columns": 60}
    with opened(page_with(data)) as pdf:
        face = next(iter(pdf.pages[0].Resources.XObject.values()))
        (image,) = face.Resources.XObject.values()
        assert image.read_bytes() == noise


def test_a_damaged_chunk_is_not_copied() -> None:
    data = bytearray(saved(quarters(), "PNG"))
    data[data.index(b"IDAT") + 8] ^= 0xFF
    with pytest.raises(BadArt):
        picture_ink(bytes(data))


def test_interlaced_data_is_not_copied_as_rows() -> None:
    data = bytearray(saved(quarters(), "PNG"))
    data[28] = 1  # the interlace flag of IHDR, whose checksum follows
    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    try:
        ink = picture_ink(bytes(data))
    except BadArt:
        return  # Pillow notices that the rows are not interlaced
    assert "DecodeParms" not in ink.entries


def test_the_same_picture_on_two_faces_is_in_the_file_once() -> None:
    data = saved(quarters(), "PNG")
    one = card(Picture("a" * 32, 0.0, 0.0, 20.0, 20.0))
    two = card(Picture("a" * 32, 5.0, 5.0, 20.0, 20.0))
    front = sheet([placed(0, one, 20, 20), placed(1, two, 70, 20)], None)
    pdf = render_pdf([booklet([front], [one, two], {"a" * 32: File(data, 40, 40)})], FONTS, INFO)
    with opened(pdf) as document:
        assert sum(isinstance(thing, Stream) and thing.get("/Subtype") == "/Image" for thing in document.objects) == 1
