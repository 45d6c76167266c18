"""Copies in one PDF for each paper, for a print shop: one behind the other, each with its own marks.

What copies share is in the file once. It is proven as a whole; where something is wrong with it, each copy is proven by
itself, and those that fail are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct

from duckpress.core.problems import has_errors
from duckpress.editions.people import Copy
from duckpress.editions.planning import CopyDraw
from duckpress.model import Game
from duckpress.press.print_job import ImposedFile
from duckpress.press.printing import ProvenFiles
from duckpress.printrun.copy_printer import CopyPrinter, ImposedCopy, PrintedCopy
from duckpress.store import Output


class CopyPages(Struct, frozen=True):
    """The pages of a copy in a file: the first of them, counted from 1, how many there are, and on how many sheets."""

    file: str
    first: int
    pages: int
    sheets: int


class JointCopies(NamedTuple):
    """Copies that were printed together, the files with all of them, and where in those the pages of each copy are."""

    copies: list[PrintedCopy]
    outputs: dict[str, Output]
    pages: dict[str, list[CopyPages]]


def print_joint(printer: CopyPrinter, copies: Sequence[tuple[Copy, CopyDraw]], name: str) -> JointCopies:
    """Return copies printed into one file for each paper, called by `name`; packets stay files of their own."""
    imposed = list(printer.imposed(copies))
    sound = [one for one in imposed if not has_errors(one.problems)]
    joint, proven = _proven(printer, sound, name)
    failed: dict[str, PrintedCopy] = {}
    if has_errors(proven.problems):
        alone = {one.copy.id: printer.print(one) for one in sound}
        failed = {id_: printed for id_, printed in alone.items() if has_errors(printed.problems)}
        sound = [one for one in sound if one.copy.id not in failed]
        joint, proven = _proven(printer, sound, name)
    is_sound = not has_errors(proven.problems)
    of_all = {one.copy.id: proven.problems for one in (sound[:1] if is_sound else sound)}  # warnings are told once
    printed = [failed.get(one.copy.id) or one.printed({}, of_all.get(one.copy.id, ())) for one in imposed]
    if not is_sound:
        return JointCopies(printed, {}, {})
    return JointCopies(printed, {output.facts.name: output for output in proven.outputs}, _pages(joint))


def _proven(printer: CopyPrinter, copies: Sequence[ImposedCopy], name: str) -> tuple[list[ImposedFile], ProvenFiles]:
    """Return the files of copies, those on one paper joined, and what they came to."""
    papers: dict[str, dict[str, tuple[Game, ImposedFile]]] = {}
    for one in copies:
        for file in one.files:
            papers.setdefault(file.paper.name, {})[one.copy.id] = one.job.game, file
    joint = [copies[0].job.joined(files, name) for files in papers.values()]
    proven = printer.prove(copies[0].job, joint) if joint else ProvenFiles((), ())
    return joint, proven


def _pages(joint: Sequence[ImposedFile]) -> dict[str, list[CopyPages]]:
    """Return where the pages of each copy are, by its id."""
    pages: dict[str, list[CopyPages]] = {}
    for file in joint:
        first, each = 1, file.pages // file.sheets
        for owner, pieces in groupby(file.pieces, lambda piece: piece.owner):
            sheets = sum(len(piece.sheets) for piece in pieces)
            pages.setdefault(owner, []).append(CopyPages(file.name, first, sheets * each, sheets))
            first += sheets * each
    return pages
