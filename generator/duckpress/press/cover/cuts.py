"""A sheet -> its faces, its straight cuts and folds, and a small picture of them.

A cut runs as far as a knife can go along one line without touching a card: cards that stand in line share it, whatever
deck they are of. That is one cut for every pair of crop marks of a grid. A cut that a card stops is drawn as far
beyond the cards it parts as its longest marks reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Drawing, Frame, Group, Item, Outline, Paint, PlacedDrawing
from duckpress.core.geometry import Matrix, Rect, Size, scaling, translation
from duckpress.core.paths import Path, PathBuilder, joined, polyline, rectangle, strokes
from duckpress.core.sizes import Format
from duckpress.impose import Edges, Placement, Sheet
from duckpress.impose.grid import MARK_LONGEST_MM
from duckpress.impose.marks import cut_line, has_cut_line
from duckpress.impose.sheets import FOLD_LAYER, Layer
from duckpress.layout import LaidOut

_SLIP_MM = 0.02
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


class Stroke(NamedTuple):
    """A straight line on a sheet, in mm from the top left of its front, whichever way the sheet lies."""

    x1_mm: float
    y1_mm: float
    x2_mm: float
    y2_mm: float


CutCard = tuple[Rect, tuple[bool, bool, bool, bool]]
"""A card on a sheet: what is left of it when it is cut out, and which of its edges (l, t, r, b) are cut."""


class ShownShape(NamedTuple):
    """The content of a placement: a frame, the format of its card, and its deck (empty for a rules page)."""

    frame: Frame
    format: Format
    deck: str


class Shapes:
    """The faces on the sheets of a piece."""

    def __init__(self, one: LaidOut) -> None:
        self._faces = one.faces
        self._shapes: dict[str, ShownShape] = {}
        for face in one.faces:
            for frame in (face.front, face.back):
                if frame is not None:
                    self._shapes[frame.hash] = ShownShape(frame, face.format, face.deck)
        for page in (page for pages in one.pages.values() for page in pages):
            self._shapes[page.hash] = ShownShape(page, Format(one.piece.book, page.trim, 0.0, 0.0, 0.0), "")
        self.frames = {key: shape.frame for key, shape in self._shapes.items()}

    def at(self, placement: Placement) -> ShownShape:
        """Return the content of a placement. Two cards may look alike and yet be cut to different shapes."""
        shape = self._shapes[placement.frame]
        if placement.face < len(self._faces):
            face = self._faces[placement.face]
            if placement.frame in (face.front.hash, face.back.hash if face.back is not None else ""):
                return ShownShape(shape.frame, face.format, face.deck)
        return shape


def cuts_of(sheet: Sheet, frames: Mapping[str, Frame]) -> tuple[Stroke, ...]:
    """Return the straight cuts of a sheet: vertical ones from the left, then horizontal ones from the top.

    Backs that are folded behind their fronts are cut together with them; backs printed alone are cut by themselves.
    A tile of a board lies over its neighbours at the left and above, so it is cut there and not at its other joins.
    """
    fronts = [one for one in sheet.front.placements if not one.is_back]
    cards = [shown_part(one, frames[one.frame]) for one in fronts or sheet.front.placements]
    return (
        *(Stroke(at, start, at, end) for at, start, end in _runs(cards, sheet.paper.height_mm)),
        *(Stroke(start, at, end, at) for at, start, end in _runs(list(map(_turned, cards)), sheet.paper.width_mm)),
    )


def folds_of(sheet: Sheet) -> tuple[Stroke, ...]:
    """Return the fold line of a sheet, if it has one; a code may have left a gap in it."""
    for item in sheet.front.items:
        if isinstance(item, Layer) and item.name == FOLD_LAYER:
            line = item.items[0]
            assert isinstance(line, Outline)
            xs, ys = line.path.numbers[::2], line.path.numbers[1::2]
            return (Stroke(min(xs), min(ys), max(xs), max(ys)),)
    return ()


def shown_part(placement: Placement, frame: Frame) -> CutCard:
    """Return the part of a card that a placement shows: all of it, or a tile of a board."""
    edges = Edges(*(min(0.0, edge_mm) for edge_mm in placement.bleed))
    box = edges.around(placement.trim_box(frame.trim))
    # A tile lies over its neighbours at its left and above, which a turn takes on to the next sides.
    quarters = placement.turn_degrees // 90
    left, top, right, bottom = ((side - quarters) % 4 < 2 or edge_mm == 0.0 for side, edge_mm in enumerate(edges))
    return box, (left, top, right, bottom)


def _runs(cards: Sequence[CutCard], length_mm: float) -> list[tuple[float, float, float]]:
    """Return the vertical cuts along cards as (x, from, to), each extended until a card is in the way."""
    edges = [(box.x_mm, box) for box, is_cut in cards if is_cut[0]]
    edges += [(box.right_mm, box) for box, is_cut in cards if is_cut[2]]
    lines: list[tuple[float, list[Rect]]] = []
    for at, box in sorted(edges, key=lambda edge: (edge[0], edge[1].y_mm)):
        if lines and at - lines[-1][0] < _SLIP_MM:
            lines[-1][1].append(box)
        else:
            lines.append((at, [box]))

    def reaching(at: float, run: Sequence[Rect]) -> tuple[float, float, float]:
        start_mm, end_mm = min(box.y_mm for box in run), max(box.bottom_mm for box in run)
        before = any(box.bottom_mm <= start_mm + _SLIP_MM for box in across)
        after = any(box.y_mm >= end_mm - _SLIP_MM for box in across)
        return at, start_mm - MARK_LONGEST_MM if before else 0.0, end_mm + MARK_LONGEST_MM if after else length_mm

    runs: list[tuple[float, float, float]] = []
    for at, along in lines:
        across = [box for box, _ in cards if box.x_mm < at - _SLIP_MM and box.right_mm > at + _SLIP_MM]
        run: list[Rect] = []
        for box in sorted(along, key=lambda box: box.y_mm):
            if run and any(run[-1].y_mm < other.y_mm < box.y_mm for other in across):
                runs.append(reaching(at, run))
                run = []
            run.append(box)
        runs.append(reaching(at, run))
    return runs


def _turned(card: CutCard) -> CutCard:
    box, (left, top, right, bottom) = card
    return box.turned(), (top, left, bottom, right)


def sheet_picture(
    sheet: Sheet, shapes: Shapes, cuts: Sequence[Stroke], folds: Sequence[Stroke], room: Size, colours: tuple[str, str]
) -> tuple[list[Item], Size, dict[str, Drawing]]:
    """Return the front of a sheet scaled to a room, from its top left, its size, and the faces it places.

    All lies as it does on the sheet, which is drawn in the first colour, as its cuts are; folds in the second.
    """
    ink, accent = colours
    scale = min(room.width_mm / sheet.paper.width_mm, room.height_mm / sheet.paper.height_mm)
    paper = Size(sheet.paper.width_mm * scale, sheet.paper.height_mm * scale)
    items: list[Item] = [Outline(rectangle(0.0, 0.0, *paper), Paint(fill=_LIGHT))]
    drawings: dict[str, Drawing] = {}
    edges: list[Path] = []
    for placement in sheet.front.placements:
        frame, format_, _ = shapes.at(placement)
        drawing = Drawing(frame.bleed_box, frame.items)
        drawings[drawing.key] = drawing
        clip = _scaled(placement.bleed.around(placement.trim_box(frame.trim)), scale)
        items.append(Group((PlacedDrawing(drawing.key, _seat(placement, frame, scale)),), clip=rectangle(*clip)))
        box = _scaled(shown_part(placement, frame)[0], scale)
        edges.append(cut_line(box, format_) if has_cut_line(format_) else rectangle(*box))
    items.append(Outline(joined(edges), Paint(stroke=ink, stroke_mm=_CARD_MM, stroke_opacity=0.6)))
    items += _lines(cuts, scale, _CUT_MM, _CUT_DASH_MM, ink)
    items += _lines(folds, scale, _FOLD_MM, _FOLD_DASH_MM, accent)
    items.append(Outline(rectangle(0.0, 0.0, *paper), Paint(stroke=ink, stroke_mm=_EDGE_MM)))
    return items, paper, drawings


def turn_arrow(paper: Size, *, is_left_right: bool, colour: str) -> tuple[Item, ...]:
    """Return the arrow for a sheet turned over about its right edge, or about its lower edge."""
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
