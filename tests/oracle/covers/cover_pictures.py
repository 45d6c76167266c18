"""Pictures of a cover held against the sheets that they show, made small, and bars against their words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, PlacedDrawing, path_bounds
from duckpress.core.geometry import IDENTITY, Matrix, Point, Rect
from duckpress.core.paths import CURVE, LINE, MOVE, Path
from duckpress.proof.expected import TOLERANCE_MM
from oracle.covers.counted_parts import CountedPart, Line

BARS_MM = {"50 mm": 50.0, "2 in": 50.8}
_BESIDE_MM = 3.0  # from a bar to its words
_TICK_MM = 5.0  # what is shorter is no bar

Stroke = tuple[Point, Point]


def strokes_of(path: Path, matrix: Matrix) -> Iterator[Stroke]:
    """Yield the straight lines of a path where they lie."""
    at = (0.0, 0.0)
    for kind, numbers in path.segments():
        if kind in (MOVE, LINE):
            point = matrix.apply(*numbers)
            if kind == LINE:
                yield at, point
            at = point


def bar_faults(words: Iterable[tuple[str, Point]], strokes: Sequence[Stroke]) -> Iterator[str]:
    """Yield what is wrong with the bars beside words that name a length; `words` are texts and where they begin."""
    for text, place in words:
        length_mm = BARS_MM.get(" ".join(text.split()))
        if length_mm is None:
            continue
        bars = [ends for ends in strokes if math.dist(*ends) > _TICK_MM and _distance(ends, place) < _BESIDE_MM]
        if not any(abs(math.dist(*ends) - length_mm) <= TOLERANCE_MM for ends in bars):
            shown = ", ".join(f"{math.dist(*ends):.2f} mm" for ends in bars) or "nothing"
            yield f"beside {text!r} is a bar of {shown}"
        elif any(not _has_tick(end, strokes) for ends in bars for end in ends):
            yield f"the bar beside {text!r} lacks a tick at its end"


def _distance(ends: Stroke, place: Point) -> float:
    return min(math.dist(end, place) for end in ends)


def _has_tick(end: Point, strokes: Sequence[Stroke]) -> bool:
    """Return whether a short stroke has its middle at the end of a bar."""
    return any(
        math.dist(((x1 + x2) / 2, (y1 + y2) / 2), end) <= TOLERANCE_MM
        for (x1, y1), (x2, y2) in strokes
        if math.dist((x1, y1), (x2, y2)) < _TICK_MM
    )


_ARROW_MM = 0.5  # reaches at least so far to both sides of an edge
_THICK_MM = 0.35  # dashed lines of folds are thicker, those of cuts thinner


class PlacedItem(NamedTuple):
    """An item of a cover: its page, the matrix that it lies under, and the box that it is clipped to."""

    page: int
    item: Item
    matrix: Matrix
    clip: Rect | None

    def strokes(self) -> Iterator[Stroke]:
        if isinstance(self.item, Outline):
            yield from strokes_of(self.item.path, self.matrix)

    def boxes(self) -> Iterator[Rect]:
        if isinstance(self.item, Outline):
            parts = (path_bounds(part) for part in self.item.path.subpaths())
            yield from (self.matrix.around(box) for box in parts if box is not None)


def placed_items(
    page: int, items: Iterable[Item], matrix: Matrix = IDENTITY, clip: Rect | None = None
) -> Iterator[PlacedItem]:
    for item in items:
        if isinstance(item, Group):
            inner, box = matrix.after(item.matrix), path_bounds(item.clip)
            yield from placed_items(page, item.items, inner, clip if box is None else inner.around(box))
        else:
            yield PlacedItem(page, item, matrix, clip)


class SmallSheet(NamedTuple):
    """The picture of a part: what it shows of faces, and the map from the sheet; `around` is all else on its page."""

    part: CountedPart
    faces: Sequence[PlacedItem]
    around: Sequence[PlacedItem]

    @property
    def matrix(self) -> Matrix:
        """The map from the sheet, by its first face."""
        return _seat(self.faces[0]).after(self.part.first.faces[0].seat.matrix.inverse())

    @property
    def paper(self) -> Rect:
        return self.matrix.around(Rect(0.0, 0.0, *self.part.first.size))


def small_sheets(items: Sequence[PlacedItem], parts: Sequence[CountedPart]) -> list[SmallSheet]:
    """Return the pictures of the parts in their order; fewer where there are not faces enough."""
    faces = [one for one in items if isinstance(one.item, PlacedDrawing) and one.clip is not None]
    faces = faces[max(0, len(faces) - sum(len(part.first.faces) for part in parts)) :]  # the title may show some
    sheets: list[SmallSheet] = []
    for part in parts:
        count = len(part.first.faces)
        own, faces = faces[:count], faces[count:]
        if own and len(own) == count:
            sheets.append(SmallSheet(part, own, [one for one in items if one.page == own[0].page]))
    return sheets


def picture_faults(sheet: SmallSheet, drawings: Mapping[str, Drawing], frames: Mapping[str, Frame]) -> Iterator[str]:
    """Yield what a picture shows otherwise than its sheet has it."""
    part, small, paper = sheet.part, sheet.matrix, sheet.paper
    boxes = [box for one in sheet.around for box in one.boxes()]
    for face, one in zip(part.first.faces, sheet.faces, strict=True):
        seat, frame = face.seat, frames[face.frame]
        if isinstance(one.item, PlacedDrawing) and drawings[one.item.key].items != frame.items:
            yield "shows another face than the sheet"
        is_seated = _is_near(small.around(seat.trim_box), _seat(one).around(Rect(0.0, 0.0, *frame.trim)))
        if not (is_seated and one.clip is not None and _is_near(small.around(seat.shown), one.clip)):
            yield "shows a face beside its place"
        if not any(_is_near(small.around(seat.trim_box.shared(seat.shown)), box) for box in boxes):
            yield "shows a face without its edge"
    if not any(_is_near(paper, box) for box in boxes):
        yield "has not the shape of the sheet"
    wanted = sorted(_mapped(line, small) for line in (*part.cuts[0], *part.folds[0]))
    if not all(one and line and _shows(one, line) for one, line in zip_longest(sorted(_dashed(sheet)), wanted)):
        yield "shows other cuts and folds than the sheet takes"
    edge = ""
    if part.turns_left_right is not None:
        edge = "right" if _mapped(Line(True, part.turns_left_right, 0.0, 0.0, 1.0), small).is_upright else "bottom"
    if _edge_of_arrow(sheet) != edge:
        yield "has its arrow over another edge than the one that the sheet is turned about"


def _seat(face: PlacedItem) -> Matrix:
    return face.matrix.after(face.item.matrix) if isinstance(face.item, PlacedDrawing) else face.matrix


def _dashed(sheet: SmallSheet) -> Iterator[Line]:
    for one in sheet.around:
        if isinstance(one.item, Outline) and one.item.paint.dash_mm:
            lines = (_line(stroke, is_fold=one.item.paint.stroke_mm > _THICK_MM) for stroke in one.strokes())
            yield from (line for line in lines if sheet.paper.holds(_box(line), TOLERANCE_MM))


def _line(ends: Stroke, *, is_fold: bool) -> Line:
    (x1, y1), (x2, y2) = ends
    if abs(x1 - x2) < abs(y1 - y2):
        return Line(is_fold, True, round(x1, 2), min(y1, y2), max(y1, y2))
    return Line(is_fold, False, round(y1, 2), min(x1, x2), max(x1, x2))


def _box(line: Line) -> Rect:
    length_mm = line.end_mm - line.start_mm
    if line.is_upright:
        return Rect(line.at_mm, line.start_mm, 0.0, length_mm)
    return Rect(line.start_mm, line.at_mm, length_mm, 0.0)


def _mapped(line: Line, matrix: Matrix) -> Line:
    """Return a line as it lies under a matrix that turns by quarters at most."""
    ends = [(line.at_mm, at) if line.is_upright else (at, line.at_mm) for at in (line.start_mm, line.end_mm)]
    return _line((matrix.apply(*ends[0]), matrix.apply(*ends[1])), is_fold=line.is_fold)


def _shows(line: Line, wanted: Line) -> bool:
    is_there = line[:2] == wanted[:2] and abs(line.at_mm - wanted.at_mm) <= TOLERANCE_MM
    return is_there and line.start_mm <= wanted.start_mm + TOLERANCE_MM and line.end_mm >= wanted.end_mm - TOLERANCE_MM


def _edge_of_arrow(sheet: SmallSheet) -> str:
    """Return the edge of a picture that a curve leads over in its middle, empty where none does."""
    paper = sheet.paper
    across_mm, down_mm = paper.x_mm + paper.width_mm / 2, paper.y_mm + paper.height_mm / 2
    places = {"right": (paper.right_mm, down_mm), "bottom": (across_mm, paper.bottom_mm)}
    curves = [one for one in sheet.around if isinstance(one.item, Outline) and CURVE in one.item.path.kinds]
    for box in (box for one in curves for box in one.boxes()):
        for edge, (x_mm, y_mm) in places.items():
            if box.grown(-_ARROW_MM).holds(Rect(x_mm, y_mm, 0.0, 0.0)) and not paper.holds(box):
                return edge
    return ""


def _is_near(box: Rect, other: Rect) -> bool:
    return box.holds(other, TOLERANCE_MM) and other.holds(box, TOLERANCE_MM)
