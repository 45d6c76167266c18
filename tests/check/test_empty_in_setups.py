"""Empty numbers in a setup: sums pass them over, and a condition that computes with one is told with the card."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from small_games import said, small_deck, small_game

DECK = [{"id": "teal", "cost": None}, {"id": "smew", "cost": 3}, {"id": "ruff", "cost": 0}]
HEAD = "setup:\n  - pile: pile\n    take: {duck: %s}\n"


def problems(text: str, **facts: object) -> list[str]:
    return said(check_game(small_game(text, small_deck("duck", DECK), facts=facts)))


def test_sums_pass_empty_numbers_over() -> None:
    expected = ["sum('duck', 'cost') == 3", "distinct('duck', 'cost') == 2", "tally('duck', 'cost', 0) == 1"]
    expected += [f"count('duck', where='card.cost {holds}') == 1" for holds in ("== 0", "is none")]
    assert problems(HEAD % "all" + "expect:\n" + "".join(f'  - that: "{one}"\n' for one in expected)) == []


@pytest.mark.parametrize("where", ["card.cost > 2", "card.cost + 1 > 2", "-card.cost < 0", "max(card.cost, 1) == 1"])
def test_a_condition_that_computes_with_one_is_told(where: str) -> None:
    what = f"'{where}' fails: an empty value can be neither calculated with nor compared"
    what += ": 'cost' of card 'teal'"
    found = problems(HEAD % f"{{where: '{where}'}}")
    assert found[0] == f"3:26 bad-expression {what}"
    (told,) = problems(HEAD % "all" + f"expect:\n  - that: \"count('duck', where='{where}') >= 0\"")
    assert told == f"5:11 bad-expression {what}"


def test_an_empty_fact_is_no_amount() -> None:
    assert problems(HEAD % "\"facts['n']\"", n=None)[0] == "3:18 not-whole \"facts['n']\" gives nothing"
    assert "bad-expression" in problems(HEAD % "\"facts['n'] + 1\"", n=None)[0]
