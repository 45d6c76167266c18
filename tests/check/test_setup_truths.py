"""Findings that were missed, untrue or unclear: each small setup here was one of the random ones that showed it."""

from __future__ import annotations

from duckpress.check import check_game, deal_cards
from duckpress.core.problems import Problem
from duckpress.model import Deck
from small_games import small_deck, small_game


def findings(setup: str, *decks: Deck, players: int = 2, **cards: int) -> list[tuple[str, int, str, str]]:
    """Return code, line, what is wrong (without the player count) and the first words of the fix."""
    problems = check_game(small_game(setup, *decks, players=[players], **cards))
    return [
        (one.code, one.source.line, one.what.removeprefix(f"{players} players: "), one.fix.partition(",")[0])
        for one in problems
        if one.code != "unused-cards"
    ]


def two_kinds(a: int, b: int) -> Deck:
    return small_deck("duck", [{"id": "a", "copies": a, "kind": "a"}, {"id": "b", "copies": b, "kind": "b"}])


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


def test_the_share_of_draws_is_of_those_where_an_expectation_fails_for_anybody() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: 1}}
expect:
  - that: count('hand', where="card.kind == 'a'") == 0
"""
    (found,) = findings(setup, two_kinds(2, 2))
    assert found[:2] == ("unlucky-draw", 4)
    assert found[2].startswith("in 5 of 6 draws: for player 2 or another, ")
    # Of one a and one b somebody has the a, in every draw.
    (found,) = findings(setup, two_kinds(1, 1))
    assert found[0] == "expectation"


def test_expectations_hold_for_every_team_and_number_and_for_what_calls_name() -> None:
    setup = """\
seats: {teams: seat % 2 + 1}
setup:
  - {pile: stock, each: team, take: {duck: 1}}
  - {pile: stock, each: team, when: team == 2, take: {duck: 1}}
  - {row: stack, each: 3, take: {duck: nth}}
  - {hand: hand, take: {duck: seat}}
expect:
  - {that: stock, is: 1}
  - {that: count('stack'), is: 1}
  - {that: "total('hand') == 3 and count('hand') == 1"}
  - {that: hand == 1, when: hand > 1}
"""
    told = findings(setup, duck=20)
    assert [(code, line, what.partition(",")[0]) for code, line, what, _ in told] == [
        ("expectation", 8, "for team 2"),
        ("expectation", 9, "for number 2"),
        ("expectation", 10, "for player 2"),
        ("expectation", 11, "for player 2"),
    ]


def test_cards_that_no_deck_has_are_counted_for_all_who_want_the_same() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: {where: card.kind == 'c', count: 1}}}
"""
    problems = check_game(small_game(setup, two_kinds(4, 4), players=[2, 3]))
    told = [one.what.rpartition(": ")[2] for one in problems if one.code == "not-enough"]
    assert told == ["2 too few", "3 too few"]


def test_cards_of_a_kind_that_a_place_has_none_of_can_be_put_there() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: {where: card.kind == 'a', count: 1}}}
  - {row: market, take: {stock: {where: card.kind == 'b', count: 2}}}
"""
    (found,) = findings(setup, two_kinds(4, 4))
    assert found[3] == "put 2 cards more where card.kind == 'b' into 'stock'"


def test_no_card_is_advised_that_an_earlier_step_would_take() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: even}}
  - {row: market, take: {duck: {where: card.kind == 'c', count: 1}}}
"""
    (found,) = findings(setup, two_kinds(4, 4))
    assert found[3] == "take fewer: adding cards does not help"


def test_what_comes_of_a_place_that_is_short_for_good_is_no_finding_of_its_own() -> None:
    setup = """\
setup:
  - {row: rest, take: {duck: all}}
  - {hand: hand, take: {duck: 1}}
  - {row: shown, take: {hand: 1}, remove: 1}
"""
    assert [found[:2] for found in findings(setup, duck=5)] == [("not-enough", 3)]


def test_nothing_is_expected_of_cards_that_nobody_knows() -> None:
    setup = """\
setup:
  - {row: stock, take: {duck: 1}}
  - {row: market, take: {stock: 2}}
expect:
  - {that: "distinct('market', 'kind')", is: 2}
  - {that: market, is: 3}
"""
    assert [found[:2] for found in findings(setup, two_kinds(4, 4))] == [("not-enough", 3), ("expectation", 6)]


def test_where_a_card_more_changes_what_happens_the_least_number_is_found() -> None:
    setup = """\
setup:
  - row: market
    when: left('duck') > 4
    take: {duck: 3}
  - {row: shown, take: {market: 3}}
"""
    (found,) = findings(setup, duck=4)
    assert found[3] == "add 1 card to 'duck'"


def test_the_same_shortage_that_takes_other_numbers_of_cards_is_told_for_each_player_count() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: players + 2}}
  - {row: market, take: {duck: {where: card.kind == 'b', count: 3}}}
"""
    problems = check_game(small_game(setup, two_kinds(2, 2), players=[1, 2]))
    told = [(one.players, one.fix.partition(" where")[0]) for one in problems]
    assert told == [(1, "add 4 cards"), (2, "add 5 cards")]


def test_a_number_that_is_enough_of_one_kind_only_names_that_kind() -> None:
    setup = """\
setup:
  - {pile: stock, take: {duck: {where: card.kind == 'a'}}}
  - {row: market, take: {stock: {where: card.kind != 'c', count: 4}}}
"""
    (found,) = findings(setup, two_kinds(2, 2))
    assert found[3] == "add 2 cards like 'a' to 'duck'"


def test_teams_and_numbers_are_called_so() -> None:
    setup = """\
seats: {teams: seat % 2 + 1}
setup:
  - {pile: stock, each: team, take: {duck: team}}
  - {row: stack, each: 3, take: {duck: 1}}
  - {pile: open, each: team, take: {stock: 2}}
  - {row: top, each: 3, take: {stack: nth}}
"""
    assert [found[2] for found in findings(setup, duck=20)] == [
        "'open' needs 2 cards of team 1's 'stock', which holds 1: 1 too few",
        "'top' needs 2 cards of number 2's 'stack', which holds 1: 1 too few",
        "'top' needs 3 cards of number 3's 'stack', which holds 1: 2 too few",
    ]


def test_shortages_of_several_with_other_chances_are_told_apart() -> None:
    setup = """\
setup:
  - {hand: hand, take: {duck: seat}}
  - {hand: hand, take: {duck: {where: card.kind == 'b', count: "2 - count('hand', where=\\"card.kind == 'b'\\")"}}}
  - {row: shown, take: {hand: {where: card.kind == 'a', count: 1}}}
"""
    told = findings(setup, two_kinds(4, 4))
    assert [(line, what.partition(" draws")[0]) for _, line, what, _ in told] == [
        (4, "in 1 of 2"),
        (4, "in 3 of 14"),
    ]


def test_cards_that_are_only_put_somewhere_ask_for_no_others() -> None:
    setup = """\
setup:
  - {row: stock, take: {duck: {where: card.kind == 'a', count: 1}}}
  - {row: market, take: {stock: {where: card.kind == 'b', count: 2}}}
  - {row: supply, take: {goose: {per: market, where: card.kind == drawn.kind, count: 1}}}
"""
    goose = small_deck("goose", [{"id": kind, "copies": 3, "kind": kind} for kind in "ab"])
    assert [found[:2] for found in findings(setup, two_kinds(4, 4), goose)] == [("not-enough", 3)]


def test_cards_that_come_back_to_the_box_count_as_drawn_before() -> None:
    setup = """\
setup:
  - pile: stock
    each: player
    take:
      duck: [{where: "card.kind in ['a', 'b']", count: 1}, {where: card.kind == 'b' or seat < 3, count: 1}]
  - {box: back, take: {stock: {where: card.kind == 'a', count: 2}}}
"""
    told = findings(setup, two_kinds(4, 1), players=3)
    fixes = [fix for _, line, _, fix in told if line == 5]
    assert fixes == ["add 5 cards where card.kind == 'b' or seat < 3 to 'duck'"]
    # Only with all five does no draw leave the last player short.
    assert [line for _, line, _, _ in findings(setup, two_kinds(4, 5), players=3)].count(5) == 1
    assert [line for _, line, _, _ in findings(setup, two_kinds(4, 6), players=3)].count(5) == 0


def test_what_falls_short_in_every_draw_is_an_error_whichever_cards_it_are() -> None:
    setup = """\
setup:
  - {row: market, take: {duck: 1}}
  - {row: supply, take: {goose: {per: market, where: card.kind == drawn.kind, count: 2}}}
"""
    goose = small_deck("goose", [{"id": kind, "copies": 1, "kind": kind} for kind in "ab"])
    told = findings(setup, two_kinds(1, 1), goose)
    assert [(code, line, what.partition(" draws")[0]) for code, line, what, _ in told] == [
        ("not-enough", 3, "in 1 of 2"),
        ("not-enough", 3, "in 1 of 2"),
    ]
    one = small_deck("goose", [{"id": "a", "copies": 1, "kind": "a"}, {"id": "b", "copies": 2, "kind": "b"}])
    assert [found[0] for found in findings(setup, two_kinds(1, 1), one)] == ["unlucky-draw"]


def test_cards_for_a_set_of_each_player_are_told_until_the_last_has_enough() -> None:
    setup = """\
setup:
  - {pile: stock, each: player, take: {duck: seat}}
  - {hand: hand, take: {duck: 3}}
"""
    told = findings(setup, small_deck("duck", [{"id": "d", "copies": 3}], per="player"), players=2)
    assert [fix.partition(" to ")[0] for _, _, _, fix in told] == ["add 1 card", "add 1 card"]
    enough = findings(setup, small_deck("duck", [{"id": "d", "copies": 5}], per="player"), players=2)
    assert enough == []


def test_the_least_number_is_told_where_each_card_changes_what_steps_take() -> None:
    setup = """\
setup:
  - {row: market, when: "left('duck') > 4", take: {duck: players}}
  - {box: back, take: {market: {count: "left('duck') // 2"}}}
"""
    told = findings(setup, small_deck("duck", [{"id": "d", "copies": 3}]), players=2)
    assert told[0][3].startswith("add 2 cards to 'duck'")


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
