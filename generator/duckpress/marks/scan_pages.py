"""A file that may hold scans of sheets, or be their PDF -> the places of what may be dots, page by page.

Such files come from strangers: this is done in workers, which have neither the keys nor any right.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from duckpress.art.bad_art import BadArt
from duckpress.art.picture_files import grey_levels, opened
from duckpress.core.geometry import Size
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import Record
from duckpress.core.units import MM_PER_INCH
from duckpress.marks.scanned_dots import DPI, dots_in
from duckpress.pool import Handle, Note

if TYPE_CHECKING:
    from PIL.Image import Image

LEAST_DPI, MOST_DPI = 140, 1300
"""Of scans with fewer pixels to the inch dots are gone; files that say so, or say more, know nothing of a scanner."""

_PT_PER_INCH = 72
_PDF = b"%PDF-"
_LOOKED_AT = 1024  # bytes: so far in a PDF may begin; source: ISO 32000-1, H.3
_MOST = 0.6
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")


class ScanFile(NamedTuple):
    """A file: what it is called, and its bytes."""

    name: str
    data: bytes


class PageTask(Record, frozen=True):
    """A page, counted from 0, and how it is looked at.

    With `dpi` pixels to the inch (0: as many as the file says), for dots that are darker than paper by `contrast`.
    """

    page: int
    dpi: float
    contrast: int


class PageDots(Record, frozen=True):
    """What a page shows: points in mm, its size in pixels, how many of those the file says are an inch (0: nothing).

    Where `is_sure` it was made with just that many, as a PDF that is no scan. `pages` is how many there are in the
    file; `why` says why there is nothing.
    """

    points: tuple[tuple[float, float], ...] = ()
    across: int = 0
    down: int = 0
    dpi: float = 0.0
    pages: int = 0
    is_sure: bool = False
    why: str = ""


class _Picture(NamedTuple):
    grey: Image
    dpi: float
    pages: int
    is_sure: bool = False


def scanned_pages(file: ScanFile) -> Handle[PageTask, PageDots]:
    """Return what finds the dots on pages of a file, inside a worker."""
    is_pdf = _PDF in file.data[:_LOOKED_AT]
    last: dict[int, _Picture] = {}

    def look(task: PageTask, note: Note) -> PageDots:
        note(task.page)
        try:
            if task.page not in last:
                last.clear()
                last[task.page] = _page_of_pdf(file, task.page) if is_pdf else _page_of_picture(file, task.page)
        except BadArt as error:
            return PageDots(why=f"{error}; {error.fix}")
        picture = last[task.page]
        points = dots_in(_in_usual_size(picture.grey, task.dpi or picture.dpi or DPI), task.contrast)
        return PageDots(tuple(points), *picture.grey.size, picture.dpi, picture.pages, picture.is_sure)

    return look


def _page_of_picture(file: ScanFile, page: int) -> _Picture:
    with opened(file.name, file.data, _FORMATS) as picture:
        pages = getattr(picture, "n_frames", 1)
        picture.seek(min(page, pages - 1))
        said = float(picture.info.get("dpi", (0.0, 0.0))[0])
        return _Picture(grey_levels(picture), said if LEAST_DPI <= said <= MOST_DPI else 0.0, pages)


def _page_of_pdf(file: ScanFile, page: int) -> _Picture:
    """Return a page as it is printed on paper, on which all is as large as it was planned."""
    import pypdfium2

    try:
        document: Any = pypdfium2.PdfDocument(BytesIO(file.data))
        pages = len(document)
        size = Size(*(side / _PT_PER_INCH for side in document.get_page_size(page)))
        pixels = size.width_mm * size.height_mm * DPI**2
        if not 0 < pixels <= limit("image-pixels"):
            sides = " x ".join(f"{inches * MM_PER_INCH:.0f}" for inches in size)
            what = f"page {page + 1} of {file.name!r} is {sides} mm, too large to be looked at"
            raise BadArt(what, f"cut it into parts; {how_to_raise('image-pixels')}")
        grey = document[page].render(scale=DPI / _PT_PER_INCH, grayscale=True).to_pil()
        is_scan = any(_is_most(one.get_bounds(), document[page].get_size()) for one in _pictures(document[page]))
    except pypdfium2.PdfiumError as error:
        what = f"{file.name!r} cannot be opened as a PDF: {error}"
        raise BadArt(what, "print it to a PDF without a password, or to a picture") from error
    return _Picture(grey, float(DPI), pages, is_sure=not is_scan)


def _pictures(page: Any) -> Iterator[Any]:
    from pypdfium2 import raw

    return iter(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2))


def _is_most(bounds: tuple[float, float, float, float], size: tuple[float, float]) -> bool:
    """Return whether a picture covers most of a page."""
    left, bottom, right, top = bounds
    return (right - left) * (top - bottom) > _MOST * size[0] * size[1]


def _in_usual_size(grey: Image, dpi: float) -> Image:
    """Return a picture of so many pixels to the inch with as many as dots are looked for in."""
    if abs(dpi / DPI - 1) < 0.005:
        return grey
    across, down = (max(1, round(side * DPI / dpi)) for side in grey.size)
    return grey.resize((across, down), reducing_gap=3.0)
