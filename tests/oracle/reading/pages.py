"""Pages of a finished file -> where everything lies on them, in mm from their top left as a printer prints them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duckpress.core.frame import Frame
from duckpress.core.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, Size
from duckpress.proof.expected import Expected
from oracle.reading.around import SheetCode
from oracle.reading.around_reader import read_around, rounded_box
from oracle.reading.documents import Document
from oracle.reading.marks import Drawn, Mark
from oracle.reading.placing import FaceSeat, Lying, PageLayout
from oracle.reading.streams import StrangeStreamError, StreamReader


def frames_in(expected: Expected) -> dict[str, Frame]:
    """Return the frames of all cards by their hashes."""
    return {frame.hash: frame for face in expected.faces for frame in (face.front, face.back) if frame is not None}


def read_pages(document: Document, expected: Expected) -> list[PageLayout]:
    """Return the pages of a file. What is corrected for a printer is read as that printer prints it."""
    frames = frames_in(expected)
    return [_read_page(document, at + 1, page, expected, frames) for at, page in enumerate(document.pages)]


def _read_page(
    document: Document, number: int, page: Any, expected: Expected, frames: Mapping[str, Frame]
) -> PageLayout:
    left, bottom, right, top = map(float, page.MediaBox)
    size = Size(MM_PER_PT * (right - left), MM_PER_PT * (top - bottom))
    to_mm = Matrix(MM_PER_PT, 0.0, 0.0, -MM_PER_PT, -left * MM_PER_PT, top * MM_PER_PT)
    correction = _correction(number, size, expected)
    if correction is not IDENTITY:
        to_mm = correction.inverse().after(to_mm)
    faces, beside = list[Lying](), list[Mark | SheetCode]()
    for mark in StreamReader(page.Resources, to_mm).marks(page.Contents.read_bytes()):
        if isinstance(mark, Drawn) and mark.name.startswith("C-"):
            frame = frames.get(mark.name[2:])
            if frame is None:
                raise StrangeStreamError(f"page {number} shows {mark.name}, a face that is on no card")
            faces.append(Lying(frame.hash, _seat(mark, frame)))
        else:
            beside.append(mark)
    rounded = Size(round(size.width_mm, 3), round(size.height_mm, 3))
    around, boxes = read_around(document, beside, page.Resources)
    return PageLayout(rounded, tuple(faces), boxes, _printable(rounded, correction, expected), around)


def _correction(number: int, size: Size, expected: Expected) -> Matrix:
    """Return how a page was corrected; its sides change places as the document is printed."""
    printer, duplex, backs_turn = expected.printer, expected.duplex, expected.backs_turn
    if printer is None:
        return IDENTITY
    is_back = backs_turn is not None or (duplex is not None and number % 2 == 0)
    flips = (size.width_mm <= size.height_mm) is ((duplex or backs_turn) == "long")
    return printer.correction(size, is_back=is_back, turns_left_right=flips)


def _printable(size: Size, correction: Matrix, expected: Expected) -> Rect:
    """Return what a printer reaches of a page: the margins are those of the file, the places those on paper."""
    if expected.printer is None:
        return Rect(0.0, 0.0, *size).grown(-expected.margin_mm)
    return rounded_box(correction.inverse().around(expected.printer.printable(size, expected.margin_mm)))


def _seat(mark: Drawn, frame: Frame) -> FaceSeat:
    """Return where a face lies, to a thousandth of a mm so that equal places are equal."""
    shown = mark.matrix.around(Rect(0.0, 0.0, *frame.trim).grown(frame.bleed_mm))
    a, b, c, d, e, f = mark.matrix
    rounded = Matrix(round(a, 5), round(b, 5), round(c, 5), round(d, 5), round(e, 3), round(f, 3))
    return FaceSeat(rounded, frame.trim, rounded_box(shown if mark.clip is None else mark.clip.shared(shown)))
