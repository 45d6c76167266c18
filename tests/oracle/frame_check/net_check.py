"""Nets of dice and tuck boxes -> what they have to show, part by part, worked out from their attributes alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from duckpress.core import paths
from duckpress.core.frame import Paint
from duckpress.core.geometry import Point, Rect
from duckpress.core.tuckbox import Net
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import Look
from oracle.frame_check.asked_parts import AskedOutline, Inside, Part
from oracle.frame_check.asked_values import Attributes, box_in, colour_in, mm, paint_in, painted

_ROUND = 1  # of the ways lines may turn a corner
_DIE = ((1, 1), (2, 1), (1, 0), (1, 2), (0, 1), (3, 1))  # 1 and 6, 2 and 5, 3 and 4 lie opposite once it is folded
_DIE_RIMS = ("", "tb", "ltr", "lbr", "ltb", "trb")  # the edges of each of them that no other side shares


def dicenet_parts(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    """Yield what the net of a die has to show: its tabs, its sides and what they hold, its folds and its outline."""
    attributes, box = node.attrib, box_in(node.attrib, cell)
    edge_mm = mm(attributes, "edge", 16.0)
    tab_mm = min(mm(attributes, "tab", min(6.0, 0.28 * edge_mm)), 0.45 * edge_mm)
    cut = paint_in(look, attributes, stroke="ink")
    paper = replace(cut, stroke=None, stroke_mm=0.0)
    yield AskedOutline(replace(paper, fill=colour_in(look, attributes.get("tab-fill", "none"))))
    bleed_mm = min(mm(attributes, "bleed", 0.0), 0.45 * edge_mm)
    halo = replace(cut, fill=None, stroke=colour_in(look, attributes.get("halo", "none")), dash_mm=())
    sides: list[Part] = []
    for side, (column, row), rims in zip(node.children, _DIE, _DIE_RIMS, strict=True):
        seat = Rect(box.x_mm + tab_mm + column * edge_mm, box.y_mm + tab_mm + row * edge_mm, edge_mm, edge_mm)
        fill = colour_in(look, side.attrib["fill"]) if "fill" in side.attrib else paper.fill
        if bleed_mm > 0:
            corner = (seat.x_mm - bleed_mm * ("l" in rims), seat.y_mm - bleed_mm * ("t" in rims))
            area = edge_mm**2 + len(rims) * bleed_mm * (edge_mm - bleed_mm)
            yield AskedOutline(replace(paper, fill=fill), area, corner)
        sides += [painted(paths.rectangle(*seat), replace(paper, fill=fill)), Inside(side, seat)]
    net_area, net_corner = 6 * edge_mm**2 + 7 * tab_mm * (edge_mm - tab_mm), (box.x_mm, box.y_mm)
    yield AskedOutline(replace(halo, stroke_mm=3 * cut.stroke_mm), net_area, net_corner)
    yield from sides
    yield AskedOutline(halo)
    yield from _lines(attributes, cut, look, net_area, net_corner)


def _lines(attributes: Attributes, cut: Paint, look: Look, area: float | None, corner: Point | None) -> Iterator[Part]:
    """Yield the folds of a net and the line that is cut."""
    yield AskedOutline(
        replace(cut, fill=None, stroke=colour_in(look, attributes.get("fold", "ink")), dash_mm=(1.2, 0.8))
    )
    yield AskedOutline(replace(cut, fill=None, dash_mm=()), area, corner)


def tucknet_parts(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    """Yield what the net of a tuck box has to show: its flaps, its panels and what they hold, its folds and cuts."""
    attributes = node.attrib
    x_mm, y_mm = cell.x_mm + mm(attributes, "x", 0.0), cell.y_mm + mm(attributes, "y", 0.0)
    net, bleed_mm = (
        Net(*(mm(attributes, name, 0.0) for name in ("width", "height", "depth"))),
        mm(attributes, "bleed", 2.0),
    )
    places = {name: place.moved(x_mm, y_mm) for name, place in net.places().items()}
    printed = {name: panel.moved(x_mm, y_mm) for name, panel in net.printed(bleed_mm).items()}
    cut = paint_in(look, attributes, stroke="ink")
    ground = replace(cut, stroke=None, stroke_mm=0.0)
    flap = colour_in(look, attributes.get("flap-fill", attributes.get("fill", "none")))
    rim = {"stroke": flap, "stroke_mm": 2 * bleed_mm} if flap and bleed_mm else {}
    yield AskedOutline(replace(ground, fill=flap, join=_ROUND, **rim))
    yield painted(paths.joined(paths.rectangle(*panel) for panel in printed.values()), ground)
    for child in node.children:
        name = child.attrib["name"]
        if "fill" in child.attrib:
            fill = replace(ground, fill=colour_in(look, child.attrib["fill"]))
            yield painted(paths.rectangle(*printed.get(name, places[name])), fill)
        yield Inside(child, places[name])
    if not cut.stroke:
        return
    line = replace(cut, fill=None, dash_mm=())
    fold = replace(line, stroke=colour_in(look, attributes.get("fold", "none")), dash_mm=(1.2, 0.8))
    yield AskedOutline(fold)
    marks = [(x1 + x_mm, y1 + y_mm, x2 + x_mm, y2 + y_mm) for x1, y1, x2, y2 in net.fold_marks(bleed_mm)]
    yield painted(paths.strokes(marks), replace(fold, stroke=colour_in(look, attributes.get("marks", "ink"))))
    halo = colour_in(look, attributes.get("halo", "#ffffff"))
    yield AskedOutline(replace(line, stroke=halo, stroke_mm=3 * line.stroke_mm), None, (x_mm, y_mm))
    yield AskedOutline(line, None, (x_mm, y_mm))
