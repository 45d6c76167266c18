"""Crop marks: short lines in the margins, one for every cut; and the outlines of round and hexagonal pieces, which are
cut lines.

Marks begin beyond the shown bleed of the outer cards and so touch neither a card nor its bleed. There are no lines
around or between rectangular cards: a cut that drifts would show them. Source: github.com/ernierasta/pnp-howto.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duckpress.core.frame import Outline, Paint
from duckpress.core.geometry import Size, hexagon
from duckpress.core.sizes import Format
from duckpress.impose.cutlines import stroked
from duckpress.impose.grid import Axis, Grid, Slot

CIRCLE_PAINT = Paint(stroke="#808080", stroke_mm=0.1)

# A quarter circle as one cubic curve; the error is 0.03 % of the radius. Source: (4/3) (sqrt 2 - 1).
_KAPPA = 0.5522847498


def crop_marks(grid: Grid, columns: range, rows: range) -> Outline:
    """Give the marks for the cuts of these columns and rows of a grid; neighbours without a gap share a mark."""
    strokes = [
        *((x_mm, y1_mm, x_mm, y2_mm) for x_mm in cuts(grid.columns, columns) for y1_mm, y2_mm in mark_ends(grid.rows)),
        *((x1_mm, y_mm, x2_mm, y_mm) for y_mm in cuts(grid.rows, rows) for x1_mm, x2_mm in mark_ends(grid.columns)),
    ]
    return stroked(strokes)


def cuts(axis: Axis, indexes: range) -> list[float]:
    """Give where the trims of these indexes begin and end, in order, each place once."""
    found: list[float] = []
    for index in indexes:
        for place_mm in (axis.at(index), axis.at(index) + axis.trim_mm):
            if not found or place_mm - found[-1] > 1e-6:
                found.append(place_mm)
    return found


def has_cut_line(format_: Format) -> bool:
    """Tell whether straight cuts alone do not give the shape."""
    return format_.is_round or format_.is_hex


def cut_lines(slots: Iterable[Slot], format_: Format) -> Outline:
    """Give a hairline circle or hexagon on the trim of each round or hexagonal piece."""
    if format_.is_hex:
        paths = (_hexagon_at(slot, format_.trim) for slot in slots)
        return Outline(" ".join(paths), CIRCLE_PAINT)
    radius_mm = format_.trim.width_mm / 2
    circles = (circle(slot.x_mm + radius_mm, slot.y_mm + radius_mm, radius_mm) for slot in slots)
    return Outline(" ".join(circles), CIRCLE_PAINT)


def _hexagon_at(slot: Slot, trim: Size) -> str:
    first, *others = (f"{slot.x_mm + x:.3f} {slot.y_mm + y:.3f}" for x, y in hexagon(trim))
    return f"{first} m {' '.join(f'{corner} l' for corner in others)} h"


def circle(x_mm: float, y_mm: float, radius_mm: float) -> str:
    """Give a circle as a path of four curves."""
    r, k = radius_mm, radius_mm * _KAPPA
    curves = (
        ((r, k), (k, r), (0.0, r)),
        ((-k, r), (-r, k), (-r, 0.0)),
        ((-r, -k), (-k, -r), (0.0, -r)),
        ((k, -r), (r, -k), (r, 0.0)),
    )
    points = (" ".join(f"{x_mm + dx:.3f} {y_mm + dy:.3f}" for dx, dy in curve) + " c" for curve in curves)
    return f"{x_mm + r:.3f} {y_mm:.3f} m {' '.join(points)} h"


def mark_ends(axis: Axis) -> Iterator[tuple[float, float]]:
    """Yield where the marks before and after a grid begin and end."""
    away_mm = axis.bleed_mm + axis.offset_mm
    yield axis.start_mm - away_mm, axis.start_mm - away_mm - axis.mark_mm
    yield axis.end_mm + away_mm, axis.end_mm + away_mm + axis.mark_mm
