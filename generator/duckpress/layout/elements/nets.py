"""Nets to cut out and fold, with solid cut lines and dashed folds: `dicenet` for a die, `tucknet` for a tuck box."""

from __future__ import annotations

import math

from msgspec.structs import replace

from duckpress.art.values import JOINS
from duckpress.core.frame import Item, Outline, Paint
from duckpress.core.geometry import Point, Rect
from duckpress.core.paths import KAPPA, Path, PathBuilder, joined, polyline, rectangle, strokes
from duckpress.core.tuckbox import BLEED_MM, PLACES, Net
from duckpress.layout.elements.board_elements import CellElement, Furnished, Part
from duckpress.layout.elements.layout_context import Attributes, LayoutContext
from duckpress.layout.elements.shapes import painted, read_paint
from duckpress.layout.face_xml import FaceNode

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


def dicenet(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return the net of a cube; problems `bad-length`, `bad-die`."""
    attributes = node.attrib
    box = context.box(attributes, cell)
    edge_mm = context.size(attributes, "edge", 16.0)
    tab_mm = min(context.size(attributes, "tab", min(6.0, _TAB_SHARE * edge_mm)), _TAB_MOST * edge_mm)
    bleed_mm = min(context.size(attributes, "bleed", 0.0), _TAB_MOST * edge_mm)
    sides = [child for child in node.children if child.tag == "side"]
    if len(sides) != SIDES or len(sides) != len(node.children) or edge_mm <= 0:
        what = f"a die has six sides, this one {len(sides)}"
        context.say("bad-die", what, "write six <side> elements and nothing else")
        return Furnished(())
    left_mm, top_mm = box.x_mm + tab_mm, box.y_mm + tab_mm

    def at(point: tuple[float, float]) -> Point:
        return left_mm + point[0] * edge_mm, top_mm + point[1] * edge_mm

    def tab(start: tuple[int, int], end: tuple[int, int], deep_mm: float = tab_mm) -> list[Point]:
        """Return the outer corners of a tab, slanted by 45 degrees, so that three tabs fit into one corner."""
        (x1, y1), (x2, y2) = at(start), at(end)
        along_x, along_y = (x2 - x1) / edge_mm * deep_mm, (y2 - y1) / edge_mm * deep_mm
        return [(x1 + along_x + along_y, y1 + along_y - along_x), (x2 - along_x + along_y, y2 - along_y - along_x)]

    def bled(column: int, row: int) -> Path:
        """Return a side with bleed at every edge that it shares with no other side."""
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        points: list[Point] = []
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            points += [at(start), *(() if {start, end} in _SHARED else tab(start, end, bleed_mm))]
        return polyline(points, is_closed=True)

    cut = read_paint(context, attributes, stroke="ink")
    paper = replace(cut, stroke=None, stroke_mm=0.0)
    tabs = PathBuilder()
    for start, end in TABS:
        tabs.polyline([at(start), *tab(start, end), at(end)], is_closed=True)
    tab_fill = context.colour(attributes.get("tab-fill", "none"))
    items = painted(tabs.path(), replace(paper, fill=tab_fill))
    parts: list[Part] = []
    for side, seat in zip(sides, SEATS, strict=True):
        seat_box = Rect(*at(seat), edge_mm, edge_mm)
        ground = replace(paper, fill=context.colour(side.attrib["fill"]) if "fill" in side.attrib else paper.fill)
        if bleed_mm > 0:
            items += painted(bled(*seat), ground)
        parts.append(painted(rectangle(*seat_box), ground))
        parts.append(CellElement(side, seat_box))
    points: list[Point] = []
    for start, end in zip(_OUTLINE, (*_OUTLINE[1:], _OUTLINE[0]), strict=True):
        points += [at(start), *(tab(start, end) if (start, end) in TABS else ())]
    outline = polyline(points, is_closed=True)
    folds = strokes([(*at(start), *at(end)) for start, end in (*_FOLDS, *TABS)])
    halo = replace(cut, fill=None, stroke=context.colour(attributes.get("halo", "none")), dash_mm=())
    # The sides cover the inner half of the rim: nothing of it stays on the die.
    items += painted(outline, replace(halo, stroke_mm=HALO_SHARE * cut.stroke_mm))
    fold = replace(cut, fill=None, stroke=context.colour(attributes.get("fold", "ink")), dash_mm=FOLD_DASH_MM)
    cut = replace(cut, fill=None, dash_mm=())
    return Furnished(items, parts, painted(folds, halo) + painted(folds, fold) + painted(outline, cut))


def is_folds(item: Outline) -> bool:
    """Return whether an outline is the folds of a net; its first line is the left edge of the first side."""
    return item.paint.dash_mm == FOLD_DASH_MM and item.path.kinds == strokes([(0.0,) * 4] * len((*_FOLDS, *TABS))).kinds


_SLANT = math.tan(math.radians(15))


def tucknet(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return the net of a tuck box; problems `bad-length`, `bad-box`, `bad-choice`."""
    attributes = node.attrib
    box = context.box({key: value for key, value in attributes.items() if key in ("x", "y")}, cell)
    sides = [context.size(attributes, name, 0.0) for name in ("width", "height", "depth")]
    if min(sides) <= 0:
        what = "a tuck box has a width, a height and a depth"
        context.say("bad-box", what, 'write width="66" height="91" depth="20"')
        return Furnished(())
    net, bleed_mm = Net(*sides), context.size(attributes, "bleed", BLEED_MM)
    cut = read_paint(context, attributes, stroke="ink")
    ground = replace(cut, stroke=None, stroke_mm=0.0)
    flap_fill = context.colour(attributes.get("flap-fill", attributes.get("fill", "none")))
    dx, dy = box.x_mm, box.y_mm
    places = {name: rect.moved(dx, dy) for name, rect in net.places().items()}
    printed = {name: rect.moved(dx, dy) for name, rect in net.printed(bleed_mm).items()}
    parts: list[Part] = []
    # A line in their own colour makes the flaps larger by the bleed, whatever their shape.
    flap_rim = replace(ground, fill=flap_fill, stroke=flap_fill if bleed_mm else None, join=JOINS["round"])
    items = painted(_flaps(net, dx, dy), replace(flap_rim, stroke_mm=2 * bleed_mm if flap_rim.stroke else 0.0))
    items += painted(joined(rectangle(*rect) for rect in printed.values()), ground)
    for child in node.children:
        name = child.attrib.get("name", "")
        if child.tag != "panel" or name not in places:
            context.say("bad-box", f"{name!r} is no panel of a box", f"use one of: {', '.join(PLACES)}")
            continue
        if "fill" in child.attrib:
            fill = context.colour(child.attrib["fill"])
            parts.append(painted(rectangle(*printed.get(name, places[name])), replace(ground, fill=fill)))
        parts.append(CellElement(child, places[name]))
    return Furnished(items, parts, _box_lines(context, attributes, cut, net, (dx, dy), bleed_mm))


def _box_lines(
    context: LayoutContext, attributes: Attributes, cut: Paint, net: Net, corner: Point, bleed_mm: float
) -> tuple[Item, ...]:
    """Return the folds through the ink (if they have a colour), marks at the folds, and the cut line with its halo."""
    dx, dy = corner
    line = replace(cut, fill=None, dash_mm=())
    fold = replace(line, stroke=context.colour(attributes.get("fold", "none")), dash_mm=FOLD_DASH_MM)
    marks = replace(fold, stroke=context.colour(attributes.get("marks", "ink")))
    rim = context.colour(attributes.get("halo", "#ffffff"))
    halo = replace(line, stroke=rim, stroke_mm=HALO_SHARE * line.stroke_mm)
    beside = strokes([(x1 + dx, y1 + dy, x2 + dx, y2 + dy) for x1, y1, x2, y2 in net.fold_marks(bleed_mm)])
    outline = _outline(net, dx, dy)
    items: tuple[Item, ...] = ()
    for path, paint in ((_folds(net, dx, dy), fold), (beside, marks), (outline, halo), (outline, line)):
        if line.stroke is not None:
            items += painted(path, paint)
    return items


def _dust_flap(net: Net, x: float, *, is_top: bool) -> list[Point]:
    """Return a dust flap from left to right: slanted, to fit beside its neighbours."""
    edge = net.top_mm if is_top else net.top_mm + net.height_mm
    away = -net.dust_mm if is_top else net.dust_mm
    slant = min(net.dust_mm * _SLANT, net.depth_mm * 0.3)
    d = net.depth_mm
    return [(x, edge), (x + slant, edge + away), (x + d - slant, edge + away), (x + d, edge)]


def _tuck_flap(
    builder: PathBuilder, net: Net, dx: float, dy: float, *, is_top: bool, is_reversed: bool = False
) -> None:
    """Add a tongue with round corners, from the flap's left end to its right end, or the other way."""
    panel = net.panels()["top" if is_top else "bottom"]
    start_y = (panel.y_mm if is_top else panel.bottom_mm) + dy
    sign = -1 if is_top else 1
    radius = net.tuck_mm * 0.7
    x1, x2, end_y = panel.x_mm + dx, panel.right_mm + dx, start_y + sign * net.tuck_mm
    k = radius * (1 - KAPPA)
    across, along = radius, k
    if is_reversed:
        x1, x2, across, along = x2, x1, -radius, -k
    builder.line(x1, end_y - sign * radius)
    builder.curve(x1, end_y - sign * k, x1 + along, end_y, x1 + across, end_y)
    builder.line(x2 - across, end_y)
    builder.curve(x2 - along, end_y, x2, end_y - sign * k, x2, end_y - sign * radius)
    builder.line(x2, start_y)


def _flaps(net: Net, dx: float, dy: float) -> Path:
    panels = net.panels()
    builder = PathBuilder()
    for name in ("right", "left"):
        for is_top in (True, False):
            flap = _dust_flap(net, panels[name].x_mm, is_top=is_top)
            builder.polyline([(x + dx, y + dy) for x, y in flap], is_closed=True)
    for name, is_top in (("top", True), ("bottom", False)):
        start_y = panels[name].y_mm if is_top else panels[name].bottom_mm
        builder.move(panels[name].x_mm + dx, start_y + dy)
        _tuck_flap(builder, net, dx, dy, is_top=is_top)
        builder.close()
    return builder.path()


def _folds(net: Net, dx: float, dy: float) -> Path:
    panels = net.panels()
    top, bottom = net.top_mm, net.top_mm + net.height_mm
    lines = [(panels[name].x_mm, top, panels[name].x_mm, bottom) for name in ("front", "right", "back", "left")]
    for name in ("right", "back", "left"):
        lines += [(panels[name].x_mm, y, panels[name].right_mm, y) for y in (top, bottom)]
    for name, y in (("top", panels["top"].y_mm), ("bottom", panels["bottom"].bottom_mm)):
        lines.append((panels[name].x_mm, y, panels[name].right_mm, y))
    return strokes([(x1 + dx, y1 + dy, x2 + dx, y2 + dy) for x1, y1, x2, y2 in lines])


def _outline(net: Net, dx: float, dy: float) -> Path:
    """Return the cut line: clockwise once around the net from the top left of the front, with the thumb's notch."""
    panels = net.panels()
    front, right, back, left = (panels[name] for name in ("front", "right", "back", "left"))
    top, bottom = net.top_mm, net.top_mm + net.height_mm
    radius = min(9.0, net.width_mm / 5)
    middle = front.x_mm + net.width_mm / 2 + dx
    k = radius * KAPPA
    y = top + dy
    builder = PathBuilder()

    def lines(*points: Point) -> None:
        for px, py in points:
            builder.line(px + dx, py + dy)

    builder.move(front.x_mm + dx, y)
    builder.line(middle - radius, y)
    builder.curve(middle - radius, y + k, middle - k, y + radius, middle, y + radius)
    builder.curve(middle + k, y + radius, middle + radius, y + k, middle + radius, y)
    lines((front.right_mm, top), *_dust_flap(net, right.x_mm, is_top=True)[1:])
    lines((back.x_mm, top), (back.x_mm, top - net.depth_mm))
    _tuck_flap(builder, net, dx, dy, is_top=True)
    lines((back.right_mm, top), *_dust_flap(net, left.x_mm, is_top=True)[1:], (left.right_mm, bottom))
    lines(*_dust_flap(net, left.x_mm, is_top=False)[::-1][1:])
    lines((back.right_mm, bottom), (back.right_mm, bottom + net.depth_mm))
    _tuck_flap(builder, net, dx, dy, is_top=False, is_reversed=True)
    lines((back.x_mm, bottom), *_dust_flap(net, right.x_mm, is_top=False)[::-1][1:], (front.x_mm, bottom))
    glue_x, slant = net.left_mm - net.glue_mm, net.glue_mm * 0.5
    lines((glue_x, bottom - slant), (glue_x, top + slant), (net.left_mm, top))
    builder.close()
    return builder.path()
