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
from typing import Any

from PIL import Image as Pictures
from PIL import ImageChops, ImageCms, ImageMath
from PIL.Image import Image

from duckpress.core.compression import deflated
from duckpress.core.geometry import PT_PER_MM, Size
from duckpress.render.bare_canvas import Resources, pdfdoc
from duckpress.render.pen import Pen
from duckpress.render.pictures import PictureInk, image_entries, image_stream

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


def press_picture(picture: Image) -> PictureInk:
    """Return a picture in CMYK as it is stored in a document."""
    return PictureInk(
        image_entries(*picture.size, "/DeviceCMYK", 8, Filter="/FlateDecode"), deflated(picture.tobytes())
    )


def press_pdf(title: str, pages: Sequence[str], pictures: Mapping[str, PictureInk], size: Size, trim: Size) -> bytes:
    """Return the document with a page for each key of a picture, which is stored once; the trim is in its middle.

    The same pictures give the same bytes.
    """
    pen = Pen(version=(1, 4))
    names = {key: f"P-{number}" for number, key in enumerate(pictures, 1)}
    resources = {}
    for key, picture in pictures.items():
        pen.document.addForm(names[key], image_stream(picture))
        image = pdfdoc.PDFObjectReference(pen.document.getXObjectName(names[key]))
        resources[key] = pen.document.Reference(Resources({image.name: image}))
        pen.document.updateSignature(picture.data)
    (width_mm, height_mm), width, height = size, size.width_mm * PT_PER_MM, size.height_mm * PT_PER_MM
    left, bottom = (width - trim.width_mm * PT_PER_MM) / 2, (height - trim.height_mm * PT_PER_MM) / 2
    pen.setPageSize((width, height))
    pen.setBleedBox((0, 0, width, height))
    pen.setTrimBox((left, bottom, width - left, height - bottom))
    for key in pages:
        pen.place(names[key], (width_mm, 0, 0, -height_mm, 0, height_mm))
        pen.showPage()
        page, code = pen.pages[-1]
        page.Resources = resources[key]
        pen.document.updateSignature(code)
    pen.enter("OutputIntents", pdfdoc.PDFArray([_intent(pen.document)]))
    pen.setTitle(title)
    pen.setAuthor("")
    pen.setSubject("")
    pen.setCreator("duckpress")
    pen.setProducer("duckpress with ReportLab")
    # The standard wants dates; like all files of the program these carry no clock.
    never = pdfdoc.PDFString("D:20000101000000Z")
    version = pdfdoc.PDFString("PDF/X-1a:2003")
    pen.document.info.more = {"CreationDate": never, "ModDate": never, "GTS_PDFXVersion": version}
    return bytes(pen.getpdfdata())


def _intent(document: pdfdoc.PDFDocument) -> pdfdoc.PDFDictionary:
    """Return what the document says of the press that it is for."""
    entries = pdfdoc.PDFDictionary({"N": 4, "Filter": "/FlateDecode"})
    profile = pdfdoc.PDFStream(entries, deflated(profile_bytes()))
    return pdfdoc.PDFDictionary(
        {
            "Type": "/OutputIntent",
            "S": "/GTS_PDFX",
            "OutputConditionIdentifier": pdfdoc.PDFString(_CONDITION),
            "RegistryName": pdfdoc.PDFString("http://www.color.org"),
            "Info": pdfdoc.PDFString(_PROFILE_NAME),
            "DestOutputProfile": document.Reference(profile),
        }
    )
