"""Faces -> pixels, by way of a PDF with one page for each face.

Everything that shows cards on a screen (PNG files, sheets for a virtual table, the preview) goes through here, so that
it shows exactly what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import pypdfium2
from PIL import Image as Pictures
from PIL import ImageDraw
from PIL.Image import Image
from pypdfium2 import raw

from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.sizes import Format
from duckpress.core.units import MM_PER_INCH, PT_PER_INCH
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.layout import Face, LaidOut
from duckpress.render import Booklet, DocumentInfo, Renderer
from duckpress.text.fonts import FontLibrary

_PAGES_AT_ONCE = 48  # in a document: each has its fonts cut, and holds all pictures that its pages show
_MOST_UNPACKED = 32_000_000  # bytes of pixels, of all pictures in a document that is made into pixels
_WHITE = (255, 255, 255, 255)


MAX_SIDE_PX = 12_000  # a picture of that side takes 400 MB while it is made; twice as much is beyond many machines


class FaceTooLarge(Exception):
    """A face that would have too many pixels: the words say which, and how many dots per inch it could have."""


def pixels_of(frame: Frame, dpi: float, *, has_bleed: bool) -> tuple[int, int]:
    """Return how many pixels a face has across and down, its bleed included or not."""
    box = frame.bleed_box if has_bleed else None
    width_mm, height_mm = (box.width_mm, box.height_mm) if box is not None else frame.trim
    return max(1, round(width_mm / MM_PER_INCH * dpi)), max(1, round(height_mm / MM_PER_INCH * dpi))


def refuse_large(faces: Sequence[Face], dpi: float, *, has_bleed: bool) -> None:
    """Raise `FaceTooLarge` where a face would have more than `MAX_SIDE_PX` pixels across or down."""
    for face in faces:
        side = max(pixels_of(face.front, dpi, has_bleed=has_bleed))
        if side > MAX_SIDE_PX:
            most = math.floor(dpi * MAX_SIDE_PX / side)
            raise FaceTooLarge(f"{face.deck} {face.card} would be {side} pixels wide or high: use at most {most} dpi")


def paint_frames(
    one: LaidOut, frames: Sequence[Frame], fonts: FontLibrary, dpi: float, *, has_bleed: bool
) -> Iterator[Image]:
    """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
    return FacePainter(fonts).pictures(one, frames, dpi, has_bleed=has_bleed)


class FacePainter:
    """Paints faces of a game; all that a piece is asked for is drawn by one renderer, which cuts its fonts once."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._renderers: dict[str, Renderer] = {}

    def pictures(self, one: LaidOut, frames: Iterable[Frame], dpi: float, *, has_bleed: bool) -> Iterator[Image]:
        """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
        frames = list(frames)
        renderer = self._renderers.get(one.piece.id)
        if renderer is None:
            renderer = self._renderers[one.piece.id] = Renderer(self._fonts)
            renderer.unpack(_small_pictures(one))
        for start in range(0, len(frames), _PAGES_AT_ONCE):
            yield from _painted(one, frames[start : start + _PAGES_AT_ONCE], renderer, dpi, has_bleed=has_bleed)


def pages_of(pdf: bytes, dpi: float) -> Iterator[Image]:
    """Yield the pages of a PDF as pictures."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield page.render(scale=dpi / PT_PER_INCH).to_pil().convert("RGB")
    finally:
        document.close()


def _small_pictures(one: LaidOut) -> list[str]:
    """Return the keys of pictures, the smallest first, whose pixels come to no more than a document may hold."""
    left, keys = _MOST_UNPACKED, []
    for size, key in sorted((4 * data.width_px * data.height_px, key) for key, data in one.pictures.items()):
        left -= size
        if left < 0:
            break
        keys.append(key)
    return keys


def _painted(
    one: LaidOut, frames: Sequence[Frame], renderer: Renderer, dpi: float, *, has_bleed: bool
) -> Iterator[Image]:
    sheets, sizes = [], []
    for number, frame in enumerate(frames, 1):
        size = pixels_of(frame, dpi, has_bleed=has_bleed)
        # The page is as large as its pixels and the face in its middle: not a row of pixels is half empty.
        paper = Size(*(side_px * MM_PER_INCH / dpi for side_px in size))
        left_mm, top_mm = (paper.width_mm - frame.trim.width_mm) / 2, (paper.height_mm - frame.trim.height_mm) / 2
        bleed_mm = frame.bleed_mm
        edges = Edges(bleed_mm, bleed_mm, bleed_mm, bleed_mm)
        placement = Placement(number - 1, False, left_mm, top_mm, 0, frame.hash, edges)
        sheets.append(Sheet(paper, Side((placement,), ()), None, number, len(frames)))
        sizes.append(size)
    booklet = Booklet("", tuple(sheets), {frame.hash: frame for frame in frames}, one.drawings, one.pictures)
    document = pypdfium2.PdfDocument(renderer.render([booklet], DocumentInfo(title="")))
    try:
        for page, size in zip(document, sizes, strict=True):
            canvas = pypdfium2.PdfBitmap.new_native(*size, raw.FPDFBitmap_BGRx, rev_byteorder=True)
            canvas.fill_rect(_WHITE, 0, 0, *size)
            raw.FPDF_RenderPageBitmap(canvas, page, 0, 0, *size, 0, raw.FPDF_REVERSE_BYTE_ORDER)
            page.close()
            yield canvas.to_pil().convert("RGB")
    finally:
        document.close()


_FINE = 4  # times as large as the picture, so that edges are smooth


def cut_out(picture: Image, format_: Format) -> Image:
    """Return a picture of a whole face, cut to the shape of its format; one of four square corners as it is."""
    if not (format_.is_round or format_.is_hex or format_.corner_mm):
        return picture
    shaped = picture.convert("RGBA")
    shaped.putalpha(_mask(picture.size, format_))
    return shaped


@lru_cache(maxsize=8)
def _mask(size: tuple[int, int], format_: Format) -> Image:
    """Return what shows of a picture of that size; it takes longer to make than many a card to paint."""
    width, height = size[0] * _FINE, size[1] * _FINE
    mask = Pictures.new("L", (width, height), 0)
    pen = ImageDraw.Draw(mask)
    box = (0, 0, width - 1, height - 1)
    if format_.is_round:
        pen.ellipse(box, fill=255)
    elif format_.is_hex:
        first = 0.0 if width >= height else 0.5  # a corner to the right, or one at the top
        corners = [math.pi / 3 * (number + first) for number in range(6)]
        reach = max(abs(math.cos(corner)) for corner in corners), max(abs(math.sin(corner)) for corner in corners)
        pen.polygon(
            [
                (width / 2 * (1 + math.cos(one) / reach[0]), height / 2 * (1 + math.sin(one) / reach[1]))
                for one in corners
            ],
            fill=255,
        )
    else:
        pen.rounded_rectangle(box, format_.corner_mm / format_.trim.width_mm * width, fill=255)
    return mask.resize(size, Pictures.Resampling.BOX)
