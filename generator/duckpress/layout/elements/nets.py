"""`dicenet` -> what is cut out and folded into a die, cut lines solid and folds dashed.

A die's net is a cross, seen from the outside of the cube: a row of four sides, and one above and one below the second.
With the sides numbered as they are written, 1 and 6, 2 and 5, 3 and 4 come to lie opposite, and 1, 2, 3 run
anticlockwise around their corner, as on western dice. Of a cube's twelve edges five are folds of the net; the other
seven are glued, each by one tab. A side's colour goes on beyond its outer edges, onto tabs and waste, so that neither a
cut nor a fold that is a little off shows white.

        3
      5 1 2 6
        4
"""

from __future__ import annotations

from msgspec.structs import replace

from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Point, Rect
from duckpress.core.paths import Path, PathBuilder, polyline, rectangle, strokes
from duckpress.layout.elements.board_elements import CellElement, Furnished, Part
from duckpress.layout.elements.layout_context import Attributes, Desk
from duckpress.layout.elements.shapes import painted, read_paint
from duckpress.layout.templates.face_xml import FaceNode

SIDES = 6
# Column and row of each side in the net, in the order in which they are written.
SEATS = ((1, 1), (2, 1), (1, 0), (1, 2), (0, 1), (3, 1))
# The edges with a tab, in the order of the outline (clockwise), in sides from the top left of the net.
TABS = (
    ((1, 1), (1, 0)), ((1, 0), (2, 0)), ((2, 0), (2, 1)),
    ((2, 2), (2, 3)), ((2, 3), (1, 3)), ((1, 3), (1, 2)),
    ((0, 2), (0, 1)),
)  # fmt: skip
_OUTLINE = ((0, 1), (1, 1), (1, 0), (2, 0), (2, 1), (4, 1), (4, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2))
_FOLDS = (((1, 1), (1, 2)), ((2, 1), (2, 2)), ((3, 1), (3, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)))
_SHARED = frozenset(map(frozenset, _FOLDS))
_TAB_SHARE, _TAB_MOST = 0.28, 0.45
FOLD_DASH_MM = (1.2, 0.8)
HALO_SHARE = 3.0
"""How many times as wide as the cut line its rim is."""


def dicenet(desk: Desk, node: FaceNode, cell: Rect) -> Furnished:
    """Return the net of a cube; problems `bad-length`, `bad-die`."""
    attributes = node.attrib
    box = desk.box(attributes, cell)
    edge_mm = desk.size(attributes, "edge", 16.0)
    tab_mm = min(desk.size(attributes, "tab", min(6.0, _TAB_SHARE * edge_mm)), _TAB_MOST * edge_mm)
    bleed_mm = min(desk.size(attributes, "bleed", 0.0), _TAB_MOST * edge_mm)
    sides = [child for child in node.children if child.tag == "side"]
    if len(sides) != SIDES or len(sides) != len(node.children) or edge_mm <= 0:
        desk.say("bad-die", f"a die has six sides, this one {len(sides)}", "write six <side> elements and nothing else")
        return Furnished(())
    left_mm, top_mm = box.x_mm + tab_mm, box.y_mm + tab_mm

    def at(point: tuple[float, float]) -> Point:
        return left_mm + point[0] * edge_mm, top_mm + point[1] * edge_mm

    def tab(start: tuple[int, int], end: tuple[int, int], deep_mm: float = tab_mm) -> list[Point]:
        """Return the outer corners of a tab: slanted by 45 degrees, so that three of them find room in one corner."""
        (x1, y1), (x2, y2) = at(start), at(end)
        along_x, along_y = (x2 - x1) / edge_mm * deep_mm, (y2 - y1) / edge_mm * deep_mm
        return [(x1 + along_x + along_y, y1 + along_y - along_x), (x2 - along_x + along_y, y2 - along_y - along_x)]

    def bled(column: int, row: int) -> Path:
        """Return a side with its bleed beyond every edge that it shares with no other side."""
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        points: list[Point] = []
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            points += [at(start), *(() if {start, end} in _SHARED else tab(start, end, bleed_mm))]
        return polyline(points, is_closed=True)

    cut = read_paint(desk, attributes, stroke="ink")
    paper = replace(cut, stroke=None, stroke_mm=0.0)
    tabs = PathBuilder()
    for start, end in TABS:
        tabs.polyline([at(start), *tab(start, end), at(end)], is_closed=True)
    tab_fill = desk.colour(attributes.get("tab-fill", "none"))
    items = painted(tabs.path(), replace(paper, fill=tab_fill))
    parts: list[Part] = []
    for side, seat in zip(sides, SEATS, strict=True):
        seat_box = Rect(*at(seat), edge_mm, edge_mm)
        ground = replace(paper, fill=desk.colour(side.attrib["fill"]) if "fill" in side.attrib else paper.fill)
        if bleed_mm > 0:
            items += painted(bled(*seat), ground)
        parts.append(painted(rectangle(*seat_box), ground))
        parts.append(CellElement(side, seat_box))
    points: list[Point] = []
    for start, end in zip(_OUTLINE, (*_OUTLINE[1:], _OUTLINE[0]), strict=True):
        points += [at(start), *(tab(start, end) if (start, end) in TABS else ())]
    outline = polyline(points, is_closed=True)
    folds = strokes([(*at(start), *at(end)) for start, end in (*_FOLDS, *TABS)])
    halo = replace(cut, fill=None, stroke=desk.colour(attributes.get("halo", "none")), dash_mm=())
    # The sides cover the inner half of the rim: nothing of it stays on the die.
    items += painted(outline, replace(halo, stroke_mm=HALO_SHARE * cut.stroke_mm))
    lines = painted(folds, halo) + _lines(desk, attributes, cut, folds, outline)
    return Furnished(items, parts, lines)


def is_folds(item: Outline) -> bool:
    """Return whether an outline is the folds of a net; the first of them is the left edge of the first side."""
    return item.paint.dash_mm == FOLD_DASH_MM and item.path.kinds == strokes([(0.0,) * 4] * len((*_FOLDS, *TABS))).kinds


def _lines(desk: Desk, attributes: Attributes, cut: Paint, folds: Path, outline: Path) -> tuple[Item, ...]:
    fold = replace(cut, fill=None, stroke=desk.colour(attributes.get("fold", "ink")), dash_mm=FOLD_DASH_MM)
    return painted(folds, fold) + painted(outline, replace(cut, fill=None, dash_mm=()))
