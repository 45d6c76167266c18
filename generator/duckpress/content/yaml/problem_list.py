"""Problems as they are gathered, up to a limit: a game made of mistakes is not told a million of them."""

from __future__ import annotations

from collections.abc import Iterable

from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Problem, Source


class TooManyProblems(Exception):
    """There are more problems than are told: what was looked at is left as it is."""


class Gathering(list[Problem]):
    """A list of problems that raises `TooManyProblems` when it is full; it can only grow."""

    def __init__(self) -> None:
        super().__init__()
        self._most = limit("problems")

    def append(self, problem: Problem) -> None:
        """Take a problem in."""
        super().append(problem)
        if len(self) > self._most:
            raise TooManyProblems

    def extend(self, problems: Iterable[Problem]) -> None:
        """Take problems in."""
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Gathering:  # type: ignore[override, misc]
        self.extend(problems)
        return self

    def told(self, source: Source) -> list[Problem]:
        """Give the first problems, as many as may be told, and at a place one that says there are more."""
        what = f"there are more than {written(self._most)} problems; what comes behind them was not looked at"
        fix = f"correct these first; {how_to_raise('problems')}"
        return [*self[: self._most], Problem("too-many-problems", source, what, fix)]
