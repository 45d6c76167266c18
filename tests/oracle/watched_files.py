"""Lets every file that the program prints be read, and looked at by the oracles of sheets and covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from duckpress import proof
from duckpress.core.problems import Problem, Source
from duckpress.press import printing
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.proof import Expected
from oracle.covers.cover_claims import expected_cover
from oracle.covers.cover_proof import check_cover
from oracle.covers.expected_cover import ExpectedCover
from oracle.reading.faces import Draws
from oracle.reading.files import read_file
from oracle.reading.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedSheets
from oracle.sheets.sheet_checks import check_sheets
from oracle.sheets.sheet_claims import expected_sheets

Patch = Callable[[object, str, Any], None]

Printed = tuple[Sequence[PageLayout], Expected, ExpectedCover]
"""The pages of a file as they were read from it, what was expected there, and what its cover has to speak of."""


class _Claims(NamedTuple):
    """What is known of the file that is proven, without its plan."""

    sheets: ExpectedSheets
    cover: ExpectedCover | None
    draws: Draws


def watch_files(patch: Patch = setattr, keep: Callable[[Printed], None] | None = None) -> None:
    """Look at every file from now on; what is wrong is among the findings of its proof. Covers can be kept."""
    of_file, of_pdf = printing._differences, proof.prove_pdf
    claims: list[_Claims] = []

    def differences(job: PrintJob, file: ImposedFile, *others: Any) -> list[Problem]:
        claims[:] = [_Claims(expected_sheets(job, file), expected_cover(job, file), partial(_draws, job))]
        return of_file(job, file, *others)

    def prove_pdf(pdf: bytes, expected: Expected, source: Source, *others: Any) -> list[Problem]:
        found = [problem._replace(source=source) for problem in _look(pdf, expected, *claims, keep)]
        return [*of_pdf(pdf, expected, source, *others), *found]

    patch(printing, "_differences", differences)
    patch(proof, "prove_pdf", prove_pdf)


def _look(pdf: bytes, expected: Expected, claims: _Claims, keep: Callable[[Printed], None] | None) -> Iterator[Problem]:
    read = read_file(pdf, expected, claims.draws)
    yield from read.problems
    if not read.pages:
        return
    yield from check_sheets(read.pages, read.bookmarks, expected, claims.sheets)
    if claims.cover is not None:
        if keep is not None:
            keep((read.pages, expected, claims.cover))
        yield from check_cover(read.pages, expected, claims.cover)


def _draws(job: PrintJob, key: str, words: str, glyphs: Sequence[int], said: Sequence[str]) -> bool:
    typeface = job.fonts.load_key(key)
    return typeface is not None and typeface.draws(words, glyphs, said, job.language)
