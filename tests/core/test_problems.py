"""Problems come in one order, whatever order or set they were gathered in."""

from __future__ import annotations

import random

from duckpress.core.problems import Level, Problem, Source, did_you_mean, sorted_problems

PLACE = Source("content/pond/game.yaml", 3, 5)


def problems_at_one_place() -> list[Problem]:
    """Return problems that share their place, each of which differs from another in a single field."""
    one, other = Problem("expectation", PLACE, "what", "fix"), "something else"
    fields = {"code": other, "what": other, "fix": other, "level": Level.NOTE, "game": "pond", "players": 2}
    changed = [one._replace(**{name: value}) for name, value in fields.items()]
    return [one, *changed, one._replace(variant="draft"), one._replace(players=0)]


def test_the_order_does_not_depend_on_how_problems_were_gathered() -> None:
    problems = problems_at_one_place()
    wanted = sorted_problems(problems)
    shuffler = random.Random(1)
    for _ in range(20):
        shuffler.shuffle(problems)
        assert sorted_problems([*problems, *problems]) == wanted


def test_all_names_are_listed_where_they_are_few_and_short() -> None:
    """Of <text vertical="..."> the list ended just before `valign`."""
    assert did_you_mean("vertical", [f"n{number}" for number in range(20, 50)]).endswith("n48, n49")
    assert did_you_mean("vertical", [f"{number:020}" for number in range(15)]).endswith(f"{11:020}, ...")
