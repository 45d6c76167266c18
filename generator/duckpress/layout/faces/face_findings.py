"""The problems of a piece's faces: gathered, each once, and many alike told in a few words."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source

SHOWN_ALIKE = 5
_OF_TEMPLATES = frozenset(
    ("malformed-layout", "missing-file", "unknown-attribute", "unknown-element", "unknown-name", "unknown-style")
)
"""What is wrong with a template rather than with a card: who reads it of one card knows it of all."""


class FaceFindings:
    """Problems by kind and place: the first few of a kind are kept in full, the rest are counted."""

    def __init__(self) -> None:
        self._alike: dict[tuple[str, Source], dict[str, list[Problem]]] = {}
        self._all: set[Problem] = set()

    def add(self, problem: Problem, subject: str = "") -> None:
        """Take a problem in; one that is told already is not taken twice. Its words begin with the subject."""
        if problem not in self._all:
            self._all.add(problem)
            said = problem.what.removeprefix(subject) if problem.code in _OF_TEMPLATES else problem.what
            self._alike.setdefault((problem.code, problem.source), {}).setdefault(said, []).append(problem)

    def problems(self) -> list[Problem]:
        """Return the problems: a template's of the first card only, and five of one kind at one place.

        How many more there are is said where they are left out.
        """
        told: list[Problem] = []
        for alike in self._alike.values():
            same = list(alike.values())
            more = [len(problems) - 1 for problems in same[:SHOWN_ALIKE]]
            more[-1] += sum(map(len, same[SHOWN_ALIKE:]))
            told += [_with_more(problems[0], count) for problems, count in zip(same, more, strict=False)]
        return told


def _with_more(problem: Problem, count: int) -> Problem:
    return problem._replace(what=f"{problem.what} (and {count} more like it)") if count else problem
