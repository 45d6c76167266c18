"""The files of an order, opened again and held against the cards: what a vendor prints is paid for before it is seen.

Each picture is held against the side of the card whose place it has, painted anew with few pixels. Where they differ,
it is painted once more with all of them: lines and letters as fine as a pixel turn out darker with few. Each process
unpacks one picture at a time. Not looked at is what lies beyond a face's own bleed, and a document's output intent.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from duckpress.art.bad_art import BadArt
from duckpress.art.picture_files import opened
from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.problems import MachineError, Problem, Source
from duckpress.core.units import PT_PER_INCH, PT_PER_MM
from duckpress.layout import Face
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts, shares
from duckpress.proof.expected import fault, proof_stopped
from duckpress.proof.opened import PAGE_KEYS, OpenedPdf, UnreadablePdf, opened_pdf, refuse_keys
from duckpress.proof.vendor_files.painted_side import is_shown, most_ink
from duckpress.vendors import Canvas, OrderKind, Vendor

if TYPE_CHECKING:
    from PIL.Image import Image

_LOW_DPI = 150
_PICTURES_A_PART = 24
_TOLERANCE_PT = 0.01
_BOXES = ("media", "bleed", "trim")
_KIND = ("/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Filter")
_IMAGE_KEYS = frozenset([*_KIND, "/Type", "/Subtype", "/Length"])


Paint = Callable[[Sequence[Frame], int], Iterator["Image"]]
"""Yields frames as pictures in RGB, with their bleed, at so many dots per inch."""


class Order(NamedTuple):
    """What is ordered of a deck: its cards, the size they are cut to, and what paints their sides."""

    vendor: Vendor
    canvas: Canvas
    deck: str
    title: str
    trim: Size
    faces: Sequence[Face]
    paint: Paint


class Shown(NamedTuple):
    """A place in the files, the side of a card that belongs there (None: a blank one), and the picture that is there.

    `picture` returns it; it raises `WrongOrderError` where it is not as the vendor wants it.
    """

    place: str
    side: str
    frame: Frame | None
    picture: Callable[[], Image]


class WrongOrderError(Exception):
    """Files that differ from what is ordered; the message is a sentence that says in what."""


def prove_order(files: Mapping[str, bytes], order: Order) -> list[Problem]:
    """Return the first thing in which the files of a deck's order differ from its cards, if there is one.

    Problems: `proof-order`, `proof-stopped`.
    """
    document = f"{order.deck}.pdf"
    try:
        if order.vendor.kind is OrderKind.PICTURES:
            _check_pictures(_in_files(files, order), order)
        elif set(files) != {document}:
            raise WrongOrderError(f"the order is {', '.join(sorted(files))}, not {document}")
        else:
            with opened_pdf(files[document]) as pdf:
                _check_pictures(_on_pages(pdf, order), order)
    except WrongOrderError as error:
        what = str(error)
    except (UnreadablePdf, BadArt, zlib.error, ElementTree.ParseError, ValueError) as error:
        what = f"a file of the order cannot be read back: {error}"
    except (MachineError, MemoryError):
        raise
    except Exception as error:
        return [proof_stopped(error, Source(f"{order.vendor.id}/{order.deck}"))]
    else:
        return []
    return [fault("proof-order", what)._replace(source=Source(f"{order.vendor.id}/{order.deck}"))]


def _check_pictures(places: Sequence[Shown], order: Order) -> None:
    """Raise `WrongOrderError` for the first picture that does not show its side of a card; all cores look at them."""
    parts = shares(len(places), -(-len(places) // _PICTURES_A_PART))
    found = in_parts(lambda at: _first_fault([places[number] for number in parts[at]], order), len(parts), jobs())
    for what in filter(None, found):
        raise WrongOrderError(what)


def _first_fault(places: Sequence[Shown], order: Order) -> str:
    """Return what is wrong with the first picture that is; empty for none."""
    low = order.paint([shown.frame for shown in places if shown.frame is not None], _LOW_DPI)
    for shown in places:
        try:
            picture = shown.picture()
        except WrongOrderError as error:
            return str(error)
        if shown.frame is None:
            is_right = picture.getbbox() is None
        else:
            is_right = _is_shown(picture, next(low), _LOW_DPI, order) or any(
                _is_shown(picture, painted, order.vendor.drawn_dpi, order)
                for painted in order.paint([shown.frame], order.vendor.drawn_dpi)
            )
        if not is_right:
            return f"{shown.place} does not show {shown.side} in its place and colours"
    return ""


def _is_shown(picture: Image, painted: Image, dpi: int, order: Order) -> bool:
    from PIL.Image import Transpose

    if (painted.width > painted.height) != (picture.width > picture.height):
        painted = painted.transpose(Transpose.ROTATE_90)
    return is_shown(picture, painted, dpi, order.vendor.drawn_dpi // dpi, _most_percent(order))


def _most_percent(order: Order) -> int:
    return order.vendor.ink_percent or 400


def _on_pages(pdf: OpenedPdf, order: Order) -> list[Shown]:
    """Return what is on the pages of a document: back and front of every copy; the same on several pages is once."""
    sides = [
        side
        for face in order.faces
        for _ in range(face.copies)
        for side in ((f"the back of card {face.card!r}", face.back), (f"the front of card {face.card!r}", face.front))
    ]
    if pdf.page_count != len(sides):
        raise WrongOrderError(f"the document has {pdf.page_count} pages, and its cards have {len(sides)} sides")
    if pdf.title != order.title:
        raise WrongOrderError(f"the document's title is {pdf.title!r}, not {order.title!r}")
    places: dict[tuple[object, str | None], Shown] = {}
    for number, (side, frame) in enumerate(sides, 1):
        place, page = f"page {number}", pdf.pages[number - 1]
        refuse_keys(page, PAGE_KEYS)
        for name, wanted in zip(_BOXES, _boxes(order), strict=True):
            box = tuple(map(float, page.get(f"/{name.title()}Box", ())))
            if not _is_about(box, wanted):
                raise WrongOrderError(f"{place}, for {side}, has the {name} box {box}, not {wanted}")
        image = _whole_image(page)
        if image is None:
            raise WrongOrderError(f"{place}, for {side}, is not one image over the whole page")
        read = partial(_inks, f"{place}, for {side},", image, order)
        places.setdefault((image.objgen, frame.hash if frame is not None else None), Shown(place, side, frame, read))
    return list(places.values())


def _boxes(order: Order) -> tuple[tuple[float, ...], ...]:
    """Return the media, bleed and trim boxes of every page."""
    canvas = order.canvas
    trim = sorted(order.trim, reverse=canvas.width_px > canvas.height_px)
    sheet = [side_px * PT_PER_INCH / order.vendor.dpi for side_px in (canvas.width_px, canvas.height_px)]
    around = [(side - inner_mm * PT_PER_MM) / 2 for side, inner_mm in zip(sheet, trim, strict=True)]
    inner = (*around, *(side - margin for side, margin in zip(sheet, around, strict=True)))
    return (0.0, 0.0, *sheet), (0.0, 0.0, *sheet), tuple(round(edge, 3) for edge in inner)


def _is_about(box: Sequence[float], wanted: Sequence[float]) -> bool:
    return len(box) == len(wanted) and all(abs(a - b) < _TOLERANCE_PT for a, b in zip(box, wanted, strict=True))


def _whole_image(page: Any) -> Any:
    """Return the image that fills a page; None where there is anything else."""
    match page.Contents.read_bytes().decode("latin-1").split():
        case ["q", width, "0", "0", height, "0", "0", "cm", name, "Do", "Q"]:
            fills = _is_about((float(width), float(height)), [*map(float, page.MediaBox)][2:])
            return page.Resources.XObject.get(name) if fills else None
    return None


def _inks(place: str, image: Any, order: Order) -> Image:
    """Return the pixels of an image in CMYK, with as much ink as is allowed."""
    from PIL import Image as Pictures

    width_px, height_px = _pixels(order)
    refuse_keys(image, _IMAGE_KEYS)
    kind = tuple(str(image.get(key)) for key in _KIND)
    if kind != (str(width_px), str(height_px), "/DeviceCMYK", "8", "/FlateDecode"):
        raise WrongOrderError(f"{place} has an image of the kind {kind}, not {width_px} x {height_px} pixels in CMYK")
    data = zlib.decompress(image.read_raw_bytes(), bufsize=width_px * height_px * 4)
    if len(data) != width_px * height_px * 4:
        raise WrongOrderError(f"{place} has an image with more or fewer pixels than it says")
    picture = Pictures.frombytes("CMYK", (width_px, height_px), data)
    percent = most_ink(picture) / 255 * 100
    if percent > _most_percent(order):
        raise WrongOrderError(
            f"{place} has {percent:.0f} % of ink at a pixel, and {_most_percent(order)} % are allowed"
        )
    return picture


def _pixels(order: Order) -> tuple[int, int]:
    times = order.vendor.drawn_dpi // order.vendor.dpi
    return order.canvas.width_px * times, order.canvas.height_px * times


def _in_files(files: Mapping[str, bytes], order: Order) -> list[Shown]:
    """Return what is in the files of an order in pictures; what several cards have in common is once."""
    sides = list(_by_slot(files, order) if order.vendor.id == "mpc" else _by_name(order))
    names = {name for name, _, _ in sides} | ({f"{order.deck}/cards.xml"} if order.vendor.id == "mpc" else set())
    for name in sorted(names ^ set(files)):
        raise WrongOrderError(f"the file {name!r} {'is of no card' if name in files else 'is not there'}")
    places = {
        (files[name], frame.hash): Shown(name, side, frame, partial(_rgb, name, files[name], order))
        for name, side, frame in sides
    }
    return list(places.values())


def _by_name(order: Order) -> Iterator[tuple[str, str, Frame]]:
    """Yield the file, the side and the frame of each side of a card, by names that tell how often it is printed."""
    backs = {face.back.hash for face in order.faces if face.back is not None}
    total = sum(face.copies for face in order.faces)
    for face in order.faces:
        yield f"{order.deck}/{face.card}[face,{face.copies}].png", f"the front of card {face.card!r}", face.front
        if face.back is not None:
            own = f"{face.card}[back,{face.copies}]"
            name = f"{order.deck}[back,{total}]" if len(backs) == 1 and len(order.faces) > 1 else own
            yield f"{order.deck}/{name}.png", f"the back of card {face.card!r}", face.back


def _by_slot(files: Mapping[str, bytes], order: Order) -> Iterator[tuple[str, str, Frame]]:
    """Yield the same by the slots of `cards.xml`, one for each copy of a card, in their order."""
    listed = ElementTree.fromstring(files.get(f"{order.deck}/cards.xml", b""))
    cards = [face for face in order.faces for _ in range(face.copies)]
    fronts, backs = dict(_slots(listed, "fronts")), dict(_slots(listed, "backs"))
    slots = [slot for slot, _ in _slots(listed, "fronts")]
    if (slots, listed.findtext("details/quantity")) != (list(range(len(cards))), str(len(cards))):
        raise WrongOrderError(f"cards.xml has slots for {len(slots)} cards that are not those of all {len(cards)}")
    for slot, face in enumerate(cards):
        yield f"{order.deck}/{fronts[slot]}", f"the front of card {face.card!r}", face.front
        if face.back is not None:
            name = backs.get(slot, listed.findtext("cardback"))
            yield f"{order.deck}/{name}", f"the back of card {face.card!r}", face.back


def _slots(listed: ElementTree.Element, side: str) -> list[tuple[int, str]]:
    """Return the slots of one side and the files in them, in order."""
    cards = listed.iterfind(f"{side}/card")
    return sorted(
        (int(slot), card.findtext("id", "")) for card in cards for slot in card.findtext("slots", "").split(",")
    )


def _rgb(name: str, data: bytes, order: Order) -> Image:
    """Return the pixels of a PNG."""
    with opened(name, data) as picture:
        dpi = tuple(round(side) for side in picture.info.get("dpi", ()))
        kind, wanted = (picture.format, picture.mode, picture.size, dpi), ("PNG", "RGB", _pixels(order))
        if kind != (*wanted, (order.vendor.dpi,) * 2):
            raise WrongOrderError(f"{name} is a picture of the kind {kind}, not {wanted} for {order.vendor.dpi} dpi")
        return picture
