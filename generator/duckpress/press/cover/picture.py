"""A sheet -> a small picture of it: the real faces where they lie, cuts, folds, and the edge it is turned about."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, scaling, translation
from duckpress.core.paths import Path, PathBuilder, joined, polyline, rectangle, strokes
from duckpress.impose import Placement
from duckpress.impose.marks import cut_line, has_cut_line
from duckpress.press.cover.cuts import Stroke, shown_part
from duckpress.press.cover.facts import CoverPart

_EDGE_MM = 0.2
_CARD_MM = 0.1
_CUT_MM = 0.22
_CUT_DASH_MM = (1.0, 0.55)
_HALO_MM = 0.55
_FOLD_MM = 0.5
_FOLD_DASH_MM = (1.4, 0.7)
_TURN_MM = 0.45
_HEAD_MM = 1.25
_LIGHT = "#ffffff"


class SheetPicture(Struct, frozen=True):
    """A picture from its top left: its size, its items, and the faces they place, by key."""

    size: Size
    items: tuple[Item, ...]
    drawings: dict[str, Drawing]


def sheet_picture(part: CoverPart, room: Size, ink: str, accent: str) -> SheetPicture:
    """Draw the front of a part's first sheet as large as a room lets it be; all lies as it does on the sheet.

    The sheet and its cuts are drawn in the one colour, folds in the other.
    """
    sheet = part.printed.sheets[0]
    scale = min(room.width_mm / sheet.paper.width_mm, room.height_mm / sheet.paper.height_mm)
    paper = Size(sheet.paper.width_mm * scale, sheet.paper.height_mm * scale)
    items: list[Item] = [Outline(rectangle(0.0, 0.0, *paper), Paint(fill=_LIGHT))]
    drawings: dict[str, Drawing] = {}
    edges: list[Path] = []
    for placement in sheet.front.placements:
        frame, format_, _ = part.shapes.at(placement)
        drawing = Drawing(frame.bleed_box, frame.items)
        drawings[drawing.key] = drawing
        clip = _scaled(placement.bleed.around(placement.trim_box(frame.trim)), scale)
        items.append(Group((PlacedDrawing(drawing.key, _seat(placement, frame, scale)),), clip=rectangle(*clip)))
        box = _scaled(shown_part(placement, frame).box, scale)
        edges.append(cut_line(box, format_) if has_cut_line(format_) else rectangle(*box))
    items.append(Outline(joined(edges), Paint(stroke=ink, stroke_mm=_CARD_MM, stroke_opacity=0.6)))
    items += _lines(part.cuts[0], scale, _CUT_MM, _CUT_DASH_MM, ink)
    items += _lines(part.folds[0], scale, _FOLD_MM, _FOLD_DASH_MM, accent)
    items.append(Outline(rectangle(0.0, 0.0, *paper), Paint(stroke=ink, stroke_mm=_EDGE_MM)))
    return SheetPicture(paper, tuple(items), drawings)


def turn_arrow(paper: Size, *, is_left_right: bool, colour: str) -> tuple[Item, ...]:
    """Return the sign of a sheet turned over to the right about its right edge, or downwards about its lower one."""
    at = translation(paper.width_mm, paper.height_mm / 2)
    if not is_left_right:
        # The same sign, turned so that it runs downwards over the lower edge.
        at = translation(paper.width_mm / 2, paper.height_mm).after(Matrix(0.0, 1.0, 1.0, 0.0))
    reach, high = 3.0, 2.2  # an arc from the left of the origin over it to the right, and its head
    arc = PathBuilder()
    arc.move(-reach, 1.2)
    arc.curve(-reach + 0.6, -high, reach - 0.6, -high, reach, 0.6)
    corners = ((reach - _HEAD_MM, 0.3), (reach + 0.12, 1.9), (reach + 0.95, -0.15))
    path, head = arc.path().mapped(at), polyline(corners, is_closed=True).mapped(at)
    halo = Paint(stroke=_LIGHT, stroke_mm=_TURN_MM + 0.9, cap=1, join=1)
    line = Paint(stroke=colour, stroke_mm=_TURN_MM, cap=1, join=1)
    return (
        Outline(path, halo), Outline(head, halo), Outline(path, line),
        Outline(head, Paint(fill=colour, stroke=colour, stroke_mm=_TURN_MM, join=1)),
    )  # fmt: skip


def _seat(placement: Placement, frame: Frame, scale: float) -> Matrix:
    a, b, c, d, e, f = scaling(scale).after(placement.matrix(frame.trim))
    return Matrix(round(a, 6), round(b, 6), round(c, 6), round(d, 6), round(e, 4), round(f, 4))


def _scaled(box: Rect, scale: float) -> Rect:
    return Rect(*(round(length * scale, 4) for length in box))


def _lines(
    lines: Sequence[Stroke], scale: float, width_mm: float, dash_mm: tuple[float, ...], colour: str
) -> list[Item]:
    if not lines:
        return []
    path = strokes([(x1 * scale, y1 * scale, x2 * scale, y2 * scale) for x1, y1, x2, y2 in lines], is_mark=True)
    halo = Paint(stroke=_LIGHT, stroke_mm=_HALO_MM, stroke_opacity=0.75)
    return [Outline(path, halo), Outline(path, Paint(stroke=colour, stroke_mm=width_mm, dash_mm=dash_mm))]
