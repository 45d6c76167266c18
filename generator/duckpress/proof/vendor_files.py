"""The files of an order, opened again and compared with the cards: a vendor's print is paid for before it is seen.

Each picture is held, pixel by pixel, against the side of the card whose place it has, painted anew. Each process
unpacks one at a time. Not looked at is what lies beyond a face's own bleed, how colours become inks, which is the
business of the tests, and a document's output intent.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from duckpress.art import BadArt
from duckpress.art.picture_files import opened
from duckpress.core.frame import Frame
from duckpress.core.geometry import PT_PER_INCH, PT_PER_MM, Matrix, Rect, Size
from duckpress.core.problems import MachineError, Problem, Source
from duckpress.layout import Face
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts, shares
from duckpress.proof.expected import fault, proof_stopped
from duckpress.proof.opened import OpenedPdf, PageRead, UnreadablePdf, opened_pdf
from duckpress.vendors import Canvas, OrderKind, Vendor, to_cmyk

if TYPE_CHECKING:
    from PIL.Image import Image

_PICTURES_A_PART = 24
_TOLERANCE_PT = 0.01
_KIND = ("/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Filter")
_IMAGE_KEYS = frozenset([*_KIND, "/Type", "/Subtype", "/Length"])
Paint = Callable[[Sequence[Frame], int], Iterator["Image"]]
"""Yields frames as pictures in RGB, with their bleed, at so many dots per inch."""


class Order(NamedTuple):
    """The ordered cards of a deck, their trim, and what paints their sides."""

    vendor: Vendor
    canvas: Canvas
    deck: str
    title: str
    trim: Size
    faces: Sequence[Face]
    paint: Paint

    @property
    def pixels(self) -> tuple[int, int]:
        """The width and height of every picture in pixels."""
        times = self.vendor.drawn_dpi // self.vendor.dpi
        return self.canvas.width_px * times, self.canvas.height_px * times

    @property
    def most_percent(self) -> int:
        return self.vendor.ink_percent or 400


class Shown(NamedTuple):
    """A place in the files, its expected side of a card (None: a blank one), and the picture found there.

    `picture` returns it; it raises `WrongOrderError` where it is not as the vendor wants it.
    """

    place: str
    side: str
    frame: Frame | None
    picture: Callable[[], Image]


class WrongOrderError(Exception):
    """Files that differ from the order; the message is a sentence with the difference."""


def prove_order(files: Mapping[str, bytes], order: Order) -> list[Problem]:
    """Return the first difference between the files of a deck's order and its cards, if there is one.

    Problems: `proof-order`, `proof-stopped`.
    """
    document, source = f"{order.deck}.pdf", Source(f"{order.vendor.id}/{order.deck}")
    try:
        if order.vendor.kind is not OrderKind.DOCUMENT:
            _check_pictures(_in_files(files, order), order)
        elif set(files) != {document}:
            raise WrongOrderError(f"the order is {', '.join(sorted(files))}, not {document}")
        else:
            with opened_pdf(files[document]) as pdf:
                _check_pictures(_on_pages(pdf, order), order)
    except WrongOrderError as error:
        return [fault("proof-order", str(error), source)]
    except (UnreadablePdf, BadArt, zlib.error, ElementTree.ParseError, ValueError) as error:
        return [fault("proof-order", f"a file of the order cannot be read back: {error}", source)]
    except (MachineError, MemoryError):
        raise
    except Exception as error:
        return [proof_stopped(error, source)]
    return []


def _check_pictures(places: Sequence[Shown], order: Order) -> None:
    """Raise `WrongOrderError` for the first picture that does not show its side of a card; uses all cores."""
    parts = shares(len(places), -(-len(places) // _PICTURES_A_PART))
    for what in in_parts(lambda at: _first_fault([places[number] for number in parts[at]], order), len(parts), jobs()):
        if what:
            raise WrongOrderError(what)


def _first_fault(places: Sequence[Shown], order: Order) -> str:
    """Return the mistake of the first wrong picture; empty if all are right."""
    painted = order.paint([shown.frame for shown in places if shown.frame is not None], order.vendor.drawn_dpi)
    for shown in places:
        try:
            picture = shown.picture()
        except WrongOrderError as error:
            return str(error)
        is_right = picture.getbbox() is None if shown.frame is None else _shows(picture, next(painted), order)
        if not is_right:
            return f"{shown.place} does not show {shown.side} in its place and colours"
    return ""


def _shows(picture: Image, painted: Image, order: Order) -> bool:
    """Return whether a picture shows a side of a card in its middle, in the area that both have."""
    from PIL import ImageChops
    from PIL.Image import Transpose

    if (painted.width > painted.height) != (picture.width > picture.height):
        painted = painted.transpose(Transpose.ROTATE_90)
    wanted = picture.copy()
    left, top = ((whole - part) // 2 for whole, part in zip(picture.size, painted.size, strict=True))
    wanted.paste(to_cmyk(painted, order.most_percent) if picture.mode == "CMYK" else painted, (left, top))
    return ImageChops.difference(picture, wanted).getbbox() is None


def _on_pages(pdf: OpenedPdf, order: Order) -> list[Shown]:
    """Return the pages of a document, back and front of every copy; repeated pages count once."""
    sides = [
        (f"the {side} of card {face.card!r}", frame)
        for face in order.faces
        for side, frame in (("back", face.back), ("front", face.front)) * face.copies
    ]
    if pdf.page_count != len(sides):
        raise WrongOrderError(f"the document has {pdf.page_count} pages, and its cards have {len(sides)} sides")
    if pdf.title != order.title:
        raise WrongOrderError(f"the document's title is {pdf.title!r}, not {order.title!r}")
    places: dict[tuple[int, str | None], Shown] = {}
    for number, (side, frame) in enumerate(sides, 1):
        page, place = pdf.page(number - 1), f"page {number}, for {side},"
        for name, box, wanted in zip(("media", "trim", "bleed"), page[:3], _boxes(order), strict=True):
            if not _is_about(box.edges, wanted.edges):
                raise WrongOrderError(f"{place} has the {name} box {box.edges}, not {wanted.edges}")
        at = _whole_image(page)
        if at is None:
            raise WrongOrderError(f"{place} is not one image over the whole page")
        shown = Shown(f"page {number}", side, frame, partial(_inks, place, pdf.thing(at), order))
        places.setdefault((at, frame.hash if frame is not None else None), shown)
    return list(places.values())


def _boxes(order: Order) -> tuple[Rect, Rect, Rect]:
    """Return the boxes of every page: its paper, its trim in the middle, and for the bleed the paper again."""
    sides = (order.canvas.width_px, order.canvas.height_px)
    width, height = (side_px * PT_PER_INCH / order.vendor.dpi for side_px in sides)
    across, down = (side_mm * PT_PER_MM for side_mm in sorted(order.trim, reverse=width > height))
    paper = Rect(0.0, 0.0, width, height)
    return paper, Rect((width - across) / 2, (height - down) / 2, across, down), paper


def _is_about(numbers: Sequence[float], wanted: Sequence[float]) -> bool:
    return all(abs(a - b) < _TOLERANCE_PT for a, b in zip(numbers, wanted, strict=True))


def _whole_image(page: PageRead) -> int | None:
    """Return the number of the image that fills a page; None for any other content."""
    words = page.stream.content.split()
    # The unit and the direction of the axes, how corners of lines are cut, the image's place.
    if len(words) != 20 or [words[at] for at in (6, 8, 9, 16, 18, 19)] != ["cm", "M", "q", "cm", "Do", "Q"]:
        return None
    page_axes, image_axes = (Matrix(*map(float, numbers)) for numbers in (words[:6], words[10:16]))
    fills = _is_about(page_axes.after(image_axes), (page.media.width_mm, 0, 0, page.media.height_mm, 0, 0))
    return page.stream.resources.things.get(words[17][1:]) if fills else None


def _inks(place: str, image: Any, order: Order) -> Image:
    """Return the pixels of an image in CMYK. Raises `WrongOrderError` for another kind, or too much ink."""
    from PIL import Image as Pictures

    width_px, height_px = order.pixels
    kind = tuple(str(image.get(key)) for key in _KIND)
    if kind != (str(width_px), str(height_px), "/DeviceCMYK", "8", "/FlateDecode") or image.keys() - _IMAGE_KEYS:
        raise WrongOrderError(f"{place} has an image of the kind {kind}, not {width_px} x {height_px} pixels in CMYK")
    data = zlib.decompress(image.read_raw_bytes(), bufsize=width_px * height_px * 4)
    if len(data) != width_px * height_px * 4:
        raise WrongOrderError(f"{place} has an image with more or fewer pixels than it says")
    picture = Pictures.frombytes("CMYK", (width_px, height_px), data)
    ink = Pictures.frombytes("L", (width_px * 4, height_px), data).reduce((4, 1))  # the mean of four, rounded
    percent = (4 * max(level for level, count in enumerate(ink.histogram()) if count) - 2) / 255 * 100
    if percent > order.most_percent:
        raise WrongOrderError(f"{place} has {percent:.0f} % of ink at a pixel, and {order.most_percent} % are allowed")
    return picture


def _in_files(files: Mapping[str, bytes], order: Order) -> list[Shown]:
    """Return the picture files of an order; files shared by several cards count once."""
    is_listed = order.vendor.kind is OrderKind.SLOTS
    sides = list(_by_slot(files, order) if is_listed else _by_name(order))
    names = {name for name, _, _ in sides} | ({f"{order.deck}/cards.xml"} if is_listed else set())
    for name in sorted(names ^ set(files)):
        raise WrongOrderError(f"the file {name!r} {'is of no card' if name in files else 'is not there'}")
    places = {
        (files[name], frame.hash): Shown(name, side, frame, partial(_rgb, name, files[name], order))
        for name, side, frame in sides
    }
    return list(places.values())


def _by_name(order: Order) -> Iterator[tuple[str, str, Frame]]:
    """Yield the file, the words and the frame of each side of a card; file names contain the copies."""
    backs = {face.back.hash for face in order.faces if face.back is not None}
    total = sum(face.copies for face in order.faces)
    for face in order.faces:
        yield f"{order.deck}/{face.card}[face,{face.copies}].png", f"the front of card {face.card!r}", face.front
        if face.back is not None:
            is_shared = len(backs) == 1 and len(order.faces) > 1
            name = f"{order.deck}[back,{total}]" if is_shared else f"{face.card}[back,{face.copies}]"
            yield f"{order.deck}/{name}.png", f"the back of card {face.card!r}", face.back


def _by_slot(files: Mapping[str, bytes], order: Order) -> Iterator[tuple[str, str, Frame]]:
    """Yield the same from the slots of `cards.xml`, one for each copy of a card, in their order."""
    listed = ElementTree.fromstring(files.get(f"{order.deck}/cards.xml", b""))
    cards = [face for face in order.faces for _ in range(face.copies)]
    fronts, backs = (
        sorted(
            (int(slot), card.findtext("id", ""))
            for card in listed.iterfind(f"{side}/card")
            for slot in card.findtext("slots", "").split(",")
        )
        for side in ("fronts", "backs")
    )
    slots = [slot for slot, _ in fronts]
    if (slots, listed.findtext("details/quantity")) != ([*range(len(cards))], str(len(cards))):
        raise WrongOrderError(f"cards.xml has slots for {len(slots)} cards that are not those of all {len(cards)}")
    for (slot, name), face in zip(fronts, cards, strict=True):
        yield f"{order.deck}/{name}", f"the front of card {face.card!r}", face.front
        if face.back is not None:
            name = dict(backs).get(slot, listed.findtext("cardback", ""))
            yield f"{order.deck}/{name}", f"the back of card {face.card!r}", face.back


def _rgb(name: str, data: bytes, order: Order) -> Image:
    with opened(name, data) as picture:
        dpi = tuple(round(side) for side in picture.info.get("dpi", ()))
        kind, wanted = (picture.format, picture.mode, picture.size, dpi), ("PNG", "RGB", order.pixels)
        if kind != (*wanted, (order.vendor.dpi,) * 2):
            raise WrongOrderError(f"{name} is a picture of the kind {kind}, not {wanted} for {order.vendor.dpi} dpi")
        return picture
