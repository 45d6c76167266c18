"""Lets every file that the program prints be looked at by the oracles of sheets and covers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duckpress.core.problems import Problem
from duckpress.press import printing
from duckpress.press.print_job import ImposedFile, PrintJob
from duckpress.proof import Expected, prove
from duckpress.proof.placing import PageLayout
from oracle.covers.cover_claims import expected_cover
from oracle.covers.cover_proof import check_cover
from oracle.covers.expected_cover import ExpectedCover
from oracle.sheets.expected_sheets import ExpectedSheets
from oracle.sheets.sheet_checks import check_sheets
from oracle.sheets.sheet_claims import expected_sheets

Patch = Callable[[object, str, Any], None]

Printed = tuple[Sequence[PageLayout], Expected, ExpectedCover]
"""The pages of a file as they were read from it, what was expected there, and what its cover has to speak of."""


def watch_files(patch: Patch = setattr, keep: Callable[[Printed], None] | None = None) -> None:
    """Look at every file from now on; what is wrong is among the findings of its proof. Covers can be kept."""
    of_file, of_pages = printing._differences, prove._check_all
    claims: list[tuple[ExpectedSheets, ExpectedCover | None]] = []

    def differences(job: PrintJob, file: ImposedFile, *others: Any) -> list[Problem]:
        claims[:] = [(expected_sheets(job, file), expected_cover(job, file))]
        return of_file(job, file, *others)

    def check_all(reading: Any, pages: Sequence[PageLayout], facts: Any, expected: Expected) -> Iterator[Problem]:
        yield from of_pages(reading, pages, facts, expected)
        for sheets, cover in claims:
            yield from check_sheets(pages, facts.bookmarks, expected, sheets)
            if cover is not None:
                if keep is not None:
                    keep((pages, expected, cover))
                yield from check_cover(pages, expected, cover)

    patch(printing, "_differences", differences)
    patch(prove, "_check_all", check_all)
