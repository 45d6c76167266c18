"""One language in four places: what is unknown, is refused or fails does so everywhere, in the same words."""

from __future__ import annotations

import re

import pytest

from duckpress.core.problems import Problem
from duckpress.expressions.profiles import FIELD, LAYOUT, RULES, SETUP
from four_uses import MakeWorkspace, as_quoted, four_uses

VALUES = {"players": 3, "long": "a" * 150_000, "card": {"id": "teal", "cost": None, "items": 3}, "list": [1, 2.5, "b"]}

MISTAKES = {
    "refused": ["9 ** 9 ** 9", "'a' * 999999999", "long ~ long", "'%0999d' % 1", "- " * 99 + "1"],
    "unreadable": ["1 +", "players | attr('real')", "1 +* 2", "1e999"],
    "unknown": ["playrs + 1", "card.coast", "list[9]", "(players if false) + 1", "self.a"],
    "failed": ["1 / 0", "'a' < 1", "card.cost + 1"],
}
CASES = [(kind, text) for kind, texts in MISTAKES.items() for text in texts]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("kind", "text"), CASES, ids=lambda text: text[:40])
def test_a_mistake_is_the_same_everywhere(make_workspace: MakeWorkspace, kind: str, text: str) -> None:
    words, fixes = set(), set()
    profiles = {"cards": FIELD, "setup": SETUP, "layouts": LAYOUT, "rules": RULES}
    for place, use in four_uses(make_workspace, VALUES).items():
        problem = use(text)
        assert isinstance(problem, Problem), (place, problem)
        assert problem.code == getattr(profiles[place].codes, kind)
        words.add(as_quoted(problem.what, place, text))
        # The names and limits of the places differ.
        fixes.add(re.sub("use one of.*|docs/.* instead|--limit [a-z-]+", "", problem.fix))
    assert (len(words), len(fixes)) == (1, 1), (words, fixes)


def test_an_if_without_else_is_nothing_and_a_mistake_in_setups(make_workspace: MakeWorkspace) -> None:
    given = {place: use("players if false") for place, use in four_uses(make_workspace, VALUES).items()}
    problem = given.pop("setup")
    assert set(given.values()) == {""}
    assert isinstance(problem, Problem)
    assert (problem.what, problem.fix) == (
        "'players if false' gives nothing, as its condition does not hold",
        "say what it gives then: a if b else c",
    )
