"""Problems come in one order, whatever order or set they were gathered in."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys

from duckpress.core.problems import Level, Problem, Source, sorted_problems

PLACE = Source("content/pond/game.yaml", 3, 5)


def problems_at_one_place() -> list[Problem]:
    """Return problems that share their place, each of which differs from another in a single field."""
    one = Problem("expectation", PLACE, "what", "fix")
    return [
        one,
        one._replace(code="wrong-total"),
        one._replace(what="something else"),
        one._replace(fix="something else"),
        one._replace(level=Level.NOTE),
        one._replace(game="pond"),
        one._replace(players=2),
        one._replace(variant="draft"),
        one._replace(players=0),
    ]


def test_no_two_different_problems_have_the_same_order() -> None:
    for one, other in itertools.combinations(problems_at_one_place(), 2):
        assert one.order != other.order, (one, other)


def test_the_order_does_not_depend_on_how_problems_were_gathered() -> None:
    problems = problems_at_one_place()
    wanted = sorted_problems(problems)
    shuffler = random.Random(1)
    for _ in range(20):
        shuffler.shuffle(problems)
        assert sorted_problems([*problems, *problems]) == wanted


def test_the_order_does_not_depend_on_the_hash_seed() -> None:
    script = (
        "from duckpress.core.problems import *; place = Source('content/pond/game.yaml', 3, 5)\n"
        "for one in sorted_problems({Problem('expectation', place, f'what {n}') for n in range(50)}): print(one)"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2", "3")
    }
    assert len(printed) == 1
