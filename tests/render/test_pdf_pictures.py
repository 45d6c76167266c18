"""Picture files in the PDF: copied where PDF can hold them as they are, decoded where it cannot; each file once."""

from __future__ import annotations

import hashlib
import io
import random
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


def page_with(data: bytes) -> bytes:
    """Return a PDF with the picture on 40 x 40 mm, at 10 mm from the corner of a page of 60 x 60 mm."""
    key = hashlib.sha256(data).hexdigest()[:32]
    face = card(Picture(key, 0.0, 0.0, 40.0, 40.0), ground="#ffffff", trim=Size(40.0, 40.0))
    front = sheet([placed(0, face, 10, 10)], None, paper=Size(60.0, 60.0))
    return render_pdf([booklet([front], [face], {key: File(data, 40, 40)})], FONTS, INFO)


EXPECTED = ["......", ".RRGG.", ".RRGG.", ".BBKK.", ".BBKK.", "......"]


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_a_png_shows_the_right_way_up(mode: str) -> None:
    assert letter_map(page_with(saved(quarters(mode), "PNG"))) == EXPECTED


def test_a_jpeg_shows_the_right_way_up() -> None:
    assert letter_map(page_with(saved(quarters(), "JPEG", quality=100, subsampling=0))) == EXPECTED


def test_a_cmyk_jpeg_becomes_rgb() -> None:
    data = saved(Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG", quality=100)
    assert picture_ink(data).entries["ColorSpace"] == "/DeviceRGB"
    assert letter_map(page_with(data))[2] == ".RRRR."


def test_transparent_parts_show_the_ground() -> None:
    picture = quarters("RGBA")
    picture.putalpha(Image.new("L", (40, 40), 255))
    picture.paste((0, 0, 0, 0), (0, 0, 20, 20))
    assert letter_map(page_with(saved(picture, "PNG"))) == [
        "......",
        "...GG.",
        "...GG.",
        ".BBKK.",
        ".BBKK.",
        "......",
    ]


def test_a_palette_with_a_transparent_colour_has_a_mask() -> None:
    picture = quarters("P")
    data = saved(picture, "PNG", transparency=picture.getpixel((0, 0)))
    assert picture_ink(data).mask is not None
    assert letter_map(page_with(data))[1] == "...GG."


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


@pytest.mark.parametrize("mode", ["L", "P"])
def test_grey_and_palette_pngs_are_copied(mode: str) -> None:
    data = saved(quarters(mode), "PNG")
    ink = picture_ink(data)
    assert ink.data in data
    assert ("/Indexed" if mode == "P" else "/DeviceGray") in str(ink.entries["ColorSpace"])


def test_a_jpeg_is_copied_whole() -> None:
    data = saved(quarters(), "JPEG")
    assert picture_ink(data).data == data
    assert picture_ink(data).entries["Filter"] == "/DCTDecode"


@pytest.mark.parametrize("mode", ["RGBA", "LA", "1"])
def test_what_cannot_be_copied_is_decoded(mode: str) -> None:
    ink = picture_ink(saved(quarters(mode), "PNG"))
    assert "DecodeParms" not in ink.entries
    assert (ink.mask is not None) is (mode in ("RGBA", "LA"))


def test_a_damaged_chunk_is_not_copied() -> None:
    data = bytearray(saved(quarters(), "PNG"))
    data[data.index(b"IDAT") + 8] ^= 0xFF
    with pytest.raises(BadArt):
        picture_ink(bytes(data))


def test_interlaced_data_is_not_copied_as_rows() -> None:
    data = bytearray(saved(quarters(), "PNG"))
    import struct
    import zlib

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


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L"])
def test_what_is_only_made_into_pixels_holds_them_unpacked_and_shows_the_same(mode: str) -> None:
    data = saved(quarters(mode), "PNG")
    key = hashlib.sha256(data).hexdigest()[:32]
    face = card(Picture(key, 0.0, 0.0, 40.0, 40.0), ground="#ffffff", trim=Size(40.0, 40.0))
    front = sheet([placed(0, face, 10, 10)], None, paper=Size(60.0, 60.0))
    renderer = Renderer(FONTS)
    renderer.unpack([key])
    document = renderer.render([booklet([front], [face], {key: File(data, 40, 40)})], INFO)
    assert quarters("L" if mode == "L" else "RGB").tobytes() in document
    assert letter_map(document) == letter_map(page_with(data))
