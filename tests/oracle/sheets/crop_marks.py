"""Crop marks, cut lines and the outlines of round and hexagonal pieces: nothing else is in the layer of the cuts.

That each cut has a mark is `cutting`'s to say; here every mark has to be that of a cut, beside the faces on both sides
of them, as fine and as long as marks are; on the other side of the sheet all of them lie behind those of the front.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from duckpress.core.frame import Paint
from duckpress.core.geometry import Point, Rect, Size, added
from duckpress.proof.expected import TOLERANCE_MM
from oracle.reading.marks import Painted, Part
from oracle.reading.placing import CUT, FaceSeat, Fold, PageLayout
from oracle.sheets.tiles import SEAM_PAINT

MARK_PAINT, LINE_PAINT = Paint(None, "#000000", 0.15), Paint(None, "#808080", 0.1)
_NEAREST_MM, _FURTHEST_MM = 0.5, 1.0  # from what is shown of a face to its marks
_SHORTEST_MM, _LONGEST_MM = 0.75, 5.0
_HALF_MM = MARK_PAINT.stroke_mm / 2


class _Stroke(NamedTuple):
    """A straight stroke: whether it is upright, where it is, and from where to where it goes."""

    is_upright: bool
    at_mm: float
    start_mm: float
    end_mm: float

    def __str__(self) -> str:
        return f"at {self.at_mm:.2f} mm {'across' if self.is_upright else 'down'}"


def mark_faults(page: PageLayout, shapes: Sequence[str | None], fold: Fold | None) -> tuple[str, ...]:
    """Return what is wrong in the layer of the cuts of a page; `shapes` are those of its faces that need an outline.

    A face whose shape is None may have one.
    """
    return _mark_faults(page.seats, page.around.strokes(CUT), tuple(shapes), fold, page.size)


@lru_cache(maxsize=64)
def _mark_faults(
    seats: tuple[FaceSeat, ...],
    paths: tuple[Painted, ...],
    shapes: tuple[str | None, ...],
    fold: Fold | None,
    size: Size,
) -> tuple[str, ...]:
    faults = []
    strokes: dict[Paint, list[_Stroke]] = {MARK_PAINT: [], LINE_PAINT: [], SEAM_PAINT: []}
    outlines: list[Part] = []
    for path in paths:
        for part in path.parts:
            stroke = _stroke(part)
            if stroke is not None and path.paint in strokes:
                strokes[path.paint].append(stroke)
            elif path.paint == LINE_PAINT:
                outlines.append(part)
            else:
                faults.append(f"a path among the cuts is no mark, line or outline: {_place(part.box)}")
    faults += _off_cuts(strokes[MARK_PAINT], strokes[LINE_PAINT], seats, fold)
    faults += _beside_faces(strokes[MARK_PAINT], seats, fold, size)
    wanted = [(shape, seat.trim_box) for shape, seat in zip(shapes, seats, strict=True) if shape]
    for shape, box in wanted:
        outline = next((part for part in outlines if _is_near(part.box, box)), None)
        if outline is None or not _is_shape(outline, shape, box):
            faults.append(f"there is no {shape} outline on the face at {_place(box)}")
    if len(outlines) > len(wanted) + shapes.count(None):
        faults.append(f"there are {len(outlines)} outlines on {len(wanted)} faces that need one")
    return tuple(dict.fromkeys(faults))


def _off_cuts(
    marks: Sequence[_Stroke], lines: Sequence[_Stroke], seats: Sequence[FaceSeat], fold: Fold | None
) -> Iterator[str]:
    """Yield the marks and lines that are at no edge of a face, and the marks that no line reaches.

    A folded sheet is cut through both its layers: what is cut on one side of the fold may have marks on the other.
    """
    edges = {True: set[float](), False: set[float]()}
    for seat in seats:
        trim, shown = seat.trim_box, seat.shown.grown(TOLERANCE_MM)
        edges[True] |= {x for x in (trim.x_mm, trim.right_mm) if shown.x_mm <= x <= shown.right_mm}
        edges[False] |= {y for y in (trim.y_mm, trim.bottom_mm) if shown.y_mm <= y <= shown.bottom_mm}
    if fold is not None:
        edges[fold.is_upright] |= {2 * fold.at_mm - edge for edge in edges[fold.is_upright]}
    for stroke in (*marks, *lines):
        if not any(abs(edge - stroke.at_mm) <= TOLERANCE_MM for edge in edges[stroke.is_upright]):
            yield f"there is a mark where nothing is cut, {stroke}"
    for mark in marks if lines else ():
        along = [line for line in lines if _are_one_cut(mark, line)]
        if not any(
            line.start_mm - _HALF_MM <= mark.start_mm and line.end_mm + _HALF_MM >= mark.end_mm for line in along
        ):
            yield f"the line along a cut does not reach its marks, {mark}"


def _stroke(part: Part) -> _Stroke | None:
    if part.kinds != "ml" or min(part.box.width_mm, part.box.height_mm) > TOLERANCE_MM / 5:
        return None
    (left, top, right, bottom) = part.box.edges
    return _Stroke(True, left, top, bottom) if bottom - top > right - left else _Stroke(False, top, left, right)


def _are_one_cut(one: _Stroke, other: _Stroke) -> bool:
    return one.is_upright is other.is_upright and abs(one.at_mm - other.at_mm) <= TOLERANCE_MM


def _beside_faces(marks: Sequence[_Stroke], seats: Sequence[FaceSeat], fold: Fold | None, size: Size) -> Iterator[str]:
    """Yield what is wrong with the marks' places along their cuts, and with their lengths."""
    for is_upright in (True, False):
        some = [mark for mark in marks if mark.is_upright is is_upright]
        upright = [(seat.shown.y_mm, seat.shown.bottom_mm) for seat in seats]
        level = [(seat.shown.x_mm, seat.shown.right_mm) for seat in seats]
        shown, across = (upright, level) if is_upright else (level, upright)
        lengths = [mark.end_mm - mark.start_mm for mark in some]
        is_folded_across = fold is not None and fold.is_upright is not is_upright
        longest = max(lengths, default=0.0)
        shortest = min(lengths, default=_LONGEST_MM)
        if shortest < _SHORTEST_MM - _HALF_MM - 0.01 or longest > _LONGEST_MM + 0.01:
            yield f"marks are {shortest:.2f} to {longest:.2f} mm long"
        if longest - shortest > TOLERANCE_MM and lengths and not is_folded_across:
            yield f"marks along one direction are {shortest:.2f} and {longest:.2f} mm long"
        span_mm = size.height_mm if is_upright else size.width_mm
        befores = {round(mark.end_mm, 2) for mark in some if _is_beside(mark.end_mm, [start for start, _ in shown], -1)}
        afters = {round(mark.start_mm, 2) for mark in some if _is_beside(mark.start_mm, [end for _, end in shown], 1)}
        # The marks of a grid stand around all of its places, also on a last sheet that does not fill them.
        befores |= {round(span_mm - at_mm, 2) for at_mm in afters}
        afters |= {round(span_mm - at_mm, 2) for at_mm in befores}
        for mark in some:
            is_near = any(abs(mark.end_mm - at) <= TOLERANCE_MM for at in befores) or any(
                abs(mark.start_mm - at) <= TOLERANCE_MM for at in afters
            )
            # A folded sheet is not alike on both sides of its faces: there an empty place is what may lie between.
            away_mm = min(max(start - mark.end_mm, mark.start_mm - end) for start, end in shown)
            is_after_empty = fold is not None and away_mm > min(end - start for start, end in shown)
            if not is_near and not is_after_empty:
                yield f"a mark does not stand beside the faces, {mark}"
            for (start, end), (low, high) in zip(shown, across, strict=True):
                if mark.start_mm < end and mark.end_mm > start and low < mark.at_mm < high:
                    yield f"a mark lies on a face, {mark}"


def _is_beside(at_mm: float, edges: Sequence[float], way: int) -> bool:
    return any(_NEAREST_MM - 0.01 <= (at_mm - edge) * way <= _FURTHEST_MM + 0.01 for edge in edges)


def _is_shape(outline: Part, shape: str, box: Rect) -> bool:
    """Return whether a path is the circle or the hexagon in a box."""
    middle_x, middle_y = box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2
    if shape == "round":
        if outline.kinds != "mcccch" or outline.points[0] != outline.points[-1]:
            return False
        distances = [math.hypot(x - middle_x, y - middle_y) for x, y in _on_curves(outline.points)]
        return all(abs(distance - box.width_mm / 2) <= TOLERANCE_MM for distance in distances)
    is_wide, turned = box.width_mm >= box.height_mm, []
    for x, y in outline.points:
        u, v = (x - middle_x) / box.width_mm, (y - middle_y) / box.height_mm
        turned.append((u, v) if is_wide else (v, u))
    corners = [(-0.5, 0.0), (-0.25, -0.5), (0.25, -0.5), (0.5, 0.0), (0.25, 0.5), (-0.25, 0.5)]
    ring = corners if is_wide else corners[::-1]
    at = next((at for at in range(6) if math.dist(turned[0], ring[at]) < 0.002), 0)
    ring = ring[at:] + ring[:at]
    return outline.kinds == "mlllllh" and all(math.dist(*pair) < 0.002 for pair in zip(turned, ring, strict=True))


def _on_curves(points: Sequence[Point]) -> Iterator[Point]:
    for at in range(0, len(points) - 3, 3):
        for t in (0.25, 0.5, 1.0):
            shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            curve = list(zip(shares, points[at : at + 4], strict=True))
            yield added(share * x for share, (x, _) in curve), added(share * y for share, (_, y) in curve)


def mirrored_faults(front: PageLayout, back: PageLayout, *, mirrors_x: bool) -> tuple[str, ...]:
    """Return what is wrong with the marks of a back, as it is read: they have to lie behind those of its front."""
    return _mirrored_faults(front.around.strokes(CUT), back.around.strokes(CUT), front.size, mirrors_x)


@lru_cache(maxsize=64)
def _mirrored_faults(
    front: tuple[Painted, ...], back: tuple[Painted, ...], size: Size, mirrors_x: bool
) -> tuple[str, ...]:
    if any(part.kinds != "ml" for path in back for part in path.parts):
        return ("it has more than straight marks, which only the front of a sheet has",)
    wanted = []
    for paint, (x, y, width, height) in _straight(front):
        x, y = (size.width_mm - x - width, y) if mirrors_x else (x, size.height_mm - y - height)
        wanted.append((paint, Rect(x, y, width, height)))
    for paint, box in _straight(back):
        match = next((one for one in wanted if one[0] == paint and _is_near(one[1], box)), None)
        if match is None:
            return (f"the mark at {_place(box)} does not lie behind one of the front",)
        wanted.remove(match)
    return tuple(f"no mark lies behind that of the front at {_place(box)}" for _, box in wanted[:1])


def _straight(paths: Sequence[Painted]) -> list[tuple[Paint, Rect]]:
    """Return the marks among paths; lines end at the footer, which is at one edge on both sides."""
    straight = [(path.paint, part) for path in paths for part in path.parts if part.kinds == "ml"]
    return [(paint, part.box) for paint, part in straight if paint != LINE_PAINT]


def _is_near(one: Rect, other: Rect) -> bool:
    return all(abs(a - b) <= TOLERANCE_MM for a, b in zip(one.edges, other.edges, strict=True))


def _place(box: Rect) -> str:
    return f"{box.x_mm:.1f}..{box.right_mm:.1f} mm across, {box.y_mm:.1f}..{box.bottom_mm:.1f} mm down"
