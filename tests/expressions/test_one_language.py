"""One language in four places: what is unknown, is refused or fails does so everywhere, in the same words."""

from __future__ import annotations

import re

import pytest

from duckpress.core.problems import Problem
from duckpress.expressions.profiles import FIELD, LAYOUT, RULES, SETUP
from four_uses import MakeWorkspace, as_quoted, four_uses

VALUES = {"players": 3, "long": "a" * 150_000, "card": {"id": "teal", "cost": None, "items": 3}, "list": [1, 2.5, "b"]}

MISTAKES = {
    "refused": [
        "9 ** 9 ** 9", "999999999999999 + 2", "'a' * 999999999", "long ~ long", "'%0999d' % 1", "'a' - 1",
        "players['a', 2]", "[1] * 999999", "10 ** 40 ** 1", "(-8) ** 0.5", "(" * 99 + "1" + ")" * 99 + " + players",
        "- " * 99 + "1", "1 +" * 400 + "1",
    ],
    "unreadable": [
        "1 +", "players | attr('real')", "players is sameas(1)", "1 if", "'a", "card.", "1 +* 2", "9" * 20, "1e999",
    ],
    "unknown": [
        "sead", "playrs + 1", "card.coast", "card['coast']", "list[9]", "(players if false) + 1", "lipsum()", "self.a",
    ],
    "failed": ["1 / 0", "1 % 0", "5 // 0", "'a' < 1", "1 + 'a'", "card.cost + 1", "card.cost > 1", "-card.cost"],
}  # fmt: skip
CASES = [(kind, text) for kind, texts in MISTAKES.items() for text in texts]
VALUES_OF = {
    "players * 2": "6", "card.items": "3", "card.cost": "", "5 / 2": "2.5", "4 / 2": "2", "1 < 2": "yes",
    "'a' ~ 1 ~ none ~ 2.0": "a12", "[1, 2][1]": "2", "{'a': 5}.a": "5", "1 if 2 > 3 else 4": "4", "3 in list": "no",
    "'<&>'": "<&>", "list[1]": "2.5", "list[0:2][1]": "2.5",
}  # fmt: skip


@pytest.mark.sweep(3)
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


@pytest.mark.parametrize(("text", "written"), VALUES_OF.items())
def test_a_value_is_the_same_everywhere(make_workspace: MakeWorkspace, text: str, written: str) -> None:
    assert {use(text) for use in four_uses(make_workspace, VALUES).values()} == {written}


def test_an_if_without_else_is_nothing_and_a_mistake_in_setups(make_workspace: MakeWorkspace) -> None:
    given = {place: use("players if false") for place, use in four_uses(make_workspace, VALUES).items()}
    problem = given.pop("setup")
    assert set(given.values()) == {""}
    assert isinstance(problem, Problem)
    assert (problem.what, problem.fix) == (
        "'players if false' gives nothing, as its condition does not hold",
        "say what it gives then: a if b else c",
    )
