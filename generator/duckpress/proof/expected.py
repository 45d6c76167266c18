"""The required content of a finished PDF, apart from its layout on sheets; and the wording of differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from duckpress.art.picture_files import PictureData
from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.core.printer_profile import Printer
from duckpress.core.problems import Problem, Source, fault
from duckpress.impose import FOLD_LAYER, Edges, Layer, Placement, Side
from duckpress.text.fonts import FontFile

TOLERANCE_MM = 0.05

__all__ = ["TOLERANCE_MM", "fault", "proof_stopped"]


def proof_stopped(error: Exception, source: Source) -> Problem:
    """Return a `proof-stopped` for an error in the proof itself: the file is then unproven."""
    last = extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    return fault("proof-stopped", f"the proof broke down at {where}: {type(error).__name__}: {error}", source)


class ExpectedFace(NamedTuple):
    """A card and its number of copies; `back` is None if nothing is printed behind it."""

    deck: str
    card: str
    copies: int
    front: Frame
    back: Frame | None
    overlap_mm: float | None = None  # how much neighbouring tiles must share; None for what must be in one piece

    is_cut: bool = True  # a page that is read is not
    shape: str = ""  # what straight cuts alone do not give: `round`, `hexagonal`
    name: str = ""  # what the margins of its sheets call it, where it does not say itself which card it is

    def __str__(self) -> str:
        return f"card {self.card!r} of deck {self.deck!r}"


class ExpectedPage(NamedTuple):
    """A page of the file: its planned side, and the size of the paper in its orientation."""

    side: Side
    paper: Size


class FrameOfCard(NamedTuple):
    """A frame, its card, and the side of the card."""

    frame: Frame
    card: ExpectedFace
    side: str

    def __str__(self) -> str:
        return f"the {self.side} of {self.card}"


class Expected(NamedTuple):
    """The required content of one PDF. `paper` may be turned; `duplex` is the turned edge, None for one side.

    With `duplex` None no back may be in the document, whatever the faces say. The printer cannot reach the outer
    `margin_mm` of the paper: nothing may lie there. `pictures` and `drawings` are what the faces call, by key.
    Pages are corrected for a `printer`, where there is one: sizes and places are those on paper, not those in the file.
    With a `fold_turn` sheets that show a fold line are folded along it; of those that show none, what has a back on the
    next page is glued to it, turned about that edge. `cut` is what shows the cuts (`marks`, `lines`, `none`), `layers`
    the titles of layers by their names on pages; `prints_layers` says whether they are printed.
    With `is_grey` it is printed in greys alone.
    `pages` are those of the file in their order, as they were planned; `font_file` returns the font file (and its
    instance) that a text names: without it, fonts are not looked at.
    `backs_turn` is the edge that the sheets of a document of backs alone are turned on, None where fronts are in it.
    """

    faces: tuple[ExpectedFace, ...]
    paper: Size
    margin_mm: float
    duplex: str | None
    title: str
    language: str
    pictures: Mapping[str, PictureData]
    drawings: Mapping[str, Drawing] = MappingProxyType({})
    printer: Printer | None = None
    backs_turn: str | None = None
    fold_turn: str | None = None
    cut: str = "none"
    layers: Mapping[str, str] = MappingProxyType({})
    prints_layers: bool = True
    is_grey: bool = False
    pages: tuple[ExpectedPage, ...] = ()
    font_file: Callable[[str], FontFile | None] | None = None


def frames_of(expected: Expected) -> dict[str, FrameOfCard]:
    """Return all frames by their hashes, with their cards."""
    frames: dict[str, FrameOfCard] = {}
    for face in expected.faces:
        frames.setdefault(face.front.hash, FrameOfCard(face.front, face, "front"))
        if face.back is not None:
            frames.setdefault(face.back.hash, FrameOfCard(face.back, face, "back"))
    return frames


class Seat(Struct, frozen=True, cache_hash=True):
    """The place of any face: the matrix from its trim's top left, its trim, and its visible part."""

    matrix: Matrix
    trim: Size
    shown: Rect

    @property
    def trim_box(self) -> Rect:
        return self.matrix.around(Rect(0.0, 0.0, *self.trim))


Lying = tuple[FrameOfCard, Seat]
"""A face of a card, and where it lies."""


class Fold(NamedTuple):
    """A fold line: its distance from the left (if it is vertical) or from the top."""

    at_mm: float
    is_upright: bool

    def gaps_mm(self, box: Rect) -> tuple[float, float]:
        """Return the gaps between the line and a box: for a box before the line and for one after it."""
        first, last = (box.x_mm, box.right_mm) if self.is_upright else (box.y_mm, box.bottom_mm)
        return self.at_mm - last, first - self.at_mm


class PlannedPage(NamedTuple):
    """A page as printed: its number, from 1, its paper in this orientation, and its printable area.

    `map` takes the `side` to the paper.
    """

    number: int
    paper: Size
    printable: Rect
    faces: tuple[Lying, ...]
    side: Side
    map: Matrix

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple([seat for _, seat in self.faces])

    def lines(self, name: str) -> tuple[Rect, ...]:
        """Return the boxes of all lines in a layer, each line of a path separately, without its stroke width."""
        layers = (item for item in self.side.items if isinstance(item, Layer) and item.name == name)
        return tuple([box for layer in layers for box in _lines(layer.items, self.map)])

    @property
    def fold(self) -> Fold | None:
        """The fold on the page: the longest straight line in its layer, or None."""
        straight = [line for line in self.lines(FOLD_LAYER) if min(line[2:]) <= TOLERANCE_MM]
        longest = max(straight, key=lambda line: max(line[2:]), default=None)
        if longest is None:
            return None
        is_upright = longest.height_mm > longest.width_mm
        return Fold(longest.x_mm if is_upright else longest.y_mm, is_upright)


def planned_pages(expected: Expected, frames: Mapping[str, FrameOfCard]) -> list[PlannedPage]:
    """Return the pages of a file; faces whose frame is not among `frames` are left out."""
    pages = []
    for number, (side, paper) in enumerate(expected.pages, 1):
        correction, printable = _as_printed(expected, paper, is_back=number % 2 == 0)
        to_paper = side.map if correction is IDENTITY else correction.inverse().after(side.map)
        pages.append(PlannedPage(number, paper, printable, _lying(side, frames, to_paper), side, to_paper))
    return pages


def boxes_of(page: ExpectedPage, frames: Mapping[str, FrameOfCard]) -> tuple[Rect, Rect]:
    """Return the box around all cut-out areas of a page, and the box around all its visible faces.

    They are in mm from its top left; a page without faces has those of its paper.
    """
    return _boxes(tuple([seat for _, seat in _lying(page.side, frames, page.side.map)]), page.paper)


@lru_cache(maxsize=64)
def _boxes(seats: tuple[Seat, ...], paper: Size) -> tuple[Rect, Rect]:
    if not seats:
        return Rect(0.0, 0.0, *paper), Rect(0.0, 0.0, *paper)
    trims = rect_around(seat.shown.shared(seat.trim_box) for seat in seats)
    return trims, rect_around(seat.shown for seat in seats)


def place_of(box: Rect) -> str:
    """Return the place of a box, in words."""
    return f"{box.x_mm:.1f}..{box.right_mm:.1f} mm across, {box.y_mm:.1f}..{box.bottom_mm:.1f} mm down"


def _as_printed(expected: Expected, paper: Size, *, is_back: bool) -> tuple[Matrix, Rect]:
    """Return the printer's correction of a page, and its printable area on the printed paper."""
    printer, duplex, margin_mm = expected.printer, expected.duplex, expected.margin_mm
    if printer is None:
        return IDENTITY, Rect(0.0, 0.0, *paper).grown(-margin_mm)
    is_upright = paper.width_mm <= paper.height_mm
    is_back = expected.backs_turn is not None or (duplex is not None and is_back)
    flips = is_upright is ((duplex or expected.backs_turn) == "long")
    correction = printer.correction(paper, is_back=is_back, turns_left_right=flips)
    return correction, correction.inverse().around(printer.printable(paper, margin_mm))


def _lying(side: Side, frames: Mapping[str, FrameOfCard], to_page: Matrix) -> tuple[Lying, ...]:
    shown = [(place_alone(placement), frames.get(placement.frame)) for placement in side.placements]
    return tuple([(face, _seat(place, face.frame.trim, face.frame.bleed_mm, to_page)) for place, face in shown if face])


def place_alone(placement: Placement) -> Placement:
    """Return a placement without its frame: equal for all sheets of one grid."""
    return Placement(0, False, placement.x_mm, placement.y_mm, placement.turn_degrees, "", placement.bleed)


@lru_cache(maxsize=4096)
def _seat(place: Placement, trim: Size, bleed_mm: float, to_page: Matrix) -> Seat:
    """Return the place of a face: turned about its middle, shown so far beyond its edges, but not beyond its bleed."""
    shown = Edges(*[min(edge_mm, bleed_mm) for edge_mm in place.bleed]).around(place.trim_box(trim))
    return Seat(to_page.after(place.matrix(trim)), trim, to_page.around(shown))


@lru_cache(maxsize=256)
def _lines(items: tuple[Item, ...], matrix: Matrix) -> tuple[Rect, ...]:
    boxes: list[Rect] = []
    for item in items:
        if isinstance(item, Group):
            boxes += _lines(item.items, matrix.after(item.matrix))
        elif isinstance(item, Outline) and item.paint.stroke is not None and item.paint.stroke_opacity > 0:
            parts = map(path_bounds, item.path.subpaths())
            boxes += [matrix.around(box) for box in parts if box is not None]
    return tuple(boxes)
