"""What `check` tells of small random setups, held against every deal with its probability: in all, in some, in none."""

from __future__ import annotations

import re

import pytest

from duckpress.check import Deal, check_game, deal_cards
from duckpress.core import limits
from duckpress.core.problems import Level, Problem
from duckpress.model import Game
from every_deal import KINDS, Setup, Step, ends_of, random_setup
from small_games import small_deck, small_game


def game_of(setup: Setup) -> Game:
    cards = [{"id": kind, "kind": kind, "copies": copies} for kind, copies in zip(KINDS, setup.deck, strict=False)]
    return small_game(setup.text, small_deck("d", cards), players=[setup.players])


def found(setup: Setup) -> list[Problem]:
    return [one for one in check_game(game_of(setup)) if one.code in ("not-enough", "unlucky-draw")]


def hold(setup: Setup) -> str:
    """Hold what is told of one setup, and return how many of its deals get through."""
    ends, through = ends_of(setup)
    told = {one.source.line - 2: one for one in found(setup) if "once line" not in one.what}
    is_error = any(one.level is Level.ERROR for one in told.values())
    assert is_error is (through == 0), f"{through} of the deals get through: {list(told.values())}"
    assert bool(told) is (through < 1), "told, and nothing is short; or short, and nothing is told"
    if ends:
        assert min(ends) in told, "the first step that falls short is not told"
    for step, problem in told.items():
        share = ends.get(step, 0)
        text = re.search(r"in (?:the other )?(.+?) draws: ", problem.what)
        words = f"{share.numerator} of {share.denominator}"
        if share and share.denominator > 10_000:
            words = f"{float(100 * share):.2g} % of"
        # A step that is never reached falls short in every deal that would get there.
        assert (text[1] if text else "1 of 1") == (words if share else "1 of 1"), f"{problem.what}: {share}"
        whole = sum(n for kind, n in zip(KINDS, setup.deck, strict=False) if kind in (setup.steps[step].kinds or KINDS))
        if has := re.search(r"which has (\d+)(?: left of (\d+))?", problem.what):
            assert int(has[2] or has[1]) == whole, problem.what
    deals = {isinstance(deal_cards(game_of(setup), setup.players, str(seed)), Deal) for seed in range(3)}
    assert through == 0 or True in deals or through < 1
    assert deals <= ({True} if through == 1 else {False} if through == 0 else {True, False})
    return "all" if through == 1 else "some" if through else "none"


def hold_all(seeds: range) -> None:
    kinds = set()
    for seed in seeds:
        setup = random_setup(seed)
        try:
            kinds.add(hold(setup))
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}\n{setup.text}{setup.deck}, {setup.players} players") from error
    assert kinds == {"all", "some", "none"}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("batch", range(4))
def test_what_is_told_of_a_small_setup_is_what_its_deals_come_to(batch: int) -> None:
    hold_all(range(60 * batch, 60 * batch + 60))


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(40))
def test_what_is_told_of_many_small_setups_is_what_their_deals_come_to(batch: int) -> None:
    hold_all(range(1000 + 100 * batch, 1100 + 100 * batch))


def test_what_no_deal_gets_through_is_an_error_though_earlier_advice_would_mend_it() -> None:
    setup = Setup((3, 2, 4), (Step(-1, "", 4, False), Step(-1, "ab", 3, False), Step(-1, "", 4, False)), 2)
    assert hold(setup) == "none"
    first, second = found(setup)
    assert (first.level, "in 5 of 14 draws: " in first.what) == (Level.WARNING, True)
    assert (second.code, second.level) == ("not-enough", Level.ERROR)
    assert second.what.endswith(
        "in the other 9 of 14 draws: 'p2' needs 4 cards of 'd', which has 2 left of 9: 2 too few"
    )


def test_what_the_rest_of_a_pile_never_has_is_an_error() -> None:
    setup = Setup((6, 7), (Step(-1, "", 3, False), Step(0, "a", 2, False), Step(0, "", 2, False)), 2)
    assert hold(setup) == "none"
    assert [(one.level, "of 286 draws" in one.what) for one in found(setup)] == [
        (Level.WARNING, True),
        (Level.ERROR, True),
    ]


def test_later_shares_are_those_of_the_game_as_it_is() -> None:
    setup = Setup((5, 6, 5), (Step(-1, "ab", 2, True), Step(-1, "bc", 2, True), Step(-1, "ab", 4, False)), 3)
    assert hold(setup) == "some"
    assert "in 11 of 14 draws: 'p2' needs 4 cards" in found(setup)[1].what
    assert "which has 0 left of 11 such cards: 4 too few" in found(setup)[1].what


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
