"""A sheet -> what lies on it, and the straight cuts and the folds that it takes.

A cut runs as far as a knife can go along one line without touching a card: cards that stand in line share it, whatever
deck they are of. That is one cut for every pair of crop marks of a grid. A cut that a card stops is drawn as far
beyond the cards it parts as its longest marks reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from duckpress.core.frame import Frame, Group, Item, Outline
from duckpress.core.geometry import IDENTITY, Matrix, Rect
from duckpress.core.paths import LINE, MOVE
from duckpress.core.sizes import Format
from duckpress.impose import Edges, Placement, Sheet
from duckpress.impose.grid import MARK_LONGEST_MM
from duckpress.impose.sheets import FOLD_LAYER, Layer
from duckpress.layout import Face, LaidOut

_SLIP_MM = 0.02


class Stroke(NamedTuple):
    """A straight line on a sheet, in mm from the top left of its front as it lies."""

    x1_mm: float
    y1_mm: float
    x2_mm: float
    y2_mm: float


class CutCard(NamedTuple):
    """A card on a sheet: what is left of it when it is cut out, and which of its edges (l, t, r, b) are cut."""

    box: Rect
    is_cut: tuple[bool, bool, bool, bool]


class ShownShape(NamedTuple):
    """What a placement shows: a frame, the format of its card, and its deck (empty for a page that is read)."""

    frame: Frame
    format: Format
    deck: str


class Shapes:
    """What lies on the sheets of pieces."""

    def __init__(self, pieces: Sequence[LaidOut]) -> None:
        self._shapes: dict[str, ShownShape] = {}
        self._faces: tuple[Face, ...] = pieces[0].faces if len(pieces) == 1 else ()
        for one in pieces:
            for face in one.faces:
                for frame in (face.front, face.back):
                    if frame is not None:
                        self._shapes[frame.hash] = ShownShape(frame, face.format, face.deck)
            for pages in one.pages.values():
                for page in pages:
                    format_ = Format(one.piece.book, page.trim, 0.0, 0.0, 0.0)
                    self._shapes[page.hash] = ShownShape(page, format_, "")
        self.frames = {key: shape.frame for key, shape in self._shapes.items()}

    def at(self, placement: Placement) -> ShownShape:
        """Return what a placement shows. Two cards may look alike and yet be cut to different shapes."""
        shape = self._shapes[placement.frame]
        if placement.face < len(self._faces):
            face = self._faces[placement.face]
            if placement.frame in (face.front.hash, face.back.hash if face.back is not None else ""):
                return ShownShape(shape.frame, face.format, face.deck)
        return shape


def cuts_of(sheet: Sheet, frames: Mapping[str, Frame]) -> tuple[Stroke, ...]:
    """Return the straight cuts of a sheet: upright ones from the left, then level ones from the top.

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
    """Return the lines along which a sheet is folded."""
    found: list[Stroke] = []
    for item in sheet.front.items:
        if isinstance(item, Layer) and item.name == FOLD_LAYER:
            found += _strokes(item.items, IDENTITY)
    # Dashes and marks at both ends of one fold lie on one line.
    lines: dict[tuple[bool, int], Stroke] = {}
    for one in found:
        is_upright = abs(one.x1_mm - one.x2_mm) < _SLIP_MM
        key = (is_upright, round((one.x1_mm if is_upright else one.y1_mm) * 20))
        known = lines.get(key, one)
        xs = (known.x1_mm, known.x2_mm, one.x1_mm, one.x2_mm)
        ys = (known.y1_mm, known.y2_mm, one.y1_mm, one.y2_mm)
        lines[key] = Stroke(min(xs), min(ys), max(xs), max(ys))
    return tuple(lines.values())


def shown_part(placement: Placement, frame: Frame) -> CutCard:
    """Return what a placement shows of its card: all of it, or a tile of a board."""
    edges = Edges(*(min(0.0, edge_mm) for edge_mm in placement.bleed))
    box = edges.around(placement.trim_box(frame.trim))
    # A tile lies over its neighbours at its left and above, which a turn takes on to the next sides.
    quarters = placement.turn_degrees // 90
    left, top, right, bottom = ((side - quarters) % 4 < 2 or edge_mm == 0.0 for side, edge_mm in enumerate(edges))
    return CutCard(box, (left, top, right, bottom))


def _runs(cards: Sequence[CutCard], length_mm: float) -> list[tuple[float, float, float]]:
    """Return the upright cuts along cards as (x, from, to), each as long as no card stands in its way."""
    boxes = [card.box for card in cards]
    edges = [(card.box.x_mm, card.box) for card in cards if card.is_cut[0]]
    edges += [(card.box.right_mm, card.box) for card in cards if card.is_cut[2]]
    lines: list[tuple[float, list[Rect]]] = []
    for at, box in sorted(edges, key=lambda edge: (edge[0], edge[1].y_mm)):
        if lines and at - lines[-1][0] < _SLIP_MM:
            lines[-1][1].append(box)
        else:
            lines.append((at, [box]))
    found: list[tuple[float, float, float]] = []
    for at, along in lines:
        across = [box for box in boxes if box.x_mm < at - _SLIP_MM and box.right_mm > at + _SLIP_MM]
        run: list[Rect] = []
        for box in sorted(along, key=lambda box: box.y_mm):
            if run and any(run[-1].y_mm < other.y_mm < box.y_mm for other in across):
                found.append(_reaching(at, run, across, length_mm))
                run = []
            run.append(box)
        found.append(_reaching(at, run, across, length_mm))
    return found


def _reaching(at: float, run: Sequence[Rect], across: Sequence[Rect], length_mm: float) -> tuple[float, float, float]:
    start_mm, end_mm = min(box.y_mm for box in run), max(box.bottom_mm for box in run)
    before = any(box.bottom_mm <= start_mm + _SLIP_MM for box in across)
    after = any(box.y_mm >= end_mm - _SLIP_MM for box in across)
    return at, start_mm - MARK_LONGEST_MM if before else 0.0, end_mm + MARK_LONGEST_MM if after else length_mm


def _turned(card: CutCard) -> CutCard:
    (x_mm, y_mm, width_mm, height_mm), (left, top, right, bottom) = card
    return CutCard(Rect(y_mm, x_mm, height_mm, width_mm), (top, left, bottom, right))


def _strokes(items: Sequence[Item], matrix: Matrix) -> list[Stroke]:
    """Return the straight lines among items."""
    found: list[Stroke] = []
    for item in items:
        if isinstance(item, Group):
            found += _strokes(item.items, matrix.after(item.matrix))
        elif isinstance(item, Outline):
            at = (0.0, 0.0)
            for kind, numbers in item.path.segments():
                if kind in (MOVE, LINE):
                    point = matrix.apply(*numbers)
                    if kind == LINE:
                        found.append(Stroke(*at, *point))
                    at = point
    return found
