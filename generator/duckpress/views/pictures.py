"""Faces -> pixels, through a PDF with one page for each face.

Everything that shows cards on a screen (PNG files, sheets for a virtual table, the preview) goes through here, so that
it shows exactly what is printed.

Files are made by all cores, of what is new only, straight into the folder where they will lie. A file is known by the
hashes of the faces that it shows, and by what is done with them. Where an earlier run made the same, and the file still
lies there as it was written, it stays. The cache has the hash of each file that was made; the pictures themselves lie
in the output alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import groupby
from typing import NamedTuple, TypeVar

import pypdfium2
from msgspec import Struct
from PIL import Image as Pictures
from PIL import ImageDraw
from PIL.Image import Image
from pypdfium2 import raw

from duckpress.art.picture_files import quick_png
from duckpress.core.frame import Frame
from duckpress.core.geometry import MM_PER_INCH, PT_PER_INCH, Size
from duckpress.core.sizes import Format
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.layout import Face, LaidOut
from duckpress.pool import jobs
from duckpress.pool.parallel import in_parts
from duckpress.press.build_cache import BuildCache, MadeFile
from duckpress.render import Booklet, DocumentInfo, Renderer
from duckpress.store import OutputFolder, is_as_written
from duckpress.store.manifest import digest
from duckpress.text.fonts import FontLibrary

_Made = TypeVar("_Made")
_FACES_A_PART = 48
_MOST_SCREEN_PX = 1600  # of a picture on a page: boards are shown smaller than cards
# Colours have half the pixels that lightness has: two thirds of the time and 0.94 of the bytes of all colours at 88.
_QUALITY, _COLOURS = 92, "4:2:0"


class PaintedFile(Struct, frozen=True):
    """A file with faces of a piece row by row, each in the same number of pixels: a PNG, or one face's JPEG.

    None among the frames leaves a place white.
    """

    laid_out: LaidOut
    frames: tuple[Frame | None, ...]
    dpi: float
    size: tuple[int, int]
    columns: int = 1
    has_bleed: bool = False
    is_jpeg: bool = False

    @property
    def key(self) -> str:
        """Return the file's cache key: a hash of all inputs of its pixels except the program."""
        facts = repr((self.dpi, self.size, self.columns, self.has_bleed, self.is_jpeg and _QUALITY))
        rows = [self.frames[start : start + self.columns] for start in range(0, len(self.frames), self.columns)]
        return _digest(*(_digest(facts, *(frame.hash if frame is not None else "" for frame in row)) for row in rows))

    @property
    def painted(self) -> list[Frame]:
        return [frame for frame in self.frames if frame is not None]

    def data(self, pictures: Iterator[Image]) -> bytes:
        """Return the file's bytes, from the pictures of its `painted` faces."""
        if self.is_jpeg:
            data = BytesIO()
            next(pictures).save(data, "JPEG", quality=_QUALITY, subsampling=_COLOURS)
            return data.getvalue()
        if len(self.frames) == 1:
            (frame,) = self.frames
            return quick_png(next(pictures) if frame is not None else Pictures.new("RGB", self.size, "white"), self.dpi)
        (width, height), rows = self.size, -(-len(self.frames) // self.columns)
        sheet = Pictures.new("RGB", (width * self.columns, height * rows), "white")
        for place, frame in enumerate(self.frames):
            if frame is not None:
                sheet.paste(next(pictures), (place % self.columns * width, place // self.columns * height))
        return quick_png(sheet, self.dpi, height)

    def made(self, painter: FacePainter) -> bytes:
        return self.data(painter.pictures(self.laid_out, self.painted, self.dpi, has_bleed=self.has_bleed))


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


def face_file(laid_out: LaidOut, frame: Frame, dpi: float, *, has_bleed: bool = False) -> PaintedFile:
    return PaintedFile(laid_out, (frame,), dpi, pixels_of(frame, dpi, has_bleed=has_bleed), has_bleed=has_bleed)


def screen_file(laid_out: LaidOut, frame: Frame, dpi: float) -> PaintedFile:
    """Return the unmade JPEG of one face for a screen, its bleed included; a large face has a lower resolution."""
    dpi = min(dpi, _MOST_SCREEN_PX * MM_PER_INCH / max(frame.bleed_box[2:]))
    size = pixels_of(frame, dpi, has_bleed=True)
    return PaintedFile(laid_out, (frame,), dpi, size, has_bleed=True, is_jpeg=True)


class PictureSet(NamedTuple):
    """The files by their names, and the new ones among them, which are staged for the folder's next change."""

    files: Mapping[str, MadeFile]
    staged: tuple[str, ...]


def paint_files(
    target: OutputFolder, inner: str, files: Mapping[str, PaintedFile], fonts: FontLibrary, store: BuildCache | None
) -> PictureSet:
    """Make the files that are missing or outdated in the folder `inner` of the outputs."""
    folder = target.folder / inner
    known = store.made(str(folder)) if store is not None else {}
    facts = {
        name: before
        for name, file in files.items()
        if (before := known.get(name)) is not None and before.key == file.key
        if is_as_written(folder, name, before.sha256)
    }
    new = {name: file for name, file in files.items() if name not in facts}

    def stage(part: Mapping[str, PaintedFile], pictures: Iterator[Image]) -> list[MadeFile]:
        data = {name: file.data(pictures) for name, file in part.items()}
        target.stage({f"{inner}/{name}": one for name, one in data.items()})  # together: the disk is waited for once
        return [MadeFile(digest(one), len(one), part[name].key) for name, one in data.items()]

    facts |= made_of_pictures(new, fonts, stage)
    painted = {name: facts[name] for name in files}
    if store is not None:
        store.store_made(str(folder), painted)
    return PictureSet(painted, tuple(new))


def made_of_pictures(
    files: Mapping[str, PaintedFile], fonts: FontLibrary,
    make: Callable[[Mapping[str, PaintedFile], Iterator[Image]], list[_Made]],
) -> dict[str, _Made]:  # fmt: skip
    """Return the result of each file, on all cores; results must be picklable.

    `make` is given some files and the pictures for all of them, and returns what it makes of each.
    """
    parts = list(_parts(files))
    painter = FacePainter(fonts)

    def make_part(number: int) -> list[_Made]:
        part = {name: files[name] for name in parts[number]}
        first = next(iter(part.values()))
        frames = [frame for file in part.values() for frame in file.painted]
        return make(part, painter.pictures(first.laid_out, frames, first.dpi, has_bleed=first.has_bleed))

    results = in_parts(make_part, len(parts), jobs())
    return {name: one for part, some in zip(parts, results, strict=True) for name, one in zip(part, some, strict=True)}


def _parts(files: Mapping[str, PaintedFile]) -> Iterator[list[str]]:
    """Yield the names of files that are made together: of one piece, at one resolution, of limited size."""
    for _, group in groupby(files.items(), key=lambda one: (id(one[1].laid_out), one[1].dpi, one[1].has_bleed)):
        part: list[str] = []
        faces = 0
        for name, file in group:
            part.append(name)
            faces += len(file.frames)
            if faces >= _FACES_A_PART:
                yield part
                part, faces = [], 0
        if part:
            yield part


_PAGES_AT_ONCE = 48  # in a document: each has its fonts cut, and holds all pictures that its pages show
_MOST_UNPACKED = 32_000_000  # bytes of pixels, of all pictures in a document that is made into pixels
_WHITE = (255, 255, 255, 255)
MAX_SIDE_PX = 12_000  # a picture of that side takes 400 MB while it is made; twice as much is beyond many machines


class FaceTooLarge(Exception):
    """A face with too many pixels: the words name it, and its highest possible resolution."""


def pixels_of(frame: Frame, dpi: float, *, has_bleed: bool) -> tuple[int, int]:
    """Return the width and height of a face in pixels, with or without its bleed."""
    box = frame.bleed_box if has_bleed else None
    width_mm, height_mm = (box.width_mm, box.height_mm) if box is not None else frame.trim
    return max(1, round(width_mm / MM_PER_INCH * dpi)), max(1, round(height_mm / MM_PER_INCH * dpi))


def refuse_large(faces: Sequence[Face], dpi: float, *, has_bleed: bool) -> None:
    """Raise `FaceTooLarge` if a face would exceed `MAX_SIDE_PX` pixels in width or height."""
    for face in faces:
        side = max(pixels_of(face.front, dpi, has_bleed=has_bleed))
        if side > MAX_SIDE_PX:
            most = math.floor(dpi * MAX_SIDE_PX / side)
            raise FaceTooLarge(f"{face.deck} {face.card} would be {side} pixels wide or high: use at most {most} dpi")


class FacePainter:
    """Paints faces of a game; one renderer draws all faces of a piece, and subsets its fonts once."""

    def __init__(self, fonts: FontLibrary) -> None:
        self._fonts = fonts
        self._renderers: dict[str, Renderer] = {}

    def pictures(
        self, one: LaidOut, frames: Iterable[Frame], dpi: float, *, has_bleed: bool = False
    ) -> Iterator[Image]:
        """Yield frames of a piece as pictures, in order, each exactly of the size in `pixels_of`."""
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
    """Return the keys of the smallest pictures that together fit uncompressed into a document."""
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
        placement = Placement(number - 1, False, left_mm, top_mm, 0, frame.hash, Edges(*[frame.bleed_mm] * 4))
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
    """Return a picture of a whole face, cut to the shape of its format; unchanged for square corners."""
    if not (format_.is_round or format_.is_hex or format_.corner_mm):
        return picture
    shaped = picture.convert("RGBA")
    shaped.putalpha(_mask(picture.size, format_))
    return shaped


@lru_cache(maxsize=8)
def _mask(size: tuple[int, int], format_: Format) -> Image:
    """Return the mask of a format's shape at a size; cached, as it is slow to make."""
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
        along = [(1 + math.cos(one) / reach[0], 1 + math.sin(one) / reach[1]) for one in corners]
        pen.polygon([(width / 2 * x, height / 2 * y) for x, y in along], fill=255)
    else:
        pen.rounded_rectangle(box, format_.corner_mm / format_.trim.width_mm * width, fill=255)
    return mask.resize(size, Pictures.Resampling.BOX)
