"""What a function that reads gives back: a value and what is wrong with it; problems are kept up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from duckpress.core.limits import how_to_raise, limit, written
from duckpress.core.problems import Level, Problem, Source

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Read(NamedTuple, Generic[T_co]):
    """A value that was read, and what is wrong with it."""

    value: T_co
    problems: Sequence[Problem] = ()


class ProblemList(list[Problem]):
    """The problems that one function gathers: one more than may be reported, whatever else is wrong."""

    @property
    def is_full(self) -> bool:
        """Whether there are more problems than may be reported: whoever reads can stop."""
        return len(self) > limit("problems")

    def append(self, problem: Problem) -> None:
        if not self.is_full:
            super().append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.append(problem)

    def __iadd__(self, problems: Iterable[Problem]) -> ProblemList:  # type: ignore[override, misc]
        self.extend(problems)
        return self

    def add(self, code: str, source: Source, what: str, fix: str = "", level: Level = Level.ERROR) -> None:
        self.append(Problem(code, source, what, fix, level))

    def take(self, read: Read[T]) -> T:
        """Return a value that was read, keeping what is wrong with it."""
        if read.problems:
            self.extend(read.problems)
        return read.value

    def cut(self, source: Source) -> list[Problem]:
        """Return the first problems, as many as may be reported, and at a place one that says there are more."""
        most = limit("problems")
        what = f"there are more than {written(most)} problems; what comes behind them was not looked at"
        fix = f"correct these first; {how_to_raise('problems')}"
        return [*self[:most], Problem("too-many-problems", source, what, fix)]
