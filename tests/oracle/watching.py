"""Lets the program be watched: each face and file is held against what was asked for, on its way to paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duckpress import proof
from duckpress.core.frame import Item
from duckpress.core.geometry import Rect
from duckpress.core.language import program
from duckpress.core.problems import Problem, Source, fault, has_errors
from duckpress.layout.elements.compose import FaceComposer
from duckpress.layout.elements.layout_context import LayoutContext
from duckpress.layout.face_xml import FaceNode
from duckpress.layout.faces import face_maker
from duckpress.press import printing
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.proof import Expected
from oracle.frame_check.asked_values import MadeElement
from oracle.frame_check.face_check import FaceCheck
from oracle.reading.pages import read_file
from oracle.sheets.expected import ExpectedSheets, expected_sheets
from oracle.sheets.room import crowds
from oracle.sheets.sheet_checks import check_sheets

Patch = Callable[[object, str, Any], None]


def watch_files(patch: Patch = setattr) -> None:
    """Look at every file from now on; what is wrong is among the findings of its proof."""
    of_file, of_pdf = printing._differences, proof.prove_pdf
    claims: list[ExpectedSheets] = []

    def differences(job: PrintJob, file: ImposedFile, *others: Any) -> list[Problem]:
        claims[:] = [expected_sheets(job, file)]
        crowded = [fault("proof-room", what) for what in crowds(file, job.game.speech.program(program.FOLD))]
        return [*of_file(job, file, *others), *crowded]

    def prove_pdf(pdf: bytes, expected: Expected, source: Source, *others: Any) -> list[Problem]:
        found = [problem._replace(source=source) for problem in _look(pdf, expected, *claims)]
        return [*of_pdf(pdf, expected, source, *others), *found]

    patch(printing, "_differences", differences)
    patch(proof, "prove_pdf", prove_pdf)


def _look(pdf: bytes, expected: Expected, claims: ExpectedSheets) -> Iterator[Problem]:
    read = read_file(pdf, expected)
    yield from read.problems
    if read.pages:
        yield from check_sheets(read.pages, read.bookmarks, expected, claims)


def watch(patch: Patch = setattr) -> None:
    """Watch all that is laid out and printed from now on, in this process and in those that are forked from it."""
    watch_files(patch)
    patch(face_maker, "FaceComposer", WatchedComposer)


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
