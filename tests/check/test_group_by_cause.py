"""One mistake, one finding: on the terminal a paragraph for each cause, in JSON an entry for each count and variant."""

from __future__ import annotations

import json

import pytest

from duckpress.check import Deal, check_game, deal_cards, setup_table
from duckpress.check.findings import occurrence
from duckpress.cli import report
from duckpress.core.problems import Level, Problem, Source
from duckpress.model import Accepted, Game
from duckpress.views.grouping import grouped
from small_games import small_deck, small_game

BASE, EVERY = None, {None: (2, 3, 4, 5), "draft": (2, 3, 4, 5), "storm": (2, 3), "draft,storm": (2, 3)}


def terminal(game: Game, players: int | None = None, variant: str | None = None) -> list[str]:
    """Return what is printed of a game's problems, as `line code what | fix`."""
    problems = grouped(check_game(game, players, variant))
    return [f"{one.source.line} {one.code} {one.what} | {one.fix}" for one in problems]


MARKET = """\
setup: [{row: market, take: {duck: {2: 4, 3: 4, 4: 6, 5: 8}}}]
variants: {draft: {setup: [{row: sky, take: {swan: 2}}]}}
modules: {storm: {setup: [{row: sea, take: {swan: 1}}]}}
"""


def test_a_shortage_is_one_paragraph_with_ranges_and_the_number_that_is_enough() -> None:
    game = small_game(MARKET, players=[2, 3, 4, 5], duck=5, swan=3)
    assert terminal(game) == [
        "1 not-enough at 4 and 5 players, in every variant: "
        "'market' needs 6 to 8 cards of 'duck', which has 5: 1 to 3 too few"
        " | add 3 cards to 'duck', or play with at most 3 players"
    ]
    (line,) = terminal(game, 5)
    assert line.startswith("1 not-enough at 5 players, in every variant: 'market' needs 8 cards of 'duck'")


def test_json_has_an_entry_for_each_player_count_with_one_cause(capsys: pytest.CaptureFixture[str]) -> None:
    problems = check_game(small_game(MARKET, players=[2, 3, 4, 5], duck=5, swan=2))
    report.print_json({}, problems)
    entries = json.loads(capsys.readouterr().out)["problems"]
    assert [(one["code"], one["players"], one["variant"], one["what"].partition(":")[0]) for one in entries] == [
        ("not-enough", 4, None, "4 players"),
        ("not-enough", 5, None, "5 players"),
        ("not-enough", None, "draft,storm", "variant 'draft,storm'"),
    ]
    first, second, together = (one["cause"] for one in entries)
    assert first == second
    assert together not in (None, first)
    assert report.tally(problems) == "2 errors"


def test_what_no_player_count_tells_has_no_cause(capsys: pytest.CaptureFixture[str]) -> None:
    problems = check_game(small_game("setup:\n  - hand: hand\n    take: {duk: 2}\n", duck=9))
    report.print_json({}, problems)
    entries = json.loads(capsys.readouterr().out)["problems"]
    assert {(one["code"], one["cause"]) for one in entries} == {("unknown-deck", None)}


def test_two_shortages_of_one_step_stay_two() -> None:
    greens_and_reds = "{where: card.hue == 'green', count: 7}, {where: card.hue == 'red', count: 7}"
    setup = f"setup: [{{row: gems, take: {{gem: [{greens_and_reds}]}}}}]\n"
    gems = small_deck("gem", [{"id": "g", "hue": "green", "copies": 6}, {"id": "r", "hue": "red", "copies": 5}])
    assert [line.partition(" | ")[2][:10] for line in terminal(small_game(setup, gems))] == ["add 1 card", "add 2 card"]


def test_accepted_counts_are_told_apart_from_the_others() -> None:
    setup = "setup:\n  - row: market\n    take: {duck: players}\nexpect:\n  - {that: market, is: 9, level: warning}\n"
    accepted = Accepted("expectation", "it is so", Source("game.yaml", 9), players=3)
    lines = terminal(small_game(setup, duck=9, accepted=[accepted]))
    assert [line.partition(": ")[0] for line in lines] == [
        "5 expectation at 3 players",  # a note by now, and notes come first
        "5 expectation at 2 and 4 players",
    ]


MANY = dict.fromkeys((None, *"abcdef"), (2,))
FEW = dict.fromkeys((None, *"abc"), (2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("ways", "places", "words"),
    [
        (EVERY, [(n, way) for way, counts in EVERY.items() for n in counts],
         "at every player count, in every variant"),
        (EVERY, [(2, BASE)], "at 2 players, in the basic game"),
        (EVERY, [(3, BASE), (4, BASE), (5, BASE)], "at 3 to 5 players, in the basic game"),
        (EVERY, [(2, "storm"), (2, "draft,storm")], "at 2 players, with 'storm'"),
        (EVERY, [(2, BASE), (2, "draft")], "at 2 players, without 'storm'"),
        (EVERY, [(3, BASE), (2, "storm"), (3, "storm")],
         "at 3 players, in the basic game; at every player count, with 'storm'"),
        (EVERY, [(2, BASE), (3, "draft"), (2, "storm"), (3, "storm"), (4, "draft"), (2, "draft,storm")],
         "at 2 players, in the basic game and with 'draft' and 'storm' together; at 3 and 4 players, with 'draft'; "
         "at every player count, with 'storm'"),
        ({None: (1,)}, [(1, None)], "at 1 player"),
        ({None: (2, 3)}, [(2, None), (3, None)], "at every player count"),
        ({"draft": (2, 3)}, [(2, "draft")], "at 2 players, with 'draft'"),
        (FEW, [(2, None), (3, "a"), (4, "b"), (5, "c")], "at 2 to 5 players, not at each of them in every variant"),
        (MANY, [(2, way) for way in "abcd"], "at 2 players, in 4 of 7 ways to play, with 'a' for one"),
    ],
)  # fmt: skip
def test_places_are_said_in_few_words(
    ways: dict[str | None, tuple[int, ...]], places: list[tuple[int, str | None]], words: str
) -> None:
    assert occurrence(set(places), ways) == words


def one_of(what: str, fix: str, players: int) -> Problem:
    problem = Problem("not-enough", Source("a.yaml"), what, fix, Level.ERROR, "game", players)
    return problem._replace(cause="it", occurs="at 2 and 3 players").headed


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("needs 1 card: 1 too few", "needs 3 cards: 3 too few", "needs 1 to 3 cards: 1 to 3 too few"),
        ("needs 1 card: 1 too few", "needs 1 card: 3 too few", "needs 1 card: 1 to 3 too few"),
        ("in 3 of 120 draws: x2", "in 1 of 7 draws: x2", "in 3 of 120 to 1 of 7 draws: x2"),
        ("in 50 of 400 draws tried: x", "in 9 of 400 draws tried: x", "in 9 to 50 of 400 draws tried: x"),
        ("is -6", "is -3", "is -6 to -3"),
        ("is 1.5", "is 0.25", "is 0.25 to 1.5"),
    ],
)
def test_figures_that_differ_are_a_range(first: str, second: str, words: str) -> None:
    (problem,) = grouped([one_of(first, "add 1 card", 2), one_of(second, "add 3 cards", 3)])
    assert (problem.what, problem.fix) == (f"at 2 and 3 players: {words}", "add 3 cards")


def test_where_the_words_differ_the_worst_is_told_as_that() -> None:
    problems = [one_of("has 2 left of 9", "add 1 card, or play with at least 4 players", 2),
                one_of("has 1", "add 2 cards to 'it', or play with at most 1 players, or rest", 3)]  # fmt: skip
    (problem,) = grouped(problems)
    assert problem.what == "at 2 and 3 players; at worst, 3 players: has 1"
    assert problem.fix == "add 2 cards to 'it'"


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("hand == 5", "hand is 4"),
        ("hand == 4 and market == hand + 1", "market is 6, hand + 1 is 5"),
        ("hand == 5 or market == 7", "hand is 4, market is 6"),
        ("3 < hand < market - 2", "hand is 4, market - 2 is 4"),
        ("(hand == 4) == (market == 7)", ""),
        ("market - 6", "market - 6 is 0"),
        ("hand is odd", ""),
        ("'a == b' == 'c or d'", ""),
        ("count('duck', where='card.x == 1') == hand", "count('duck', where='card.x == 1') is 0, hand is 4"),
    ],
)
def test_a_comparison_says_what_its_sides_are(condition: str, says: str) -> None:
    setup = "setup:\n  - hand: hand\n    take: {duck: 4}\n  - row: market\n    take: {duck: 6}\nexpect:\n"
    cards = small_deck("duck", [{"id": "d", "x": 2, "copies": 40}])
    (problem,) = check_game(small_game(f'{setup}  - {{that: "{condition}"}}\n', cards))
    whose = "for player 1, " if "hand" in condition else ""
    assert problem.what == f"{whose}{condition} does not hold{says and ': '}{says}"


def test_nothing_is_said_to_expect_what_makes_no_sense() -> None:
    setup = "values: {age: players - 5, zero: 0}\nsetup:\n  - hand: hand\n    take: {duck: 4}\nexpect:\n"
    setup += "  - {that: age, is: 1}\n  - {that: zero, is: 1}\n  - {that: none, is: 1}\n  - {that: hand, is: 5}\n"
    game = small_game(setup, duck=60)
    fixes = [one.fix.rpartition(", or ")[2] for one in check_game(game, 3)]
    assert fixes == ["the expectation", "the expectation", "the expectation", "expect 4"]
    outside = [one.fix for one in check_game(game, 9)]
    assert len(outside) == 5
    assert not [fix for fix in outside if "expect " in fix or "9:" in fix]


def test_a_number_that_is_missing_is_named_after_what_lacks_it() -> None:
    setup = "values: {size: {2: 3}}\nsetup:\n  - hand: hand\n    take: {duck: size}\n"
    found = check_game(small_game(setup, players=[1, 2], duck=9))[0]
    assert (found.what, found.fix) == ("1 player: there is no number for 1 player, only for 2", "add '1: ...'")


def test_what_is_and_what_should_be_stay_in_pairs() -> None:
    setup = "setup:\n  - hand: hand\n    take: {duck: players}\nexpect:\n  - {that: hand, is: {2: 9, 3: 7, 4: 8}}\n"
    (line,) = terminal(small_game(setup, duck=60))
    told = "at every player count: for player 1, hand is 2, 3, 4, and should be 9, 7, 8"
    assert line == f"5 expectation {told} | change the amounts it is computed from"


def test_a_fix_of_some_counts_only_says_which() -> None:
    at = Source("setup.yaml", 3, 1)
    fixes = {2: "remove 5 cards, or accept it", 3: "remove 11 cards, or accept it"}
    problems = [
        Problem("expectation", at, "2 are left", fix, players=players, cause="left", occurs="at 2 and 3 players")
        for players, fix in fixes.items()
    ]
    (told,) = grouped(problems)
    assert told.fix == "3 players: remove 11 cards, or accept it"
    added = [problem._replace(fix=problem.fix.replace("remove", "add")) for problem in problems]
    assert [one.fix for one in grouped(added)] == ["add 11 cards, or accept it"]


KINDS = small_deck("duck", [{"id": "a", "copies": 20, "kind": "a"}, {"id": "b", "copies": 10, "kind": "b"}])
DRAW = """\
setup:
  - {pile: draw, take: {duck: 14}}
  - {row: shown, take: {duck: {where: card.kind == 'b', count: 1}}}
"""


@pytest.mark.parametrize(
    ("that", "is_", "what"), [("taken('duck')", 16, "taken('duck') is 15, and should be 16"), ("left('duck')", 15, "")]
)
def test_what_is_expected_beside_a_shortage_of_some_draws_is_looked_at_in_the_others(
    that: str, is_: int, what: str
) -> None:
    """A few draws of which too few cards are left used to silence whatever was expected of that deck."""
    setup = f"{DRAW}expect:\n  - that: {that}\n    is: {is_}\n"
    unlucky, *others = check_game(small_game(setup, KINDS, players=[2]))
    assert unlucky.code == "unlucky-draw"
    assert [(one.code, what in one.what) for one in others] == ([("expectation", True)] if what else [])


def test_a_table_has_the_numbers_of_the_choices_that_leave_enough() -> None:
    setup = "setup:\n  - {slot: flag, each: player, take: {side: {choose: 1}}}\n"
    setup += "  - {hand: coins, take: {coin: \"sum('flag', 'start')\"}}\n"
    sides = small_deck("side", [{"id": f"s{start}", "start": start} for start in (3, 4, 5, 7)])
    (row,) = setup_table(small_game(setup, sides, players=[3], coin=13)).rows
    assert row.cells["coins size"] == "3-5"  # with 7 there are too few


def test_what_the_basic_game_holds_and_a_variant_not_may_be_for_the_basic_game() -> None:
    setup = """\
setup: [{hand: hand, take: {duck: 2}}]
expect: [{that: hand, is: 2}]
variants:
  open: {setup: [{hand: hand, replaces: hand, take: {duck: 3}}]}
"""
    (failed,) = check_game(small_game(setup, duck=12))
    assert failed.fix.endswith("or say with 'for' what it is for, such as 'for: base'")
    assert check_game(small_game(setup.replace("is: 2}", "is: 2, for: base}"), duck=12)) == []
    spoken = setup.replace("is: 2}", "is: 2 if variant == '' else 4}")
    assert check_game(small_game(spoken, duck=12))[0].fix.endswith("or expect 3")


def test_a_place_that_there_is_not_has_no_number_in_the_table() -> None:
    setup = """\
setup:
  - {pile: draw, take: {duck: all}}
  - {row: dummy, only: 2, take: {draw: 1}}
  - {row: some, take: {draw: players - 2}}
table: {dummy: {}, counted: {title: B, shows: "count('dummy')"}, some: {title: C}, more: {shows: dummy + players}}
"""
    rows = setup_table(small_game(setup, duck=12, players=[2, 3])).rows
    assert [list(row.cells.values()) for row in rows] == [[1, 1, 0, 3], ["", "", 1, 3]]


def test_a_deal_that_falls_short_says_by_how_many() -> None:
    setup = "setup:\n  - {pile: draw, take: {duck: 3}}\n"
    setup += "  - {slot: b, take: {draw: {where: card.kind == 'b', count: 1}}}\n"
    told = [deal_cards(small_game(setup, KINDS, players=[2]), 2, str(seed)) for seed in range(12)]
    assert {type(one) for one in told} == {Deal, Problem}
    assert "needs 1 card, and there are 0" in next(one.what for one in told if isinstance(one, Problem))


def test_whose_something_is_is_no_figure_that_grows() -> None:
    setup = "setup:\n  - {hand: hand, take: {duck: {choose: 1}}}\n"
    setup += "  - {row: row, take: {duck: {where: card.kind == 'a', count: 1}}}\n  - {pile: rest, take: {duck: all}}\n"
    ducks = small_deck("duck", [{"id": kind, "copies": 2, "kind": kind} for kind in "abc"])
    (told,) = grouped(check_game(small_game(setup, ducks, players=[2, 3])))
    assert told.what.startswith("at every player count; at worst, 3 players: if player 2 picks 'a' and player 3 picks")
