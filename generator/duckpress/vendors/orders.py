"""The cards of one deck -> the files of an order: named, numbered and coloured to the vendor's rules.

For a press it is a PDF: CMYK by a profile, one picture a page, with trim and bleed boxes.

The profile is ISO Coated v2 300 % by basICColor (FOGRA39, under the zlib licence), which lies beside this file. It puts
up to 300 % on black; where less is allowed, cyan, magenta and yellow are thinned together and black is kept, so that
the hue stays. What is neutral grey in RGB is printed with black alone: a line of text in four inks shows every shift of
the press.

The file keeps the rules of PDF/X-1a:2003 (ISO 15930-4): PDF 1.4, CMYK alone, no transparency, fonts or layers, boxes on
every page, an output intent and the words in the document's information. No validator for PDF/X is free, so whether a
press agrees is for the press to say.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple, TypeVar
from xml.sax.saxutils import escape

from PIL import Image as Pictures
from PIL import ImageChops, ImageCms, ImageMath
from PIL.Image import Image

from duckpress.art.picture_files import quick_png
from duckpress.core.compression import deflated
from duckpress.core.geometry import MM_PER_INCH, PT_PER_MM, Size
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.render.bare_canvas import Resources, pdfdoc
from duckpress.render.pen import Pen
from duckpress.render.pictures import PictureInk, image_entries, image_stream
from duckpress.vendors.products import Canvas, OrderKind, Vendor

_PROFILE_NAME = "ISO Coated v2 300% (basICColor)"
_CONDITION = "FOGRA39"
_FILE = "ISOcoated_v2_300_bas.icc"
_NEUTRAL = 2  # how far red, green and blue may lie apart in a grey


@cache
def profile_bytes() -> bytes:
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
    """Return a picture in CMYK with limited ink: at most so many percent in all at any pixel (400 is everything)."""
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
    """Return the black ink that looks as light as an sRGB grey.

    Paper white and black ink span L* 95 to 16 on coated paper (ISO 12647-2); dots grow by about 15 % at the middle.
    """
    light = float((grey / 255) ** 2.2)
    black = float(1 - light ** (1 / 1.8))
    return min(255, max(0, round(255 * black)))


_BLACK_FOR_GREY = [_black_for(grey) for grey in range(256)]


def _limited(colours: tuple[Image, Image, Image], black: Image, most_percent: int) -> tuple[Image, Image, Image]:
    """Reduce the three colours together where all four exceed the limit."""
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
    """Return a picture in CMYK as a compressed image for a document."""
    return PictureInk(
        image_entries(*picture.size, "/DeviceCMYK", 8, Filter="/FlateDecode"), deflated(picture.tobytes())
    )


def press_pdf(title: str, pages: Sequence[str], pictures: Mapping[str, PictureInk], size: Size, trim: Size) -> bytes:
    """Return the document with a page for each key of a picture, stored once; the trim is in the page's middle.

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
    """Return the output intent of a document: its printing condition."""
    entries = pdfdoc.PDFDictionary({"N": 4, "Filter": "/FlateDecode"})
    profile = pdfdoc.PDFStream(entries, deflated(profile_bytes()))
    words = {
        "OutputConditionIdentifier": _CONDITION, "RegistryName": "http://www.color.org", "Info": _PROFILE_NAME
    }  # fmt: skip
    intent = {"Type": "/OutputIntent", "S": "/GTS_PDFX", **{key: pdfdoc.PDFString(text) for key, text in words.items()}}
    return pdfdoc.PDFDictionary({**intent, "DestOutputProfile": document.Reference(profile)})


_Paint = Callable[[], Image]
_Made = TypeVar("_Made")


class OrderCard(NamedTuple):
    """A card to order: its id, its copies, and what paints its sides; cards with equal `back_key` have the same back.

    The pictures are RGB, with the face's own bleed, at the vendor's `drawn_dpi`; `back` is None for a blank one.
    """

    card: str
    copies: int
    front: _Paint
    back: _Paint | None
    back_key: str | None


def order_files(
    vendor: Vendor, canvas: Canvas, deck: str, title: str, trim: Size, cards: Sequence[OrderCard]
) -> dict[str, bytes]:
    """Return the files of a deck's order: name (with a folder for the deck) -> bytes."""
    if vendor.kind is OrderKind.DOCUMENT:
        return {f"{deck}.pdf": _document(vendor, canvas, title, trim, cards)}
    sides, lists = _numbered(deck, title, cards) if vendor.kind is OrderKind.SLOTS else (_by_name(deck, cards), {})
    files = _made_of(sides, lambda face: quick_png(on_canvas(face, canvas.width_px, canvas.height_px), vendor.dpi))
    return {**files, **lists}


def _made_of(sides: Mapping[str, _Paint], make: Callable[[Image], _Made]) -> dict[str, _Made]:
    """Return the result of `make` for each picture, on all cores; results must be picklable."""
    paints = list(sides.values())
    return dict(zip(sides, in_parts(lambda at: make(paints[at]()), len(paints), jobs()), strict=True))


def _by_name(deck: str, cards: Sequence[OrderCard]) -> dict[str, _Paint]:
    """Return `<card>[face,N].png` and `<card>[back,N].png`, N being the copies; a shared back is one file."""
    backs = {one.back_key for one in cards}
    is_shared = len(backs) == 1 and len(cards) > 1
    files: dict[str, _Paint] = {}
    for one in cards:
        files[f"{deck}/{one.card}[face,{one.copies}].png"] = one.front
        if one.back is not None and not is_shared:
            files[f"{deck}/{one.card}[back,{one.copies}].png"] = one.back
    if is_shared and cards[0].back is not None:
        files[f"{deck}/{deck}[back,{sum(one.copies for one in cards)}].png"] = cards[0].back
    return files


def _numbered(deck: str, title: str, cards: Sequence[OrderCard]) -> tuple[dict[str, _Paint], dict[str, bytes]]:
    """Return `<nn>_<card>_front.png` and `_back.png`, in order, and `cards.xml`, which gives their slots."""
    files: dict[str, _Paint] = {}
    fronts, backs = [], []
    back_files: dict[str, str] = {}
    slot, width = 0, len(str(len(cards)))
    for number, one in enumerate(cards, 1):
        slots = range(slot, slot + one.copies)
        slot += one.copies
        name = f"{number:0{width}}_{one.card}_front.png"
        files[f"{deck}/{name}"] = one.front
        fronts.append((name, slots, one.card))
        if one.back is None or one.back_key is None:
            continue
        back = back_files.setdefault(one.back_key, f"{number:0{width}}_{one.card}_back.png")
        files.setdefault(f"{deck}/{back}", one.back)
        backs.append((back, slots, one.card))
    return files, {f"{deck}/cards.xml": _cards_xml(title, slot, fronts, backs)}


def _cards_xml(
    title: str, total: int, fronts: Iterable[tuple[str, range, str]], backs: Sequence[tuple[str, range, str]]
) -> bytes:
    # The community's ordering tool: quantity, bracket (the next size of order up), and the slots of every picture.
    brackets = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
    bracket = next((size for size in brackets if size >= total), total)

    def listed(rows: Iterable[tuple[str, range, str]]) -> str:
        return "".join(
            f"    <card><id>{escape(file)}</id><slots>{','.join(map(str, slots))}</slots><name>{escape(file)}</name>"
            f"<query>{escape(card)}</query></card>\n"
            for file, slots, card in rows
        )

    common = backs[0][0] if backs else ""
    text = (
        f"<!-- {escape(title)} -->\n<order>\n  <details><quantity>{total}</quantity><bracket>{bracket}</bracket>"
        "<stock>(S30) Standard Smooth</stock><foil>false</foil></details>\n"
        f"  <fronts>\n{listed(fronts)}  </fronts>\n"
        f"  <backs>\n{listed(row for row in backs if row[0] != common)}  </backs>\n"
        f"  <cardback>{escape(common)}</cardback>\n</order>\n"
    )
    return text.encode()


def _document(vendor: Vendor, canvas: Canvas, title: str, trim: Size, cards: Sequence[OrderCard]) -> bytes:
    """Return a PDF with the back and then the front of every card, repeated for each copy."""
    times = vendor.drawn_dpi // vendor.dpi
    pixels = canvas.width_px * times, canvas.height_px * times
    sides: dict[str, _Paint] = {}
    order: list[str] = []
    for one in cards:
        back, front = f"back {one.back_key}", f"front {one.card}"
        sides.setdefault(back, one.back or (lambda: Pictures.new("RGB", pixels, "white")))
        sides.setdefault(front, one.front)
        order += [back, front] * one.copies
    most = vendor.ink_percent or 400
    pictures = _made_of(sides, lambda face: press_picture(to_cmyk(on_canvas(face, *pixels), most)))
    size = Size(canvas.width_px / vendor.dpi * MM_PER_INCH, canvas.height_px / vendor.dpi * MM_PER_INCH)
    return press_pdf(title, order, pictures, size, trim)


def on_canvas(face: Image, width_px: int, height_px: int) -> Image:
    """Return the face centred on a canvas.

    A face with more bleed than the canvas has room for loses the rest; where it has less, its outermost pixels are
    repeated outwards. What is repeated lies beyond the cut by at least the face's own bleed.
    """
    left, top = (width_px - face.width) // 2, (height_px - face.height) // 2
    if left < 0 or top < 0:
        box = (max(0, -left), max(0, -top))
        face = face.crop((*box, min(face.width, box[0] + width_px), min(face.height, box[1] + height_px)))
        left, top = max(0, left), max(0, top)
    canvas = Pictures.new(face.mode, (width_px, height_px))
    right, bottom = left + face.width, top + face.height
    canvas.paste(face, (left, top))
    for x1, x2, at in ((0, left, left), (right, width_px, right - 1)):
        if x2 > x1:
            canvas.paste(canvas.crop((at, top, at + 1, bottom)).resize((x2 - x1, face.height)), (x1, top))
    for y1, y2, at in ((0, top, top), (bottom, height_px, bottom - 1)):
        if y2 > y1:
            canvas.paste(canvas.crop((0, at, width_px, at + 1)).resize((width_px, y2 - y1)), (0, y1))
    return canvas
