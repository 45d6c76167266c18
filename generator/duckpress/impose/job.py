"""The common parts of imposing a piece: its faces, the paper, and how sheets are turned and labelled.

Room between cards, where their edges differ, and where it costs no paper: a grid that holds most cards is often butted.
Three poker cards across leave 9.5 mm of A4's 200 mm printable, and marks at both ends take 2.65 mm of it, so that six
edges could show 1.1 mm of bleed at most, where a sheet may drift by 2 mm. With full bleed on all sides eight cards lie
on the same paper. So for each piece both grids are counted out: where the roomy one takes no more sheets it is taken,
unless the cards look alike at their edges. Then a drift shows nothing, and a butted grid needs half the cuts. Where the
roomy one takes more, the butted one is taken only if what touches on it looks alike there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

from msgspec import Struct

from duckpress.core.backs import Backs
from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Size
from duckpress.core.language import program
from duckpress.core.sizes import Format, Paper
from duckpress.impose.footer import Footer, SheetLabel, Typeset, whole_length_mm
from duckpress.impose.grid import SHAPES, FooterShape, Grid, PaperWay
from duckpress.impose.rims import MISCUT_MM, Rims
from duckpress.impose.sheets import Cut, Gaps, Layer, Placement, Sheet, Side, Slot, Turn, behind


class Leaf(NamedTuple):
    """The properties of a face for imposition: its format, its copies, and the hashes of its two frames.

    `overlap_mm` is how much its tiles share, where it may be tiled; `piece` the title of its piece, where pieces share
    sheets.
    """

    format: Format
    copies: int
    front: str
    back: str | None = None
    overlap_mm: float | None = None
    piece: str = ""


class Manner(Struct, frozen=True):
    """How to lay a piece on sheets, besides its paper: the options of the command line.

    Without `rims` no two faces are taken to look alike at their edges.
    """

    cut: Cut = Cut.MARKS
    gaps: Gaps = Gaps.MOST
    rims: Rims | None = None


AS_EVER = Manner()

Seats = Sequence[tuple[int, Slot]]
"""Faces, by their indexes, and their places on a front."""


class ImpositionJob(NamedTuple):
    """A piece to be laid on sheets. `most_sheets` is an upper bound: the footers have room for it.

    `backs` says which sides are made. `is_split` puts each back side on the next sheet, for paper that is printed on
    one side and glued; `is_folded` has fronts and backs on one side, with a fold between them that acts as `turn`.
    `has_backs`: any face has one, printed now or not.
    """

    faces: Sequence[Leaf]
    paper: Paper
    turn: Turn
    backs: Backs
    label: SheetLabel
    typeset: Typeset
    most_sheets: int
    manner: Manner = AS_EVER
    is_split: bool = False
    is_folded: bool = False
    has_backs: bool = False

    def fronts(self, seats: Seats) -> tuple[Placement, ...]:
        return tuple(
            Placement(index, False, slot.x_mm, slot.y_mm, 0, self.faces[index].front, slot.bleed)
            for index, slot in seats
        )

    def backs_behind(self, seats: Seats, paper: Size) -> tuple[Placement, ...]:
        """Return the backs of some faces, placed behind them; some faces have no back."""
        placements = []
        for index, front in seats:
            face = self.faces[index]
            if face.back is not None:
                slot, degrees = behind(front, face.format.trim, paper, self.turn)
                placements.append(Placement(index, True, slot.x_mm, slot.y_mm, degrees, face.back, slot.bleed))
        return tuple(placements)

    @property
    def is_double_sided(self) -> bool:
        return self.has_backs and (self.is_split or self.backs.has_back_sides)

    @property
    def planned_turn(self) -> Turn | None:
        """How the sheets are turned, now or once their backs are printed separately; None if never.

        Fronts alone and backs alone lie as in a file with both.
        """
        return self.turn if self.has_backs and not self.is_folded else None

    def footer_mm(self) -> dict[FooterShape, float]:
        """Return the line length that each shape of footer needs for its full text."""
        of_piece = (self.label, self.typeset, self.planned_turn, self.most_sheets)
        return {shape: whole_length_mm(*of_piece, shape, is_folded=self.is_folded) for shape in SHAPES}


class SheetPlan(NamedTuple):
    """The placements of a front, and the marks and notes around it or (called with True) around its back.

    `marks` are the layers of marks and lines, `notes` what the footer says beside what all footers do.
    """

    seats: Seats
    marks: Callable[[bool], tuple[Layer, ...]]
    notes: Callable[[bool], Sequence[Item]] = lambda _is_back: ()


class Layout(NamedTuple):
    """A laid-out part of a piece: its plans, which get sheet numbers once the whole piece is laid out.

    `notes_mm` is how much of the footer's line is kept for the notes of the plans.
    """

    job: ImpositionJob
    way: PaperWay
    plan_count: int
    plans: Iterable[SheetPlan]
    notes_mm: float = 0.0

    @property
    def sheet_count(self) -> int:
        return self.plan_count * (2 if self.job.is_split else 1)

    def sheets(self, first: int, total: int) -> list[Sheet]:
        """Return the sheets, numbered from `first` on."""
        job, paper, placing = self.job, self.way.paper, self.way.placing
        turn, line_mm = job.turn if job.is_double_sided and not job.is_split else None, self.way.line_mm - self.notes_mm
        footer = Footer(job.label, job.typeset, turn, self.way.shape, line_mm, is_folded=job.is_folded)

        def side(placements: tuple[Placement, ...], plan: SheetPlan, number: int, *, is_back: bool) -> Side:
            pieces = dict.fromkeys(job.faces[index].piece for index in sorted({index for index, _ in plan.seats}))
            items = footer.items(number, total, is_back=is_back, piece=program.PIECES_JOINED.join(pieces))
            return Side(placements, (*plan.marks(is_back), Group((*items, *plan.notes(is_back)), placing)))

        sheets: list[Sheet] = []
        for plan in self.plans:
            number = first + len(sheets)
            fronts, back = job.fronts(plan.seats), None
            if job.is_folded:
                fronts += job.backs_behind(plan.seats, paper)
            elif job.is_double_sided:
                backs = job.backs_behind(plan.seats, paper)
                back = side(backs, plan, number + job.is_split, is_back=True)
            front = side(fronts, plan, number, is_back=False)
            if job.is_split and back is not None:
                sheets += [Sheet(paper, front, None, number, total), Sheet(paper, back, None, number + 1, total)]
            elif not job.backs.has_fronts:
                sheets += [Sheet(paper, back or Side((), ()), None, number, total)]
            else:
                sheets += [Sheet(paper, front, back, number, total)]
        return sheets


def grid_layout(
    job: ImpositionJob, grid: Grid, indexes: Sequence[int], marks: Callable[[int, bool], tuple[Layer, ...]]
) -> Layout:
    """Return faces (copies repeated) on sheets of a grid; `marks` draws the marks around the first slots."""
    slots, kept = grid.slots(), cache(marks)
    starts = range(0, len(indexes), grid.capacity)
    stacks = (indexes[start : start + grid.capacity] for start in starts)
    plans = (SheetPlan([*zip(stack, slots, strict=False)], partial(kept, len(stack))) for stack in stacks)
    return Layout(job, grid.way, len(starts), plans)


_Grid = TypeVar("_Grid", bound=Grid)


def best_grid(job: ImpositionJob, indexes: Sequence[int], fit: Callable[[Gaps], _Grid | None]) -> _Grid | None:
    """Return the grid for faces (copies repeated); `fit` makes grids, None if no face fits."""
    if job.manner.gaps is not Gaps.AUTO:
        return fit(job.manner.gaps)
    most, wide = fit(Gaps.MOST), fit(Gaps.ALWAYS)
    if most is None or wide is None or len(indexes) < 2 or most.capacity < 2:
        return most

    def sheets(grid: Grid) -> int:
        return math.ceil(len(indexes) / grid.capacity)

    if sheets(wide) > sheets(most):
        return most if _may_meet(job, indexes, most) else min(filter(None, (wide, fit(Gaps.LEAST))), key=sheets)
    close = fit(Gaps.NEVER)
    if close is None or sheets(close) > sheets(most):
        return wide
    # Around a face without bleed there is paper, whatever lies beyond.
    is_bare = not any(job.faces[index].format.bleed_mm for index in indexes)
    may_be_close = _may_meet(job, indexes, close) if is_bare else are_alike(job, indexes)
    return close if may_be_close else wide


def _may_meet(job: ImpositionJob, indexes: Sequence[int], grid: Grid) -> bool:
    """Return whether faces that would touch on the sheets of a grid have matching edges there.

    Backs touch the backs of the same neighbours, however the sheet is turned: the left edge of one the right edge of
    the next.
    """
    rims, columns = job.manner.rims, grid.columns.trims
    pairs: set[tuple[int, int, int]] = set()
    for start in range(0, len(indexes), grid.capacity):
        stack = indexes[start : start + grid.capacity]
        if grid.columns.gap_mm < 2 * MISCUT_MM:
            rows = (stack[at : at + columns] for at in range(0, len(stack), columns))
            pairs |= {(*pair, 2) for row in rows for pair in pairwise(row)}
        if grid.rows.gap_mm < 2 * MISCUT_MM:
            pairs |= {(*pair, 3) for pair in zip(stack, stack[columns:], strict=False)}
    return not pairs or (rims is not None and all(_look_alike(job, rims, *pair) for pair in sorted(pairs)))


def _look_alike(job: ImpositionJob, rims: Rims, first: int, second: int, side: int) -> bool:
    """Return whether two faces and their backs have matching edges if the second lies at a side of the first."""
    one, other = job.faces[first], job.faces[second]
    if not rims.meet(one.front, other.front, side):
        return False
    if one.back is None or other.back is None:
        return True
    return rims.meet(other.back, one.back, side) if side == 2 else rims.meet(one.back, other.back, side)


def may_all_meet(job: ImpositionJob, indexes: Sequence[int]) -> bool:
    """Return whether faces, and their backs, have matching edges in any arrangement."""
    rims, faces = job.manner.rims, [job.faces[index] for index in dict.fromkeys(indexes)]
    backs = [face.back for face in faces if face.back is not None]
    return rims is not None and rims.all_meet([face.front for face in faces]) and rims.all_meet(backs)


def are_alike(job: ImpositionJob, indexes: Sequence[int]) -> bool:
    """Return whether all faces, and all backs if there are any, have one colour at their edges."""
    rims, faces = job.manner.rims, [job.faces[index] for index in dict.fromkeys(indexes)]
    backs = [face.back for face in faces if face.back is not None]
    if rims is None or 0 < len(backs) < len(faces):  # beside an empty place there is paper
        return False
    return rims.are_alike(face.front for face in faces) and rims.are_alike(backs)
