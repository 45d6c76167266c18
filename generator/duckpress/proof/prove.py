"""A finished PDF held against the data it was made from."""

from __future__ import annotations

from collections.abc import Sequence

from duckpress.core.problems import Problem, Source
from duckpress.files.memo import Pack
from duckpress.proof.expected import Expected, fault
from duckpress.proof.file_proof import check_file
from duckpress.proof.opened import UnreadablePdf, opened_pdf
from duckpress.proof.plan_proof import check_plan

_SHOWN = 8


def prove_pdf(pdf: bytes, expected: Expected, source: Source, proven: Pack | None = None) -> list[Problem]:
    """Return everything in which a PDF differs from the cards it was made from, placed at `source`.

    The plan is held against the cards (`check_plan`), and the file against the plan (`check_file`). What is `proven`
    from other documents is not looked at again; what is right is added.

    Problems: those of both, and `proof-unreadable`.
    """
    problems = list(check_plan(expected))
    try:
        with opened_pdf(pdf) as document:
            problems += check_file(document, expected, Pack() if proven is None else proven)
    except UnreadablePdf as error:
        problems.append(fault("proof-unreadable", f"the finished PDF cannot be read back: {error}"))
    return _shortened([problem._replace(source=source) for problem in problems])


def _shortened(problems: Sequence[Problem]) -> list[Problem]:
    """Return problems by code, those met first before others; a kind found very often ends in a count."""
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    shown: list[Problem] = []
    for alike in by_code.values():
        shown += alike[:_SHOWN]
        if len(alike) > _SHOWN:
            shown.append(alike[-1]._replace(what=f"there are {len(alike) - _SHOWN} more of the same kind"))
    return shown
