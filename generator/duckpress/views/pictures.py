"""Faces -> pixels, by way of a PDF with one page for each face.

Everything that shows cards on a screen (PNG files, sheets for a virtual table, the preview) goes through here, so that
it shows exactly what is printed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from duckpress.art.quick_png import PngStrip, png_strip
from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.sizes import Format
from duckpress.core.units import MM_PER_INCH
from duckpress.fonts import FontLibrary
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.layout import LaidOut
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.render import Booklet, DocumentInfo, Renderer

if TYPE_CHECKING:
    from PIL.Image import Image

_Made = TypeVar("_Made")

_PAGES_AT_ONCE = 48  # in a document: each has its fonts cut, and holds all pictures that its pages show
_MOST_UNPACKED = 32_000_000  # bytes of pixels, of all pictures in a document that is made into pixels
_RGB = 3
_WHITE = (255, 255, 255, 255)


def pixels_of(frame: Frame, dpi: float, *, has_bleed: bool) -> tuple[int, int]:
    """Return how many pixels a face has across and down, its bleed included or not."""
    box = frame.bleed_box if has_bleed else None
    width_mm, height_mm = (box.width_mm, box.height_mm) if box is not None else frame.trim
    return max(1, round(width_mm / MM_PER_INCH * dpi)), max(1, round(height_mm / MM_PER_INCH * dpi))


def paint_frames(
    one: LaidOut, frames: Sequence[Frame], fonts: FontLibrary, dpi: float, *, has_bleed: bool
) -> Iterator[Image]:
    """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
    return FacePainter(fonts).pictures(one, frames, dpi, has_bleed=has_bleed)


class FacePage(NamedTuple):
    """A face on a page of an open document, to be drawn before the next one is asked for; its pixels, too."""

    page: Any  # of pypdfium2
    size: tuple[int, int]
    canvases: dict[tuple[int, int], Any]  # by their sizes: a new one costs as much as a tenth of drawing

    def image(self) -> Image:
        """Return it as a picture whose pixels are red, green, blue and a byte that says nothing.

        The next picture of its size takes its place.
        """
        import pypdfium2
        from pypdfium2 import raw

        canvas = self.canvases.get(self.size)
        if canvas is None:
            canvas = pypdfium2.PdfBitmap.new_native(*self.size, raw.FPDFBitmap_BGRx, rev_byteorder=True)
            self.canvases[self.size] = canvas
        canvas.fill_rect(_WHITE, 0, 0, *self.size)
        self.draw(canvas)
        picture: Image = canvas.to_pil()
        return picture

    def draw(self, canvas: Any) -> None:
        """Draw it on a white bitmap of its own size."""
        from pypdfium2 import raw

        size = canvas.width, canvas.height
        raw.FPDF_RenderPageBitmap(canvas, self.page, 0, 0, *size, 0, raw.FPDF_REVERSE_BYTE_ORDER)


class FaceStrip:
    """A strip with places for faces side by side, which are drawn straight in the rows of a PNG file."""

    def __init__(self, size: tuple[int, int], columns: int) -> None:
        import pypdfium2
        from pypdfium2 import raw

        self._size = size
        self._stride = size[0] * columns * _RGB + 1
        # A row more than there is, so that each place may count as high as all of it.
        self._whole = pypdfium2.PdfBitmap.new_native(
            size[0] * columns, size[1] + 1, raw.FPDFBitmap_BGR, rev_byteorder=True, stride=self._stride
        )
        # Filled as if each byte were a pixel: with three bytes to a pixel PDFium takes four times as long.
        self._bytes = pypdfium2.PdfBitmap.new_native(
            self._stride, size[1] + 1, raw.FPDFBitmap_Gray, buffer=self._whole.buffer, stride=self._stride
        )

    def clear(self) -> None:
        """Make all of it white."""
        self._bytes.fill_rect(_WHITE, 0, 0, self._stride, self._size[1] + 1)

    def place(self, column: int) -> Any:
        """Return the bitmap of a place: a face drawn there has the pixels that it would have alone."""
        import pypdfium2
        from pypdfium2 import raw

        buffer = self._whole.buffer
        part = (buffer._type_ * (self._stride * self._size[1])).from_buffer(buffer, column * self._size[0] * _RGB)
        return pypdfium2.PdfBitmap.new_native(
            *self._size, raw.FPDFBitmap_BGR, rev_byteorder=True, buffer=part, stride=self._stride
        )

    def packed(self) -> PngStrip:
        """Return what was drawn."""
        return png_strip(memoryview(self._whole.buffer).cast("B")[: self._stride * self._size[1]], self._stride)


class FacePainter:
    """Paints frames of several pieces; what faces of a piece share is drawn once."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._renderers: dict[str, Renderer] = {}
        self._strip: tuple[object, FaceStrip] | None = None

    def pages(self, one: LaidOut, frames: Iterable[Frame], dpi: float, *, has_bleed: bool) -> Iterator[FacePage]:
        """Yield frames of a piece, in order, each as large as `pixels_of` says."""
        frames = list(frames)
        renderer = self._renderers.get(one.piece.id)
        if renderer is None:
            renderer = self._renderers[one.piece.id] = Renderer(self._fonts)
            renderer.unpack(_small_pictures(one))
        for start in range(0, len(frames), _PAGES_AT_ONCE):
            yield from _pages(one, frames[start : start + _PAGES_AT_ONCE], renderer, dpi, has_bleed=has_bleed)

    def strip(self, size: tuple[int, int], columns: int) -> FaceStrip:
        """Return a white strip; the next one takes its place, as a new one costs as much as a tenth of drawing."""
        if self._strip is None or self._strip[0] != (size, columns):
            self._strip = (size, columns), FaceStrip(size, columns)
        self._strip[1].clear()
        return self._strip[1]

    def pictures(self, one: LaidOut, frames: Iterable[Frame], dpi: float, *, has_bleed: bool) -> Iterator[Image]:
        """Yield frames of a piece as pictures, in order, each exactly as large as `pixels_of` says."""
        return (page.image().convert("RGB") for page in self.pages(one, frames, dpi, has_bleed=has_bleed))

    def made_of_pictures(
        self, sides: Sequence[tuple[LaidOut, Frame]], dpi: float, make: Callable[[int, Image], _Made]
    ) -> list[_Made]:
        """Return what is made of the picture of each side without bleed, by all cores: it has to be picklable.

        `make` takes the number of the side, too. Sides of a piece that follow each other are painted together.
        """
        runs = [list(run) for _, run in groupby(range(len(sides)), key=lambda number: id(sides[number][0]))]
        parts = [run[start : start + _PAGES_AT_ONCE] for run in runs for start in range(0, len(run), _PAGES_AT_ONCE)]

        def part(at: int) -> list[_Made]:
            frames = [sides[number][1] for number in parts[at]]
            pictures = self.pictures(sides[parts[at][0]][0], frames, dpi, has_bleed=False)
            return [make(number, picture) for number, picture in zip(parts[at], pictures, strict=True)]

        return [one for some in in_parts(part, len(parts), jobs()) for one in some]


def _small_pictures(one: LaidOut) -> list[str]:
    """Return the keys of pictures, the smallest first, whose pixels come to no more than a document may hold."""
    left, keys = _MOST_UNPACKED, []
    for size, key in sorted((4 * data.width_px * data.height_px, key) for key, data in one.pictures.items()):
        left -= size
        if left < 0:
            break
        keys.append(key)
    return keys


def _pages(
    one: LaidOut, frames: Sequence[Frame], renderer: Renderer, dpi: float, *, has_bleed: bool
) -> Iterator[FacePage]:
    import pypdfium2

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
    canvases: dict[tuple[int, int], Any] = {}
    try:
        for page, size in zip(document, sizes, strict=True):
            yield FacePage(page, size, canvases)
            page.close()
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
    from PIL import Image as Pictures
    from PIL import ImageDraw

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
