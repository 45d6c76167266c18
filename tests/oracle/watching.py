"""Lets the program be watched: each face, page and file is held against what was asked for, on its way to paper.

What is otherwise becomes an error among the program's own findings: `proof-frame`, or one of its proof of a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from duckpress import proof
from duckpress.core.frame import Frame, Item
from duckpress.core.geometry import Rect
from duckpress.core.language import program
from duckpress.core.problems import Problem, Source, fault, has_errors
from duckpress.layout.elements.compose import FaceComposer
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.faces import face_maker
from duckpress.layout.laid_out import LaidOut
from duckpress.layout.rulebook import sheet
from duckpress.layout.rulebook.blocks import Block, Directive, GeneratedBlocks
from duckpress.layout.rulebook.filling import FilledLine, Front, read_front
from duckpress.layout.rulebook.pages import PageShape
from duckpress.press import printing
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.proof import Expected
from oracle.covers.counted_parts import ExpectedCover, expected_cover
from oracle.covers.cover_proof import check_cover
from oracle.frame_check.asked_values import MadeElement, WrongFrame
from oracle.frame_check.face_check import FaceCheck
from oracle.page_check.page_check import PagesAsked, asked_of_lines, check_footers, check_pages, check_part, with_notes
from oracle.reading.pages import read_file
from oracle.reading.placing import PageLayout
from oracle.sheets.expected import ExpectedSheets, expected_sheets
from oracle.sheets.room import crowds
from oracle.sheets.sheet_checks import check_sheets

Patch = Callable[[object, str, Any], None]

Printed = tuple[Sequence[PageLayout], Expected, ExpectedCover]
"""The pages of a file as they were read from it, what was expected there, and what its cover has to speak of."""


class _Claims(NamedTuple):
    """What is known of the file that is proven, without its plan."""

    sheets: ExpectedSheets
    cover: ExpectedCover | None


def watch_files(patch: Patch = setattr, keep: Callable[[Printed], None] | None = None) -> None:
    """Look at every file from now on; what is wrong is among the findings of its proof. Covers can be kept."""
    of_file, of_pdf = printing._differences, proof.prove_pdf
    claims: list[_Claims] = []

    def differences(job: PrintJob, file: ImposedFile, *others: Any) -> list[Problem]:
        claims[:] = [_Claims(expected_sheets(job, file), expected_cover(job, file))]
        crowded = [fault("proof-room", what) for what in crowds(file, job.game.speech.program(program.FOLD))]
        return [*of_file(job, file, *others), *crowded]

    def prove_pdf(pdf: bytes, expected: Expected, source: Source, *others: Any) -> list[Problem]:
        found = [problem._replace(source=source) for problem in _look(pdf, expected, *claims, keep)]
        return [*of_pdf(pdf, expected, source, *others), *found]

    patch(printing, "_differences", differences)
    patch(proof, "prove_pdf", prove_pdf)


def _look(pdf: bytes, expected: Expected, claims: _Claims, keep: Callable[[Printed], None] | None) -> Iterator[Problem]:
    read = read_file(pdf, expected)
    yield from read.problems
    if not read.pages:
        return
    yield from check_sheets(read.pages, read.bookmarks, expected, claims.sheets)
    if claims.cover is not None:
        if keep is not None:
            keep((read.pages, expected, claims.cover))
        yield from check_cover(read.pages, expected, claims.cover)


def watch(patch: Patch = setattr) -> None:
    """Watch all that is laid out and printed from now on, in this process and in those that are forked from it."""
    watch_files(patch)
    patch(face_maker, "FaceComposer", WatchedComposer)
    patch(sheet, "read_front", _read_front)
    patch(sheet, "GeneratedBlocks", _WatchedBlocks)
    patch(sheet, "_PageMaker", _WatchedMaker)


class WatchedComposer(FaceComposer):
    """Keeps for each face what its elements were made into, and has it looked at."""

    def __init__(self, context: LayoutContext) -> None:
        super().__init__(context)
        self._check = FaceCheck(context, context.typesetter._fonts)
        self._inside: list[MadeElement] = []  # what was made inside the element at hand
        self._seen: dict[tuple[FaceNode, Rect], MadeElement] = {}

    def face(self, root: FaceNode, trim: Rect) -> tuple[Item, ...]:
        self._inside = []
        items = super().face(root, trim)
        if not has_errors(self._context.problems):
            wrong = self._check.fault(root, self._inside, items)
            if wrong is not None:
                self._context.go_to(root.at)
                what = f"{self._context.subject}: {wrong}"
                self._context.problems.append(fault("proof-frame", what, self._context.place))
        return items

    def _element(self, element: FaceNode, cell: Rect, depth: int) -> Sequence[Item]:
        around, self._inside = self._inside, []
        items = super()._element(element, cell, depth)
        made = self._seen.get((element, cell))
        if made is None or made.items is not items:  # else what is in it was made before
            made = self._seen[element, cell] = MadeElement(element, cell, items, self._inside)
        self._inside = around
        around.append(made)
        return items


class _Sheet(NamedTuple):
    """What a sheet of rules was read as: its filled lines, and what each directive stands for."""

    lines: list[Sequence[FilledLine]]
    parts: list[tuple[Directive, tuple[Block, ...]]]


_sheet = _Sheet([], [])  # the one at hand


def _read_front(lines: list[FilledLine], path: str) -> tuple[Front, list[FilledLine], list[Problem]]:
    front, rest, problems = read_front(lines, path)
    _sheet.lines.append(rest)
    return front, rest, problems


class _WatchedBlocks(GeneratedBlocks):
    """Keeps what each directive of a sheet stands for."""

    def blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        _sheet.parts.clear()
        own = super().blocks
        _sheet.parts.extend((block, own((block,))) for block in blocks if isinstance(block, Directive))
        return own(blocks)


class _WatchedMaker(sheet._PageMaker):
    """Has the pages of a sheet looked at."""

    _shapes: Sequence[PageShape] = ()

    def pages(self, front: Front, blocks: Sequence[Block], shapes: Sequence[PageShape]) -> list[tuple[Frame, ...]]:
        self._shapes = shapes
        return super().pages(front, blocks, shapes)

    def laid_out(self, pages: Mapping[str, tuple[Frame, ...]]) -> LaidOut:
        laid_out = super().laid_out(pages)
        lines, parts = _sheet.lines[0], list(_sheet.parts)  # of a translation come first, then those of the original
        _sheet.lines.clear()
        if not has_errors(self.problems):
            self.problems += self._faults(lines, parts, laid_out)
        return laid_out

    def _faults(
        self, lines: Sequence[FilledLine], parts: Sequence[tuple[Directive, tuple[Block, ...]]], laid_out: LaidOut
    ) -> Iterator[Problem]:
        """Yield what pages have otherwise than the filled lines of the sheet ask for."""
        game, source = self._game, next(iter(self._game.texts[self._piece.text].values())).source
        try:
            for directive, blocks in parts:
                check_part(directive, blocks, game, self._how.tables, self._how.copies)
        except WrongFrame as wrong:
            yield fault("proof-frame", f"piece {self._piece.id!r}: {wrong}", source)
        asked = list(asked_of_lines([line.text for line in lines], iter([blocks for _, blocks in parts])))
        targets = [target for one in asked for target in one.shows if target is not None]
        frames = {target: self._frame_of(target) for target in targets if not target.startswith(("art:", "icon:"))}
        notes = game.speech.program(program.NOTES) if self._piece.is_booklet else ""
        for (paper, pages), shape, head in zip(laid_out.pages.items(), self._shapes, self._heads, strict=True):
            if None in frames.values():
                break  # why a card could not be laid out is told where its deck is
            wanted = PagesAsked(
                with_notes(asked, pages, notes), head.items, self._look, laid_out.drawings, frames, self._is_mirrored
            )
            try:
                check_pages(pages, shape, wanted)
                check_footers(pages, shape, f"{game.title} {game.version}", is_mirrored=self._is_mirrored)
            except WrongFrame as wrong:
                yield fault("proof-frame", f"piece {self._piece.id!r} on {paper}: {wrong}", source)

    def _frame_of(self, target: str) -> Frame | None:
        """Return the frame of a card that a picture shows; None where it could not be laid out."""
        kind, _, name = target.partition(":")
        deck, _, card = name.partition("/")
        found = self._how.face_of(deck, card or self._game.decks[deck].cards[0].id)
        return None if found is None else found[0].back if kind == "back" else found[0].front
