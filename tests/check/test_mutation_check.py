"""What no check of a setup would notice is listed, with an expectation that notices it once it is pasted."""

from __future__ import annotations

import re

import pytest

from duckpress.check import check_game
from duckpress.check.mutation_check import unnoticed_changes
from duckpress.core.problems import Level, Problem
from small_games import small_deck, small_game

SETUP = """setup:
  - {pile: draw, slots: 9, take: {cards: {where: card.kind == 'a', count: 3}}}
  - {hand: hand, take: {cards: hand_size + 1}}
values: {hand size: {2: 1, 3-4: 2}}
modules: {storm: {setup: [{aside: cloud, take: {clouds: 2}}]}}
expect:
"""
HELD = "  - {that: total('hand'), is: players * (hand_size + 1)}\n"


def listed(expectations: str) -> list[Problem]:
    """Return the doubts about a game of two decks, a module and some expectations."""
    kinds = [{"id": "pintail", "copies": 4, "kind": "a"}, {"id": "shoveler", "copies": 12, "kind": "b"}]
    decks = small_deck("cards", kinds), small_deck("clouds", [{"id": "cumulus", "copies": 3}])
    game = small_game(SETUP + expectations, *decks)
    assert all(problem.level is not Level.ERROR for problem in check_game(game))
    return unnoticed_changes(game)


def test_each_number_and_each_kind_of_card_is_doubted_by_itself() -> None:
    found = {re.split(": (?=[^:]*instead)", problem.what)[0] for problem in listed(HELD)}
    assert found == {
        "an amount of the pile 'draw'", "an amount of the aside 'cloud'", "an amount of the value 'hand size'",
        "copies of 'pintail' in deck 'cards'", "copies of 'shoveler' in deck 'cards'",
        "copies of 'cumulus' in deck 'clouds'",
    }  # fmt: skip
    # What an expectation says of it is noticed.
    assert "'hand_size + 1' of the hand 'hand'" in {problem.what.partition(": ")[0] for problem in listed("  []\n")}


@pytest.mark.soak
def test_what_is_pasted_as_it_is_said_leaves_no_doubt() -> None:
    pasted, found = HELD, listed(HELD)
    for _ in range(20):
        if not found:
            break
        expectation = found[0].fix.removeprefix("add under 'expect': ")
        assert expectation.startswith("- {"), found[0].fix
        pasted += f"  {expectation}\n"
        before, found = found, listed(pasted)
        assert [one.what for one in found][:1] != [before[0].what]
    assert not found
    assert "for: storm" in pasted
