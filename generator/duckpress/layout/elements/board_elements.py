"""Elements with places in them: what they paint, and the cells of what stands in them; slots and polyominoes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.frame import Item
from duckpress.core.geometry import Point, Rect, Size, hexagon
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import Path, PathBuilder, ellipse, rectangle, strokes
from duckpress.core.problems import did_you_mean
from duckpress.core.sizes import FORMATS, Format
from duckpress.layout.elements.layout_context import Attributes, Desk, first_words
from duckpress.layout.elements.shapes import drawn, painted, read_paint
from duckpress.layout.templates.face_xml import FaceNode
from duckpress.layout.theme.theme import NONE


class CellElement(Struct, frozen=True):
    """A cell, and the element whose children fill it."""

    node: FaceNode
    cell: Rect


Part = CellElement | tuple[Item, ...]


class Furnished(NamedTuple):
    """An element in painting order: its own items, then cells and further items, items over all of them, its labels."""

    items: tuple[Item, ...]
    parts: Sequence[Part] = ()
    over: tuple[Item, ...] = ()
    labels: tuple[Item, ...] = ()


def label_items(desk: Desk, attributes: Attributes, text: str, box: Rect, valign: str, align: str) -> tuple[Item, ...]:
    """Return a label in the style of a board's labels; problems `text-overflow`, `missing-glyph`, `right-to-left`."""
    style = desk.style(attributes.get("label-style", "label"))._replace(
        align=f"at-{align}" if align != "center" else align
    )
    if style.colour == NONE:
        return ()
    fitted = desk.typesetter.fit(text, style, box, valign=valign)
    label = f"the label {first_words(text)!r}"
    if fitted.over_mm:
        what = f"{label} is {fitted.over_mm:.1f} mm over its cell at {fitted.size_pt:g} pt"
        desk.say("text-overflow", what, "make the label's style smaller, or the cells larger")
    desk.say_unset(label, fitted, "write it otherwise")
    return fitted.items


def path_around(polygons: Iterable[list[Point]]) -> Path:
    """Return the outline around polygons that lie side by side, without the edges that two of them share."""
    edges: dict[Point, list[Point]] = {}
    drawn: set[tuple[Point, Point]] = set()
    for polygon in polygons:
        corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in polygon]
        for edge in zip(corners, [*corners[1:], corners[0]], strict=True):
            if (edge[1], edge[0]) in drawn:
                drawn.remove((edge[1], edge[0]))
            else:
                drawn.add(edge)
    for start, end in sorted(drawn):
        edges.setdefault(start, []).append(end)
    builder = PathBuilder()
    while edges:
        start = at = next(iter(edges))
        loop: list[Point] = []
        while True:
            loop.append(at)
            ends = edges[at]
            following = ends.pop()
            if not ends:
                del edges[at]
            at = following
            if at == start or at not in edges:
                break
        builder.polyline(_straightened(loop), is_closed=True)
    return builder.path()


def _straightened(points: list[Point]) -> list[Point]:
    """Return a closed line without the points in the middle of its straight parts."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(points):
        (x1, y1), (x2, y2) = points[index - 1], points[(index + 1) % len(points)]
        if abs((x - x1) * (y2 - y) - (y - y1) * (x2 - x)) > 1e-3:
            kept.append((x, y))
    return kept


DEFAULT_ROOM_MM = 0.5
_EMPTY = ".-0_"


def slot(desk: Desk, node: FaceNode, cell: Rect) -> Furnished:
    """Return the outline of a place, `room` larger all round than what lies there; problem `unknown-size`."""
    attributes = node.attrib
    box, corner_mm, shape = _seat(desk, attributes, cell)
    room_mm = desk.size(attributes, "room", DEFAULT_ROOM_MM)
    around = box.grown(room_mm)
    radius_mm = corner_mm + room_mm if corner_mm > 0 else 0.0
    if shape is not None and shape.is_hex:
        # All sides moved outwards by the same, so that the piece lies with the same room everywhere.
        grown_mm = 2 * room_mm / math.cos(math.pi / 6)
        width_mm, height_mm = box.width_mm, box.height_mm
        is_flat = width_mm > height_mm
        across_mm, down_mm = (grown_mm, 2 * room_mm) if is_flat else (2 * room_mm, grown_mm)
        around = Rect(box.x_mm - across_mm / 2, box.y_mm - down_mm / 2, width_mm + across_mm, height_mm + down_mm)
        corners = ((around.x_mm + x, around.y_mm + y) for x, y in hexagon(Size(around.width_mm, around.height_mm)))
        path = path_around([list(corners)])
    elif shape is not None and shape.is_round:
        half_mm = around.width_mm / 2
        path = ellipse(around.x_mm + half_mm, around.y_mm + half_mm, half_mm, half_mm)
    else:
        path = rectangle(*around, radius_mm)
    items = drawn(desk, attributes, path, stroke="ink")
    labels: tuple[Item, ...] = ()
    if attributes.get("label"):
        labels = label_items(desk, attributes, attributes["label"], box, "middle", "center")
    return Furnished(items, (CellElement(node, box),), labels=labels)


def _seat(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Rect, float, Format | None]:
    """Return where the card lies, the radius of its corners, and the named size it has, if any."""
    corner_mm = 0.0
    format_: Format | None = None
    given = dict(attributes)
    name = attributes.get("of")
    if name is not None:
        format_ = FORMATS.get(name)
        if format_ is None:
            fix = did_you_mean(name, FORMATS) + " (or write width and height)"
            desk.say("unknown-size", f"there is no size {name[:40]!r}", fix)
        else:
            corner_mm = format_.corner_mm
            given.setdefault("width", str(format_.trim.width_mm))
            given.setdefault("height", str(format_.trim.height_mm))
    return desk.box(given, cell), desk.size(attributes, "rx", corner_mm), format_


def polyomino(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a shape of squares, in the middle of its box unless its squares have a size; problem `bad-polyomino`."""
    rows = re.split(r"[\s/]+", attributes.get("rows", "").strip(" /"))
    columns, most = max(map(len, rows)), limit("polyomino-side")
    if columns > most or len(rows) > most:
        fix = f"make it smaller; {how_to_raise('polyomino-side')}"
        desk.say("bad-polyomino", f"the shape is more than {most} squares long", fix)
        return ()
    squares = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in _EMPTY]
    if not squares:
        what = f"rows={attributes.get('rows', '')[:40]!r} is no shape of squares"
        desk.say("bad-polyomino", what, "write rows such as 'XX/.X'")
        return ()
    box = desk.box(attributes, cell)
    side_mm = desk.size(attributes, "cell", min(box.width_mm / columns, box.height_mm / len(rows)))
    left_mm, top_mm = box.x_mm, box.y_mm
    if "cell" not in attributes:
        left_mm += (box.width_mm - columns * side_mm) / 2
        top_mm += (box.height_mm - len(rows) * side_mm) / 2

    def corners(x: int, y: int) -> list[Point]:
        steps = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        return [(left_mm + across * side_mm, top_mm + down * side_mm) for across, down in steps]

    outline = path_around(corners(x, y) for x, y in squares)
    paint = read_paint(desk, attributes)
    opacity = desk.opacity(attributes)
    filled = set(squares)
    lines = [(*corners(x, y)[1], *corners(x, y)[2]) for x, y in squares if (x + 1, y) in filled]
    lines += [(*corners(x, y)[3], *corners(x, y)[2]) for x, y in squares if (x, y + 1) in filled]
    inner = desk.colour(attributes["inner"]) if "inner" in attributes else None
    width_mm = desk.size(attributes, "inner-width", 0.25)
    items = painted(outline, replace(paint, stroke=None, stroke_mm=0.0), opacity)
    if inner is not None and width_mm > 0:
        items += painted(
            strokes(lines), replace(paint, fill=None, stroke=inner, stroke_mm=width_mm, dash_mm=()), opacity
        )
    return items + painted(outline, replace(paint, fill=None), opacity)
