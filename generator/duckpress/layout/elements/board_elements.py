"""The elements of boards: the cells of a board and their contents, `track`, `slot` and `polyomino`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from duckpress.core.coordinates import ORIGINS
from duckpress.core.frame import Item
from duckpress.core.geometry import Point, Rect, Size, added, hexagon
from duckpress.core.limits import how_to_raise, limit
from duckpress.core.paths import Path, PathBuilder, ellipse, joined, rectangle, strokes
from duckpress.core.problems import did_you_mean, same_word
from duckpress.core.sizes import FORMATS, Format
from duckpress.layout.elements.layout_context import Attributes, LayoutContext, first_words, whole_number
from duckpress.layout.elements.shapes import drawn, painted, read_paint, read_points
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.theme import NONE


class CellElement(Struct, frozen=True):
    """A cell, and the element with the children that fill it."""

    node: FaceNode
    cell: Rect


Part = CellElement | tuple[Item, ...]


class Furnished(NamedTuple):
    """An element's items in painting order: its own, then cells and further items, items over them, its labels."""

    items: tuple[Item, ...]
    parts: Sequence[Part] = ()
    over: tuple[Item, ...] = ()
    labels: tuple[Item, ...] = ()


def label_items(
    context: LayoutContext, attributes: Attributes, text: str, box: Rect, valign: str, align: str
) -> tuple[Item, ...]:
    """Return a label in the style of a board's labels; problems `text-overflow`, `missing-glyph`, `right-to-left`."""
    style = context.style(attributes.get("label-style", "label"))
    style = style._replace(align=f"at-{align}" if align != "center" else align)
    if style.colour == NONE:
        return ()
    fitted = context.typesetter.fit(text, style, box, valign=valign)
    label = f"the label {first_words(text)!r}"
    if fitted.over_mm:
        what = f"{label} is {fitted.over_mm:.1f} mm over its cell at {fitted.size_pt:g} pt"
        context.say("text-overflow", what, "make the label's style smaller, or the cells larger")
    context.say_unset(label, fitted, "write it otherwise")
    return fitted.items


def path_around(polygons: Iterable[list[Point]]) -> Path:
    """Return the outline around adjacent polygons, without their common edges."""
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
    """Return a closed line without the points inside its straight parts."""
    kept: list[Point] = []
    for index, (x, y) in enumerate(points):
        (x1, y1), (x2, y2) = points[index - 1], points[(index + 1) % len(points)]
        if abs((x - x1) * (y2 - y) - (y - y1) * (x2 - x)) > 1e-3:
            kept.append((x, y))
    return kept


DEFAULT_ROOM_MM = 0.5
_EMPTY = ".-0_"


def slot(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return the outline of a place for a card, `room` larger on all sides; problem `unknown-size`."""
    attributes = node.attrib
    box, corner_mm, shape = _seat(context, attributes, cell)
    room_mm = context.size(attributes, "room", DEFAULT_ROOM_MM)
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
    items = drawn(context, attributes, path, stroke="ink")
    label = attributes.get("label")
    labels = label_items(context, attributes, label, box, "middle", "center") if label else ()
    return Furnished(items, (CellElement(node, box),), labels=labels)


def _seat(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Rect, float, Format | None]:
    """Return the place of the card, its corner radius, and its named size, if any."""
    corner_mm = 0.0
    format_: Format | None = None
    given = dict(attributes)
    name = attributes.get("of")
    if name is not None:
        format_ = FORMATS.get(same_word(name, FORMATS) or "")
        if format_ is None:
            fix = did_you_mean(name, FORMATS) + " (or write width and height)"
            context.say("unknown-size", f"there is no size {name[:40]!r}", fix)
        else:
            corner_mm = format_.corner_mm
            given.setdefault("width", str(format_.trim.width_mm))
            given.setdefault("height", str(format_.trim.height_mm))
    return context.box(given, cell), context.size(attributes, "rx", corner_mm), format_


def polyomino(context: LayoutContext, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Return a shape of squares, centred in its box unless its squares have a size; problem `bad-polyomino`."""
    rows = re.split(r"[\s/]+", attributes.get("rows", "").strip(" /"))
    columns, most = max(map(len, rows)), limit("polyomino-side")
    if columns > most or len(rows) > most:
        fix = f"make it smaller; {how_to_raise('polyomino-side')}"
        context.say("bad-polyomino", f"the shape is more than {most} squares long", fix)
        return ()
    squares = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark not in _EMPTY]
    if not squares:
        what = f"rows={attributes.get('rows', '')[:40]!r} is no shape of squares"
        context.say("bad-polyomino", what, "write rows such as 'XX/.X'")
        return ()
    box = context.box(attributes, cell)
    side_mm = context.size(attributes, "cell", min(box.width_mm / columns, box.height_mm / len(rows)))
    left_mm, top_mm = box.x_mm, box.y_mm
    if "cell" not in attributes:
        left_mm += (box.width_mm - columns * side_mm) / 2
        top_mm += (box.height_mm - len(rows) * side_mm) / 2

    def corners(x: int, y: int) -> list[Point]:
        steps = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        return [(left_mm + across * side_mm, top_mm + down * side_mm) for across, down in steps]

    outline = path_around(corners(x, y) for x, y in squares)
    paint = read_paint(context, attributes)
    opacity = context.opacity(attributes)
    filled = set(squares)
    lines = [(*corners(x, y)[1], *corners(x, y)[2]) for x, y in squares if (x + 1, y) in filled]
    lines += [(*corners(x, y)[3], *corners(x, y)[2]) for x, y in squares if (x, y + 1) in filled]
    inner = context.colour(attributes["inner"]) if "inner" in attributes else None
    width_mm = context.size(attributes, "inner-width", 0.25)
    items = painted(outline, replace(paint, stroke=None, stroke_mm=0.0), opacity)
    if inner is not None and width_mm > 0:
        thin = replace(paint, fill=None, stroke=inner, stroke_mm=width_mm, dash_mm=())
        items += painted(strokes(lines), thin, opacity)
    return items + painted(outline, replace(paint, fill=None), opacity)


MAX_NUMBER = 100_000
WAYS = ("row", "column", "lines", "snake", "ring", "path")


def track(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return a track of spaces; problems `bad-number`, `bad-choice`, `bad-path`, `unknown-coordinate`."""
    attributes = node.attrib
    spaces = _spaces(context, attributes, context.box(attributes, cell))
    if not spaces:
        return Furnished(())
    first = _whole_number(context, attributes, "first", 1)
    step = _whole_number(context, attributes, "step", 1) or 1
    numbers = [first + step * index for index in range(len(spaces))]
    items = _painted_spaces(context, attributes, spaces, numbers)
    parts = _contents(context, node, spaces, numbers)
    where = context.choice(attributes, "numbers", ("yes", "no", "corner"), "yes")
    labels: list[Item] = []
    for number, space in zip(numbers, spaces, strict=True):
        if where == "yes":
            labels += label_items(context, attributes, str(number), space, "middle", "center")
        elif where == "corner":
            box = space.grown(-0.08 * space.width_mm)
            labels += label_items(context, attributes, str(number), box, "top", "left")
    return Furnished(items, parts, labels=tuple(labels))


def _spaces(context: LayoutContext, attributes: Attributes, box: Rect) -> list[Rect]:
    way = context.choice(attributes, "way", WAYS, "row")
    gap_mm = context.size(attributes, "gap", 0.0)
    if way == "path":
        return _along_path(context, attributes, box, gap_mm)
    lattice = _lattice(context, attributes, way)
    if lattice is None:
        return []
    columns, rows, seats = lattice
    across_mm, down_mm = box.width_mm - gap_mm * (columns - 1), box.height_mm - gap_mm * (rows - 1)
    side_mm = context.size(attributes, "cell", max(0.0, min(across_mm / columns, down_mm / rows)))
    if side_mm <= 0:
        what = f"{columns} x {rows} spaces have no room"
        context.say("box-overflow", what, "make the track larger, or the gap smaller")
        return []
    origin = context.choice(attributes, "origin", ORIGINS, "top-left")
    if origin.endswith("right"):
        seats = [(columns - 1 - column, row) for column, row in seats]
    if origin.startswith("bottom"):
        seats = [(column, rows - 1 - row) for column, row in seats]
    step_mm = side_mm + gap_mm
    return [Rect(box.x_mm + column * step_mm, box.y_mm + row * step_mm, side_mm, side_mm) for column, row in seats]


def _lattice(context: LayoutContext, attributes: Attributes, way: str) -> tuple[int, int, list[tuple[int, int]]] | None:
    """Return the columns and rows of a lattice, and the cells of its spaces in order."""
    if way == "ring":
        columns, rows = context.whole(attributes, "columns", 2, 100), context.whole(attributes, "rows", 2, 100)
        if columns is None or rows is None:
            return None
        seats = [(column, 0) for column in range(columns)]
        seats += [(columns - 1, row) for row in range(1, rows)]
        seats += [(column, rows - 1) for column in range(columns - 2, -1, -1)]
        seats += [(0, row) for row in range(rows - 2, 0, -1)]
        most = len(seats)
        count = most if "count" not in attributes else context.whole(attributes, "count", 1, most)
        return None if count is None else (columns, rows, seats[:count])
    count = context.whole(attributes, "count", 1, limit("track-spaces"), "track-spaces")
    if count is None:
        return None
    across = {"row": count, "column": 1}.get(way) or context.whole(attributes, "columns", 1, count)
    if across is None:
        return None
    seats = []
    for index in range(count):
        row, column = divmod(index, across)
        is_back = way == "snake" and row % 2 == 1
        seats.append((across - 1 - column if is_back else column, row))
    return (across, -(-count // across), seats)


def _along_path(context: LayoutContext, attributes: Attributes, box: Rect, gap_mm: float) -> list[Rect]:
    """Return spaces in equal steps along a line, from its first point to its last."""
    count = context.whole(attributes, "count", 2, limit("track-spaces"), "track-spaces")
    written = read_points(context, attributes)
    if count is None or written is None:
        return []
    points = [(box.x_mm + x, box.y_mm + y) for x, y in written]
    lengths = [math.dist(*ends) for ends in pairwise(points)]
    total_mm = added(lengths)
    side_mm = context.size(attributes, "cell", max(0.0, total_mm / (count - 1) - gap_mm))
    middles = [_at(points, lengths, total_mm * index / (count - 1)) for index in range(count)]
    return [Rect(x - side_mm / 2, y - side_mm / 2, side_mm, side_mm) for x, y in middles] if side_mm else []


def _at(points: Sequence[Point], lengths: Sequence[float], along_mm: float) -> Point:
    for (x1, y1), (x2, y2), length_mm in zip(points, points[1:], lengths, strict=False):
        if along_mm <= length_mm and length_mm > 0:
            share = along_mm / length_mm
            return x1 + share * (x2 - x1), y1 + share * (y2 - y1)
        along_mm -= length_mm
    return points[-1]


def _painted_spaces(
    context: LayoutContext, attributes: Attributes, spaces: Sequence[Rect], numbers: Sequence[int]
) -> tuple[Item, ...]:
    is_round = context.choice(attributes, "shape", ("square", "circle"), "square") == "circle"
    rx_mm = context.size(attributes, "rx", 0.0)
    paint = read_paint(context, attributes, stroke="ink")
    every = context.whole(attributes, "every", 1, 1000) if "every" in attributes else None
    other = replace(paint, fill=context.colour(attributes["every-fill"])) if "every-fill" in attributes else paint

    def path_of(space: Rect) -> Path:
        if is_round:
            half_mm = space.width_mm / 2
            return ellipse(space.x_mm + half_mm, space.y_mm + half_mm, half_mm, half_mm)
        return rectangle(*space, rx_mm)

    plain = [path_of(space) for number, space in zip(numbers, spaces, strict=True) if not every or number % every]
    marked = [path_of(space) for number, space in zip(numbers, spaces, strict=True) if every and number % every == 0]
    opacity = context.opacity(attributes)
    return painted(joined(plain), paint, opacity) + painted(joined(marked), other, opacity)


def _contents(context: LayoutContext, node: FaceNode, spaces: Sequence[Rect], numbers: Sequence[int]) -> list[Part]:
    parts: list[Part] = []
    for child in node.children:
        context.go_to(child.at)
        if child.tag != "space":
            fix = "put it into a <space>, or beside the track"
            context.say("unknown-element", f"<{child.tag[:40]}> cannot stand in a <track>", fix)
            continue
        written = child.attrib.get("at", "").strip()
        number = _signed(written)
        if number is not None and number in numbers:
            parts.append(CellElement(child, spaces[numbers.index(number)]))
        else:
            fix = f"the spaces run from {numbers[0]} to {numbers[-1]}"
            context.say("unknown-coordinate", f"there is no space {written[:40]!r}", fix)
    context.go_to(node.at)
    return parts


def _whole_number(context: LayoutContext, attributes: Attributes, name: str, default: int) -> int:
    if name not in attributes:
        return default
    below_zero = _signed(attributes[name].strip())
    if below_zero is not None and below_zero < 0:
        return below_zero
    number = context.whole(attributes, name, 0, MAX_NUMBER)
    return default if number is None else number


def _signed(written: str) -> int | None:
    number = whole_number(written.removeprefix("-"))
    return -number if number is not None and written.startswith("-") else number
