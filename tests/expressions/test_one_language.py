"""One language in four places: a mistake has the code of its place, and the same fix everywhere.

`tests/docs/test_expressions_page.py` holds the words and the values, and golden files hold those of many expressions.
"""

from __future__ import annotations

import re

import pytest

from duckpress.core.problems import Problem
from duckpress.expressions.profiles import FIELD, LAYOUT, RULES, SETUP
from four_uses import MakeWorkspace, four_uses

MISTAKES = {
    "9 ** 9 ** 9": "refused",
    "'%0999d' % 1": "refused",
    "1 +": "unreadable",
    "players | attr('real')": "unreadable",
    "card.coast": "unknown",
    "card.cost + 1": "failed",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_the_same_everywhere(make_workspace: MakeWorkspace, text: str) -> None:
    fixes = set()
    profiles = {"cards": FIELD, "setup": SETUP, "layouts": LAYOUT, "rules": RULES}
    for place, use in four_uses(make_workspace, {"players": 3, "card": {"id": "teal", "cost": None}}).items():
        problem = use(text)
        assert isinstance(problem, Problem), (place, problem)
        assert problem.code == getattr(profiles[place].codes, MISTAKES[text])
        # The names and limits of the places differ.
        fixes.add(re.sub("use one of.*|docs/.* instead|--limit [a-z-]+", "", problem.fix))
    assert len(fixes) == 1, fixes
