"""Cut lines: hairlines across the sheet at every cut, beside the marks in the margins, all in one layer.

Where neighbours lie apart, each has a line of its own, and what lies between them is cut away; butted neighbours share
one. A line across a card's edge can show on the card when a cut drifts, so it is a hairline of grey, and marks alone
are what is printed unless lines are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.core import paths
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Rect, Size
from duckpress.impose.grid import MARK_STROKE_MM
from duckpress.impose.sheets import CUT_LAYER, Cut, Layer

MARK_PAINT = Paint(stroke="#000000", stroke_mm=MARK_STROKE_MM)
LINE_PAINT = Paint(stroke="#808080", stroke_mm=0.1)

Stroke = tuple[float, float, float, float]


def stroked(strokes: Iterable[Stroke], paint: Paint = MARK_PAINT) -> Outline:
    """Return straight strokes (x1, y1, x2, y2) as one outline."""
    return Outline(paths.strokes(strokes, is_mark=True), paint)


def lines_across(columns: Iterable[float], rows: Iterable[float], room: Rect) -> list[Stroke]:
    """Return lines through a room at these places across and down."""
    upright = [(x_mm, room.y_mm, x_mm, room.bottom_mm) for x_mm in dict.fromkeys(columns)]
    return [*upright, *((room.x_mm, y_mm, room.right_mm, y_mm) for y_mm in dict.fromkeys(rows))]


def mirrored(strokes: Iterable[Stroke], paper: Size, *, is_left_right: bool) -> list[Stroke]:
    """Return strokes on the other side of a sheet's upright middle, else of its level one."""
    width_mm, height_mm = paper
    if is_left_right:
        return [(width_mm - x1, y1, width_mm - x2, y2) for x1, y1, x2, y2 in strokes]
    return [(x1, height_mm - y1, x2, height_mm - y2) for x1, y1, x2, y2 in strokes]


def cut_layer(
    cut: Cut, marks: Outline, columns: Iterable[float], rows: Iterable[float], room: Rect, shapes: Iterable[Item] = ()
) -> tuple[Layer, ...]:
    """Return the layer of a side's marks and lines, if any are wanted; `shapes` are what straight cuts do not give."""
    if cut is Cut.NONE:
        return ()
    lines = (stroked(lines_across(columns, rows, room), LINE_PAINT),) if cut is Cut.LINES else ()
    return (Layer(CUT_LAYER, (*lines, marks, *shapes)),)
