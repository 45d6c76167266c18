"""What stops a computation: too many steps, or a mistake that has its problem, beside `ExpressionError`."""

from __future__ import annotations

from duckpress.core.problems import Problem


class Spent(Exception):
    """A setup that takes more steps than are allowed, with its problem; nothing more is computed of it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


class Stopped(Exception):
    """A computation that cannot go on, with its problem; None where the mistake is reported by the check of words."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__()
        self.problem = problem
