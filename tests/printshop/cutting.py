"""A person with a printer and a knife, in software: prints a PDF to pictures, turns the sheets, cuts at the marks.

Nothing here knows how sheets are laid out. Marks are found by looking for short dark lines in the margins, as a person
does; what lies behind a place is found by turning the picture of the back over, as the sheet is turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
import zxingcpp
from PIL import Image, ImageChops, ImageDraw, ImageOps

from duckpress.core.printer_profile import Printer

DPI = 300
ALIKE = 0.01
"""In how many of their pixels two pictures of the same may differ, as a part of all."""
_PX_PER_MM = DPI / 25.4
_DARK = 110
_CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


class Cut(NamedTuple):
    """A card cut out: its face, and what is on its other side as the card is turned over left-right in the hand.

    `size_mm` is its size as it was cut.
    """

    face: Image.Image
    back: Image.Image | None
    size_mm: tuple[float, float]


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


def misprinted(side: Printed, printer: Printer, *, is_back: bool, turns_left_right: bool) -> Printed:
    """Return a page as a printer puts it on paper that prints lengths wrong and lets backs drift."""
    width, height = side.picture.size
    drift_x = printer.offset_x_mm * (-1 if turns_left_right else 1) * _PX_PER_MM if is_back else 0.0
    drift_y = printer.offset_y_mm * (1 if turns_left_right else -1) * _PX_PER_MM if is_back else 0.0
    across, along = printer.scale_x, printer.scale_y

    def moved(x: float, y: float) -> tuple[float, float]:
        return width / 2 + (x + drift_x - width / 2) * across, height / 2 + (y + drift_y - height / 2) * along

    # What comes to lie on the paper: a part of the page, or more than the page.
    source = (
        width / 2 * (1 - 1 / across) - drift_x, height / 2 * (1 - 1 / along) - drift_y,
        width / 2 * (1 + 1 / across) - drift_x, height / 2 * (1 + 1 / along) - drift_y,
    )  # fmt: skip
    around = math.ceil(max(0, -source[0], -source[1], source[2] - width, source[3] - height))
    picture = ImageOps.expand(side.picture, around, "white").resize(
        (width, height), Image.Resampling.BICUBIC, box=tuple(edge + around for edge in source)
    )
    left, top, right, bottom = side.trim
    return Printed(picture, (*moved(left, top), *moved(right, bottom)))


def cut_sheets(pdf: Path, width_mm: float, height_mm: float, printer: Printer | None = None) -> list[Cut]:
    """Print a file, turn each sheet as the file says, and cut out every card of a size; empty places are left out.

    It is printed by a true printer, or by one that prints as its profile says.
    """
    sides = printed(pdf)
    duplex = _duplex_of(pdf)
    if printer is not None:
        sides = [
            misprinted(
                side, printer, is_back=duplex is not None and at % 2 == 1,
                turns_left_right=(side.picture.width <= side.picture.height) is (duplex == "long"),
            )
            for at, side in enumerate(sides)
        ]  # fmt: skip
    step = 1 if duplex is None else 2
    found = []
    for number in range(0, len(sides), step):
        front = sides[number]
        back = sides[number + 1].picture if duplex is not None else None
        across, down = cuts_across(front)
        fold = fold_of(front.picture) if duplex is None else None
        if fold is not None and fold.is_upright:
            across = [place for place in across if place < fold.at - 1]
        elif fold is not None:
            down = [place for place in down if place < fold.at - 1]
        for size in {(width_mm, height_mm), (height_mm, width_mm)}:
            for y1, y2 in cells(down, size[1] * _PX_PER_MM):
                for x1, x2 in cells(across, size[0] * _PX_PER_MM):
                    face = _crop(front.picture, (x1, y1, x2, y2))
                    if is_blank(face):
                        continue
                    behind = None if back is None else _behind(back, (x1, y1, x2, y2), duplex)
                    if fold is not None:
                        behind = _folded_behind(front.picture, (x1, y1, x2, y2), fold)
                    cut_mm = ((x2 - x1) / _PX_PER_MM, (y2 - y1) / _PX_PER_MM)
                    if size != (width_mm, height_mm):
                        # It lies on its side, its top to the right. What one sees who turns the card over left-right is
                        # upside down to one who turns the sheet over left-right.
                        face = face.transpose(Image.Transpose.ROTATE_90)
                        behind = None if behind is None else behind.transpose(Image.Transpose.ROTATE_270)
                        cut_mm = cut_mm[::-1]
                    found.append(Cut(face, behind, cut_mm))
    return found


class Fold(NamedTuple):
    """A dashed line across a sheet: where it is, in pixels, and whether it is upright."""

    at: float
    is_upright: bool


def fold_of(picture: Image.Image) -> Fold | None:
    """Return the dashed line near the middle of a sheet along which it is to be folded; None where there is none."""
    dark = picture.convert("L").point(lambda value: 255 if value < _DARK else 0)
    for is_upright in (True, False):
        seen = dark if is_upright else dark.transpose(Image.Transpose.TRANSPOSE)
        first = round(seen.width * 0.45)
        strip = seen.crop((first, 0, round(seen.width * 0.55), seen.height))
        shares = list(strip.resize((strip.width, 1), Image.Resampling.BOX).tobytes())
        lines = _lines([int(90 < share < 215) for share in shares])
        alone = [place for place in lines if _is_alone(shares, place)]
        if alone:
            return Fold(first + alone[0], is_upright)
    return None


def _is_alone(shares: list[int], place: float) -> bool:
    """Return whether there is paper on both sides of a line, as far as two millimetres."""
    away = round(2 * _PX_PER_MM)
    beside = [*shares[max(0, round(place) - away) : round(place) - 3], *shares[round(place) + 4 : round(place) + away]]
    return max(beside, default=0) < 25


def _folded_behind(picture: Image.Image, box: tuple[float, float, float, float], fold: Fold) -> Image.Image:
    """Return what is behind a place once the sheet is folded back, upright as one sees it who turns the card over."""
    x1, y1, x2, y2 = box
    if fold.is_upright:
        return _crop(picture, (2 * fold.at - x2, y1, 2 * fold.at - x1, y2))
    # Folded back under its lower half, the sheet shows the back upside down to one who turns the card over left-right.
    return _crop(picture, (x1, 2 * fold.at - y2, x2, 2 * fold.at - y1)).transpose(Image.Transpose.ROTATE_180)


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
