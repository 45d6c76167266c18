"""A finished file and its sheets, read without any plan and held against what they have to show."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from oracle.reading.faces import read_file
from oracle.sheets.expected import ExpectedFile
from oracle.sheets.sheet_checks import check_sheets


def look_at(pdf: bytes, expected: ExpectedFile, source: Source) -> list[Problem]:
    """Return what a file, and what its sheets, show and say otherwise than they have to."""
    read = read_file(pdf, expected.file)
    problems = read.problems
    if expected.sheets is not None and read.pages:
        problems += check_sheets(read.pages, read.bookmarks, expected.file, expected.sheets)
    return [problem._replace(source=source) for problem in problems]
