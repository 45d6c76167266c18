"""Problems in a line each, for a table of mistakes and of what is told of them."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.core.problems import Problem


def problem_lines(problems: Iterable[Problem], file: str) -> list[str]:
    """Return problems, all of one file, as `line:column code: what -> fix`."""
    lines = []
    for problem in problems:
        name, line, column = problem.source
        assert name == file
        lines.append(f"{line}:{column} {problem.code}: {problem.what} -> {problem.fix}")
    return lines
