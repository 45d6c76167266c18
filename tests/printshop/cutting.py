"""A person with a printer and a knife, in software: prints a PDF to pictures, turns the sheets, cuts at the marks.

Nothing here knows how sheets are laid out. Marks are found by looking for short dark lines in the margins, as a person
does; what lies behind a place is found by turning the picture of the back over, as the sheet is turned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
import zxingcpp
from PIL import Image, ImageChops, ImageDraw

DPI = 300
ALIKE = 0.01
"""In how many of their pixels two pictures of the same may differ, as a part of all."""
_PX_PER_MM = DPI / 25.4
_DARK = 110
_CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Cut(NamedTuple):
    """A card cut out: its face, and what is on its other side as the card is turned over left-right in the hand."""

    face: Image.Image
    back: Image.Image | None


class Printed(NamedTuple):
    """One side of a sheet: the picture, and the box in pixels (left, top, right, bottom) of all that is to be cut."""

    picture: Image.Image
    trim: tuple[float, float, float, float]


def printed(pdf: Path) -> list[Printed]:
    """Return every page of a PDF as a printer puts it on paper."""
    document = pypdfium2.PdfDocument(pdf)
    pages = []
    for number in range(len(document)):
        page = document[number]
        height = page.get_height()
        left, bottom, right, top = page.get_trimbox()
        scale = DPI / 72
        picture = page.render(scale=scale).to_pil()
        assert picture.mode == "RGB"
        pages.append(Printed(picture, (left * scale, (height - top) * scale, right * scale, (height - bottom) * scale)))
    return pages


def cuts_across(side: Printed) -> tuple[list[float], list[float]]:
    """Return where the marks above and to the right of the cards say to cut: places across and down, in pixels."""
    grey = side.picture.convert("L")
    dark = grey.point(lambda value: 255 if value < _DARK else 0)
    for code in zxingcpp.read_barcodes(grey, formats=zxingcpp.BarcodeFormat.QRCode):
        corners = [(getattr(code.position, name).x, getattr(code.position, name).y) for name in _CORNERS]
        ImageDraw.Draw(dark).polygon(corners, fill=0, outline=0, width=8)  # nobody takes a code for a mark
    _, top, right, _ = (round(edge) for edge in side.trim)
    near = round(0.4 * _PX_PER_MM)  # the nearest a mark comes to a card
    far = round(10 * _PX_PER_MM)  # what stands higher is no mark: the first row is always filled
    above = dark.crop((0, max(0, top - far), dark.width, max(1, top - near)))
    beside = dark.crop((min(dark.width - 1, right + near), 0, dark.width, dark.height))
    return _lines(_runs(above, 0, 1).getprojection()[0]), _lines(_runs(beside, 1, 0).getprojection()[1])


def _runs(dark: Image.Image, dx: int, dy: int) -> Image.Image:
    """Return where eight dark pixels (0.68 mm) stand in a row in a direction."""
    for step in (1, 2, 4):
        dark = ImageChops.darker(
            dark, dark.crop((dx * step, dy * step, dark.width + dx * step, dark.height + dy * step))
        )
    return dark


def _lines(is_dark: list[int]) -> list[float]:
    """Return the middles of the stretches of up to four pixels: the marks; what is thicker is something else."""
    found = []
    start = None
    for place, here in enumerate([*is_dark, 0]):
        if here and start is None:
            start = place
        elif not here and start is not None:
            if place - start <= 4:
                found.append((start + place) / 2)
            start = None
    return found


def cells(cuts: list[float], wanted_px: float) -> Iterator[tuple[float, float]]:
    """Yield the stretches between neighbouring cuts that are as long as a card; the rest is waste."""
    for first, second in pairwise(cuts):
        if abs(second - first - wanted_px) < 0.02 * wanted_px:
            yield first, second


def cut_sheets(pdf: Path, width_mm: float, height_mm: float) -> list[Cut]:
    """Print a file, turn each sheet as the file says, and cut out every card of a size; empty places are left out."""
    sides = printed(pdf)
    duplex = _duplex_of(pdf)
    step = 1 if duplex is None else 2
    found = []
    for number in range(0, len(sides), step):
        front = sides[number]
        back = sides[number + 1].picture if duplex is not None else None
        across, down = cuts_across(front)
        for size in {(width_mm, height_mm), (height_mm, width_mm)}:
            for y1, y2 in cells(down, size[1] * _PX_PER_MM):
                for x1, x2 in cells(across, size[0] * _PX_PER_MM):
                    face = _crop(front.picture, (x1, y1, x2, y2))
                    if is_blank(face):
                        continue
                    behind = None if back is None else _behind(back, (x1, y1, x2, y2), duplex)
                    if size != (width_mm, height_mm):
                        # It lies on its side, its top to the right. What one sees who turns the card over left-right is
                        # upside down to one who turns the sheet over left-right.
                        face = face.transpose(Image.Transpose.ROTATE_90)
                        behind = None if behind is None else behind.transpose(Image.Transpose.ROTATE_270)
                    found.append(Cut(face, behind))
    return found


def _duplex_of(pdf: Path) -> str | None:
    with pikepdf.open(pdf) as document:
        said = str(document.Root.ViewerPreferences.Duplex)
    return {"/DuplexFlipLongEdge": "long", "/DuplexFlipShortEdge": "short"}.get(said)


def _behind(back: Image.Image, box: tuple[float, float, float, float], duplex: str | None) -> Image.Image:
    """Return what is behind a place of the front, upright as one sees it who turns the cut card over left-right."""
    width, height = back.size
    x1, y1, x2, y2 = box
    turns_left_right = (width <= height) is (duplex == "long")
    if turns_left_right:
        return _crop(back, (width - x2, y1, width - x1, y2))
    # Turned over its upper edge the sheet shows the back upside down to one who turns the card over left-right.
    return _crop(back, (x1, height - y2, x2, height - y1)).transpose(Image.Transpose.ROTATE_180)


def _crop(picture: Image.Image, box: tuple[float, float, float, float]) -> Image.Image:
    return picture.crop(tuple(round(edge) for edge in box))


def is_blank(picture: Image.Image) -> bool:
    """Return whether nothing was printed in a place but what reaches in from its neighbours."""
    margin = round(3 * _PX_PER_MM)
    inner = picture.crop((margin, margin, picture.width - margin, picture.height - margin))
    return bool(inner.convert("L").getextrema()[0] > 250)


def most_like(picture: Image.Image, wanted: Mapping[str, Image.Image]) -> tuple[str, float]:
    """Return the name of the picture that is most like another, and in how much they differ."""
    differences = {name: difference(picture, other) for name, other in wanted.items()}
    name = min(differences, key=differences.__getitem__)
    return name, differences[name]


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the part of the pixels in which two pictures differ clearly, at the best of nine shifts of one pixel.

    They are looked at until one is good enough for the same picture.
    """
    if max(abs(one.width - other.width), abs(one.height - other.height)) > 3:
        return 1.0
    if _differing(*(picture.resize((40, 40), Image.Resampling.BOX) for picture in (one, other))) > 0.3:
        return 1.0  # plainly another card
    width, height = min(one.width, other.width), min(one.height, other.height)
    inner = one.crop((2, 2, width - 2, height - 2))
    best = 1.0
    for dx, dy in sorted(product((-1, 0, 1), repeat=2), key=lambda shift: abs(shift[0]) + abs(shift[1])):
        best = min(best, _differing(inner, other.crop((2 + dx, 2 + dy, width - 2 + dx, height - 2 + dy))))
        if best < ALIKE:
            break
    return best


def _differing(one: Image.Image, other: Image.Image) -> float:
    bands = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(most.histogram()[61:]) / (most.width * most.height)
