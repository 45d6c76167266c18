"""The sheets of a file -> those of one copy of an edition: a line that says which one, and dots that say it, too.

Both stand in free paper: no face, mark or footer changes for them. Where they stand is found once for sheets that are
printed for many copies:

    marker = CopyMarker(job)
    for number, name in enumerate(names, 1):
        copy = CopyMark(number, len(names), name, key)
        files = [marker.marked(file, copy) for file in imposition.files]

What proves these finds the copy with the pieces. `build` does all of it for a request with a `copy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.frame import Group, Item
from duckpress.core.geometry import Rect, Size
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Paper
from duckpress.core.units import MM_PER_PT
from duckpress.impose import Sheet, Side
from duckpress.impose.footer import TEXT_PT, set_row
from duckpress.language import program
from duckpress.marks import FreeCells, code_of, dots_of, free_cells
from duckpress.press.margin_words import MarginWords
from duckpress.press.print_job import ImposedFile, ImposedPiece, PrintJob
from duckpress.press.request import CopyMark
from duckpress.press.sheets.margin_codes import ASCENT, LinePlace, line_place
from duckpress.press.sheets.piece_sheets import frames_of
from duckpress.press.sheets.printed_boxes import PrintedBoxes, page_boxes

COLOUR = "#000000"
"""Black, by which the line is told from a footer, whose words are grey."""

_DEPTH_MM = 0.65  # below the baseline: what is below that of a footer's last row
_Marks = dict[tuple[LinePlace | None, FreeCells | None], tuple[Item, ...]]
_LENGTHS_MM = (75.0, 60.0, 45.0, 32.0)
_SMALLEST = 0.7  # of the type size, for longer lines


class _SidePlan(NamedTuple):
    """What a side has room for: where its line stands, and which cells have a dot. The side is kept for its id."""

    side: Side
    line: LinePlace | None
    free: FreeCells | None

    @property
    def room(self) -> tuple[float, int]:
        """How long the line may be, and how many dots there are."""
        return 0.0 if self.line is None else max(self.line.box[2:]), 0 if self.free is None else len(self.free.cells)


class CopyMarker:
    """Marks the sheets of one game for one copy after the other; `job` is what they were made for."""

    def __init__(self, job: PrintJob) -> None:
        self._speech = job.game.speech
        self._typeset = MarginWords(job.fonts, job.game.speech, COLOUR).set
        self._boxes = PrintedBoxes()
        self._plans: dict[int, _SidePlan] = {}
        self._places: dict[object, tuple[LinePlace | None, FreeCells | None]] = {}

    def branch(self, job: PrintJob) -> CopyMarker:
        """Return one for sheets to come that knows the places that this one has found."""
        other = CopyMarker(job)
        other._places = {**self._places}
        return other

    def marked(self, file: ImposedFile, copy: CopyMark) -> ImposedFile:
        """Return a file with the marks of a copy; `file` is one without, and may be given for each of the copies."""
        words = copy_words(copy, self._speech.program) if copy.has_line else ()
        code = code_of(copy.number, copy.key) if copy.key else b""
        marks: _Marks = {}
        pieces = []
        for one, plans in zip(file.pieces, self._plans_of(file), strict=True):
            sheets = []
            for sheet, (front, back) in zip(one.sheets, plans, strict=True):
                marked_back = None if back is None else self._marked_side(back, words, code, marks)
                sheets.append(sheet._replace(front=self._marked_side(front, words, code, marks), back=marked_back))
            pieces.append(replace(one, sheets=tuple(sheets), copy=copy))
        return replace(file, pieces=tuple(pieces))

    def problems(self, file: ImposedFile, copy: CopyMark) -> list[Problem]:
        """Return a note for each piece with sides that have no room for the line, or for the dots, of any copy."""
        problems = []
        for one, plans in zip(file.pieces, self._plans_of(file), strict=True):
            printed = [plan for sheet in plans for plan in sheet if plan is not None and _is_printed(plan.side)]
            for is_wanted, missing, what in (
                (copy.has_line, sum(plan.line is None for plan in printed), "which copy it is"),
                (bool(copy.key), sum(plan.free is None for plan in printed), "the dots of a copy"),
            ):
                if is_wanted and missing:
                    piece = one.laid_out.piece
                    sides = f"{missing} of {len(printed)} sides of {piece.title!r} on {file.paper.name}"
                    fix = "print it on larger paper"
                    problems.append(
                        Problem("copy-mark", piece.source, f"{sides} have no room for {what}", fix, Level.NOTE)
                    )
        return problems

    def _plans_of(self, file: ImposedFile) -> Iterator[list[tuple[_SidePlan, _SidePlan | None]]]:
        """Yield for each piece what its sheets have room for, on their fronts and backs."""
        for one in file.pieces:
            sides = [
                (side, _lying(sheet, side))
                for sheet in one.sheets
                for side in (sheet.front, sheet.back)
                if side is not None
            ]
            if not all(id(side) in self._plans for side, _ in sides):
                self._plan_all(one, sides, file.paper)
            yield [
                (self._plans[id(sheet.front)], None if sheet.back is None else self._plans[id(sheet.back)])
                for sheet in one.sheets
            ]

    def _plan_all(self, one: ImposedPiece, sides: Sequence[tuple[Side, Size]], paper: Paper) -> None:
        """Find what sides have room for: those with cards in the same places in the same one, if none has less so.

        So their marks are the same in a copy, and are made and read once.
        """
        trims = {key: frame.trim for key, frame in frames_of(one.laid_out).items()}
        pages = page_boxes(one.laid_out, paper)
        alike: dict[object, list[tuple[Side, list[Rect]]]] = {}
        for side, size in sides:
            if not _is_printed(side):
                self._plans[id(side)] = _SidePlan(side, None, None)
                continue
            place = size, [(placed.x_mm, placed.y_mm, placed.turn_degrees, placed.bleed) for placed in side.placements]
            alike.setdefault(repr(place), []).append((side, self._boxes.taken(side, trims, pages)))
        sizes = {id(side): size for side, size in sides}
        for group in alike.values():
            every = [*dict.fromkeys(box for _, taken in group for box in taken)]
            for side, taken in group:
                common, own = (self._plan(side, sizes[id(side)], paper, boxes) for boxes in (every, taken))
                self._plans[id(side)] = common if common.room >= own.room else own

    def _plan(self, side: Side, size: Size, paper: Paper, taken: Sequence[Rect]) -> _SidePlan:
        """Return what a side has room for; sides alike have it alike."""
        printable = Rect(0.0, 0.0, *size).inside(paper.margins(size))
        key = printable, tuple(taken)
        if key not in self._places:
            depth_mm = ASCENT * TEXT_PT * MM_PER_PT + _DEPTH_MM
            lines = (line_place(length_mm, depth_mm, printable, printable, taken) for length_mm in _LENGTHS_MM)
            line = next((line for line in lines if line is not None), None)
            free = free_cells(printable, taken if line is None else [*taken, line.box])
            self._places[key] = line, free
        return _SidePlan(side, *self._places[key])

    def _marked_side(self, plan: _SidePlan, words: Sequence[str], code: bytes, marks: _Marks) -> Side:
        """Return a side with its marks; sides with room in the same places have the very same ones."""
        place = plan.line, plan.free
        if place not in marks:
            items: list[Item] = []
            if plan.line is not None and words:
                items.append(Group(self._line(words, max(plan.line.box[2:])), plan.line.matrix(TEXT_PT * MM_PER_PT)))
            if plan.free is not None and code:
                items.append(dots_of(code, plan.free))
            marks[place] = tuple(items)
        return plan.side._replace(own=marks[place])

    def _line(self, words: Sequence[str], length_mm: float) -> tuple[Item, ...]:
        """Return the first of some words that a line of that length holds; the last ones in any size."""
        for text in words:
            line = self._typeset(text, TEXT_PT, False)
            if line[1] * _SMALLEST <= length_mm:
                break
        return tuple(set_row((line,), 0.0, length_mm))


def copy_words(copy: CopyMark, say: Callable[..., str]) -> tuple[str, ...]:
    """Return what is said of a copy in print: with the name in full, then with less and less of it."""
    figures = say(program.COPY, {"number": copy.number, "total": copy.total})
    names = (copy.name, *(copy.name[:length].rstrip() + "…" for length in range(len(copy.name) - 2, 0, -1)))
    return (*(f"{figures} · {name}" for name in names if copy.name), figures)


def _is_printed(side: Side) -> bool:
    return bool(side.placements or side.items)


def _lying(sheet: Sheet, side: Side) -> Size:
    """Return the size of a sheet as it lay when it was planned: for a printer, sheets may have been stood up."""
    return sheet.paper.turned() if side.map.b else sheet.paper
