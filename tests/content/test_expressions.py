"""Texts with expressions: what they are filled in with, and that nothing in them reaches out or runs away."""

from __future__ import annotations

import pytest

from duckpress.content.game.families import TextFiller
from duckpress.core.problems import Problem, Source

HERE = Source("f.yaml", 3, 10)
NAMES = {
    "s": {"name": "Teal", "value": 3, "rare": True, "items": 2, "parts": ("a", "b"), "none": None},
    "n": 2,
    "word": "x" * 1000,
}


def fill(text: str) -> str | Problem:
    filler = TextFiller()
    compiled = filler.compile(text, HERE, 1)
    return compiled if isinstance(compiled, Problem) else filler.fill(compiled, NAMES)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("plain {shot} {=cost}", "plain {shot} {=cost}"),
        ("{{ s.items }}", "2"),  # a record's own key wins over the method of that name
        ("{{ s.rare }}/{{ n / 2 }}", "yes/1"),
        ("{{ 'a}}b' }}", "a}}b"),
        ("a\n{{ s.parts|join(' + ') }}{{ s.none }}\nb", "a\na + b\nb"),
    ],
)
def test_texts_are_filled_in(text: str, filled: str) -> None:
    assert fill(text) == filled


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("ab {{ s.nmae }}", "unknown-name", 14),
        ("{{ s.__init__.__globals__ }}", "unknown-name", 11),
        ("{{ ''|attr('__class__') }}", "bad-expression", 11),
        ("{{ range(10) }}", "unknown-name", 11),
        ("{{ 'a' * 1000000000 }}", "bad-expression", 11),
        ("{{ word|join(word) }}", "bad-expression", 11),
        ("{{ 1 / 0 }}", "bad-expression", 11),
        ("{{ }}", "bad-expression", 11),
        ("a }} b", "bad-expression", 13),
        ("a {% for x in y %}", "bad-expression", 13),
        ("a\n{{ nothing }}", "unknown-name", 10),
    ],
)
def test_mistakes_are_problems_at_their_place(text: str, code: str, column: int) -> None:
    problem = fill(text)
    assert isinstance(problem, Problem), problem
    assert (problem.code, problem.source) == (code, Source("f.yaml", 3, column))
    assert problem.fix


@pytest.mark.parametrize("text", ["s.value > 2", "{{ s.value > 2 }}", " {{ s.rare and n }} "])
def test_a_condition_may_stand_with_or_without_braces(text: str) -> None:
    filler = TextFiller()
    condition = filler.compile_condition(text, HERE, 0)
    assert not isinstance(condition, Problem)
    assert filler.holds(condition, NAMES) is True


def test_two_expressions_are_no_condition() -> None:
    problem = TextFiller().compile_condition("{{ n }} {{ n }}", HERE, 0)
    assert isinstance(problem, Problem)
    assert problem.code == "bad-expression"
