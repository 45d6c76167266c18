"""Findings that were missed, untrue or unclear: each small setup here was one of the random ones that showed it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from duckpress.check import Deal, check_game, deal_cards
from duckpress.core.problems import Level, Problem
from duckpress.model import Deck, Game
from small_games import small_deck, small_game, told


def kinds(name: str = "duck", **copies: int) -> Deck:
    return small_deck(name, [{"id": kind, "copies": number, "kind": kind} for kind, number in copies.items()])


def worth(*copies: int, name: str = "duck") -> Deck:
    """Return cards worth 1, 2 and so on, so many of each."""
    cards = [{"id": f"w{at}", "worth": at, "copies": n} for at, n in enumerate(copies, 1)]
    return small_deck(name, cards)


class Case(NamedTuple):
    """Decks and the steps of a setup, and a pattern for each finding."""

    decks: tuple[Deck, ...]
    steps: str
    told: tuple[str, ...]
    players: int = 2


CASES = {
    "the share of draws is of those where an expectation fails for anybody":
        Case((kinds(a=2, b=2),), """\
  - {hand: hand, take: {duck: 1}}
expect:
  - that: count('hand', where="card.kind == 'a'") == 0
""", ("4:* unlucky-draw in 5 of 6 draws: for player 2 or another, *",)),
    "expectations hold for every team and number, and for what calls name": Case((kinds(a=20),), """\
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
    "the kind is named of which the fewest are needed": Case((kinds(a=2, b=1),), """\
  - {row: market, take: {duck: {where: card.kind == 'b', count: "count('duck', where=\\"card.kind == 'b'\\") // 2"}}}
  - {row: row, take: {duck: {where: "card.kind in 'ab'", count: 4}}}
""", ("2:* empty-take *", "* | add 1 card like 'a' to 'duck', *")),
    "cards of a kind that a place has none of can be put there": Case((kinds(a=4, b=4),), """\
  - {pile: stock, take: {duck: {where: card.kind == 'a', count: 1}}}
  - {row: market, take: {stock: {where: card.kind == 'b', count: 2}}}
""", ("* | put 2 cards more where card.kind == 'b' into 'stock', *",)),
    "what comes of a place that is short for good is no finding of its own": Case((kinds(a=5),), """\
  - {row: rest, take: {duck: all}}
  - {hand: hand, take: {duck: 1}}
  - {row: shown, take: {hand: 1}, remove: 1}
""", ("3:* not-enough *",)),
    "the least number is told where each card changes what steps take": Case((kinds(a=3),), """\
  - {row: market, when: "left('duck') > 4", take: {duck: players}}
  - {box: back, take: {market: {count: "left('duck') // 2"}}}
""", ("* | add 2 cards to 'duck'*",)),
    "a number that is enough of one kind only names that kind": Case((kinds(a=2, b=2),), """\
  - {pile: stock, take: {duck: {where: card.kind == 'a'}}}
  - {row: market, take: {stock: {where: card.kind != 'c', count: 4}}}
""", ("* | add 2 cards like 'a' to 'duck', *",)),
    "teams and numbers are called so": Case((kinds(a=20),), """\
  - {pile: stock, each: team, take: {duck: team}}
  - {row: stack, each: 3, take: {duck: 1}}
  - {pile: open, each: team, take: {stock: 2}}
  - {row: top, each: 3, take: {stack: nth}}
seats: {teams: seat % 2 + 1}
""", ("* 'open' needs 2 cards of team 1's 'stock', which holds 1: 1 too few | *",
      "* 'top' needs 2 cards of number 2's 'stack', which holds 1: 1 too few | *",
      "* 'top' needs 3 cards of number 3's 'stack', which holds 1: 2 too few | *")),
    "shortages of several with other chances are told apart": Case((kinds(a=4, b=4),), """\
  - {hand: hand, take: {duck: seat}}
  - {hand: hand, take: {duck: {where: card.kind == 'b', count: "2 - count('hand', where=\\"card.kind == 'b'\\")"}}}
  - {row: shown, take: {hand: {where: card.kind == 'a', count: 1}}}
""", ("4:* * in 1 of 2 draws*", "4:* * in 3 of 14 draws*")),
    "cards that come back to the box count as drawn before": Case((kinds(a=4, b=1),), """\
  - pile: stock
    each: player
    take:
      duck: [{where: "card.kind in ['a', 'b']", count: 1}, {where: card.kind == 'b' or seat < 3, count: 1}]
  - {box: back, take: {stock: {where: card.kind == 'a', count: 2}}}
""", ("6:* *", "5:* * | add 5 cards where card.kind == 'b' or seat < 3 to 'duck', *", "6:* *"), 3),
    "what falls short in every draw is an error, whichever cards it are": Case(
        (kinds(a=1, b=1), kinds("goose", a=1, b=1)), """\
  - {row: market, take: {duck: 1}}
  - {row: supply, take: {goose: {per: market, where: card.kind == drawn.kind, count: 2}}}
""", ("3:* not-enough in 1 of 2 draws*",) * 2),
    "a place that is too full whatever was drawn is an error with the worst number": Case((worth(12, 2),), """\
  - {row: sky, take: {duck: 2}}
  - {hand: hand, slots: seat, take: {duck: {count: "4 + count('sky', where='card.worth > 1')"}}}
""", ("* no-room 1 player: 'hand' gets 6 cards and has room for 1 | take 5 fewer, or give it more slots",), 1),
    "seats that want the same cards lack them together if nobody else takes any": Case((worth(1, 1),), """\
  - {hand: hand, take: {duck: {where: card.worth == seat % 2 + 1, count: 1}}}
""", ("* (1 for each player), which has 1 such card: 1 too few | *",), 3),
    "each seat lacks cards of its own where a place has none that is right": Case((worth(2),), """\
  - {row: row, take: {duck: 2}}
  - {hand: hand, take: {row: {where: card.worth == seat + 1, count: seat}}}
""", ("* player 1's 'hand' needs 1 card of 'row' where card.worth == seat + 1, which holds 0 such cards: 1 too few*",
      "* player 2's 'hand' needs 2 cards of 'row' where card.worth == seat + 1, which holds 0 such cards: 2 too few*")),
    "cards for drawn ones are lacked apart for each kind that was drawn": Case(
        (worth(2, 1), worth(0, 0, 1, name="goose")), """\
  - {row: row, take: {duck: all}}
  - {row: supply, take: {goose: {count: 1}}}
  - {row: pairs, take: {supply: {per: row, where: card.worth == drawn.worth, count: 1}}}
""", ("* (drawn: 'w2')* 1 too few | *", "* (drawn: 'w1')* 2 too few | *")),
    "demands that overlap are one matching: ten are lacking, five of them b": Case((kinds(a=3, b=3, c=3),), """\
  - {row: first, take: {duck: {where: card.kind == 'b', count: 8}}}
  - {row: second, take: {duck: {where: "card.kind in ['b', 'c']", count: 8}}}
""", ("* | add 5 cards*", "* | add 5 cards*")),
    "what more cards cannot mend is not mended with more cards": Case((worth(4, 4, 4),), """\
  - {hand: hand, take: {duck: {where: 'card.worth in [seat, seat + 1]'}}}
""", ("* not-enough *player 2's 'hand'* | say with 'count' how many are taken*",)),
    "what all of a deck is taken before is not, either": Case((kinds(a=9),), """\
  - {pile: stock, take: {duck: all}}
  - {row: line, take: {duck: 5}}
""", ("* | take fewer: adding cards does not help*",)),
    "numbers that look alike once rounded are told in full": Case((kinds(a=12),), """\
  - {pile: all, take: {duck: all}}
values: {f: 0.1 + 0.2}
expect:
  - {that: f, is: 0.3}
  - {that: f == 0.3}
""", ("* f is 0.30000000000000004, and should be 0.3 | *the expectation", "* f is 0.30000000000000004 | *")),
    "so are amounts": Case((kinds(a=12),), """\
  - {pile: some, take: {duck: (0.1 + 0.2) * 10 - 2}}
""", ("* gives 1.0000000000000004 | *",)),
    "a name of no variant is one mistake": Case((kinds(a=12),), """\
  - {pile: draw, take: {duck: all}}
  - {row: a, when: variant == 'opne', take: {draw: 1}}
expect: [{that: draw, is: 9, when: variant == 'opne'}]
variants: {open: {about: x}}
""", ("* unknown-variant *",) * 2),
    "where every deal falls short or fails an expectation, the expectation is an error": Case(
        (kinds("lot", one=1, two=1, three=1), kinds(a=12)), """\
  - {row: lots, take: {lot: 1}}
  - {row: shown, take: {duck: "3 if count('lots', where='card.id == \\"one\\"') else 5"}}
  - {hand: hand, take: {duck: 3}}
expect:
  - {that: shown, is: 5}
""", ("* in 2 of 3 draws: 'hand' needs 9 cards*", "* expectation in the other 1 of 3 draws: shown is 3*"), 3),
    "two modules that mean other places by one name are told": Case((kinds(a=12),), """\
  - {pile: draw, take: {duck: all}}
modules:
  a: {setup: [{row: sky, take: {draw: 1}}]}
  b: {setup: [{row: sky, each: player, take: {draw: 1}}]}
  c: {excludes: [a, b], setup: [{pile: sky, take: {draw: 1}}]}
""", ("5:* place-kind *",)),
    "all that comes out in other draws is said": Case((worth(2, 2, 0, 2),), """\
  - {row: shown, take: {duck: 2}}
expect:
  - {that: "sum('shown', 'worth')", is: 2}
""", ("* unlucky-draw in 14 of 15 draws: sum('shown', 'worth') is 3 to 8, and should be 2 | "
      "change the amounts it is computed from",)),

    "what no deal gets through is an error, though earlier advice would mend it": Case((kinds(a=3, b=2, c=4),), """\
  - {pile: p0, take: {duck: 4}}
  - {pile: p1, take: {duck: {where: "card.kind in 'ab'", count: 3}}}
  - {pile: p2, take: {duck: 4}}
""", ("* unlucky-draw in 5 of 14 draws: *",
      "* not-enough in the other 9 of 14 draws: 'p2' needs 4 cards of 'duck', which has 2 left of 9: 2 too few | *")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_is_true_and_all(name: str) -> None:
    decks, steps, patterns, players = CASES[name]
    problems = check_game(small_game(f"setup:\n{steps}", *decks, players=[players]))
    heads = f"{players} players: "
    found = [one._replace(what=one.what.removeprefix(heads)) for one in problems if one.code != "unused-cards"]
    told(found, *patterns)
    levels = {"not-enough": Level.ERROR, "unlucky-draw": Level.WARNING}
    assert all(one.level is levels.get(one.code, one.level) for one in found)


def test_what_a_step_takes_does_not_change_whether_it_happens() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: 4}}
  - {row: market, when: left('duck') > 2, take: {duck: 3, stock: 5}}
"""
    game = small_game(setup, duck=7, players=[2])
    assert [(one.code, one.source.line) for one in check_game(game)] == [("not-enough", 3)]
    assert isinstance(deal_cards(game, 2, "1"), Problem)


def test_the_same_shortage_that_takes_other_numbers_of_cards_is_told_for_each_player_count() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: players + 2}}
  - {row: market, take: {duck: {where: card.kind == 'b', count: 3}}}
"""
    problems = check_game(small_game(setup, kinds(a=2, b=2), players=[1, 2]))
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


def whats(game: Game) -> list[tuple[str, str]]:
    return [(one.code, one.what) for one in check_game(game) if one.code in ("not-enough", "unlucky-draw")]


def test_a_seat_may_draw_what_the_next_but_one_lacks_then() -> None:
    """Seats 1 and 3 want the same cards; seat 2 may take any, and is served between them."""
    setup = "setup: [{hand: hand, take: {duck: {where: card.worth >= seat % 2 + 1, count: 1}}}]\n"
    game = small_game(setup, worth(1, 2), players=[3])
    ((code, what),) = whats(game)
    assert code == "unlucky-draw"
    assert "draws: player 3's 'hand' needs 1 card of 'duck' where card.worth >= seat % 2 + 1" in what
    assert {isinstance(deal_cards(game, 3, str(seed)), Deal) for seed in range(20)} == {True, False}
    enough = small_game(setup, worth(1, 3), players=[3])
    assert whats(enough) == []


@pytest.mark.parametrize(
    ("steps", "deck"),
    [
        ("[{hand: own, take: {duck: {where: card.worth == seat % 2 + 1, count: seat}}}]", worth(9)),
        ("[{hand: hand, only: 2, take: {duck: {where: card.worth == 2, count: 1}}}, "
         "{pile: own, each: player, only: 3, take: {duck: {where: card.worth >= seat, count: 2}}}]",
         small_deck("duck", [{"id": "a", "worth": 1}, {"id": "c", "worth": 3, "copies": 4}])),
    ],
)  # fmt: skip
def test_a_card_that_was_imagined_for_other_counts_changes_nothing(steps: str, deck: Deck) -> None:
    def lacking(*players: int) -> list[str]:
        found = whats(small_game(f"setup: {steps}\n", deck, players=players))
        return [what.rpartition("'own'")[2] for _, what in found if "'own'" in what]

    assert lacking(3)
    assert lacking(2, 3) == lacking(3)
