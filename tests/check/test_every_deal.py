"""Shares of draws, and what no deal gets through, told as they are of setups that the random ones seldom come to."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.core import limits
from duckpress.core.problems import Level, Problem
from small_games import small_deck, small_game

_KINDS = "abc"


def found(deck: tuple[int, ...], steps: str) -> list[Problem]:
    cards = [{"id": kind, "kind": kind, "copies": copies} for kind, copies in zip(_KINDS, deck, strict=False)]
    game = small_game(f"setup:\n{steps}", small_deck("d", cards), players=[2])
    return [one for one in check_game(game) if one.code in ("not-enough", "unlucky-draw")]


def test_what_no_deal_gets_through_is_an_error_though_earlier_advice_would_mend_it() -> None:
    first, second = found((3, 2, 4), """\
  - {pile: p0, take: {d: 4}}
  - {pile: p1, take: {d: {where: "card.kind in 'ab'", count: 3}}}
  - {pile: p2, take: {d: 4}}
""")  # fmt: skip
    assert (first.level, "in 5 of 14 draws: " in first.what) == (Level.WARNING, True)
    assert (second.code, second.level) == ("not-enough", Level.ERROR)
    assert second.what.endswith(
        "in the other 9 of 14 draws: 'p2' needs 4 cards of 'd', which has 2 left of 9: 2 too few"
    )


def test_what_the_rest_of_a_pile_never_has_is_an_error() -> None:
    problems = found((6, 7), """\
  - {pile: p0, take: {d: 3}}
  - {pile: p1, take: {p0: {where: "card.kind == 'a'", count: 2}}}
  - {pile: p2, take: {p0: 2}}
""")  # fmt: skip
    assert [(one.level, "of 286 draws" in one.what) for one in problems] == [
        (Level.WARNING, True),
        (Level.ERROR, True),
    ]


KITTENS = """\
setup:
  - {pile: draw, take: {card: {where: "card.kind in ['action', 'cat', 'defuse']"}}}
  - {hand: hand, take: {draw: 7}}
  - {hand: hand, take: {card: {where: card.kind == 'defuse', count: 1}}}
  - {pile: draw, take: {card: {where: card.kind == 'kitten', count: players - 1}}}
expect:
  - {each: player, that: "count('hand', where='card.kind == \\"defuse\\"') >= 1"}
  - {each: player, that: "count('hand', where='card.kind == \\"cat\\"') < 8"}
"""


@pytest.mark.soak
def test_a_certain_shortage_is_found_without_working_out_draws() -> None:
    limits.use({"setup-steps": 250_000})  # to work out the draws before it, too, takes more than a million
    kinds = {"kitten": 4, "defuse": 6, "action": 26, "cat": 20}
    deck = small_deck("card", [{"id": kind, "kind": kind, "copies": copies} for kind, copies in kinds.items()])
    problems = check_game(small_game(KITTENS, deck, players=[2, 3, 4, 5]))
    assert {(one.code, one.source.line) for one in problems} >= {("not-enough", 4)}
    assert "too-many-steps" not in {one.code for one in problems}
    first = next(one for one in problems if one.source.line == 4)
    assert "'hand' needs 2 cards of 'card' where card.kind == 'defuse' (1 for each player), " in first.what
    assert first.what.endswith("which has 0 left of 6 such cards: 2 too few")


WOLVES = """\
setup:
  - pile: roles
    take: {card: [{where: card.side == 'wolf', count: players // 4}, {where: card.side == 'village', count: players}]}
  - {slot: secret, each: player, take: {roles: 1}}
expect:
  - {that: "count('secret', where='card.side == \\"wolf\\"') <= 1"}
"""


@pytest.mark.soak
def test_many_player_counts_with_many_draws_are_all_answered() -> None:
    sides = {"wolf": 5, "village": 18}
    deck = small_deck("card", [{"id": side, "side": side, "copies": copies} for side, copies in sides.items()])
    problems = check_game(small_game(WOLVES, deck, players=range(5, 19)))
    assert [one.code for one in problems] == []
