"""RGB pictures -> a PDF for a press: CMYK by a profile, one picture a page, with trim and bleed boxes.

The profile is ISO Coated v2 300 % by basICColor (FOGRA39, under the zlib licence), which lies beside this file. It
puts up to 300 % on black; where less is allowed, cyan, magenta and yellow are thinned together and black is kept, so
that the hue stays. What is neutral grey in RGB is printed with black alone: a line of text in four inks shows every
shift of the press.

The file keeps the rules of PDF/X-1a:2003 (ISO 15930-4): PDF 1.4, CMYK alone, no transparency, fonts or layers, boxes
on every page, an output intent and the words in the document's information. No validator for PDF/X is free, so whether
a press agrees is for the press to say.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String
from PIL import Image as Pictures
from PIL import ImageChops, ImageCms, ImageMath
from PIL.Image import Image

from duckpress.core.compression import deflated
from duckpress.core.geometry import Size
from duckpress.core.units import PT_PER_MM

_PROFILE_NAME = "ISO Coated v2 300% (basICColor)"
_CONDITION = "FOGRA39"
_FILE = "ISOcoated_v2_300_bas.icc"
_NEUTRAL = 2  # how far red, green and blue may lie apart in a grey


@cache
def profile_bytes() -> bytes:
    """Return the profile's file."""
    return (resources.files("duckpress.vendors") / "profiles" / _FILE).read_bytes()


@cache
def _transform() -> Any:
    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        ImageCms.ImageCmsProfile(io.BytesIO(profile_bytes())),
        "RGB",
        "CMYK",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def to_cmyk(picture: Image, most_percent: int) -> Image:
    """Return a picture in CMYK with at most so much ink in all at any pixel (400 is everything)."""
    rgb = picture.convert("RGB")
    inks = ImageCms.applyTransform(rgb, _transform())
    assert inks is not None
    cyan, magenta, yellow, black = inks.split()
    red, green, blue = rgb.split()
    spread = ImageChops.subtract(
        ImageChops.lighter(ImageChops.lighter(red, green), blue), ImageChops.darker(ImageChops.darker(red, green), blue)
    )
    is_neutral = spread.point(lambda value: 255 if value <= _NEUTRAL else 0)
    none = Pictures.new("L", rgb.size, 0)
    cyan, magenta, yellow = (Pictures.composite(none, ink, is_neutral) for ink in (cyan, magenta, yellow))
    black = Pictures.composite(green.point(_BLACK_FOR_GREY), black, is_neutral)
    return Pictures.merge("CMYK", (*_limited((cyan, magenta, yellow), black, most_percent), black))


def _black_for(grey: int) -> int:
    """Return the black that looks as light as a grey of sRGB.

    Paper white and black ink span L* 95 to 16 on coated paper (ISO 12647-2); dots grow by about 15 % at the middle.
    """
    light = float((grey / 255) ** 2.2)
    black = float(1 - light ** (1 / 1.8))
    return min(255, max(0, round(255 * black)))


_BLACK_FOR_GREY = [_black_for(grey) for grey in range(256)]


def _limited(colours: tuple[Image, Image, Image], black: Image, most_percent: int) -> tuple[Image, Image, Image]:
    """Thin the three colours together where all four are more than allowed."""
    # A hair less than allowed: pixels of 8 bits, multiplied, may come out one too high in each colour.
    most = int(most_percent / 100 * 255) - 3
    bands = {key: band.convert("I") for key, band in zip("cmyk", (*colours, black), strict=True)}

    def kept(args: dict[str, Any]) -> Any:
        total = args["max"](args["c"] + args["m"] + args["y"], 1)
        room = args["max"](most - args["k"], 0)
        return args["convert"](args["min"](room * 255 / total, 255), "L")

    share: Image = ImageMath.lambda_eval(kept, **bands)
    if share.getextrema()[0] == 255:
        return colours
    cyan, magenta, yellow = (ImageChops.multiply(ink, share) for ink in colours)
    return cyan, magenta, yellow


class PressPicture(NamedTuple):
    """A picture in CMYK: its size in pixels, and these, deflated."""

    width_px: int
    height_px: int
    packed: bytes


def press_picture(picture: Image) -> PressPicture:
    """Return a picture in CMYK as it is stored in a document."""
    return PressPicture(*picture.size, deflated(picture.tobytes()))


def press_pdf(title: str, pages: Sequence[str], pictures: Mapping[str, PressPicture], size: Size, trim: Size) -> bytes:
    """Return the document with a page for each key of a picture, which is stored once; the trim is in its middle.

    The same pictures give the same bytes.
    """
    pdf = pikepdf.new()
    images = {
        key: pdf.make_indirect(
            Stream(
                pdf,
                picture.packed,
                Type=Name.XObject,
                Subtype=Name.Image,
                Width=picture.width_px,
                Height=picture.height_px,
                ColorSpace=Name.DeviceCMYK,
                BitsPerComponent=8,
                Filter=Name.FlateDecode,
            )
        )
        for key, picture in pictures.items()
    }
    width, height = (round(side_mm * PT_PER_MM, 4) for side_mm in size)
    left, bottom = (width - trim.width_mm * PT_PER_MM) / 2, (height - trim.height_mm * PT_PER_MM) / 2
    whole = Array([0, 0, width, height])
    for key in pages:
        page = Dictionary(
            Type=Name.Page,
            MediaBox=whole,
            BleedBox=whole,
            TrimBox=Array([round(edge, 4) for edge in (left, bottom, width - left, height - bottom)]),
            Resources=Dictionary(XObject=Dictionary(P=images[key])),
            Contents=pdf.make_indirect(Stream(pdf, f"q {width} 0 0 {height} 0 0 cm /P Do Q".encode())),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    profile = Stream(pdf, deflated(profile_bytes()), N=4, Filter=Name.FlateDecode)
    pdf.Root.OutputIntents = Array([
        Dictionary(
            Type=Name.OutputIntent,
            S=Name.GTS_PDFX,
            OutputConditionIdentifier=String(_CONDITION),
            RegistryName=String("http://www.color.org"),
            Info=String(_PROFILE_NAME),
            DestOutputProfile=pdf.make_indirect(profile),
        )
    ])  # fmt: skip
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Creator"] = "duckpress"
    pdf.docinfo["/Producer"] = "duckpress with pikepdf"
    pdf.docinfo["/GTS_PDFXVersion"] = "PDF/X-1a:2003"
    pdf.docinfo["/Trapped"] = Name("/False")
    # The standard wants dates; like all files of the program these carry no clock.
    pdf.docinfo["/CreationDate"] = pdf.docinfo["/ModDate"] = "D:20000101000000Z"
    out = io.BytesIO()
    pdf.save(
        out, force_version="1.4", deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=False,  # by qpdf's own zlib
    )  # fmt: skip
    return out.getvalue()
