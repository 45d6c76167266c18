"""A proof of files that looks at their sheets, too."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from duckpress.proof import prove_pdf as prove_file
from oracle.reading.files import read_file
from oracle.sheets.expected_sheets import ExpectedFile
from oracle.sheets.sheet_checks import check_sheets


def prove_pdf(pdf: bytes, expected: ExpectedFile, source: Source) -> list[Problem]:
    """Return what the proof finds in a file, and what its sheets show and say otherwise than they have to."""
    problems = prove_file(pdf, expected.file, source)
    read = read_file(pdf, expected.file)
    problems += [problem._replace(source=source) for problem in read.problems]
    if expected.sheets is not None and read.pages:
        found = check_sheets(read.pages, read.bookmarks, expected.file, expected.sheets)
        problems += [problem._replace(source=source) for problem in found]
    return problems
