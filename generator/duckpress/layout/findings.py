"""The problems of a piece's faces: gathered, each once, and many alike told in a few words."""

from __future__ import annotations

from duckpress.problems import Problem, Source

SHOWN_ALIKE = 5


class Findings:
    """Problems by kind and place: the first few of a kind are kept in full, the rest are counted."""

    def __init__(self) -> None:
        self._alike: dict[tuple[str, Source], list[Problem]] = {}
        self._all: set[Problem] = set()

    def add(self, problem: Problem) -> None:
        """Take a problem in; one that is told already is not taken twice."""
        if problem not in self._all:
            self._all.add(problem)
            self._alike.setdefault((problem.code, problem.source), []).append(problem)

    def problems(self) -> list[Problem]:
        """Give the problems; of more than five of one kind at one place, the fifth says how many more there are."""
        told: list[Problem] = []
        for alike in self._alike.values():
            shown = alike[:SHOWN_ALIKE]
            more = len(alike) - len(shown)
            if more:
                shown[-1] = shown[-1]._replace(what=f"{shown[-1].what} (and {more} more like it)")
            told += shown
        return told
