"""What stops a computation: a mistake whose place is not known yet, and one that is reported already."""

from __future__ import annotations

from duckpress.core.problems import Problem


class Trouble(Exception):
    """A mistake met while computing, with the `code`, `what` and `fix` of its problem; `offset` is where in the
    text, and None where the text as a whole is meant.

    It never leaves the rules room: whoever knows the place makes it a `Problem`.
    """

    def __init__(self, code: str, what: str, fix: str = "", offset: int | None = None) -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.fix = fix
        self.offset = offset


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
