"""What a proof finds wrong: all but its warnings is the program's own fault, never the game's."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.core.problems import Level, Problem, Source

FIX = "this is a fault in duckpress, not in the game: please report it; the file was not written"
_SHOWN = 8


class ProofFindings:
    """Gathers problems at the place that named the piece; of each kind only the first few in full."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_code: dict[str, list[Problem]] = {}

    def add(self, code: str, what: str, fix: str = FIX) -> None:
        """Take note of something wrong."""
        self._by_code.setdefault(code, []).append(Problem(code, self._source, what, fix))

    def warn(self, code: str, what: str, fix: str) -> None:
        """Take note of something that is the game's own doing, and prints nevertheless."""
        self._by_code.setdefault(code, []).append(Problem(code, self._source, what, fix, Level.WARNING))

    def take(self, found: Iterable[Problem]) -> None:
        """Take note of what was found elsewhere."""
        for problem in found:
            self._by_code.setdefault(problem.code, []).append(problem)

    def drained(self) -> list[Problem]:
        """Return everything that was found, in full, and forget it."""
        found = [problem for problems in self._by_code.values() for problem in problems]
        self._by_code.clear()
        return found

    def problems(self) -> list[Problem]:
        """Return what was found, in the order of finding; a kind found very often ends in a count."""
        found: list[Problem] = []
        for problems in self._by_code.values():
            found += problems[:_SHOWN]
            rest = len(problems) - _SHOWN
            if rest > 0:
                found.append(problems[-1]._replace(what=f"and {rest} more of the same kind"))
        return found
