"""A piece's faces -> its sheets, in printing order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from duckpress.frame import Group, Item
from duckpress.geometry import Size
from duckpress.impose.duplex import behind, turns_left_right
from duckpress.impose.footer import SHAPES, Footer, SheetLabel, Typeset, placing, whole_length_mm
from duckpress.impose.grid import Grid, fit_grid, line_length
from duckpress.impose.marks import crop_marks, cut_circles
from duckpress.impose.sheet import Backs, Placement, Sheet, Side, Turn
from duckpress.sizes import Format, Paper


class Leaf(NamedTuple):
    """What imposing needs of a face: its format, its copies, and the hashes of the frames on its two sides."""

    format: Format
    copies: int
    front: str
    back: str | None = None


def impose_piece(
    faces: Sequence[Leaf], paper: Paper, backs: Backs, turn: Turn, label: SheetLabel, typeset: Typeset
) -> tuple[Sheet, ...]:
    """Arrange a piece's faces and backs on sheets, in printing order.

    Faces fill each front row by row, copies after one another; each back lands behind its face once the sheet is
    turned, and a face without a back leaves its place on the back empty. The last sheet may have empty slots. A piece
    without any back, and any piece for `Backs.NONE`, is printed on one side: `Sheet.back` is None. Faces of another
    size begin a new sheet, after all faces of the sizes before it.
    Problems: none; a size too large for the paper is reported earlier, by `check_fit`, and raises ValueError here.
    """
    is_double_sided = backs is Backs.DUPLEX and any(face.back is not None and face.copies > 0 for face in faces)
    stacks = _stacks(faces)
    most_sheets = max(1, sum(len(stack) for stack in stacks.values()))
    shown_turn = turn if is_double_sided else None
    footer_mm = {shape: whole_length_mm(label, typeset, shown_turn, most_sheets, shape) for shape in SHAPES}
    layouts: list[tuple[_Layout, list[int]]] = []
    for (trim, bleed_mm, is_round), stack in stacks.items():
        format_ = Format("", trim, bleed_mm=bleed_mm, is_round=is_round)
        grid = fit_grid(format_, paper, footer_mm)
        if grid is None:
            raise ValueError(f"{trim} does not fit {paper.name}")
        layouts.append((_Layout(grid, format_, turn, _footer(label, typeset, shown_turn, grid, paper), paper), stack))
    total = sum(math.ceil(len(stack) / layout.capacity) for layout, stack in layouts)
    sheets: list[Sheet] = []
    for layout, stack in layouts:
        for first in range(0, len(stack), layout.capacity):
            indexes = stack[first : first + layout.capacity]
            front = layout.front(faces, indexes, len(sheets) + 1, total)
            back = layout.back(faces, indexes, len(sheets) + 1, total) if is_double_sided else None
            sheets.append(Sheet(layout.paper, front, back, len(sheets) + 1, total))
    return tuple(sheets)


def _stacks(faces: Sequence[Leaf]) -> dict[tuple[Size, float, bool], list[int]]:
    """Give the faces' indexes, once for each copy, gathered by what decides the grid."""
    stacks: dict[tuple[Size, float, bool], list[int]] = {}
    for index, face in enumerate(faces):
        if face.copies > 0:
            key = (face.format.trim, face.format.bleed_mm, face.format.is_round)
            stacks.setdefault(key, []).extend([index] * face.copies)
    return stacks


def _footer(label: SheetLabel, typeset: Typeset, turn: Turn | None, grid: Grid, paper: Paper) -> Footer:
    return Footer(label, typeset, turn, grid.shape, line_length(grid.paper, paper.margin_mm, grid.place))


class _Layout:
    """What all sheets of one grid share: places, the places behind them, marks and footer."""

    def __init__(self, grid: Grid, format_: Format, turn: Turn, footer: Footer, paper: Paper) -> None:
        self.paper = grid.paper
        self.capacity = grid.capacity
        self._grid = grid
        self._format = format_
        self._mirrors_columns = turns_left_right(grid.paper, turn)
        self._slots = grid.slots()
        self._behind = tuple(behind(slot, format_.trim, grid.paper, turn) for slot in self._slots)
        self._footer = footer
        self._placing = placing(grid.place, grid.shape, grid.paper, paper.margin_mm)
        self._marks: dict[tuple[int, bool], Group] = {}

    def front(self, faces: Sequence[Leaf], indexes: Sequence[int], number: int, total: int) -> Side:
        placements = tuple(
            Placement(index, False, slot.x_mm, slot.y_mm, 0, faces[index].front, slot.bleed)
            for index, slot in zip(indexes, self._slots, strict=False)
        )
        return Side(placements, self._items(len(indexes), number, total, is_back=False))

    def back(self, faces: Sequence[Leaf], indexes: Sequence[int], number: int, total: int) -> Side:
        placements = tuple(
            Placement(index, True, slot.x_mm, slot.y_mm, degrees, back, slot.bleed)
            for index, (slot, degrees) in zip(indexes, self._behind, strict=False)
            if (back := faces[index].back) is not None
        )
        return Side(placements, self._items(len(indexes), number, total, is_back=True))

    def _items(self, filled: int, number: int, total: int, *, is_back: bool) -> tuple[Item, ...]:
        marks = self._marks.get((filled, is_back))
        if marks is None:
            marks = self._marks[filled, is_back] = self._make_marks(filled, is_back=is_back)
        return marks, Group(self._footer.items(number, total, is_back=is_back), self._placing)

    def _make_marks(self, filled: int, *, is_back: bool) -> Group:
        """Give the marks around the first slots; on the back, around the places behind them."""
        grid = self._grid
        columns = range(min(filled, grid.columns.trims))
        rows = range(math.ceil(filled / grid.columns.trims))
        if is_back and self._mirrors_columns:
            columns = range(grid.columns.trims - len(columns), grid.columns.trims)
        elif is_back:
            rows = range(grid.rows.trims - len(rows), grid.rows.trims)
        marks: tuple[Item, ...] = (crop_marks(grid, columns, rows),)
        # Cut from the front: a circle on the back would only show the printer's drift on the finished piece.
        if self._format.is_round and not is_back:
            marks = (*marks, cut_circles(self._slots[:filled], self._format.trim.width_mm))
        return Group(marks)
