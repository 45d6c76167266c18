"""Lets every cover sheet that the program prints be held against the pages behind it."""

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

Printed = tuple[Sequence[PageLayout], Expected, ExpectedCover]
"""The pages of a file as they were read from it, what was expected there, and what its cover has to speak of."""


def watch_covers(
    patch: Callable[[object, str, Any], None] = setattr, keep: Callable[[Printed], None] | None = None
) -> None:
    """Check every cover sheet from now on; what is wrong is a `proof-cover` among the findings of the proof."""
    of_file, of_pages = printing._differences, prove._check_all
    claims: list[ExpectedCover | None] = [None]

    def differences(job: PrintJob, file: ImposedFile, *others: Any) -> list[Problem]:
        claims[0] = expected_cover(job, file)
        return of_file(job, file, *others)

    def check_all(reading: Any, pages: Sequence[PageLayout], *others: Any) -> Iterator[Problem]:
        yield from of_pages(reading, pages, *others)
        if claims[0] is not None:
            if keep is not None:
                keep((pages, others[1], claims[0]))
            yield from check_cover(pages, others[1], claims[0])

    patch(printing, "_differences", differences)
    patch(prove, "_check_all", check_all)
