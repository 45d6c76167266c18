"""Crop marks and cut lines.

Crop marks are short lines in the margins, one for every cut. They begin beyond the shown bleed of the outer cards and
so touch neither a card nor its bleed. There are no lines around or between rectangular cards: a cut that drifts would
show them. Source: github.com/ernierasta/pnp-howto. The outlines of round and hexagonal pieces are cut lines.

Whoever asks for lines gets hairlines across the sheet at every cut, of grey, beside the marks and in one layer with
them. Where neighbours lie apart, each has a line of its own, and what lies between them is cut away; butted neighbours
share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from duckpress.core import paths
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Rect, Size, hexagon
from duckpress.core.sizes import Format
from duckpress.impose.grid import MARK_STROKE_MM, Axis
from duckpress.impose.sheets import CUT_LAYER, Cut, Layer, Slot

MARK_PAINT = Paint(stroke="#000000", stroke_mm=MARK_STROKE_MM)
LINE_PAINT = Paint(stroke="#808080", stroke_mm=0.1)

Stroke = tuple[float, float, float, float]
Ends = Sequence[tuple[float, float]]
"""Where the marks before and after something begin and end."""


def stroked(strokes: Iterable[Stroke], paint: Paint = MARK_PAINT) -> Outline:
    """Return straight strokes (x1, y1, x2, y2) as one outline."""
    return Outline(paths.strokes(strokes, is_mark=True), paint)


def lines_across(columns: Iterable[float], rows: Iterable[float], room: Rect) -> list[Stroke]:
    """Return lines through a whole room at these places across and down."""
    across, down = [(room.x_mm, room.right_mm)], [(room.y_mm, room.bottom_mm)]
    return marks_at(dict.fromkeys(columns), dict.fromkeys(rows), across, down)


def marks_at(columns: Iterable[float], rows: Iterable[float], across: Ends, down: Ends) -> list[Stroke]:
    """Return vertical marks at x in `columns` with the ends `down`, horizontal ones at y in `rows` with `across`."""
    return [
        *((x_mm, y1_mm, x_mm, y2_mm) for x_mm in columns for y1_mm, y2_mm in down),
        *((x1_mm, y_mm, x2_mm, y_mm) for y_mm in rows for x1_mm, x2_mm in across),
    ]


def ends_beside(box: Rect, near_mm: float, far_mm: float) -> tuple[Ends, Ends]:
    """Return the start and end of the marks around a box, near and far from it: left and right, above and below."""
    across = [(box.x_mm - near_mm, box.x_mm - far_mm), (box.right_mm + near_mm, box.right_mm + far_mm)]
    return across, [(box.y_mm - near_mm, box.y_mm - far_mm), (box.bottom_mm + near_mm, box.bottom_mm + far_mm)]


def mirrored(strokes: Iterable[Stroke], paper: Size, *, is_left_right: bool) -> list[Stroke]:
    """Return strokes mirrored about a sheet's vertical middle line, or about its horizontal one."""
    width_mm, height_mm = paper
    if is_left_right:
        return [(width_mm - x1, y1, width_mm - x2, y2) for x1, y1, x2, y2 in strokes]
    return [(x1, height_mm - y1, x2, height_mm - y2) for x1, y1, x2, y2 in strokes]


def cut_layer(
    cut: Cut, marks: Iterable[Stroke], lines: Iterable[Stroke], shapes: Iterable[Item] = ()
) -> tuple[Layer, ...]:
    """Return the layer of a side's marks and lines, if any are wanted; `shapes` are its circles or hexagons."""
    if cut is Cut.NONE:
        return ()
    shown = (stroked(lines, LINE_PAINT),) if cut is Cut.LINES else ()
    return (Layer(CUT_LAYER, (*shown, stroked(marks), *shapes)),)


def cuts(axis: Axis, indexes: range) -> list[float]:
    """Return the start and end of each trim with these indexes, in order, without repetitions."""
    places: list[float] = []
    for index in indexes:
        for place_mm in (axis.at(index), axis.at(index) + axis.trim_mm):
            if not places or place_mm - places[-1] > 1e-6:
                places.append(place_mm)
    return places


def mark_ends(axis: Axis) -> list[tuple[float, float]]:
    """Return the start and end of the marks before and after a grid."""
    away_mm = axis.bleed_mm + axis.offset_mm
    before_mm, after_mm = axis.start_mm - away_mm, axis.end_mm + away_mm
    return [(before_mm, before_mm - axis.mark_mm), (after_mm, after_mm + axis.mark_mm)]


def has_cut_line(format_: Format) -> bool:
    """Return whether the shape needs more than straight cuts."""
    return format_.is_round or format_.is_hex


def cut_lines(slots: Iterable[Slot], format_: Format) -> Iterator[Outline]:
    """Yield the hairline circles or hexagons on the trims of round or hexagonal pieces; nothing for other shapes."""
    if has_cut_line(format_):
        boxes = [Rect(slot.x_mm, slot.y_mm, *format_.trim) for slot in slots]
        yield Outline(paths.joined(cut_line(box, format_) for box in boxes), LINE_PAINT)


def cut_line(box: Rect, format_: Format) -> paths.Path:
    """Return the circle or the hexagon in a box."""
    if format_.is_round:
        radius_mm = box.width_mm / 2
        return paths.ellipse(box.x_mm + radius_mm, box.y_mm + radius_mm, radius_mm, radius_mm, is_mark=True)
    corners = hexagon(Size(box.width_mm, box.height_mm))
    return paths.polyline(((box.x_mm + x, box.y_mm + y) for x, y in corners), is_closed=True, is_mark=True)
