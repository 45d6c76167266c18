"""Texts with expressions: what they are filled in with, and that nothing in them reaches out or runs away."""

from __future__ import annotations

import pytest

from duckpress.content.game.families import TextFiller
from duckpress.core.problems import Problem, Source

HERE = Source("f.yaml", 3, 10)
NAMES = {
    "s": {"id": "teal", "name": "Teal", "value": 3, "rare": True, "items": 2, "parts": ("a", "b"), "none": None},
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
        ("{{ s.name }} x{{ n }}", "Teal x2"),
        ("{{ s['name']|lower }}", "teal"),
        ("{{ s.items }}", "2"),  # a record's own key wins over the method of that name
        ("{{ s.rare }}/{{ not s.rare }}", "yes/no"),
        ("{{ n / 2 }} {{ n / 4 }} {{ 7 // 2 }} {{ 7 % 4 }} {{ 2 ** 3 }}", "1 0.5 3 3 8"),
        ("{{ 'a}}b' }}", "a}}b"),
        ("{{ {'teal': 'T'}[s.id] }}", "T"),
        ("{{ 'even' if n is divisibleby 2 else 'odd' }}", "even"),
        ("{{ s.parts|join(' + ') }}{{ s.none }}", "a + b"),
        ("{{ s.extra is defined }}, {{ s.extra|default('-') }}", "no, -"),
        ("{{ (7 / 3)|round(2) }}", "2.33"),
        ("a\n{{ n }}\nb", "a\n2\nb"),
    ],
)
def test_texts_are_filled_in(text: str, filled: str) -> None:
    assert fill(text) == filled


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("ab {{ s.nmae }}", "unknown-name", 14),
        ("{{ sex }}", "unknown-name", 11),
        ("{{ s.name.__class__ }}", "bad-expression", 11),
        ("{{ s.__init__.__globals__ }}", "unknown-name", 11),
        ("{{ ''|attr('__class__') }}", "bad-expression", 11),
        ("{{ '{0.__class__}'.format(s) }}", "bad-expression", 11),
        ("{{ range(10) }}", "unknown-name", 11),
        ("{{ cycler }}", "unknown-name", 11),
        ("{{ lipsum() }}", "unknown-name", 11),
        ("{{ s.pop('name') }}", "unknown-name", 11),
        ("{{ s.update({'a': 1}) }}", "unknown-name", 11),
        ("{{ 9 ** (9 ** 8) }}", "bad-expression", 11),
        ("{{ 999999999999999 * 999999999999999 }}", "bad-expression", 11),
        ("{{ 'a' * 1000000000 }}", "bad-expression", 11),
        ("{{ [0] * 1000000000 }}", "bad-expression", 11),
        ("{{ '%999999999d' % 1 }}", "bad-expression", 11),
        ("{{ 'a'.ljust(1000000000) }}", "bad-expression", 11),
        ("{{ 'a'|center(1000000000) }}", "bad-expression", 11),
        ("{{ word|join(word) }}", "bad-expression", 11),
        ("{{ 1 / 0 }}", "bad-expression", 11),
        ("{{ 1e308 * 10 }}", "bad-expression", 11),
        ("{{ 1|round(-1000000000) + 'a' }}", "bad-expression", 11),
        ("{{ " + "(" * 900 + "1" + ")" * 900 + " }}", "bad-expression", 11),
        ("{{ " + "1 +" * 5000 + " 1 }}", "bad-expression", 11),
        ("{{ }}", "bad-expression", 11), ("{{ 1 +", "bad-expression", 11), ("a }} b", "bad-expression", 13),
        ("a {% for x in y %}", "bad-expression", 13), ("a\n{{ nothing }}", "unknown-name", 10),
    ],
)  # fmt: skip
def test_mistakes_are_problems_at_their_place(text: str, code: str, column: int) -> None:
    problem = fill(text)
    assert isinstance(problem, Problem), problem
    assert (problem.code, problem.source) == (code, Source("f.yaml", 3, column))
    assert problem.fix


def test_the_nearest_name_is_offered() -> None:
    problem = fill("{{ s.nmae }}")
    assert isinstance(problem, Problem)
    assert problem.fix == "did you mean 'name'?"


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
