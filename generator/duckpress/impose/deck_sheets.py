"""A piece's faces -> its sheets, in printing order.

Pieces of one size lie in a grid. Pieces of several sizes lie on common sheets where that saves paper: either what is
left over when each size has filled its own sheets, or all of them. A board larger than the paper is tiled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Size
from duckpress.core.sizes import Format, Paper
from duckpress.impose.cutlines import cut_layer
from duckpress.impose.duplex import behind, turns_left_right
from duckpress.impose.footer import Footer, SheetLabel, Typeset, placing
from duckpress.impose.grid import Grid, fit_grid, line_length, room_of
from duckpress.impose.gutter import gutter_layout
from duckpress.impose.job import AS_EVER, ImpositionJob, Layout, Leaf, Manner
from duckpress.impose.marks import crop_marks, cut_lines, cuts
from duckpress.impose.mixed import mixed_layout
from duckpress.impose.sheets import Backs, Gaps, Layer, Sheet, Side, Turn
from duckpress.impose.spacing import roomier
from duckpress.impose.tiles.tile_sheets import TileLayout


def impose_piece(
    faces: Sequence[Leaf],
    paper: Paper,
    backs: Backs,
    turn: Turn,
    label: SheetLabel,
    typeset: Typeset,
    manner: Manner = AS_EVER,
) -> tuple[Sheet, ...]:
    """Arrange a piece's faces and backs on sheets, in printing order.

    Faces fill each front row by row, copies after one another; each back lands behind its face once the sheet is
    turned, and a face without a back leaves its place on the back empty. The last sheet may have empty slots. A piece
    without any back, and any piece for `Backs.NONE`, is printed on one side: `Sheet.back` is None. For `Backs.ONLY` the
    one side is the back, of a sheet without backs an empty one. For `Backs.GUTTERFOLD` see `gutter`. Faces of several
    sizes share sheets where that takes fewer of them.
    Problems: none; a size too large for the paper is reported earlier, by `check_fit`, and raises ValueError here.
    """
    most_sheets = 2 * max(1, sum(face.copies for face in faces))
    has_backs = any(face.back is not None and face.copies > 0 for face in faces)
    job = ImpositionJob(faces, paper, turn, backs, label, typeset, most_sheets // 2, manner, has_backs=has_backs)
    tiled = [
        index
        for index, face in enumerate(faces)
        if face.copies > 0 and face.overlap_mm is not None and fit_grid(face.format, paper) is None
    ]
    stacks: _Stacks = _stacks(faces, tiled)
    layouts: list[Layout] = []
    if backs is Backs.GUTTERFOLD and job.has_backs:
        split = job._replace(is_split=True, most_sheets=most_sheets)
        folded, stacks = _folded(job, split, stacks)
        layouts += folded
    else:
        split = job
    layouts += _fewest(job, stacks)
    for index in tiled:
        tiles_of = split if faces[index].back is not None else job
        layouts.append(TileLayout(tiles_of, index, faces[index].overlap_mm or 0.0))
    total = sum(layout.count for layout in layouts)
    sheets: list[Sheet] = []
    for layout in layouts:
        sheets += layout.sheets(len(sheets) + 1, total)
    return tuple(sheets)


_Stacks = Sequence[tuple[Format, list[int]]]


def _folded(job: ImpositionJob, split: ImpositionJob, stacks: _Stacks) -> tuple[list[Layout], _Stacks]:
    """Lay sizes with backs on folded sheets; gives the sizes that are left, without backs.

    A size too large for half a sheet lies on sheets of its own, fronts first and then their backs, to be glued.
    """
    folded = job._replace(is_folded=True)
    layouts: list[Layout] = []
    left: list[tuple[Format, list[int]]] = []
    for format_, indexes in stacks:
        backed = [index for index in indexes if job.faces[index].back is not None]
        if not backed:
            left.append((format_, indexes))
            continue
        layout = gutter_layout(folded, format_, indexes)
        if layout is not None:
            layouts.append(layout)
            continue
        layouts.append(GridLayout(split, format_, _grid(format_, split), backed))
        if len(backed) < len(indexes):
            left.append((format_, [index for index in indexes if job.faces[index].back is None]))
    return layouts, left


class _Stack(NamedTuple):
    """The faces of one size, once for each copy, and the grid they fill."""

    format: Format
    grid: Grid
    indexes: list[int]


def _fewest(job: ImpositionJob, stacks: Sequence[tuple[Format, list[int]]]) -> Sequence[Layout]:
    """Lay each size on sheets of its own, or together what does not fill a sheet, or all: what takes fewest sheets."""
    known = [_Stack(format_, _grid(format_, job), indexes) for format_, indexes in stacks]
    best: list[Layout] = [GridLayout(job, *stack) for stack in known]
    if len(known) < 2:
        return best
    full: list[Layout] = []
    rest: list[tuple[Format, Sequence[int]]] = []
    whole: list[tuple[Format, Sequence[int]]] = []
    alone: list[Layout] = []
    for format_, grid, indexes in known:
        if mixed_layout(job, [(format_, indexes[:1])]) is None:
            # It fills the paper so nearly that there is no room for marks of its own.
            alone.append(GridLayout(job, format_, grid, indexes))
            continue
        whole.append((format_, indexes))
        over = len(indexes) % grid.capacity
        if over < len(indexes):
            full.append(GridLayout(job, format_, grid, indexes[: len(indexes) - over]))
        if over:
            rest.append((format_, indexes[len(indexes) - over :]))
    ways: list[list[Layout]] = []
    for before, lots in ((full, rest), ([], whole)):
        # Sizes of which one needs the paper upright and another on its side stay on sheets of their own.
        mixed = mixed_layout(job, lots) if len(lots) > 1 else None
        if mixed is not None:
            ways.append([*alone, *before, mixed])
    return min((best, *ways), key=lambda layouts: sum(layout.count for layout in layouts))


def _grid(format_: Format, job: ImpositionJob) -> Grid:
    gaps = job.manner.gaps
    grid = fit_grid(format_, job.paper, job.footer_mm(), Gaps.MOST if gaps is Gaps.AUTO else gaps)
    if grid is None:
        raise ValueError(f"{format_.trim} does not fit {job.paper.name}")
    return grid


def _stacks(faces: Sequence[Leaf], without: Sequence[int]) -> list[tuple[Format, list[int]]]:
    """Return the faces' indexes, once for each copy, gathered by what decides the grid."""
    stacks: dict[tuple[Size, float, bool, bool], list[int]] = {}
    for index, face in enumerate(faces):
        if face.copies > 0 and index not in without:
            key = (face.format.trim, face.format.bleed_mm, face.format.is_round, face.format.is_hex)
            stacks.setdefault(key, []).extend([index] * face.copies)
    return [
        (Format("", trim, bleed_mm=bleed_mm, is_round=is_round, is_hex=is_hex), stack)
        for (trim, bleed_mm, is_round, is_hex), stack in stacks.items()
    ]


class GridLayout:
    """Faces of one size on sheets of one grid: what its sheets share is made once."""

    def __init__(self, job: ImpositionJob, format_: Format, grid: Grid, indexes: Sequence[int]) -> None:
        grid = roomier(job, grid, indexes, lambda gaps: fit_grid(format_, job.paper, job.footer_mm(), gaps))
        self.count = math.ceil(len(indexes) / grid.capacity) * job.sheets_each
        self._job = job
        self._format = format_
        self._grid = grid
        self._indexes = indexes
        self._mirrors_columns = turns_left_right(grid.paper, job.turn)
        self._slots = grid.slots()
        self._behind = tuple(behind(slot, format_.trim, grid.paper, job.turn) for slot in self._slots)
        margins = job.paper.margins(grid.paper)
        self._footer: Footer = job.footer(grid.shape, line_length(grid.paper, margins, grid.place))
        self._placing = placing(grid.place, grid.shape, grid.paper, margins)
        self._marks: dict[tuple[int, bool], tuple[Layer, ...]] = {}

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on."""
        sheets: list[Sheet] = []
        capacity = self._grid.capacity
        each = self._job.sheets_each
        for at, start in enumerate(range(0, len(self._indexes), capacity)):
            indexes, number = self._indexes[start : start + capacity], first + at * each
            back = self._back(indexes, number + each - 1, total) if self._job.is_double_sided else None
            sheets += self._job.sheets_of(self._grid.paper, self._front(indexes, number, total), back, number, total)
        return sheets

    def _front(self, indexes: Sequence[int], number: int, total: int) -> Side:
        placements = self._job.fronts(zip(indexes, self._slots, strict=False))
        return Side(placements, self._items(indexes, number, total, is_back=False))

    def _back(self, indexes: Sequence[int], number: int, total: int) -> Side:
        placements = self._job.backs_behind(zip(indexes, self._behind, strict=False))
        return Side(placements, self._items(indexes, number, total, is_back=True))

    def _items(self, indexes: Sequence[int], number: int, total: int, *, is_back: bool) -> tuple[Item | Layer, ...]:
        filled = len(indexes)
        marks = self._marks.get((filled, is_back))
        if marks is None:
            marks = self._marks[filled, is_back] = self._make_marks(filled, is_back=is_back)
        return *marks, Group(
            self._footer.items(number, total, is_back=is_back, piece=self._job.named(indexes)), self._placing
        )

    def _make_marks(self, filled: int, *, is_back: bool) -> tuple[Layer, ...]:
        """Return the marks around the first slots; on the back, around the places behind them."""
        grid = self._grid
        columns = range(min(filled, grid.columns.trims))
        rows = range(math.ceil(filled / grid.columns.trims))
        if is_back and self._mirrors_columns:
            columns = range(grid.columns.trims - len(columns), grid.columns.trims)
        elif is_back:
            rows = range(grid.rows.trims - len(rows), grid.rows.trims)
        # Cut from the front: a circle on the back would only show the printer's drift on the finished piece.
        shapes = () if is_back else cut_lines(self._slots[:filled], self._format)
        across, down = cuts(grid.columns, columns), cuts(grid.rows, rows)
        room = room_of(grid, self._job.paper.margins(grid.paper))
        return cut_layer(self._job.manner.cut, crop_marks(grid, columns, rows), across, down, room, shapes)
