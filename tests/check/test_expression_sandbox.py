"""Expressions from strangers: nothing but arithmetic over the setup's own numbers, at once, and in little memory."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.check.expressions import read_expression
from small_games import small_game

HOSTILE = [
    "facts['__class__'].__subclasses__()",
    "players.__class__.__base__",
    "players.bit_length()",
    "players[0:9]",
    "{'a': 1}",
    "count(*[1])",
    "count(**facts)",
    "{% for a in facts %}",
    "count(1)",
    "sum('cards', players)",
    "total(facts)",
    "x" * 501,
    "count('cards', where=\"count('cards', where='1 // 0')\")",
    "count('cards', \"card.x.y.z\")",
    "not " * 120 + "1",
    "1 +" * 200,
]
"""What no other use of expressions has, and a few doors that all have: golden files of tests/expressions have more."""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_expressions_are_one_problem_each(text: str) -> None:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    game = small_game(f"setup:\n  - pile: draw\n    take: {{cards: {quoted}}}\n", cards=20, facts={"a": 1})
    codes = {problem.code for problem in check_game(game)}
    assert codes & {"bad-expression", "not-whole", "unknown-name", "unknown-function", "unknown-deck", "unknown-field",
                    "unknown-place", "unknown-fact", "negative-amount"}  # fmt: skip


def test_whole_numbers_are_not_compiled() -> None:
    reading = read_expression("28")
    assert (reading.constant, reading.compiled) == (28, None)


def test_a_reading_names_what_it_uses_and_where() -> None:
    reading = read_expression("play_deck % (players + 1) == count('duck', where=\"card.sex == 'hen'\") + card['b']")
    assert [(word.text, word.offset) for word in reading.names] == [("play_deck", 0), ("players", 13), ("card", 72)]
    assert [(word.text, word.offset) for word in reading.card_fields] == [("b", 78)]
    (call,) = reading.calls
    assert (call.function, call.offset) == ("count", 29)
    assert call.origin is not None
    assert (call.origin.text, call.origin.offset) == ("duck", 36)
    assert call.where is not None
    assert call.where.text == "card.sex == 'hen'"


@pytest.mark.parametrize("call", ["count()", "spaces()", "left('cards', 'more')"])
def test_a_function_that_is_given_too_little_or_too_much_is_told_by_its_name(call: str) -> None:
    game = small_game(f'setup:\n  - pile: draw\n    take: {{cards: 1}}\nexpect:\n  - that: "{call}"\n', cards=20)
    (problem,) = check_game(game)[:1]
    assert f"fails: {call.partition('(')[0]}() " in problem.what


def test_an_unknown_key_in_a_list_is_a_problem() -> None:
    setup = "setup:\n  - pile: draw\n    take: {cards: 1}\nexpect:\n  - that: '[facts.a.y]'\n    is: '[1]'\n"
    (problem,) = check_game(small_game(setup, cards=1, facts={"a": {"x": 1}}))
    assert (problem.code, problem.what) == ("bad-expression", "there is no 'y' in '[facts.a.y]'")
