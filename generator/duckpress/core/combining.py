"""Marks on letters (accents, vowel signs): a letter with more of them than any language writes is refused.

Fonts stack them, and what copies or proves a text reads all that is on a letter at once: a thousand on one letter are
no text. Source for thirty: Unicode Standard Annex 15, 13 (stream-safe text); the most that is known of is below ten.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category

from duckpress.core.limits import how_to_raise, limit
from duckpress.core.problems import Problem, Source


def marks_over(text: str) -> Iterator[tuple[int, int]]:
    """Yield where marks begin that are more on one letter than the limit `text-marks`, and how many they are."""
    if text.isascii():
        return
    most = limit("text-marks")
    for run in re.finditer(rf"[^\w\s\x00-\x7f]{{{most + 1},}}", text):
        began, count = run.start(), 0
        for at in range(run.start(), run.end() + 1):
            kind = category(text[at]) if at < run.end() else ""
            if kind[:1] == "M":
                began, count = (began, count + 1) if count else (at, 1)
            elif kind != "Cf":  # a joiner parts nothing
                if count > most:
                    yield began, count
                count = 0


def too_many_marks(text: str, source: Source) -> Problem | None:
    """Return the problem of the first letter of a text with too many marks, None where there is none."""
    for _, count in marks_over(text):
        return marks_problem(count, source)
    return None


def marks_problem(count: int, source: Source) -> Problem:
    """Return the problem of a letter with so many marks."""
    what = f"a letter has {count} marks on it, such as accents; {limit('text-marks')} are allowed"
    return Problem("too-many-marks", source, what, f"delete all that it does not need; {how_to_raise('text-marks')}")
