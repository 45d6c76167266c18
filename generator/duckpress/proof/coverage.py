"""A finished PDF -> how much ink it takes: the part of each page that each of the four inks would cover.

The pages are drawn small by PDFium and their colours parted into inks the simple way (all that is common to cyan,
magenta and yellow becomes black). A printer's driver parts them in its own way; as a comparison of two files the figure
holds, as a forecast of millilitres it does not. The tests hold it beside Ghostscript's device `ink_cov`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from duckpress.core.units import added

if TYPE_CHECKING:
    from PIL.Image import Image

# PDFium draws no line thinner than a pixel: at 30 dpi thin outlines would count for half as much again as they take.
DPI = 100


class Coverage(NamedTuple):
    """The part of a page (0 to 1) that each ink covers; of a file, how many full pages of each ink it takes."""

    cyan: float = 0.0
    magenta: float = 0.0
    yellow: float = 0.0
    black: float = 0.0

    @property
    def full_pages(self) -> float:
        """All four together: 1.0 is a page flooded with one ink."""
        return added(self)

    def plus(self, other: Coverage) -> Coverage:
        """Return the sum of two."""
        return Coverage(*(one + another for one, another in zip(self, other, strict=True)))


def ink_coverage(pdf: bytes, dpi: float = DPI) -> tuple[Coverage, ...]:
    """Return the coverage of every page of a PDF; fewer dots per inch are quicker and count thin lines for more."""
    import pypdfium2  # here: only asked for now and then, and not quick to load

    document = pypdfium2.PdfDocument(pdf)
    try:
        return tuple(_coverage(page.render(scale=dpi / 72).to_pil().convert("RGB")) for page in document)
    finally:
        document.close()


def _coverage(picture: Image) -> Coverage:
    from PIL import ImageChops, ImageStat

    red, green, blue = picture.split()
    cyan, magenta, yellow = (ImageChops.invert(band) for band in (red, green, blue))
    black = ImageChops.darker(ImageChops.darker(cyan, magenta), yellow)
    inks = (*(ImageChops.subtract(ink, black) for ink in (cyan, magenta, yellow)), black)
    return Coverage(*(ImageStat.Stat(ink).mean[0] / 255 for ink in inks))


def total_coverage(pages: Iterable[Coverage]) -> Coverage:
    """Return how many full pages of each ink several pages take together."""
    return reduce(Coverage.plus, pages, Coverage())
