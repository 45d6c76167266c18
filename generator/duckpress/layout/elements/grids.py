"""`squaregrid` and `hexgrid` -> boards: cells as outlines, their coordinates as labels, and their contents."""

from __future__ import annotations

import math

from msgspec import Struct

from duckpress.art.values import rounded
from duckpress.core.coordinates import LETTERS, ORIGINS, Coordinates, counted_from
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import MM_PER_PT, Point, Rect, rotation
from duckpress.core.limits import limit
from duckpress.core.paths import PathBuilder, joined, rectangle, strokes
from duckpress.core.problems import did_you_mean
from duckpress.layout.elements.board_elements import CellElement, Furnished, Part, label_items, path_around
from duckpress.layout.elements.layout_context import Attributes, LayoutContext
from duckpress.layout.elements.shapes import drawn
from duckpress.layout.face_xml import FaceNode

_LABELS = ("no", "yes", "edges", "cells", "points")
_SIDES = ("top", "right", "bottom", "left")
_ACROSS = {"left": "right", "right": "left"}
_OVER = {"top": "bottom", "bottom": "top"}


class LaidOutBoard(Struct, frozen=True):
    """A laid-out board: its coordinates, each cell's corners and label box, and the box of its contents.

    Cells are listed row by row. `origin` and `side_mm` are those of a grid of squares; None for one of hexagons.
    """

    names: Coordinates
    corners: list[list[Point]]
    label_boxes: list[Rect]
    cells: list[Rect]
    side_mm: float
    square_origin: Point | None

    def point(self, column: int, row: int) -> Point:
        """Return the place of a grid point, counted from 0 at the top left."""
        left, top = self.square_origin or (0.0, 0.0)
        return left + column * self.side_mm, top + row * self.side_mm


def squaregrid(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return a board of squares from the top left of its box; problems `bad-number`, `unknown-coordinate`."""
    attributes = node.attrib
    names, labels = _names(context, attributes, "edges")
    if names is None:
        return Furnished(())
    box = context.box(attributes, cell)
    side_mm = context.size(attributes, "cell", min(box.width_mm / names.columns, box.height_mm / names.rows))
    if side_mm <= 0:
        return Furnished(())
    left, top, right, bottom = box.x_mm, box.y_mm, box.x_mm + names.columns * side_mm, box.y_mm + names.rows * side_mm
    across = (left + side_mm * step for step in range(1, names.columns))
    down = (top + side_mm * step for step in range(1, names.rows))
    inside = [*((x, top, x, bottom) for x in across), *((left, y, right, y) for y in down)]
    path = joined([rectangle(left, top, right - left, bottom - top), strokes(inside)])
    squares = [
        Rect(left + column * side_mm, top + row * side_mm, side_mm, side_mm)
        for row in range(names.rows)
        for column in range(names.columns)
    ]
    corners = [list(square.corners) for square in squares] if node.children else []
    board = LaidOutBoard(names, corners, squares, squares, side_mm, (left, top))
    words: tuple[Item, ...] = ()
    if labels == "cells":
        words = _cell_labels(context, attributes, board)
    elif labels != "no":
        words = _edge_labels(context, attributes, board, is_of_points=labels == "points")
    return Furnished(drawn(context, attributes, path, stroke="ink"), _contents(context, node, board), labels=words)


def hexgrid(context: LayoutContext, node: FaceNode, cell: Rect) -> Furnished:
    """Return a board of hexagons from the top left of its box; every second row (or column) is shifted by half."""
    attributes = node.attrib
    names, labels = _names(context, attributes, "cells")
    if names is None:
        return Furnished(())
    box = context.box(attributes, cell)
    is_pointed = context.choice(attributes, "top", ("point", "side"), "point") == "point"
    # Along a straight line of cells, and across the lines.
    along, across = (names.columns, names.rows) if is_pointed else (names.rows, names.columns)
    room_along, room_across = (box.width_mm, box.height_mm) if is_pointed else (box.height_mm, box.width_mm)
    cells_long = along + (0.5 if across > 1 else 0.0)
    sides_wide = 1.5 * (across - 1) + 2
    width_mm = context.size(attributes, "cell", min(room_along / cells_long, room_across / sides_wide * math.sqrt(3)))
    side_mm = width_mm / math.sqrt(3)
    if side_mm <= 0:
        return Furnished(())
    angles = [(math.pi / 6 if is_pointed else 0.0) + corner * math.pi / 3 for corner in range(6)]
    corners: list[list[Point]] = []
    boxes: list[Rect] = []
    cells: list[Rect] = []
    # Half the side of the largest upright square in a hexagon: its corner lies on the slanting side.
    half_mm = side_mm / (1 + 1 / math.sqrt(3))
    for row in range(names.rows):
        for column in range(names.columns):
            step, line = (column, row) if is_pointed else (row, column)
            u = (step + 0.5 + (0.5 if line % 2 else 0.0)) * width_mm
            v = (1.5 * line + 1) * side_mm
            x_mm, y_mm = (box.x_mm + u, box.y_mm + v) if is_pointed else (box.x_mm + v, box.y_mm + u)
            corners.append([(x_mm + side_mm * math.cos(angle), y_mm + side_mm * math.sin(angle)) for angle in angles])
            boxes.append(Rect(x_mm - side_mm / 2, y_mm - side_mm * 0.8, side_mm, side_mm * 1.6))
            cells.append(Rect(x_mm - half_mm, y_mm - half_mm, 2 * half_mm, 2 * half_mm))
    builder = PathBuilder()
    for points in corners:
        builder.polyline(points, is_closed=True)
    board = LaidOutBoard(names, corners, boxes, cells, side_mm, None)
    words = _cell_labels(context, attributes, board) if labels != "no" else ()
    items = drawn(context, attributes, builder.path(), stroke="ink")
    return Furnished(items, _contents(context, node, board), labels=words)


def _names(context: LayoutContext, attributes: Attributes, usual_labels: str) -> tuple[Coordinates | None, str]:
    """Return the names of a board's spaces and the place of its labels; None if it has no spaces."""
    most = limit("board-cells")
    columns, rows = (context.whole(attributes, name, 1, most, "board-cells") for name in ("columns", "rows"))
    if columns is None or rows is None:
        return None, "no"
    labels = context.choice(attributes, "labels", _LABELS, "no")
    letters = context.choice(attributes, "letters", LETTERS, "across")
    origin = context.choice(attributes, "origin", ORIGINS, "top-left")
    first = attributes.get("first", "A1")
    names = counted_from(first, columns, rows, letters=letters, origin=origin)
    if names is None:
        context.say("unknown-coordinate", f"first={first[:40]!r} is no coordinate", "write letters and a number: A1")
    return names or Coordinates(columns, rows), usual_labels if labels == "yes" else labels


def _cell_labels(context: LayoutContext, attributes: Attributes, board: LaidOutBoard) -> tuple[Item, ...]:
    items: list[Item] = []
    for index, box in enumerate(board.label_boxes):
        row, column = divmod(index, board.names.columns)
        label_box = box.grown(-0.08 * min(box.width_mm, box.height_mm))
        items += label_items(context, attributes, board.names.name(column, row), label_box, "top", "left")
    return tuple(items)


def _edge_labels(
    context: LayoutContext, attributes: Attributes, board: LaidOutBoard, *, is_of_points: bool
) -> tuple[Item, ...]:
    """Return the labels on the sides that `label-sides` names; problem `bad-choice`."""
    sides = _sides(context, attributes, "label-sides", ("top", "left"))
    turned = _sides(context, attributes, "label-turned", ())
    usual_mm = 0.3 * context.style(attributes.get("label-style", "label")).size_pt * MM_PER_PT
    gap_mm = context.size(attributes, "label-gap", usual_mm)
    items: list[Item] = []
    for side in sorted(sides, key=("top", "left", "bottom", "right").index):
        align, valign = _ACROSS.get(side, "center"), _OVER.get(side, "middle")
        for text, box in _label_boxes(board, side, gap_mm, is_of_points=is_of_points):
            if side not in turned:
                items += label_items(context, attributes, text, box, valign, align)
                continue
            # On its head in the same box, a label still touches the side of the grid.
            own = label_items(context, attributes, text, box, _OVER.get(valign, valign), _ACROSS.get(align, align))
            middle = box.x_mm + box.width_mm / 2, box.y_mm + box.height_mm / 2
            items += (Group(own, rounded(rotation(180, *middle))),) if own else ()
    return tuple(items)


def _label_boxes(board: LaidOutBoard, side: str, gap_mm: float, *, is_of_points: bool) -> list[tuple[str, Rect]]:
    """Return the labels of a side, each with a box that touches the gap."""
    names, side_mm = board.names.grown() if is_of_points else board.names, board.side_mm
    shift_mm = side_mm / 2 if is_of_points else 0.0  # a label of a point is centred on it
    (left_mm, top_mm), (right_mm, bottom_mm) = board.point(0, 0), board.point(board.names.columns, board.names.rows)
    if side in _OVER:
        y_mm = top_mm - side_mm - gap_mm if side == "top" else bottom_mm + gap_mm
        starts = (left_mm - shift_mm + at * side_mm for at in range(names.columns))
        return [(names.column(at), Rect(x_mm, y_mm, side_mm, side_mm)) for at, x_mm in enumerate(starts)]
    x_mm = left_mm - side_mm - gap_mm if side == "left" else right_mm + gap_mm
    starts = (top_mm - shift_mm + at * side_mm for at in range(names.rows))
    return [(names.row(at), Rect(x_mm, y_mm, side_mm, side_mm)) for at, y_mm in enumerate(starts)]


def _sides(context: LayoutContext, attributes: Attributes, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    text = attributes.get(name)
    if text is None:
        return default
    words = text.replace(",", " ").split()
    odd = next((word for word in words if word not in (*_SIDES, "all", "none")), None)
    if odd is not None:
        what = f"{name}={text[:40]!r}: {odd[:20]!r} is no side"
        context.say("bad-choice", what, did_you_mean(odd, (*_SIDES, "all", "none")))
    return _SIDES if "all" in words else tuple(side for side in _SIDES if side in words)


def _contents(context: LayoutContext, node: FaceNode, board: LaidOutBoard) -> list[Part]:
    """Return the contents of a board, in written order."""
    parts: list[Part] = []
    for child in node.children:
        context.go_to(child.at)
        if child.tag == "space":
            place = _place(context, child.attrib, board.names, "space")
            if place is not None:
                parts.append(CellElement(child, board.cells[place[1] * board.names.columns + place[0]]))
        elif child.tag == "area":
            parts.append(_area(context, child.attrib, board))
        elif child.tag in ("point", "edge") and board.square_origin is None:
            context.say("unknown-element", f"<{child.tag}> is for grids of squares", "take it away")
        elif child.tag == "point":
            place = _place(context, child.attrib, board.names.grown(), "point")
            if place is not None:
                half_mm = context.size(child.attrib, "size", board.side_mm / 2) / 2
                x_mm, y_mm = board.point(*place)
                parts.append(CellElement(child, Rect(x_mm - half_mm, y_mm - half_mm, 2 * half_mm, 2 * half_mm)))
        elif child.tag == "edge":
            names = board.names.grown()
            start, end = (_find(context, child.attrib.get(name, ""), names, "point") for name in ("from", "to"))
            if start is not None and end is not None:
                path = strokes([(*board.point(*start), *board.point(*end))])
                parts.append(drawn(context, child.attrib, path, stroke="ink"))
        else:
            fix = "put it into a <space>, or beside the board"
            context.say("unknown-element", f"<{child.tag[:40]}> cannot stand in a <{node.tag}>", fix)
    context.go_to(node.at)
    return parts


def _place(context: LayoutContext, attributes: Attributes, names: Coordinates, what: str) -> tuple[int, int] | None:
    """Return the column and row from `at`, or from `column` and `row`; problems `unknown-coordinate`, `bad-number`."""
    if "at" in attributes:
        return _find(context, attributes["at"], names, what)
    column = context.whole(attributes, "column", 1, names.columns)
    row = context.whole(attributes, "row", 1, names.rows)
    return None if column is None or row is None else (column - 1, row - 1)


def _find(context: LayoutContext, name: str, names: Coordinates, what: str) -> tuple[int, int] | None:
    place = names.find(name)
    if place is None:
        context.say("unknown-coordinate", f"there is no {what} {name[:40]!r}", f"the {what}s run from {names.ends}")
    return place


def _area(context: LayoutContext, attributes: Attributes, board: LaidOutBoard) -> tuple[Item, ...]:
    """Return several spaces as one shape: `A1 B2-C3`."""
    chosen: set[tuple[int, int]] = set()
    for word in attributes.get("at", "").replace(",", " ").split():
        first, _, last = word.partition("-")
        ends = [_find(context, name, board.names, "space") for name in (first, last or first)]
        if ends[0] is None or ends[1] is None:
            return ()
        (x1, y1), (x2, y2) = ends[0], ends[1]
        chosen |= {(x, y) for x in range(min(x1, x2), max(x1, x2) + 1) for y in range(min(y1, y2), max(y1, y2) + 1)}
    if not chosen:
        context.say("unknown-coordinate", "at is missing", f"write spaces, from {board.names.ends}: at='A1 A2 B1-C3'")
        return ()
    path = path_around(board.corners[row * board.names.columns + column] for column, row in sorted(chosen))
    return drawn(context, attributes, path)
