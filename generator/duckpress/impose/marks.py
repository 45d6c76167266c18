"""Crop marks: short lines in the margins, one for every cut; and the outlines of round and hexagonal pieces, which are
cut lines.

Marks begin beyond the shown bleed of the outer cards and so touch neither a card nor its bleed. There are no lines
around or between rectangular cards: a cut that drifts would show them. Source: github.com/ernierasta/pnp-howto.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import Rect, Size, hexagon
from duckpress.core.paths import Path, ellipse, joined, polyline
from duckpress.core.sizes import Format
from duckpress.impose.cutlines import stroked
from duckpress.impose.grid import Axis, Grid, Slot

CIRCLE_PAINT = Paint(stroke="#808080", stroke_mm=0.1)


def crop_marks(grid: Grid, columns: range, rows: range) -> Outline:
    """Return the marks for the cuts of these columns and rows of a grid; neighbours without a gap share a mark."""
    strokes = [
        *((x_mm, y1_mm, x_mm, y2_mm) for x_mm in cuts(grid.columns, columns) for y1_mm, y2_mm in mark_ends(grid.rows)),
        *((x1_mm, y_mm, x2_mm, y_mm) for y_mm in cuts(grid.rows, rows) for x1_mm, x2_mm in mark_ends(grid.columns)),
    ]
    return stroked(strokes)


def cuts(axis: Axis, indexes: range) -> list[float]:
    """Return where the trims of these indexes begin and end, in order, each place once."""
    found: list[float] = []
    for index in indexes:
        for place_mm in (axis.at(index), axis.at(index) + axis.trim_mm):
            if not found or place_mm - found[-1] > 1e-6:
                found.append(place_mm)
    return found


def has_cut_line(format_: Format) -> bool:
    """Return whether straight cuts alone do not give the shape."""
    return format_.is_round or format_.is_hex


def cut_lines(slots: Iterable[Slot], format_: Format) -> tuple[Outline, ...]:
    """Return hairline circles or hexagons on the trims of round or hexagonal pieces; nothing for other shapes."""
    if not has_cut_line(format_):
        return ()
    boxes = [Rect(slot.x_mm, slot.y_mm, *format_.trim) for slot in slots]
    return (Outline(joined(cut_line(box, format_) for box in boxes), CIRCLE_PAINT),)


def cut_line(box: Rect, format_: Format) -> Path:
    """Return the circle or the hexagon in a box."""
    if format_.is_round:
        radius_mm = box.width_mm / 2
        return ellipse(box.x_mm + radius_mm, box.y_mm + radius_mm, radius_mm, radius_mm, is_mark=True)
    corners = hexagon(Size(box.width_mm, box.height_mm))
    return polyline(((box.x_mm + x, box.y_mm + y) for x, y in corners), is_closed=True, is_mark=True)


def mark_ends(axis: Axis) -> Iterator[tuple[float, float]]:
    """Yield where the marks before and after a grid begin and end."""
    away_mm = axis.bleed_mm + axis.offset_mm
    yield axis.start_mm - away_mm, axis.start_mm - away_mm - axis.mark_mm
    yield axis.end_mm + away_mm, axis.end_mm + away_mm + axis.mark_mm
