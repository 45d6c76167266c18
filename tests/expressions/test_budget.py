"""What may be spent, to the last step, letter and level: so much is let through, one more is refused."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import FunctionLoader
from jinja2.exceptions import TemplateSyntaxError

from duckpress.core import limits
from duckpress.expressions.budget import Budget, OutOfSteps, OverLimit, is_heavy, parts, weight
from duckpress.expressions.calculator import Calculator, compile_expression
from duckpress.expressions.parsing import ExpressionError, TemplateTooLarge
from duckpress.expressions.profiles import FIELD, LAYOUT, RULES, SETUP, Profile
from duckpress.expressions.sandbox import LazyValue, Sandbox

LOW = {"template-text": 100, "template-value": 1_000, "expression-result": 100, "template-steps": 500}


def layout(text: str, **values: Any) -> str:
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT))
    return sandbox.fill(sandbox.from_string(text), values, "template-face")


def value(profile: Profile, text: str, steps: int | None = None, **values: Any) -> Any:
    return Calculator(profile, steps).value(compile_expression(profile, text), values)


@pytest.mark.parametrize(("profile", "steps"), [(FIELD, 40), (SETUP, 20), (LAYOUT, 10), (RULES, 10)])
def test_work_counts_as_many_steps_as_the_use_has_for_it(profile: Profile, steps: int) -> None:
    Budget(profile, steps).compare("a" * 640)
    with pytest.raises(OutOfSteps) as refused:
        Budget(profile, steps - 1).compare("a" * 640)
    assert str(refused.value) == f"more than {steps - 1} steps are taken {profile.spent}"
    assert refused.value.limit == profile.steps


def test_a_budget_is_the_limit_of_its_use_unless_it_is_told_another_and_begins_again_whole() -> None:
    limits.use({"setup-steps": 70})
    budget = Budget(SETUP)
    budget.spend(70)
    assert budget.steps_left == 0
    limits.use({"setup-steps": 90})
    budget.begin()
    assert budget.steps_left == 90
    small = Budget(SETUP, 5)
    small.spend(2)
    small.begin()
    assert small.steps_left == 5
    with pytest.raises(OutOfSteps, match="more than 5 steps are taken to compute the setup"):
        small.spend(6)


TOO_LONG = {
    "'a' * n": "'*' would make something 101 long; 100 is the most",
    "'a' * 50 ~ 'b' * (n - 50)": "'~' would make something 101 long; 100 is the most",
    "['a' * (n - 52), 'b' * 50]|join('-')": "'join' would make something 101 long; 100 is the most",
    "('a' * (n - 51) ~ 'b')|replace('b', 'c' * 50)": "'replace' would make something 101 long; 100 is the most",
    "'a' * 60 + 'b' * (n - 60)": "a text of 101 letters comes out; 100 are the most",
    "([1] * n)[0]": "'*' would make something 101 long; 100 is the most",
}


@pytest.mark.parametrize(("text", "words"), TOO_LONG.items())
def test_a_text_may_be_as_long_as_the_limit(text: str, words: str) -> None:
    limits.use(LOW)
    layout(f"{{{{ {text} }}}}", n=100)
    with pytest.raises(OverLimit) as refused:
        layout(f"{{{{ {text} }}}}", n=101)
    assert (str(refused.value), refused.value.limit) == (words, "template-text")


def test_a_result_may_be_as_long_as_the_limit() -> None:
    limits.use(LOW)
    for text in ("w", "values"):
        names = {"w": "a" * 100, "values": [1] * 100}
        assert value(FIELD, text, None, **names) == names[text]
        names = {"w": "a" * 101, "values": [1] * 101}
        with pytest.raises(ExpressionError, match="it would make something 101 long; 100 is the most"):
            value(FIELD, text, None, **names)


def test_a_number_may_be_as_large_as_a_whole_float() -> None:
    assert value(FIELD, "n", None, n=10**15) == 10**15
    assert value(SETUP, "-n", None, n=10**15) == -(10**15)
    for number in (10**15 + 1, -(10**15) - 1, 1e16, float("nan"), float("inf")):
        with pytest.raises(ExpressionError, match=r"a number above 1e\+15 comes out"):
            value(FIELD, "n", None, n=number)


def test_an_expression_may_be_as_long_as_the_limit() -> None:
    limits.use({"expression": 10})
    assert value(FIELD, "1 + 222222") == 222223
    with pytest.raises(ExpressionError) as refused:
        value(FIELD, "1 + 2222222")
    assert refused.value.what == "the expression is longer than 10 letters"
    assert refused.value.code == "bad-expression"
    assert refused.value.fix.startswith("write it shorter, or part it; ")
    assert "--limit expression" in refused.value.fix


def test_weighing_stops_beyond_the_most() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert weight(endless, 100) == 102
    assert list(parts([1, ["a", {"b": 2}]])) == [[1, ["a", {"b": 2}]], ["a", {"b": 2}], {"b": 2}, 2, "b", "a", 1]


def test_a_list_may_be_as_heavy_as_the_limit() -> None:
    limits.use(LOW)
    budget = Budget(LAYOUT)
    assert budget.built([[1] * 997]) == [[1] * 997]
    assert budget.steps_left == 500 - 1_000 // 64
    with pytest.raises(OverLimit) as refused:
        budget.built([[1] * 998])
    assert str(refused.value) == "a list of more than 1000 parts comes out"
    assert refused.value.limit == "template-value"
    assert budget.built({"a": "b" * 1_001}) == {"a": "b" * 1_001}
    assert budget.built([1] * 2_000) == [1] * 2_000  # it holds nothing that holds more
    assert budget.built("a" * 2_000) == "a" * 2_000


def test_what_is_counted_comes_back_as_it_was() -> None:
    budget = Budget(LAYOUT)
    assert (budget.read("a"), budget.compare([1]), budget.search("b"), budget.search(range(2))) == (
        "a", [1], "b", range(2)
    )  # fmt: skip
    assert (budget.measured("a"), budget.measured([1]), budget.ran(1)) == ("a", [1], "")
    assert list(budget.looped(iter("ab"), 1)) == ["a", "b"]
    record = {"a": 1}
    assert budget.looped(record, 1) is record
    with pytest.raises(OverLimit):
        Budget(LAYOUT).built({"a": [[1] * 1_000] * 1_001})
    assert (is_heavy("a" * 1_000), is_heavy("a" * 1_001)) == (False, True)
    before = budget.steps_left
    assert len(budget.compare({n: n for n in range(31)}.keys())) == 31
    assert budget.steps_left == before - 2


def nested(opens: str, closes: str, times: int) -> str:
    return opens * times + "1" + closes * times


TOO_LARGE: dict[str, tuple[str, str, str]] = {
    "levels": (
        "{{ " + nested("[", "]", 46) + " }}", "{{ " + nested("[", "]", 49) + " }}", "it is nested more than 50 deep"
    ),
    "loops": (
        "{% for a in [] %}" * 15 + "{% endfor %}" * 15, "{% for a in [] %}" * 16 + "{% endfor %}" * 16,
        "more than 15 loops stand one in the other",
    ),
    "branches": (
        "{% if 0 %}" + "{% elif 0 %}" * 1_000 + "{% endif %}", "{% if 0 %}" + "{% elif 0 %}" * 1_001 + "{% endif %}",
        "more than 1000 'elif' follow one another; a list or a mapping looked into needs none",
    ),
    "numbers": ("{{ 1000000000000000 }}", "{{ 1000000000000001 }}", "a number is beyond 1e+15"),
    "recursion": ("{% for a in [] %}{% endfor %}", "{% for a in [] recursive %}{% endfor %}",
                  "recursive loops are not available"),
}  # fmt: skip


@pytest.mark.parametrize("kind", TOO_LARGE)
def test_a_template_may_be_as_large_as_it_may_and_more_is_told_with_its_file_and_line(kind: str) -> None:
    fits, does_not, words = TOO_LARGE[kind]
    loader = FunctionLoader(lambda name: (f"\n{does_not}", "layouts/face.xml", None))
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT), loader=loader)
    sandbox.from_string(fits)
    with pytest.raises(TemplateSyntaxError) as refused:
        sandbox.get_template("face")
    wrong = refused.value
    assert (wrong.message, wrong.lineno, wrong.name, wrong.filename) == (words, 2, "face", "layouts/face.xml")
    assert getattr(wrong, "limit", None) == ("template-depth" if "deep" in words else None)


def test_a_template_may_have_as_many_parts_as_the_limit() -> None:
    limits.use({"template-parts": 60})
    loader = FunctionLoader(lambda name: ("\n" * 7 + "{{ 1 }}" * 80, "layouts/face.xml", None))
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT), loader=loader)
    most = next(count for count in range(60) if not _is_read(sandbox, "{{ 1 }}" * (count + 1)))
    assert most == 58  # beside the template and what is written, so the limit is what it has in all
    with pytest.raises(TemplateTooLarge, match="it has more than 60 parts") as refused:
        sandbox.get_template("face")
    wrong = refused.value
    assert (wrong.limit, wrong.lineno, wrong.filename) == ("template-parts", 8, "layouts/face.xml")


def _is_read(sandbox: Sandbox, text: str) -> bool:
    try:
        sandbox.from_string(text)
    except TemplateTooLarge:
        return False
    return True


def test_a_face_may_be_as_long_as_the_limit() -> None:
    limits.use({"template-face": 20})
    assert layout("{{ a }}{{ a }}", a="b" * 10) == "b" * 20
    with pytest.raises(OverLimit) as refused:
        layout("{{ a }}{{ a }}c", a="b" * 10)
    assert str(refused.value) == "more than 20 letters are written for one face"
    assert refused.value.limit == "template-face"
    limits.use({})
    assert layout("{% for a in range(3000) %}{{ a }},{% endfor %}").count(",") == 3_000


def test_whether_a_key_of_a_record_was_read() -> None:
    game, other = {"version": "1", "title": "T"}, {"version": "2"}
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT))
    for text, was_read in {
        "{{ game.version }}": True, "{{ game['version'] }}": True, "{{ game.title }}": False,
        "{{ game['title'] }}": False, "{{ other.version }}": False, "{{ other['version'] }}": False, "": False,
    }.items():  # fmt: skip
        sandbox.begin(game, "version")
        sandbox.fill(sandbox.from_string(text), {"game": game, "other": other}, "template-face")
        assert sandbox.was_read is was_read, text
    sandbox.begin()
    sandbox.fill(sandbox.from_string("{{ game.version }}"), {"game": game}, "template-face")
    assert not sandbox.was_read


def test_a_lazy_value_is_made_once_and_only_where_it_is_asked_for() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return 42

    lazy = LazyValue(make)
    assert layout("{{ 1 }}", lazy=lazy) == "1"
    assert made == []
    assert layout("{{ lazy }} {{ lazy + 1 }}", lazy=lazy) == "42 43"
    assert layout("{% set lazy = 5 %}{{ lazy }}", lazy=lazy) == "5"
    assert made == [1]
