"""Placements on a side -> the operators that place them, and the page's boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from duckpress.core.frame import Frame
from duckpress.core.geometry import IDENTITY, Matrix, Rect, Size, rect_around
from duckpress.core.units import pt_from_mm
from duckpress.impose import Edges, Placement
from duckpress.render.item_operators import matrix_operands, number


class Footprint(Struct, frozen=True):
    """What a placement takes of a page: where its trim lies, what it may paint, and the operators before its `Do`."""

    trim: Rect
    shown: Rect
    operators: str


def footprint(placement: Placement, frame: Frame) -> Footprint:
    """Return what a placement takes of a page; sheets of one grid ask for the same few again and again."""
    return _footprint(placement._replace(face=0, is_back=False, frame=""), frame.trim, frame.bleed_mm)


@lru_cache(maxsize=4096)
def _footprint(placement: Placement, trim: Size, bleed_mm: float) -> Footprint:
    rect = placement.trim_box(trim)
    shown = Edges(*(min(bleed_mm, edge_mm) for edge_mm in placement.bleed)).around(rect)
    clip = f"{' '.join(map(number, shown))} re W n " if min(placement.bleed) < bleed_mm else ""
    return Footprint(rect, shown, f"q {clip}{matrix_operands(placement.matrix(trim))} cm")


def boxes_of(footprints: Sequence[Footprint], paper: Size, map_: Matrix = IDENTITY) -> tuple[str, str]:
    """Return the trim and the bleed box of a page in points: around all trims, and around all that is shown of them.

    Both are where the side's map takes them. Of a tile's trim only what it shows counts. A page with nothing on it is
    trimmed nowhere: both are the page.
    """
    page = Rect(0.0, 0.0, *paper)
    if not footprints:
        return _box_pt(page, paper), _box_pt(page, paper)
    trim = map_.around(rect_around(item.trim.shared(item.shown) for item in footprints))
    bleed = map_.around(rect_around(item.shown for item in footprints))
    return _box_pt(trim, paper), _box_pt(bleed, paper)


@lru_cache(maxsize=256)
def _box_pt(rect: Rect, paper: Size) -> str:
    """Return a rectangle as a PDF box: in points, counted from the bottom left."""
    bottom, top = paper.height_mm - rect.bottom_mm, paper.height_mm - rect.y_mm
    return " ".join(number(pt_from_mm(edge)) for edge in (rect.x_mm, bottom, rect.right_mm, top))
