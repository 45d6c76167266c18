"""A proof of files that looks at their sheets, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from duckpress.core.problems import Problem
from duckpress.proof import prove
from duckpress.proof.placing import PageLayout
from oracle.sheets.expected_sheets import ExpectedFile
from oracle.sheets.sheet_checks import check_sheets


def prove_pdf(pdf: bytes, expected: ExpectedFile, *others: Any) -> list[Problem]:
    """Return what the proof finds in a file, and what its sheets show and say otherwise than they have to."""
    of_pages = prove._check_all

    def check_all(reading: Any, pages: Sequence[PageLayout], facts: Any, file: Any) -> Iterator[Problem]:
        yield from of_pages(reading, pages, facts, file)
        if expected.sheets is not None:
            yield from check_sheets(pages, facts.bookmarks, file, expected.sheets)

    with patch.object(prove, "_check_all", check_all):
        return prove.prove_pdf(pdf, expected.file, *others)
