"""The problems of a piece's faces: gathered, each once, and many alike told in a few words."""

from __future__ import annotations

from duckpress.core.problems import Problem, Source
from duckpress.layout.elements.layout_context import Shrunk
from duckpress.layout.faces.answers import MadeSide
from duckpress.layout.faces.face_cache import KnownFace

SHOWN_ALIKE = 5
_OF_TEMPLATES = frozenset(
    ("malformed-layout", "missing-file", "unknown-attribute", "unknown-element", "unknown-name", "unknown-style")
)
"""What is wrong with a template rather than with a card: who reads it of one card knows it of all."""


class FaceFindings:
    """Problems by kind and place: the first few of a kind are kept in full, the rest are counted. `shrunk`: texts."""

    def __init__(self, language: str = "") -> None:
        self.shrunk: list[Shrunk] = []
        self._language = language
        self._alike: dict[tuple[str, Source], dict[str, list[Problem]]] = {}
        self._all: set[Problem] = set()
        self._once: set[tuple[str, Source]] = set()
        self._sides: set[tuple[str, bool, str]] = set()

    def add(self, problem: Problem, subject: str = "") -> None:
        """Take a problem in; one that is told already is not taken twice. Its words begin with the subject."""
        if problem not in self._all:
            self._all.add(problem)
            said = problem.what.removeprefix(subject) if problem.code in _OF_TEMPLATES else problem.what
            self._alike.setdefault((problem.code, problem.source), {}).setdefault(said, []).append(problem)

    def add_side(self, made: MadeSide, face: KnownFace | None, subject: str, at: tuple[str, str, bool]) -> None:
        """Take in what is told of a side; `at`: its deck, its card (empty: all cards), whether it is made again."""
        deck, card, is_again = at
        same = made.same or (made.key if face is not None and not made.problems and not made.once else "")
        if same and (deck, is_again, same) in self._sides:
            return
        self._sides.add((deck, is_again, same))
        for problem in made.problems:
            self.add(problem, subject)
        for problem in made.once:
            if (problem.code, problem.source) not in self._once:
                self._once.add((problem.code, problem.source))
                is_of_card = problem.source.file.endswith(".xml")  # a place in the theme is no one card's
                self.add(problem._replace(what=f"{subject}: {problem.what}") if is_of_card else problem)
        if face is not None:
            self.shrunk += [Shrunk(deck, card, *text, self._language) for text in face.shrunk]

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
