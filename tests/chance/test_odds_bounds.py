"""Bounds of odds in setup.yaml: what passes them is found, with the value, the bound and how it is known."""

from __future__ import annotations

from fractions import Fraction

import pytest

from duckpress.chance import odds_problems
from duckpress.chance.answering import wilson
from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.core.problems import Problem
from duckpress.press.reading import load
from duckpress.views.chances import ask_odds, play_often
from running import MakeWorkspace as Make

GAME = 'title: P\nversion: "1.0"\nplayers: 2-3\nlanguages: [en]\npieces: [{id: cards, title: C, decks: [duck]}]\n'
DUCK = "title: D\nsize: poker\nfront: d\nfields: {kind: text}\n"
DUCK += "cards: [{id: a, copies: 2, kind: x}, {id: b, copies: 2, kind: y}]\n"
SETUP = "setup:\n  - {pile: stock, take: {duck: all}}\n"
SETUP += "variants:\n  more: {setup: [{row: row, take: {stock: 1}}]}\nodds:\n  pair: {%s}\n"
HAND = "ask: hand of 2 from stock has a pair of kind"  # a third of the time


def files(setup: str, game: str = GAME) -> dict[str, str]:
    return {"content/p/game.yaml": game, "content/p/decks/duck.yaml": DUCK, "content/p/setup.yaml": setup}


def problems(make_workspace: Make, rule: str, game: str = GAME) -> list[Problem]:
    read, wrong = load_game(make_workspace(files(SETUP % rule, game)), "p")
    assert read is not None
    return [*wrong, *odds_problems(read)]


@pytest.mark.parametrize("bound", ["at least: 1/3", "at least: 33%", "at most: 1/3", "at most: 0.34", "at least: 0"])
def test_bounds_that_hold(make_workspace: Make, bound: str) -> None:
    assert problems(make_workspace, f"{HAND}, {bound}") == []


@pytest.mark.parametrize(
    ("bound", "says"),
    [("at least: 40%", "at least 40.0 %"), ("at most: 33%", "at most 33.0 %"), ("at least: 1/2", "at least 50.0 %")],
)
def test_bounds_that_do_not(make_workspace: Make, bound: str, says: str) -> None:
    found = problems(make_workspace, f"{HAND}, {bound}")
    assert [(one.code, one.level, one.players, one.variant) for one in found] == [
        ("odds", "error", 2, None), ("odds", "error", 3, None),
    ]  # fmt: skip
    assert found[0].what == f"2 players: 'pair' is 33.3 % (exact), and should be {says}"
    assert (found[0].source.line, found[0].source.column) == (6, 15)


def test_a_bound_may_differ_by_player_count(make_workspace: Make) -> None:
    (found,) = problems(make_workspace, f"{HAND}, at least: {{2: 1/3, 3: 40%}}, at most: {{3: 50%}}")
    assert (found.players, found.what.endswith("and should be at least 40.0 %")) == (3, True)
    assert problems(make_workspace, f"{HAND}, at least: {{2: 1/3}}") == []
    (wrong,) = problems(make_workspace, f"{HAND}, at least: {{2: 1/3, 3: much}}")
    assert (wrong.code, "'much', not a probability" in wrong.what) == ("wrong-type", True)


def test_bounds_and_questions_for_nobody_are_told(make_workspace: Make) -> None:
    for rule in (f"{HAND}, at least: {{2: 1/3, 5: 1/3}}", f"{HAND}, only: 5"):
        game, _ = load_game(make_workspace(files(SETUP % rule)), "p")
        assert game is not None
        assert "extra-count" in {one.code for one in check_game(game)}


def test_where_it_is_asked_and_how_much_it_weighs(make_workspace: Make) -> None:
    (found,) = problems(make_workspace, f"{HAND}, at least: 1/2, only: 3, for: more, level: warning")
    assert (found.players, found.variant, found.level) == (3, "more", "warning")
    assert problems(make_workspace, "ask: row has >= 1 where card.kind == 'x', at least: 1/2") == []
    (unknown,) = problems(make_workspace, "ask: row has >= 1 where card.kind == 'x', for: base")
    assert unknown.code == "unknown-place"


@pytest.mark.soak
def test_a_bound_within_the_interval_is_said_as_that(make_workspace: Make) -> None:
    rule = "ask: 4 hands of 1 from stock some has >= 1 where card.kind == 'x', for: base, at least: 99.99%"
    found = problems(make_workspace, rule)
    assert {(one.level, one.code) for one in found} == {("warning", "odds")}
    assert "which lies within the interval" in found[0].what
    assert "simulated 10000 times" in found[0].what


def test_bounds_are_held_with_every_module_and_told_of_the_fewest(make_workspace: Make) -> None:
    modules = "modules:\n  a: {setup: [{pile: stock, replaces: stock, take: {duck: {where: card.kind == 'x'}}}]}\n"
    modules += "  b: {setup: [{row: other, take: {token: 1}}]}\nvariants:\n"
    setup = (SETUP % f"{HAND}, at most: 1/2").replace("variants:\n", modules)
    read, _ = load_game(make_workspace({**files(setup), "content/p/decks/token.yaml": DUCK}), "p")
    assert read is not None
    found = odds_problems(read)
    assert [(one.players, one.variant) for one in found] == [(2, "a"), (3, "a")]  # not `a,b`, and not `more,a`
    assert found[0].what.startswith("2 players, variant 'a': 'pair' is 100.0 % (exact)")


def test_what_is_accepted_is_a_note(make_workspace: Make) -> None:
    game = GAME + "accept: [{code: odds, players: 2, reason: it is fun}]\n"
    assert [one.level for one in problems(make_workspace, f"{HAND}, at least: 1/2", game)] == ["note", "error"]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (f"{HAND}, at least: much", "wrong-type"), (f"{HAND}, at least: 120%", "out-of-range"),
        ("at least: 1/2", "missing-key"), ("ask: hand of 2 from stok has a pair of kind", "unknown-place"),
        (f"{HAND}, for: mor", "unknown-variant"), ("ask: stock has sum of kind > 2", "bad-question"),
        ("ask: stock has >= 1 where card.kind = 'x'", "bad-expression"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_rule(make_workspace: Make, rule: str, code: str) -> None:
    assert {one.code for one in problems(make_workspace, rule)} == {code}


def test_the_interval_of_wilson() -> None:
    low, high = wilson(8, 10)
    assert (round(float(low), 4), round(float(high), 4)) == (0.4902, 0.9433)
    assert wilson(0, 100)[0] == 0
    assert wilson(100, 100)[1] == Fraction(1)


def test_what_is_for_some_player_counts_is_asked_and_played_at_those(make_workspace: Make) -> None:
    setup = SETUP.replace("more: {", "more: {only: 3, ") % HAND
    setup += "rounds: {steps: [{row: played, take: {stock: 1}}], until: stock == 0}\n"
    loaded = load(make_workspace(files(setup)), "p")
    answers = ask_odds(loaded, None, None, "more", runs=10, seed="a")
    assert [odds.players for odds in answers.odds["pair"]] == [3]
    assert [one.players for one in play_often(loaded, None, "more", 5, "a", 1).playouts] == [3]
    assert [one.players for one in play_often(loaded, None, None, 5, "a", 1).playouts] == [2, 3]
