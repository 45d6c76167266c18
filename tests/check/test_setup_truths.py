"""Findings that were missed, untrue or unclear: each small setup here was one of the random ones that showed it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from duckpress.check import check_game, deal_cards
from duckpress.core.problems import Problem
from duckpress.model import Deck
from small_games import small_deck, small_game, told


def two_kinds(a: int, b: int, name: str = "duck") -> Deck:
    return small_deck(name, [{"id": "a", "copies": a, "kind": "a"}, {"id": "b", "copies": b, "kind": "b"}])


def ducks(copies: int, per: str = "") -> Deck:
    return small_deck("duck", [{"id": "d", "copies": copies}], per=per)


class Case(NamedTuple):
    """Decks and the steps of a setup, and a pattern for each finding."""

    decks: tuple[Deck, ...]
    steps: str
    told: tuple[str, ...]
    players: int = 2


IS_A = """\
  - {hand: hand, take: {duck: 1}}
expect:
  - that: count('hand', where="card.kind == 'a'") == 0
"""
DRAWN = """\
  - {row: market, take: {duck: 1}}
  - {row: supply, take: {goose: {per: market, where: card.kind == drawn.kind, count: 2}}}
"""
BACK = """\
  - pile: stock
    each: player
    take:
      duck: [{where: "card.kind in ['a', 'b']", count: 1}, {where: card.kind == 'b' or seat < 3, count: 1}]
  - {box: back, take: {stock: {where: card.kind == 'a', count: 2}}}
"""
SETS = """\
  - {pile: stock, each: player, take: {duck: seat}}
  - {hand: hand, take: {duck: 3}}
"""
CASES = {
    "the share of draws is of those where an expectation fails for anybody":
        Case((two_kinds(2, 2),), IS_A, ("4:* unlucky-draw in 5 of 6 draws: for player 2 or another, *",)),
    "of one a and one b somebody has the a, in every draw":
        Case((two_kinds(1, 1),), IS_A, ("4:* expectation *",)),
    "expectations hold for every team and number, and for what calls name": Case((ducks(20),), """\
  - {pile: stock, each: team, take: {duck: 1}}
  - {pile: stock, each: team, when: team == 2, take: {duck: 1}}
  - {row: stack, each: 3, take: {duck: nth}}
  - {hand: hand, take: {duck: seat}}
expect:
  - {that: stock, is: 1}
  - {that: count('stack'), is: 1}
  - {that: "total('hand') == 3 and count('hand') == 1"}
  - {that: hand == 1, when: hand > 1}
seats: {teams: seat % 2 + 1}
""", ("7:* expectation for team 2, *", "8:* expectation for number 2, *", "9:* expectation for player 2, *",
      "10:* expectation for player 2, *")),
    "cards of a kind that a place has none of can be put there": Case((two_kinds(4, 4),), """\
  - {pile: stock, take: {duck: {where: card.kind == 'a', count: 1}}}
  - {row: market, take: {stock: {where: card.kind == 'b', count: 2}}}
""", ("* | put 2 cards more where card.kind == 'b' into 'stock', *",)),
    "no card is advised that an earlier step would take": Case((two_kinds(4, 4),), """\
  - {hand: hand, take: {duck: even}}
  - {row: market, take: {duck: {where: card.kind == 'c', count: 1}}}
""", ("* | take fewer: adding cards does not help, *",)),
    "what comes of a place that is short for good is no finding of its own": Case((ducks(5),), """\
  - {row: rest, take: {duck: all}}
  - {hand: hand, take: {duck: 1}}
  - {row: shown, take: {hand: 1}, remove: 1}
""", ("3:* not-enough *",)),
    "nothing is expected of cards that nobody knows": Case((two_kinds(4, 4),), """\
  - {row: stock, take: {duck: 1}}
  - {row: market, take: {stock: 2}}
expect:
  - {that: "distinct('market', 'kind')", is: 2}
  - {that: market, is: 3}
""", ("3:* not-enough *", "6:* expectation *")),
    "where a card more changes what happens, the least number is found": Case((ducks(4),), """\
  - row: market
    when: left('duck') > 4
    take: {duck: 3}
  - {row: shown, take: {market: 3}}
""", ("* | add 1 card to 'duck', *",)),
    "the least number is told where each card changes what steps take": Case((ducks(3),), """\
  - {row: market, when: "left('duck') > 4", take: {duck: players}}
  - {box: back, take: {market: {count: "left('duck') // 2"}}}
""", ("* | add 2 cards to 'duck'*",)),
    "a number that is enough of one kind only names that kind": Case((two_kinds(2, 2),), """\
  - {pile: stock, take: {duck: {where: card.kind == 'a'}}}
  - {row: market, take: {stock: {where: card.kind != 'c', count: 4}}}
""", ("* | add 2 cards like 'a' to 'duck', *",)),
    "teams and numbers are called so": Case((ducks(20),), """\
  - {pile: stock, each: team, take: {duck: team}}
  - {row: stack, each: 3, take: {duck: 1}}
  - {pile: open, each: team, take: {stock: 2}}
  - {row: top, each: 3, take: {stack: nth}}
seats: {teams: seat % 2 + 1}
""", ("* 'open' needs 2 cards of team 1's 'stock', which holds 1: 1 too few | *",
      "* 'top' needs 2 cards of number 2's 'stack', which holds 1: 1 too few | *",
      "* 'top' needs 3 cards of number 3's 'stack', which holds 1: 2 too few | *")),
    "shortages of several with other chances are told apart": Case((two_kinds(4, 4),), """\
  - {hand: hand, take: {duck: seat}}
  - {hand: hand, take: {duck: {where: card.kind == 'b', count: "2 - count('hand', where=\\"card.kind == 'b'\\")"}}}
  - {row: shown, take: {hand: {where: card.kind == 'a', count: 1}}}
""", ("4:* * in 1 of 2 draws*", "4:* * in 3 of 14 draws*")),
    "cards that are only put somewhere ask for no others": Case((two_kinds(4, 4), two_kinds(3, 3, "goose")), """\
  - {row: stock, take: {duck: {where: card.kind == 'a', count: 1}}}
  - {row: market, take: {stock: {where: card.kind == 'b', count: 2}}}
  - {row: supply, take: {goose: {per: market, where: card.kind == drawn.kind, count: 1}}}
""", ("3:* not-enough *",)),
    "cards that come back to the box count as drawn before": Case((two_kinds(4, 1),), BACK, (
        "6:* *", "5:* * | add 5 cards where card.kind == 'b' or seat < 3 to 'duck', *", "6:* *"), 3),
    "only with all five does no draw leave the last player short":
        Case((two_kinds(4, 5),), BACK, ("5:* *", "6:* *", "6:* *"), 3),
    "with six, nobody": Case((two_kinds(4, 6),), BACK, ("6:* *",) * 2, 3),
    "what falls short in every draw is an error, whichever cards it are": Case(
        (two_kinds(1, 1), two_kinds(1, 1, "goose")), DRAWN, ("3:* not-enough in 1 of 2 draws*",) * 2),
    "what falls short in some draws is none": Case(
        (two_kinds(1, 1), two_kinds(1, 2, "goose")), DRAWN, ("3:* unlucky-draw *",)),
    "cards for a set of each player are told until the last has enough":
        Case((ducks(3, "player"),), SETS, ("* | add 1 card to *",) * 2),
    "with two more, all have": Case((ducks(5, "player"),), SETS, ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_is_true_and_all(name: str) -> None:
    decks, steps, patterns, players = CASES[name]
    problems = check_game(small_game(f"setup:\n{steps}", *decks, players=[players]))
    heads = f"{players} players: "
    found = [one._replace(what=one.what.removeprefix(heads)) for one in problems if one.code != "unused-cards"]
    told(found, *patterns)


def test_what_a_step_takes_does_not_change_whether_it_happens() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: 4}}
  - row: market
    when: left('duck') > 2
    take: {duck: 3, stock: 5}
"""
    game = small_game(setup, duck=7, players=[2])
    assert [(one.code, one.source.line) for one in check_game(game)] == [("not-enough", 5)]
    assert isinstance(deal_cards(game, 2, "1"), Problem)


def test_cards_that_no_deck_has_are_counted_for_all_who_want_the_same() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: {where: card.kind == 'c', count: 1}}}
"""
    problems = check_game(small_game(setup, two_kinds(4, 4), players=[2, 3]))
    told = [one.what.rpartition(": ")[2] for one in problems if one.code == "not-enough"]
    assert told == ["2 too few", "3 too few"]


def test_the_same_shortage_that_takes_other_numbers_of_cards_is_told_for_each_player_count() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: players + 2}}
  - {row: market, take: {duck: {where: card.kind == 'b', count: 3}}}
"""
    problems = check_game(small_game(setup, two_kinds(2, 2), players=[1, 2]))
    told = [(one.players, one.fix.partition(" where")[0]) for one in problems]
    assert told == [(1, "add 4 cards"), (2, "add 5 cards")]


def test_a_card_that_was_imagined_for_other_counts_is_not_advised_where_the_game_has_one() -> None:
    setup = """\
setup:
  - {pile: stock, each: player, take: {duck: {where: "card.kind in ['b', 'c']", count: seat}}}
  - {row: row, each: player, take: {duck: {where: card.worth <= players - 1, count: 1}}}
"""
    kinds = [("a", 1, 2), ("b", 1, 1), ("c", 2, 3)]
    duck = small_deck("duck", [{"id": kind, "copies": n, "kind": kind, "worth": worth} for kind, n, worth in kinds])
    alone = [one.fix for one in check_game(small_game(setup, duck, players=[2])) if one.code == "not-enough"]
    both = check_game(small_game(setup, duck, players=[1, 2]))
    assert [one.fix for one in both if one.code == "not-enough" and one.players == 2] == alone
    assert "where card.worth <= players - 1" in alone[0]
