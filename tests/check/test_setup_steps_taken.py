"""How many steps of the limit `setup-steps` a setup takes: a step more or less and the limit means something else."""

from __future__ import annotations

import pytest

from duckpress.check import deal_cards
from duckpress.check.expressions import Spent
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.core import limits
from duckpress.core.problems import MachineError
from rich_setup import rich_game


def test_a_deal_takes_as_many_steps_as_this() -> None:
    game = rich_game()
    for players, variant, steps in ((2, None, 7_712), (4, "long", 8_488)):
        limits.use({"setup-steps": steps})
        deal_cards(game, players, "candle", variant)
        limits.use({"setup-steps": steps - 1})
        with pytest.raises(MachineError, match=r"the cards cannot be dealt: .*; .*--limit setup-steps"):
            deal_cards(game, players, "candle", variant)


@pytest.mark.parametrize(("most", "line", "column"), [(1_500, 2, 1), (1_805, 6, 12), (4_000, 9, 26), (5_600, 12, 22)])
def test_too_many_steps_are_told_at_the_place_that_took_the_last(most: int, line: int, column: int) -> None:
    game = rich_game()
    assert game.setup is not None
    limits.use({"setup-steps": most})
    with pytest.raises(Spent) as spent:
        Runs(Book(game, game.setup)).run(2, None)
    problem = spent.value.problem
    assert (problem.code, problem.source.line, problem.source.column) == ("too-many-steps", line, column)
