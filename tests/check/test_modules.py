"""Modules, teams, choices and shares of a setup: what is played together, which words are known, what is told."""

from __future__ import annotations

import pytest

from duckpress.check import NoSuchSetup, check_game, setup_table, way_to_play
from duckpress.check.setup.rule_book import Book
from duckpress.core import limits
from duckpress.core.problems import Level
from duckpress.model import Game
from small_games import small_deck, small_game

SETUP = """\
seats: {teams: seat % 2 + 1}
setup:
  - {pile: draw, take: {duck: 12}}
  - {aside: chest, each: team, take: {duck: 4}}
  - {hand: hand, take: {chest: 1}, when: team < 3}
expect:
  - {that: draw, is: 12, for: base}
  - {that: "draw + sky", is: 12, for: storm}
variants:
  open: {excludes: storm, setup: [{row: market, take: {draw: 2}}]}
modules:
  storm: {only: 3-4, setup: [{row: sky, take: {draw: 3}}]}
  rain: {needs: [storm], setup: [{row: cloud, take: {sky: 1}}]}
  calm: {about: Nothing happens.}
"""


def game_of(setup: str) -> Game:
    kinds = [{"id": kind, "copies": 12, "kind": kind} for kind in ("reed", "pond")]
    return small_game(setup, small_deck("duck", kinds))


def test_every_combination_that_fits_is_played_at_its_player_counts() -> None:
    game = game_of(SETUP)
    assert game.setup is not None
    book = Book(game, game.setup)
    ways = (None, "storm", "calm", "open", "storm,rain", "storm,calm", "open,calm", "storm,rain,calm")
    assert book.combinations() == ways
    assert book.combinations(2) == (None, "calm", "open", "open,calm")
    assert book.counts_of("storm,rain") == (3, 4)


def test_parts_add_their_steps_in_declared_order_and_expectations_belong_to_parts() -> None:
    game = game_of(SETUP)
    assert [(one.code, one.source.line, one.players, one.variant) for one in check_game(game)] == [
        ("expectation", 8, None, "storm,rain")  # not again with 'calm', which changes nothing of it
    ]
    table = setup_table(game, "storm,rain")
    assert (table.title, [row.players for row in table.rows]) == ("Setup: storm, rain", [3, 4])
    assert table.rows[0].cells["cloud size"] == 1


@pytest.mark.parametrize(
    ("typed", "players", "name"), [(None, None, None), ("rain, storm", 4, "storm,rain"), ("calm,open", 2, "open,calm")]
)
def test_names_are_typed_in_any_order(typed: str | None, players: int | None, name: str | None) -> None:
    assert way_to_play(game_of(SETUP).setup, typed, players) == name


@pytest.mark.parametrize(
    ("typed", "players", "why"),
    [
        ("strom", None, "there is no variant 'strom'"),
        ("rain", None, "'rain' needs 'storm'"),
        ("open,storm", None, "'open' excludes 'storm'"),
        ("storm", 2, "'storm' is for 3, 4 players, not for 2"),
        ("base,calm", None, "'base' is the game without variants and modules"),
    ],
)
def test_what_is_not_played_together_is_told(typed: str, players: int | None, why: str) -> None:
    with pytest.raises(NoSuchSetup, match=why):
        way_to_play(game_of(SETUP).setup, typed, players)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("- {pile: a, each: team, take: {duck: 1}}", "place-kind"),
        ("- {hand: a, take: {duck: 6}}\n  - {pile: b, each: 4, take: {a: nth}}", "place-kind"),
        ("- {pile: a, take: {duck: nth}}", "unknown-name"),
        ("- {pile: a, take: {duck: {where: card.kind == drawn.kind}}}", "unknown-name"),
        ("- {pile: a, take: {duck: {per: b, count: 1}}}", "unknown-place"),
        ("- {pile: a, take: {duck: \"count('b')\"}}", "unknown-deck"),
        ("- {pile: a, take: {duck: {where: \"card.kind in values('duck', 'kin')\"}}}", "unknown-field"),
    ],
)
def test_words_that_are_not_known_are_told(line: str, told: str) -> None:
    assert told in [one.code for one in check_game(game_of(f"setup:\n  {line}\n"))]


def test_unknown_names_of_parts_are_told_once() -> None:
    parts = "modules:\n  a: {needs: b, drops: [c]}\nexpect: [{that: draw == 24, for: d}]\n"
    problems = check_game(game_of("setup:\n  - {pile: draw, take: {duck: all}}\n" + parts))
    assert [one.code for one in problems] == ["unknown-variant", "unknown-place", "unknown-variant"]


def test_a_place_that_one_module_drops_and_another_takes_from_is_told_for_both_together() -> None:
    parts = "modules:\n  a: {drops: [row]}\n  b: {setup: [{pile: c, take: {row: 1}}]}\n  d: {}\n"
    problems = check_game(game_of("setup:\n  - {row: row, take: {duck: all}}\n" + parts))
    dropped = [one for one in problems if one.code == "place-dropped"]
    assert [(one.variant, one.source.line) for one in dropped] == [("a,b", 4)]


def test_a_table_says_what_differs_from_place_to_place_and_in_its_notes() -> None:
    game = small_game(
        "seats: {teams: seat % 2 + 1}\nsetup:\n"
        "  - hand: hand\n    take: {cards: 3 if seat == 1 else 2}\n    note: Deal {{ hand }} cards to each.\n"
        "  - row: camp\n    each: team\n    take: {cards: team}\n"
        "  - pile: stack\n    each: 3\n    take: {tiles: even}\n"
        "modules:\n  storm: {setup: [{row: gale, take: {tiles: 0}}]}\n"
        "  rain: {needs: storm, setup: [{row: puddle, take: {cards: count('stack')}}]}\n",
        cards=30,
        tiles=8,
        players=[2, 3],
    )
    table = setup_table(game)
    assert [dict(row.cells) for row in table.rows] == [
        {"cards": cards, "hand size": "2-3", "camp size": "1-2", "tiles": 8, "stack size": "2-3"} for cards in (8, 10)
    ]
    assert [column.title for column in table.columns][1:5:2] == ["hand, each", "Tiles"]
    assert table.notes == ("Deal 2-3 cards to each.",)
    # What is not played alone is shown with what it is played with.
    assert setup_table(game, "rain").variant == "storm,rain"


def test_combinations_that_take_too_many_steps_are_counted_and_nothing_is_said_of_what_no_step_uses() -> None:
    lone = "  - {pile: never, when: players > 9, take: {duck: 1}}\n"
    game = game_of(SETUP.replace("expect:\n", lone + "expect:\n"))
    assert "unused-step" in {problem.code for problem in check_game(game)}
    limits.use({"combination-steps": 250})
    found = {problem.code: problem for problem in check_game(game)}
    assert (set(found), found["some-combinations"].level) == ({"some-combinations"}, Level.WARNING)
    assert found["some-combinations"].what == "of 8 ways to play 4 are checked, those of few parts first"
    assert found["some-combinations"].fix.startswith("name others with --variant a,b; ")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("{only: 3-4, setup", "{only: 3-5, setup", "'only' of this module names 5"),
        ("setup:\n", "values: {n: {2-4: 1, 6: 2}}\nsetup:\n", "an amount is given for 6 players"),
    ],
)
def test_player_counts_that_the_game_has_not_are_told_once(old: str, new: str, what: str) -> None:
    found = [one for one in check_game(game_of(SETUP.replace(old, new, 1))) if one.code != "expectation"]
    assert [(one.code, one.what.partition(", and")[0]) for one in found] == [("extra-count", what)]


@pytest.mark.parametrize("way", ["storm", "storm,rain"])
def test_a_way_to_play_is_not_checked_where_it_is_not_played(way: str) -> None:
    (problem,) = (one for one in check_game(game_of(SETUP), 2, way) if one.code == "player-count")
    assert (problem.what, problem.fix) == (f"{way!r} is not played by 2", "choose one of its player counts: 3, 4")
    assert not [one for one in check_game(game_of(SETUP), 3, way) if one.code == "player-count"]


def test_at_a_player_count_of_none_only_what_is_for_all_is_looked_at() -> None:
    problems = check_game(game_of(SETUP), 5)
    assert not [one for one in problems if "storm" in (one.variant or "")]
