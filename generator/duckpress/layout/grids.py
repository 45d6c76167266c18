"""`squaregrid` and `hexgrid` -> boards: cells as outlines, and their coordinates as labels."""

from __future__ import annotations

import math
from typing import NamedTuple

from duckpress.frame import Item
from duckpress.geometry import Rect
from duckpress.layout import operators
from duckpress.layout.desk import Attributes, Desk
from duckpress.layout.paint import painted, read_paint
from duckpress.units import mm_from_pt

MAX_CELLS = 200
_LABELS = ("no", "yes", "edges", "cells")


class _Board(NamedTuple):
    columns: int
    rows: int
    labels: str


def squaregrid(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Give a board of squares from the top left of its box; problem `bad-number`."""
    board = _board(desk, attributes, "edges")
    if board is None:
        return ()
    box = desk.box(attributes, cell)
    side_mm = desk.size(attributes, "cell", min(box.width_mm / board.columns, box.height_mm / board.rows))
    if side_mm <= 0:
        return ()
    left, top, right, bottom = box.x_mm, box.y_mm, box.x_mm + board.columns * side_mm, box.y_mm + board.rows * side_mm
    paint = read_paint(desk, attributes, stroke="ink")
    lines = [operators.rectangle(left, top, right - left, bottom - top)]
    inside = [*(left + side_mm * step for step in range(1, board.columns))]
    lines += [f"{operators.move(x, top)} {operators.line(x, bottom)}" for x in inside]
    inside = [*(top + side_mm * step for step in range(1, board.rows))]
    lines += [f"{operators.move(left, y)} {operators.line(right, y)}" for y in inside]
    items = list(painted(" ".join(lines), paint))
    squares = [
        Rect(left + column * side_mm, top + row * side_mm, side_mm, side_mm)
        for row in range(board.rows)
        for column in range(board.columns)
    ]
    if board.labels == "cells":
        items += _cell_labels(desk, attributes, board, squares)
    elif board.labels != "no":
        items += _edge_labels(desk, attributes, board, squares)
    return tuple(items)


def hexgrid(desk: Desk, attributes: Attributes, cell: Rect) -> tuple[Item, ...]:
    """Give a board of hexagons from the top left of its box; every second row (or column) is half a cell further on."""
    board = _board(desk, attributes, "cells")
    if board is None:
        return ()
    box = desk.box(attributes, cell)
    is_pointed = desk.choice(attributes, "top", ("point", "side"), "point") == "point"
    # Along a straight line of cells, and across the lines.
    along, across = (board.columns, board.rows) if is_pointed else (board.rows, board.columns)
    room_along, room_across = (box.width_mm, box.height_mm) if is_pointed else (box.height_mm, box.width_mm)
    cells_long = along + (0.5 if across > 1 else 0.0)
    sides_wide = 1.5 * (across - 1) + 2
    width_mm = desk.size(attributes, "cell", min(room_along / cells_long, room_across / sides_wide * math.sqrt(3)))
    side_mm = width_mm / math.sqrt(3)
    if side_mm <= 0:
        return ()
    outlines, boxes = [], []
    for row in range(board.rows):
        for column in range(board.columns):
            step, line = (column, row) if is_pointed else (row, column)
            u = (step + 0.5 + (0.5 if line % 2 else 0.0)) * width_mm
            v = (1.5 * line + 1) * side_mm
            x_mm, y_mm = (box.x_mm + u, box.y_mm + v) if is_pointed else (box.x_mm + v, box.y_mm + u)
            outlines.append(_hexagon(x_mm, y_mm, side_mm, is_pointed))
            boxes.append(Rect(x_mm - side_mm / 2, y_mm - side_mm * 0.8, side_mm, side_mm * 1.6))
    items = list(painted(" ".join(outlines), read_paint(desk, attributes, stroke="ink")))
    if board.labels != "no":
        items += _cell_labels(desk, attributes, board, boxes)
    return tuple(items)


def column_letters(number: int) -> str:
    """Give the letters of a column counted from 0: A to Z, then AA, AB ..."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _board(desk: Desk, attributes: Attributes, usual_labels: str) -> _Board | None:
    columns, rows = desk.whole(attributes, "columns", 1, MAX_CELLS), desk.whole(attributes, "rows", 1, MAX_CELLS)
    if columns is None or rows is None:
        return None
    labels = desk.choice(attributes, "labels", _LABELS, "no")
    return _Board(columns, rows, usual_labels if labels == "yes" else labels)


def _hexagon(x: float, y: float, side: float, is_pointed: bool) -> str:
    turn = math.pi / 6 if is_pointed else 0.0
    angles = [turn + corner * math.pi / 3 for corner in range(6)]
    corners = [value for angle in angles for value in (x + side * math.cos(angle), y + side * math.sin(angle))]
    return operators.polyline(corners, is_closed=True)


def _cell_labels(desk: Desk, attributes: Attributes, board: _Board, boxes: list[Rect]) -> list[Item]:
    items: list[Item] = []
    for index, box in enumerate(boxes):
        row, column = divmod(index, board.columns)
        label_box = box.grown(-0.08 * min(box.width_mm, box.height_mm))
        items += _label(desk, attributes, f"{column_letters(column)}{row + 1}", label_box, "top", "left")
    return items


def _edge_labels(desk: Desk, attributes: Attributes, board: _Board, squares: list[Rect]) -> list[Item]:
    items: list[Item] = []
    side_mm = squares[0].height_mm
    gap_mm = 0.3 * mm_from_pt(_style_size(desk, attributes))
    for column in range(board.columns):
        box = squares[column].moved(0, -side_mm - gap_mm)
        items += _label(desk, attributes, column_letters(column), box, "bottom", "center")
    for row in range(board.rows):
        box = squares[row * board.columns].moved(-side_mm - gap_mm, 0)
        items += _label(desk, attributes, str(row + 1), box, "middle", "right")
    return items


def _label(desk: Desk, attributes: Attributes, text: str, box: Rect, valign: str, align: str) -> tuple[Item, ...]:
    style = desk.style(attributes.get("label-style", "label"))._replace(align=align)
    fitted = desk.typesetter.fit(text, style, box, valign=valign)
    if fitted.over_mm:
        what = f"the label {text!r} is {fitted.over_mm:.1f} mm over its cell at {fitted.size_pt:g} pt"
        desk.say("text-overflow", what, "make the label's style smaller, or the cells larger")
    return fitted.items


def _style_size(desk: Desk, attributes: Attributes) -> float:
    return desk.style(attributes.get("label-style", "label")).size_pt
