"""Elements with places in them -> what they have to show, part by part, worked out from their attributes alone.

Boards and slots are worked out here, tracks in `track_check`, nets in `net_check`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from duckpress.core import paths
from duckpress.core.coordinates import Coordinates, counted_from
from duckpress.core.geometry import MM_PER_PT, Point, Rect
from duckpress.core.sizes import FORMATS
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import Look
from oracle.frame_check.asked_parts import AskedOutline, Inside, Label, Part
from oracle.frame_check.asked_values import Attributes, area_of, box_in, mm, number, paint_in, painted
from oracle.frame_check.net_check import dicenet_parts, tucknet_parts
from oracle.frame_check.track_check import track_parts

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
