"""Elements with places in them -> what they have to show, part by part, worked out from their attributes alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from duckpress.art.svg.paths import parse_points
from duckpress.core import paths
from duckpress.core.coordinates import Coordinates, counted_from
from duckpress.core.frame import Paint
from duckpress.core.geometry import MM_PER_PT, Point, Rect
from duckpress.core.sizes import FORMATS
from duckpress.core.tuckbox import Net
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import Look
from oracle.frame_check.asked_values import (
    AskedOutline,
    Attributes,
    Inside,
    Label,
    Part,
    area_of,
    box_in,
    colour_in,
    mm,
    number,
    paint_in,
    painted,
)

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


def track_parts(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    """Yield what a track has to show: its spaces, the marked ones last, what lies on them, and their numbers."""
    attributes, box = node.attrib, box_in(node.attrib, cell)
    gap_mm, way = mm(attributes, "gap", 0.0), attributes.get("way", "row")
    spaces = _on_line(attributes, box, gap_mm) if way == "path" else _on_lattice(attributes, box, gap_mm, way)
    first, step = int(attributes.get("first", "").strip() or 1), int(attributes.get("step", "").strip() or 1) or 1
    numbers = [first + at * step for at in range(len(spaces))]
    paint, every = paint_in(look, attributes, stroke="ink"), int(attributes.get("every", 0))
    fill = colour_in(look, attributes["every-fill"]) if "every-fill" in attributes else paint.fill
    is_round, rx_mm = attributes.get("shape") == "circle", mm(attributes, "rx", 0.0)
    for is_marked in (False, True):
        chosen = [at for at, counted in enumerate(numbers) if bool(every and counted % every == 0) == is_marked]
        outlines = [
            paths.ellipse(x + wide / 2, y + high / 2, wide / 2, high / 2)
            if is_round
            else paths.rectangle(x, y, wide, high, rx_mm)
            for x, y, wide, high in (spaces[at] for at in chosen)
        ]
        own = replace(paint, fill=fill) if is_marked else paint
        yield painted(paths.joined(outlines), own, number(attributes, "opacity"))
    yield from (Inside(child, spaces[numbers.index(int(child.attrib["at"]))]) for child in node.children)
    where = attributes.get("numbers", "yes")
    for counted, space in zip(numbers, spaces, strict=True):
        if where == "corner":
            yield Label(str(counted), space.grown(-0.08 * space.width_mm), "top", "left")
        elif where != "no":
            yield Label(str(counted), space)


def _on_lattice(attributes: Attributes, box: Rect, gap_mm: float, way: str) -> list[Rect]:
    """Return the spaces of a track in order: in rows, to and fro, or clockwise round a box from its top left."""
    if way == "ring":
        columns, rows = int(attributes["columns"]), int(attributes["rows"])
        top, right = [(x, 0) for x in range(columns - 1)], [(columns - 1, y) for y in range(rows - 1)]
        bottom, left = [(x, rows - 1) for x in range(columns - 1, 0, -1)], [(0, y) for y in range(rows - 1, 0, -1)]
        seats = [*top, *right, *bottom, *left][: int(attributes.get("count", 10**6))]
    else:
        count = int(attributes["count"])
        columns = {"row": count, "column": 1}.get(way) or int(attributes["columns"])
        rows = math.ceil(count / columns)
        seats = [(at % columns, at // columns) for at in range(count)]
        if way == "snake":
            seats = [(columns - 1 - x if y % 2 else x, y) for x, y in seats]
    rooms_mm = (box.width_mm + gap_mm) / columns - gap_mm, (box.height_mm + gap_mm) / rows - gap_mm
    side_mm, origin = mm(attributes, "cell", min(rooms_mm)), attributes.get("origin", "top-left")
    seats = [(columns - 1 - x if "right" in origin else x, rows - 1 - y if "bottom" in origin else y) for x, y in seats]
    step_mm = side_mm + gap_mm
    return [Rect(box.x_mm + x * step_mm, box.y_mm + y * step_mm, side_mm, side_mm) for x, y in seats]


def _on_line(attributes: Attributes, box: Rect, gap_mm: float) -> list[Rect]:
    """Return the spaces of a track in equal steps along a line."""
    points = [(box.x_mm + x, box.y_mm + y) for x, y in parse_points(attributes["points"]) or ()]
    count, lengths = int(attributes["count"]), [math.dist(*ends) for ends in pairwise(points)]
    step_mm = math.fsum(lengths) / (count - 1)
    side_mm = mm(attributes, "cell", max(0.0, step_mm - gap_mm))
    spaces = []
    for at in range(count if side_mm else 0):
        along_mm, leg = at * step_mm, 0
        while leg < len(lengths) - 1 and along_mm > lengths[leg]:
            along_mm, leg = along_mm - lengths[leg], leg + 1
        share = min(along_mm / lengths[leg], 1.0) if lengths[leg] else 0.0
        x_mm, y_mm = (one + (other - one) * share for one, other in zip(points[leg], points[leg + 1], strict=True))
        spaces.append(Rect(x_mm - side_mm / 2, y_mm - side_mm / 2, side_mm, side_mm))
    return spaces


_ROOM_MM = 0.5  # around what lies in a slot
_SIDES = ("top", "left", "bottom", "right")


def parts_of(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    """Yield what an element with places in it has to show, in painting order."""
    if node.tag == "track":
        yield from track_parts(node, cell, look)
    elif node.tag == "slot":
        yield from _slot(node, cell, look)
    elif node.tag == "dicenet":
        yield from dicenet_parts(node, cell, look)
    elif node.tag == "tucknet":
        yield from tucknet_parts(node, cell, look)
    else:
        yield from _board(node, cell, look)


def _board(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    attributes, box = node.attrib, box_in(node.attrib, cell)
    columns, rows = int(attributes["columns"]), int(attributes["rows"])
    letters, origin = attributes.get("letters", "across"), attributes.get("origin", "top-left")
    names = counted_from(attributes.get("first", "A1"), columns, rows, letters=letters, origin=origin)
    assert names is not None
    is_square = node.tag == "squaregrid"
    side_mm = mm(attributes, "cell", min(box.width_mm / columns, box.height_mm / rows)) if is_square else 0.0
    corners = _squares(box, columns, rows, side_mm) if is_square else _hexagons(attributes, box, columns, rows)
    if not corners:
        return
    if is_square:
        right_mm, bottom_mm = box.x_mm + columns * side_mm, box.y_mm + rows * side_mm
        lines = [(x, box.y_mm, x, bottom_mm) for x in (box.x_mm + side_mm * step for step in range(1, columns))]
        lines += [(box.x_mm, y, right_mm, y) for y in (box.y_mm + side_mm * step for step in range(1, rows))]
        whole = paths.rectangle(box.x_mm, box.y_mm, columns * side_mm, rows * side_mm)
        path = paths.joined([whole, paths.strokes(lines)])
    else:
        path = paths.joined(paths.polyline(polygon, is_closed=True) for polygon in corners)
    yield painted(path, paint_in(look, attributes, stroke="ink"), number(attributes, "opacity"))
    for child in node.children:
        yield from _on_board(child, look, names, corners, side_mm)
    labels = {"yes": "edges" if is_square else "cells"}.get(attributes.get("labels", "no"), attributes.get("labels"))
    if labels == "cells" or (labels not in (None, "no") and not is_square):
        for at, polygon in enumerate(corners):
            row, column = divmod(at, columns)
            room = _label_box(polygon, is_square=is_square)
            room = room.grown(-0.08 * min(room.width_mm, room.height_mm))
            yield Label(names.name(column, row), room, "top", "left")
    elif labels not in (None, "no"):
        yield from _edge_labels(attributes, box, names, side_mm, look, is_of_points=labels == "points")


def _on_board(
    child: FaceNode, look: Look, names: Coordinates, corners: Sequence[Sequence[Point]], side_mm: float
) -> Iterator[Part]:
    attributes, columns = child.attrib, names.columns
    left_mm, top_mm = corners[0][0]
    if child.tag == "space":
        column, row = _place(attributes, names)
        yield Inside(child, _inner_square(corners[row * columns + column], is_square=side_mm > 0))
    elif child.tag == "area":
        chosen: set[int] = set()
        for word in attributes["at"].replace(",", " ").split():
            ends = [names.find(name) or (0, 0) for name in (word.split("-") * 2)[:2]]
            across, down = (sorted(end[axis] for end in ends) for axis in (0, 1))
            chosen |= {y * columns + x for y in range(down[0], down[1] + 1) for x in range(across[0], across[1] + 1)}
        points = [point for at in chosen for point in corners[at]]
        corner = min(x for x, _ in points), min(y for _, y in points)
        area, _ = area_of(paths.polyline(corners[0], is_closed=True))
        yield AskedOutline(paint_in(look, attributes), len(chosen) * area, corner, number(attributes, "opacity"))
    elif child.tag == "point":
        column, row = _place(attributes, names.grown())
        size_mm = mm(attributes, "size", side_mm / 2)
        x_mm, y_mm = left_mm + column * side_mm - size_mm / 2, top_mm + row * side_mm - size_mm / 2
        yield Inside(child, Rect(x_mm, y_mm, size_mm, size_mm))
    else:
        (x1, y1), (x2, y2) = (names.grown().find(attributes[name]) or (0, 0) for name in ("from", "to"))
        line = (x1 * side_mm + left_mm, y1 * side_mm + top_mm, x2 * side_mm + left_mm, y2 * side_mm + top_mm)
        yield painted(paths.strokes([line]), paint_in(look, attributes, stroke="ink"), number(attributes, "opacity"))


def _place(attributes: Attributes, names: Coordinates) -> tuple[int, int]:
    if "at" in attributes:
        return names.find(attributes["at"]) or (0, 0)
    return int(attributes["column"]) - 1, int(attributes["row"]) - 1


def _squares(box: Rect, columns: int, rows: int, side_mm: float) -> list[list[Point]]:
    places = [(box.x_mm + x * side_mm, box.y_mm + y * side_mm) for y in range(rows) for x in range(columns)]
    return [list(Rect(x_mm, y_mm, side_mm, side_mm).corners) for x_mm, y_mm in places] if side_mm > 0 else []


def _hexagons(attributes: Attributes, box: Rect, columns: int, rows: int) -> list[list[Point]]:
    """Return the corners of hexagons: in rows, points up, or in columns, sides up, every second shifted by half."""
    is_pointed = attributes.get("top", "point") == "point"
    along, lines = (columns, rows) if is_pointed else (rows, columns)
    room_along, room_across = (box.width_mm, box.height_mm) if is_pointed else (box.height_mm, box.width_mm)
    fits_mm = min(room_along / (along + (lines > 1) / 2), room_across * math.sqrt(3) / (1.5 * lines + 0.5))
    width_mm = mm(attributes, "cell", fits_mm)
    radius_mm = width_mm / math.sqrt(3)
    hexagons = []
    for row in range(rows if width_mm > 0 else 0):
        for column in range(columns):
            step, line = (column, row) if is_pointed else (row, column)
            middle = (step + 0.5 + line % 2 / 2) * width_mm, (1.5 * line + 1) * radius_mm
            x_mm, y_mm = middle if is_pointed else middle[::-1]
            turns = [math.radians(60 * corner + (30 if is_pointed else 0)) for corner in range(6)]
            x_mm, y_mm = x_mm + box.x_mm, y_mm + box.y_mm
            hexagons.append([(x_mm + radius_mm * math.cos(a), y_mm + radius_mm * math.sin(a)) for a in turns])
    return hexagons


def _middle(polygon: Sequence[Point]) -> Point:
    return math.fsum(x for x, _ in polygon) / len(polygon), math.fsum(y for _, y in polygon) / len(polygon)


def _inner_square(polygon: Sequence[Point], *, is_square: bool) -> Rect:
    (x_mm, y_mm), side_mm = _middle(polygon), math.dist(*polygon[:2])
    half_mm = side_mm / 2 if is_square else side_mm / (1 + 1 / math.sqrt(3))
    return Rect(x_mm - half_mm, y_mm - half_mm, 2 * half_mm, 2 * half_mm)


def _label_box(polygon: Sequence[Point], *, is_square: bool) -> Rect:
    (x_mm, y_mm), side_mm = _middle(polygon), math.dist(*polygon[:2])
    high_mm = side_mm if is_square else 1.6 * side_mm
    return Rect(x_mm - side_mm / 2, y_mm - high_mm / 2, side_mm, high_mm)


def _edge_labels(
    attributes: Attributes, box: Rect, names: Coordinates, side_mm: float, look: Look, *, is_of_points: bool
) -> Iterator[Label]:
    """Yield the labels beside a grid: each in a square that touches the gap, its words at the grid's side of it."""
    asked = {name: attributes.get(name, usual) for name, usual in (("label-sides", "top left"), ("label-turned", ""))}
    sides, turned = (_SIDES if "all" in words else words.replace(",", " ").split() for words in asked.values())
    style = look.styles[attributes.get("label-style", "label")]
    away_mm = mm(attributes, "label-gap", 0.3 * style.size_pt * MM_PER_PT)
    counted, back_mm = (names.grown(), side_mm / 2) if is_of_points else (names, 0.0)
    for side in [one for one in _SIDES if one in sides]:
        is_level = side in ("top", "bottom")
        over_mm = -side_mm - away_mm if side in ("top", "left") else away_mm
        over_mm += {"bottom": names.rows, "right": names.columns}.get(side, 0) * side_mm
        for at in range(counted.columns if is_level else counted.rows):
            along_mm = at * side_mm - back_mm
            x_mm, y_mm = (along_mm, over_mm) if is_level else (over_mm, along_mm)
            text = counted.column(at) if is_level else counted.row(at)
            align = {"left": "right", "right": "left"}.get(side, "center")
            valign = {"top": "bottom", "bottom": "top"}.get(side, "middle")
            yield Label(text, Rect(box.x_mm + x_mm, box.y_mm + y_mm, side_mm, side_mm), valign, align, side in turned)


def _slot(node: FaceNode, cell: Rect, look: Look) -> Iterator[Part]:
    attributes, format_ = node.attrib, FORMATS.get(node.attrib.get("of", ""))
    given = dict(attributes)
    if format_ is not None:
        trim = format_.trim
        given = {"width": str(trim.width_mm), "height": str(trim.height_mm), **attributes}
    box, room_mm = box_in(given, cell), mm(attributes, "room", _ROOM_MM)
    around, corner_mm = box.grown(room_mm), mm(attributes, "rx", 0.0 if format_ is None else format_.corner_mm)
    paint = paint_in(look, attributes, stroke="ink")
    if format_ is not None and (format_.is_round or format_.is_hex):
        yield AskedOutline(paint, opacity=number(attributes, "opacity"))
    else:
        path = paths.rectangle(*around, corner_mm + room_mm if corner_mm > 0 else 0.0)
        yield painted(path, paint, number(attributes, "opacity"))
    yield Inside(node, box)
    if attributes.get("label"):
        yield Label(attributes["label"], box)
