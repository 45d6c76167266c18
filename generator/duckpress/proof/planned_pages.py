"""The pages of a file as they were planned: where each face lies on the paper as it is printed, and the pages' boxes.

Only what lies where is taken from the plan. A page that is corrected for a printer is looked at as that printer prints
it; how it does is said by the printer's profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.frame import Group, Item, Outline, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.impose import FOLD_LAYER, Edges, Layer, Placement, Side
from duckpress.proof.expected import TOLERANCE_MM, Expected, ExpectedPage, FrameOfCard


class Seat(Struct, frozen=True, cache_hash=True):
    """Where a face lies, whatever it shows: the map from its trim's top left, its trim, and what is shown of it."""

    matrix: Matrix
    trim: Size
    shown: Rect

    @property
    def trim_box(self) -> Rect:
        return self.matrix.around(Rect(0.0, 0.0, *self.trim))


Lying = tuple[FrameOfCard, Seat]
"""A face of a card, and where it lies."""


class Fold(NamedTuple):
    """A fold line: where it is from the left (upright) or from the top."""

    at_mm: float
    is_upright: bool

    def gaps_mm(self, box: Rect) -> tuple[float, float]:
        """Return how far a box that lies before the line ends from it, and how far one behind it begins from it."""
        first, last = (box.x_mm, box.right_mm) if self.is_upright else (box.y_mm, box.bottom_mm)
        return self.at_mm - last, first - self.at_mm


class PlannedPage(NamedTuple):
    """A page as it is printed: its number, from 1, its paper as it lies, and the part of it that the printer reaches.

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
        """Return the boxes of all lines in a layer, each line of a path by itself, without the width of their ink."""
        layers = (item for item in self.side.items if isinstance(item, Layer) and item.name == name)
        return tuple([box for layer in layers for box in _lines(layer.items, self.map)])

    @property
    def fold(self) -> Fold | None:
        """The fold that it shows: the longest straight line in its layer; None where there is none."""
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
    """Return the boxes around all that is cut out of a page of the file, and around all that is shown on it.

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
    """Return where a box lies, in words."""
    return f"{box.x_mm:.1f}..{box.right_mm:.1f} mm across, {box.y_mm:.1f}..{box.bottom_mm:.1f} mm down"


def _as_printed(expected: Expected, paper: Size, *, is_back: bool) -> tuple[Matrix, Rect]:
    """Return how a page is corrected for the printer, and what that reaches of it, as places on the printed paper."""
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
    """Return a placement without what is placed: of all sheets of one grid they are the same."""
    return Placement(0, False, placement.x_mm, placement.y_mm, placement.turn_degrees, "", placement.bleed)


@lru_cache(maxsize=4096)
def _seat(place: Placement, trim: Size, bleed_mm: float, to_page: Matrix) -> Seat:
    """Return where a face lies: turned about its middle, shown so far beyond its edges, but not beyond its bleed."""
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
