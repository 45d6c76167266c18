"""The sheets of a file -> those of one copy of an edition: a line in free space names the copy.

No face, cut mark or footer changes for the line. Its place is found once for sheets that are printed for many copies:

    marker = CopyMarker(job)
    for number, name in enumerate(names, 1):
        copy = CopyMark(number, len(names), name)
        files = [marker.marked(file, copy) for file in imposition.files]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from duckpress.core.frame import Group, Item
from duckpress.core.geometry import MM_PER_PT, Rect, Size
from duckpress.core.language import program
from duckpress.core.problems import Level, Problem
from duckpress.core.sizes import Paper
from duckpress.impose import Side
from duckpress.impose.footer import TEXT_PT, set_row
from duckpress.press.print_job import ImposedFile, ImposedPiece, PrintJob
from duckpress.press.request import CopyMark
from duckpress.press.sheets.free_places import PrintedBoxes, page_boxes
from duckpress.press.sheets.margin_codes import ASCENT, LinePlace, MarginWords, line_place
from duckpress.press.sheets.piece_sheets import frames_of

COLOUR = "#000000"
"""Black, by which the line is told from a footer, whose words are grey."""

_DEPTH_MM = 0.65  # below the baseline: what is below that of a footer's last row
_LENGTHS_MM = (75.0, 60.0, 45.0, 32.0)
_SMALLEST = 0.7  # of the type size, for longer lines
_Lines = dict[LinePlace, tuple[Item, ...]]


class _SidePlan(NamedTuple):
    """A side and the place of its line, if it has room for one. The side is kept for its id."""

    side: Side
    line: LinePlace | None

    @property
    def length_mm(self) -> float:
        return 0.0 if self.line is None else max(self.line.box[2:])


class CopyMarker:
    """Marks the sheets of one game for one copy after the other; `job` is their print job."""

    def __init__(self, job: PrintJob) -> None:
        self._speech = job.game.speech
        self._typeset = MarginWords(job.fonts, job.game.speech, COLOUR).set
        self._boxes = PrintedBoxes()
        self._plans: dict[int, _SidePlan] = {}
        self._places: dict[object, LinePlace | None] = {}

    def marked(self, file: ImposedFile, copy: CopyMark) -> ImposedFile:
        """Return a file with the line of a copy; `file` has no line, and may be reused for each copy."""
        words = copy_words(copy, self._speech.program) if copy.has_line else ()
        lines: _Lines = {}

        def marked(side: Side) -> Side:
            return self._marked_side(self._plans[id(side)], words, lines)

        pieces = []
        for one in file.pieces:
            self._plan_all(one, file.paper)
            sheets = (
                sheet._replace(front=marked(sheet.front), back=None if sheet.back is None else marked(sheet.back))
                for sheet in one.sheets
            )
            pieces.append(replace(one, sheets=tuple(sheets), copy=copy))
        return replace(file, pieces=tuple(pieces))

    def problems(self, file: ImposedFile, copy: CopyMark) -> list[Problem]:
        """Return a note for each piece with sides that have no room for the line of any copy."""
        problems = []
        for one in file.pieces if copy.has_line else ():
            self._plan_all(one, file.paper)
            printed = [self._plans[id(side)] for side, _ in _sides(one) if _is_printed(side)]
            missing = sum(plan.line is None for plan in printed)
            if missing:
                piece = one.laid_out.piece
                sides = f"{missing} of {len(printed)} sides of {piece.title!r} on {file.paper.name}"
                what, fix = f"{sides} have no room for which copy it is", "print it on larger paper"
                problems.append(Problem("copy-mark", piece.source, what, fix, Level.NOTE))
        return problems

    def _plan_all(self, one: ImposedPiece, paper: Paper) -> None:
        """Find places for the lines of a piece's sides, if they have none yet.

        It is one for all with cards in the same places, if that is as long as their own: so the line of a copy is set
        once for them.
        """
        sides = _sides(one)
        if all(id(side) in self._plans for side, _ in sides):
            return
        trims = {key: frame.trim for key, frame in frames_of(one.laid_out).items()}
        pages = page_boxes(one.laid_out, paper)
        alike: dict[object, list[tuple[Side, Size, list[Rect]]]] = {}
        for side, size in sides:
            if not _is_printed(side):
                self._plans[id(side)] = _SidePlan(side, None)
                continue
            place = size, [(placed.x_mm, placed.y_mm, placed.turn_degrees, placed.bleed) for placed in side.placements]
            alike.setdefault(repr(place), []).append((side, size, self._boxes.taken(side, trims, pages)))
        for group in alike.values():
            every = [*dict.fromkeys(box for _, _, taken in group for box in taken)]
            for side, size, taken in group:
                common, own = (self._plan(side, size, paper, boxes) for boxes in (every, taken))
                self._plans[id(side)] = common if common.length_mm >= own.length_mm else own

    def _plan(self, side: Side, size: Size, paper: Paper, taken: Sequence[Rect]) -> _SidePlan:
        """Return the place of a side's line; equal sides have equal places."""
        printable = Rect(0.0, 0.0, *size).inside(paper.margins(size))
        key = printable, tuple(taken)
        if key not in self._places:
            depth_mm = ASCENT * TEXT_PT * MM_PER_PT + _DEPTH_MM
            lines = (line_place(Size(length_mm, depth_mm), printable, printable, taken) for length_mm in _LENGTHS_MM)
            self._places[key] = next((line for line in lines if line is not None), None)
        return _SidePlan(side, self._places[key])

    def _marked_side(self, plan: _SidePlan, words: Sequence[str], lines: _Lines) -> Side:
        """Return a side with its line; sides with room in the same place share the same line."""
        if plan.line is None or not words:
            return plan.side._replace(own=())
        if plan.line not in lines:
            items = self._line(words, plan.length_mm)
            lines[plan.line] = (Group(items, plan.line.matrix(TEXT_PT * MM_PER_PT)),)
        return plan.side._replace(own=lines[plan.line])

    def _line(self, words: Sequence[str], length_mm: float) -> tuple[Item, ...]:
        """Return the first of several wordings that fits the length; the last one is shrunk to fit."""
        for text in words:
            line = self._typeset(text, TEXT_PT, False)
            if line[1] * _SMALLEST <= length_mm:
                break
        return tuple(set_row((line,), 0.0, length_mm))


def copy_words(copy: CopyMark, say: Callable[..., str]) -> tuple[str, ...]:
    """Return the wordings for a copy: with the full name, then shorter and shorter."""
    figures = say(program.COPY, {"number": copy.number, "total": copy.total})
    names = (copy.name, *(copy.name[:length].rstrip() + "…" for length in range(len(copy.name) - 2, 0, -1)))
    return (*(f"{figures} · {name}" for name in names if copy.name), figures)


def _is_printed(side: Side) -> bool:
    return bool(side.placements or side.items)


def _sides(one: ImposedPiece) -> list[tuple[Side, Size]]:
    """Return the sides of a piece's sheets, each with the size of its sheet in the planned orientation.

    For a printer, sheets may have been stood up.
    """
    sheets = [(sheet.paper, side) for sheet in one.sheets for side in (sheet.front, sheet.back)]
    return [(side, paper.turned() if side.map.b else paper) for paper, side in sheets if side is not None]
