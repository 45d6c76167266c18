"""Free places for codes on a sheet: boxes around all printed items, and the best square between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.frame import Drawing, Group, Item, Outline, item_bounds, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size
from duckpress.core.paths import Path, strokes
from duckpress.core.sizes import Paper
from duckpress.impose import Side
from duckpress.impose.sheets import FOLD_LAYER, Layer
from duckpress.layout import LaidOut

_HAIR = 1e-4  # what touches does not overlap
_MOST_LOOKED_AT = 1000  # boxes on a sheet; with more, only its edges are looked at
# Sizes of modules with the width of the light rim in modules, best first. Source: the rim of ISO/IEC 18004, 6.3.8, is
# 4; GS1 General Specifications allow modules of 0.254 mm for small things; below 0.22 mm a picture of 200 dpi has fewer
# than 1.75 pixels for a module, and zxing-cpp fails to read some; at 300 dpi it reads them down to 0.16 mm.
_FULL_RIM = tuple((module_mm, 4.0) for module_mm in (0.4, 0.36, 0.33, 0.3))
_HALF_RIM = tuple((module_mm, 2.0) for module_mm in (0.33, 0.3, 0.28, 0.26, 0.25, 0.24, 0.23, 0.22))
_LEAST_RIM = tuple((module_mm, 1.0) for module_mm in (0.28, 0.26, 0.25, 0.24, 0.23, 0.22, 0.21, 0.2, 0.19, 0.18))
SMALL_MM = 0.3  # smaller than this, the shorter text is tried too


class Spot(NamedTuple):
    """The place of a code: its top left, its module size, its rim in modules, and which of its texts it holds.

    `is_on_fold`: the line of a fold has to leave a gap for it.
    """

    x_mm: float
    y_mm: float
    module_mm: float
    rim: float
    text: int
    is_on_fold: bool = False

    def room(self, count: int) -> Rect:
        """Return the square of a code with so many modules, including its rim."""
        side_mm = count * self.module_mm
        return Rect(self.x_mm, self.y_mm, side_mm, side_mm).grown(self.rim * self.module_mm)


@lru_cache(maxsize=8192)
def rounded(box: Rect) -> Rect:
    """Return a box to a tenth of a millimetre, as sheets alike have it."""
    return Rect(*(round(side_mm, 1) for side_mm in box))


def fold_line(items: Sequence[Item | Layer]) -> Rect | None:
    """Return the box around the fold line of a side, or None."""
    for item in items:
        if isinstance(item, Layer) and item.name == FOLD_LAYER:
            return next(ink_boxes(item.items[:1]), None)
    return None


def with_gap(items: Sequence[Item | Layer], room: Rect) -> tuple[Item | Layer, ...]:
    """Return the items of a side with a gap in its fold line, for a square."""
    gapped: list[Item | Layer] = []
    for item in items:
        if isinstance(item, Layer) and item.name == FOLD_LAYER:
            line, *words = item.items
            assert isinstance(line, Outline)
            item = item._replace(items=(replace(line, path=_gapped(line.path, room)), *words))
        gapped.append(item)
    return tuple(gapped)


def _gapped(line: Path, room: Rect) -> Path:
    """Return a straight vertical or horizontal line without its part inside a box."""
    x1, y1, x2, y2 = line.numbers
    if x1 == x2:
        spans = [(min(y1, y2), room.y_mm), (room.bottom_mm, max(y1, y2))]
        return strokes([(x1, low, x1, high) for low, high in spans if low < high], is_mark=True)
    spans = [(min(x1, x2), room.x_mm), (room.right_mm, max(x1, x2))]
    return strokes([(low, y1, high, y1) for low, high in spans if low < high], is_mark=True)


def ink_boxes(
    items: Sequence[Item], matrix: Matrix = IDENTITY, drawings: Mapping[str, Drawing] = MappingProxyType({})
) -> Iterator[Rect]:
    """Return boxes around items, one for every line of an outline: a path may hold marks that are far apart."""
    for item in items:
        if isinstance(item, Group):
            yield from ink_boxes(item.items, matrix.after(item.matrix), drawings)
            continue
        boxes = [item_bounds(item, drawings)]
        if isinstance(item, Outline):
            margin_mm = item.paint.stroke_mm / 2 if item.paint.stroke else 0.0
            boxes = [path_bounds(part, margin_mm) for part in item.path.subpaths()]
        yield from (matrix.around(box) for box in boxes if box is not None)


def best_spot(counts: Sequence[int], printable: Rect, taken: Sequence[Rect]) -> Spot | None:
    """Return the first free place for a code with its rim, trying sizes in order, or None.

    `counts` are how many modules the code of each text has across, 0 for a text that no code can hold.
    """
    boxes = tuple({*taken})
    for module_mm, rim in (*_FULL_RIM, *_HALF_RIM, *_LEAST_RIM):
        for text, count in enumerate(counts):
            if count and (text == 0 or (module_mm < SMALL_MM and count < counts[0])):
                rims = rim * module_mm, _FULL_RIM[0][1] * module_mm
                place = free_place(count * module_mm, *rims, printable, boxes)
                if place is not None:
                    return Spot(*place, module_mm, rim, text)
    return None


_Edges = tuple[float, float, float, float]


@lru_cache(maxsize=4)
def _from_the_right(taken: tuple[Rect, ...], *, are_lying: bool = False) -> list[_Edges]:
    """Return the right, left, top and bottom of boxes, from the right; of lying ones as of boxes that are turned."""
    every = (box.turned().edges if are_lying else box.edges for box in taken)
    return sorted(((right, left, top, bottom) for left, top, right, bottom in every), reverse=True)


def free_place(
    side_mm: float, rim_mm: float, beside_mm: float, printable: Rect, taken: Sequence[Rect]
) -> tuple[float, float] | None:
    """Return the top left of a free square with a rim; the rim may extend beyond the printable area.

    Looked at are the bottom edge, the left one, the top and the right; then, for the strip beside a fold, the rows and
    columns along what is taken. The place furthest to the right, or the lowest, counts. Across an edge there is often
    room for a thin rim only, along it for more: `beside_mm` is kept free there where it can be, `rim_mm` at least.
    """
    if side_mm > min(printable.width_mm, printable.height_mm):
        return None
    rims = (beside_mm, rim_mm) if beside_mm > rim_mm else (rim_mm,)
    side, lying_page = Size(side_mm, side_mm), printable.turned()
    upright, lying = (_from_the_right(tuple(taken), are_lying=are_lying) for are_lying in (False, True))
    left_mm, right_mm = printable.x_mm, printable.right_mm - side_mm
    top_mm, bottom_mm = printable.y_mm, printable.bottom_mm - side_mm

    def in_row(y_mm: float) -> tuple[float, float] | None:
        x_mm = _last_in_row(side, y_mm, rim_mm, printable, upright, rims)
        return None if x_mm is None else (x_mm, round(y_mm, 4))

    def in_column(x_mm: float) -> tuple[float, float] | None:
        y_mm = _last_in_row(side, x_mm, rim_mm, lying_page, lying, rims)
        return None if y_mm is None else (round(x_mm, 4), y_mm)

    edges = in_row(bottom_mm) or in_column(left_mm) or in_row(top_mm) or in_column(right_mm)
    if edges is not None or len(taken) > _MOST_LOOKED_AT:
        return edges
    reach_mm = side_mm + rim_mm
    rows = {y for box in taken for y in (box.y_mm - reach_mm, box.bottom_mm + rim_mm) if top_mm <= y <= bottom_mm}
    columns = {x for box in taken for x in (box.x_mm - reach_mm, box.right_mm + rim_mm) if left_mm <= x <= right_mm}
    places = chain(map(in_row, sorted(rows, reverse=True)), map(in_column, sorted(columns)))
    return next((place for place in places if place is not None), None)


def free_line(size: Size, clear_mm: float, room: Rect, taken: Sequence[Rect]) -> tuple[float, float] | None:
    """Return the top left of a horizontal box in a room, `clear_mm` away from all boxes; the lowest wins."""
    boxes = _from_the_right(tuple(taken))
    low_mm, reach_mm = room.bottom_mm - size.height_mm, size.height_mm + clear_mm
    edges = (y_mm for box in taken for y_mm in (box.y_mm - reach_mm, box.bottom_mm + clear_mm))
    for y_mm in sorted({room.y_mm, low_mm, *edges}, reverse=True):
        if room.y_mm <= y_mm <= low_mm:
            x_mm = _last_in_row(size, y_mm, clear_mm, room, boxes, (clear_mm,))
            if x_mm is not None:
                return x_mm, y_mm
    return None


def _last_in_row(
    size: Size, y_mm: float, clear_mm: float, room: Rect, boxes: Sequence[_Edges], rims: Sequence[float]
) -> float | None:
    """Return the last x for a box in a row of a room, clear of the boxes above and below.

    To the left and right it is clear by the first of the rims that has room.
    """
    above_mm, below_mm = y_mm - clear_mm + _HAIR, y_mm + size.height_mm + clear_mm - _HAIR
    ends = [(right, left) for right, left, top, bottom in boxes if bottom > above_mm and top < below_mm]
    for rim_mm in rims:
        at_mm = room.right_mm - size.width_mm
        for end_mm, start_mm in ends:
            if end_mm + rim_mm <= at_mm:
                break
            if start_mm - rim_mm < at_mm + size.width_mm:
                at_mm = start_mm - rim_mm - size.width_mm
        if at_mm >= room.x_mm:
            return round(at_mm, 4)
    return None


def is_free(spot: Spot, count: int, printable: Rect, taken: Sequence[Rect]) -> bool:
    """Return whether a code may be at the same place as on the sheet before."""
    side_mm = count * spot.module_mm
    square = Rect(spot.x_mm, spot.y_mm, side_mm, side_mm)
    room = spot.room(count).grown(-_HAIR)
    return printable.holds(square) and all(box.is_apart(room) for box in taken)


PageBoxes = Mapping[str, tuple[Rect, ...]]
"""Boxes around what is printed on pages that are read, by the hashes of their frames."""
NO_PAGES: PageBoxes = MappingProxyType({})


def page_boxes(one: LaidOut, paper: Paper) -> PageBoxes:
    """Return the boxes of the pages of a piece: their margins are white and free."""
    pages = one.pages.get(paper.name, ())
    return {page.hash: tuple(ink_boxes(page.items, drawings=one.drawings)) for page in pages}


class PrintedBoxes:
    """Finds the boxes of printed items; cached for items that sheets share."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, Matrix], tuple[Item, tuple[Rect, ...]]] = {}

    def taken(self, side: Side, trims: Mapping[str, Size], pages: PageBoxes = NO_PAGES) -> list[Rect]:
        """Return the boxes of all printed items on a side, its fold line and its code with the light rim included."""
        line = fold_line(side.items)
        boxes = [*self.around(side, line, trims, pages), *([] if line is None else [line])]
        return boxes if side.code is None else [*boxes, side.code.box.grown(_FULL_RIM[0][1] * side.code.module_mm)]

    def around(self, side: Side, line: Rect | None, trims: Mapping[str, Size], pages: PageBoxes) -> Iterator[Rect]:
        """Yield the boxes of all printed items on a side, except its fold line.

        `trims` are the sizes of the frames on it, by hash.
        """
        places: list[Rect] = []
        for placed in side.placements:
            if placed.frame in pages:
                yield from (box.moved(placed.x_mm, placed.y_mm) for box in pages[placed.frame])
            else:
                places.append(placed.bleed.around(placed.trim_box(trims[placed.frame])))
        yield from places
        for item in side.items:
            parts = item.items if isinstance(item, Layer) else (item,)
            for part in parts[1:] if isinstance(item, Layer) and item.name == FOLD_LAYER else parts:
                yield from self._known_boxes(part, IDENTITY)
        if line is not None:
            # What comes behind a card belongs to it, also where nothing is printed on its back.
            for place in places:
                if line.width_mm < line.height_mm:
                    yield place._replace(x_mm=line.x_mm + line.right_mm - place.right_mm)
                else:
                    yield place._replace(y_mm=line.y_mm + line.bottom_mm - place.bottom_mm)

    def _known_boxes(self, item: Item, matrix: Matrix) -> Iterator[Rect]:
        """Yield the boxes of an item, cached: the footers of a piece's sheets share most of their parts."""
        if isinstance(item, Group):
            for inner in item.items:
                yield from self._known_boxes(inner, matrix.after(item.matrix))
            return
        key = (id(item), matrix)
        if key not in self._boxes:
            # The item is kept with its boxes, so that no other can take its id.
            self._boxes[key] = (item, tuple(ink_boxes((item,), matrix)))
        yield from self._boxes[key][1]
