"""`track` -> numbered spaces along a way: a row, a column, rows to and fro, round a box, or along a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from duckpress.core.coordinates import ORIGINS
from duckpress.core.frame import Item
from duckpress.core.geometry import Point, Rect
from duckpress.core.limits import limit
from duckpress.core.paths import Path, ellipse, joined, rectangle
from duckpress.core.units import added
from duckpress.layout.elements.board_elements import CellElement, Furnished, Part, label_items
from duckpress.layout.elements.layout_context import Attributes, Desk, whole_number
from duckpress.layout.elements.shapes import painted, read_paint, read_points
from duckpress.layout.templates.face_xml import FaceNode

MAX_NUMBER = 100_000
WAYS = ("row", "column", "lines", "snake", "ring", "path")


def track(desk: Desk, node: FaceNode, cell: Rect) -> Furnished:
    """Return a track of spaces; problems `bad-number`, `bad-choice`, `bad-path`, `unknown-coordinate`."""
    attributes = node.attrib
    spaces = _spaces(desk, attributes, desk.box(attributes, cell))
    if not spaces:
        return Furnished(())
    first = _whole(desk, attributes, "first", 1)
    step = _whole(desk, attributes, "step", 1) or 1
    numbers = [first + step * index for index in range(len(spaces))]
    items = _painted_spaces(desk, attributes, spaces, numbers)
    parts = _contents(desk, node, spaces, numbers)
    where = desk.choice(attributes, "numbers", ("yes", "no", "corner"), "yes")
    labels: list[Item] = []
    for number, space in zip(numbers, spaces, strict=True):
        if where == "yes":
            labels += label_items(desk, attributes, str(number), space, "middle", "center")
        elif where == "corner":
            box = space.grown(-0.08 * space.width_mm)
            labels += label_items(desk, attributes, str(number), box, "top", "left")
    return Furnished(items, parts, labels=tuple(labels))


def _spaces(desk: Desk, attributes: Attributes, box: Rect) -> list[Rect]:
    way = desk.choice(attributes, "way", WAYS, "row")
    gap_mm = desk.size(attributes, "gap", 0.0)
    if way == "path":
        return _along_path(desk, attributes, box, gap_mm)
    lattice = _lattice(desk, attributes, way)
    if lattice is None:
        return []
    columns, rows, seats = lattice
    fits_mm = min(
        (box.width_mm - gap_mm * (columns - 1)) / columns,
        (box.height_mm - gap_mm * (rows - 1)) / rows,
    )
    side_mm = desk.size(attributes, "cell", max(0.0, fits_mm))
    if side_mm <= 0:
        desk.say("box-overflow", f"{columns} x {rows} spaces have no room", "make the track larger, or the gap smaller")
        return []
    origin = desk.choice(attributes, "origin", ORIGINS, "top-left")
    if origin.endswith("right"):
        seats = [(columns - 1 - column, row) for column, row in seats]
    if origin.startswith("bottom"):
        seats = [(column, rows - 1 - row) for column, row in seats]
    step_mm = side_mm + gap_mm
    return [Rect(box.x_mm + column * step_mm, box.y_mm + row * step_mm, side_mm, side_mm) for column, row in seats]


def _lattice(desk: Desk, attributes: Attributes, way: str) -> tuple[int, int, list[tuple[int, int]]] | None:
    """Return the columns and rows of a lattice, and the seats of the spaces in it in their order."""
    if way == "ring":
        columns, rows = desk.whole(attributes, "columns", 2, 100), desk.whole(attributes, "rows", 2, 100)
        if columns is None or rows is None:
            return None
        seats = [(column, 0) for column in range(columns)]
        seats += [(columns - 1, row) for row in range(1, rows)]
        seats += [(column, rows - 1) for column in range(columns - 2, -1, -1)]
        seats += [(0, row) for row in range(rows - 2, 0, -1)]
        most = len(seats)
        count = most if "count" not in attributes else desk.whole(attributes, "count", 1, most)
        return None if count is None else (columns, rows, seats[:count])
    count = desk.whole(attributes, "count", 1, limit("track-spaces"), "track-spaces")
    if count is None:
        return None
    across = {"row": count, "column": 1}.get(way) or desk.whole(attributes, "columns", 1, count)
    if across is None:
        return None
    seats = []
    for index in range(count):
        row, column = divmod(index, across)
        is_back = way == "snake" and row % 2 == 1
        seats.append((across - 1 - column if is_back else column, row))
    return (across, -(-count // across), seats)


def _along_path(desk: Desk, attributes: Attributes, box: Rect, gap_mm: float) -> list[Rect]:
    """Return spaces in equal steps along a line, from its first point to its last."""
    count = desk.whole(attributes, "count", 2, limit("track-spaces"), "track-spaces")
    written = read_points(desk, attributes)
    if count is None or written is None:
        return []
    points = [(box.x_mm + x, box.y_mm + y) for x, y in written]
    lengths = [math.dist(*ends) for ends in pairwise(points)]
    total_mm = added(lengths)
    side_mm = desk.size(attributes, "cell", max(0.0, total_mm / (count - 1) - gap_mm))
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
    desk: Desk, attributes: Attributes, spaces: Sequence[Rect], numbers: Sequence[int]
) -> tuple[Item, ...]:
    is_round = desk.choice(attributes, "shape", ("square", "circle"), "square") == "circle"
    rx_mm = desk.size(attributes, "rx", 0.0)
    paint = read_paint(desk, attributes, stroke="ink")
    every = desk.whole(attributes, "every", 1, 1000) if "every" in attributes else None
    other = replace(paint, fill=desk.colour(attributes["every-fill"])) if "every-fill" in attributes else paint

    def path_of(space: Rect) -> Path:
        if is_round:
            half_mm = space.width_mm / 2
            return ellipse(space.x_mm + half_mm, space.y_mm + half_mm, half_mm, half_mm)
        return rectangle(*space, rx_mm)

    plain = [path_of(space) for number, space in zip(numbers, spaces, strict=True) if not every or number % every]
    marked = [path_of(space) for number, space in zip(numbers, spaces, strict=True) if every and number % every == 0]
    opacity = desk.opacity(attributes)
    return painted(joined(plain), paint, opacity) + painted(joined(marked), other, opacity)


def _contents(desk: Desk, node: FaceNode, spaces: Sequence[Rect], numbers: Sequence[int]) -> list[Part]:
    parts: list[Part] = []
    for child in node.children:
        desk.go_to(child.at)
        if child.tag != "space":
            fix = "put it into a <space>, or beside the track"
            desk.say("unknown-element", f"<{child.tag[:40]}> cannot stand in a <track>", fix)
            continue
        written = child.attrib.get("at", "").strip()
        number = _signed(written)
        if number is not None and number in numbers:
            parts.append(CellElement(child, spaces[numbers.index(number)]))
        else:
            fix = f"the spaces run from {numbers[0]} to {numbers[-1]}"
            desk.say("unknown-coordinate", f"there is no space {written[:40]!r}", fix)
    desk.go_to(node.at)
    return parts


def _whole(desk: Desk, attributes: Attributes, name: str, default: int) -> int:
    if name not in attributes:
        return default
    below_zero = _signed(attributes[name].strip())
    if below_zero is not None and below_zero < 0:
        return below_zero
    number = desk.whole(attributes, name, 0, MAX_NUMBER)
    return default if number is None else number


def _signed(written: str) -> int | None:
    number = whole_number(written.removeprefix("-"))
    return -number if number is not None and written.startswith("-") else number
