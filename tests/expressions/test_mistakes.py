"""What is said of a wrong expression: its code, its fix and the unknown name; and the line of a template."""

from __future__ import annotations

import pytest
from jinja2 import FunctionLoader
from jinja2.exceptions import TemplateSyntaxError

from duckpress.core import limits
from duckpress.core.problems import Problem, Source
from duckpress.expressions.budget import Budget, OutOfSteps
from duckpress.expressions.calculator import Calculator, compile_expression
from duckpress.expressions.parsing import ExpressionError, explained, fill_holes, holes, quoted, steps_of, template_line
from duckpress.expressions.profiles import FIELD, LAYOUT, SETUP, Profile
from duckpress.expressions.sandbox import Sandbox

CARD = {"id": "teal", "cost": None, "worth": None, "name": "Teal"}
VALUES = {"card": CARD, "rows": [1, 2], "players": 3}
PAGE = "docs/expressions.md"


def mistake(text: str, profile: Profile = FIELD, **values: object) -> ExpressionError:
    with pytest.raises(ExpressionError) as wrong:
        Calculator(profile, 1_000).value(compile_expression(profile, text), {**VALUES, **values})
    return wrong.value


BAD = "bad-expression"
NONE = "an empty value can be neither calculated with nor compared"
DEFAULT = "give the field 'default: 0' where empty means 0, or ask first whether it 'is not none'"
WRONG: list[tuple[str, str, str, str]] = [
    ("1 +", BAD, f"correct it; {PAGE} says what can be written", ""),
    ("1|uper", BAD, "did you mean 'upper'?", ""),
    ("1|zzzzzzzz", BAD, "use one of: abs, capitalize, count, default, first, float, int, join, last, length, ", ""),
    ("1 is evn", BAD, "did you mean 'even'?", ""),
    ("crad", "unknown-name", "did you mean 'card'?", "crad"),
    ("zzzzzz", "unknown-name", "use one of: card, players, rows", "zzzzzz"),
    ("card.nmae", "unknown-name", "did you mean 'name'?", "nmae"),
    ("rows[7]", "unknown-name", "check the name", "entry 7"),
    ("(1 if players > 5) + 1", "unknown-name", "say what it gives then: a if b else c", ""),
    ("'a' * 300000", BAD, "ask for less; if you trust this game, allow more with --limit expression-result=", ""),
    ("1 / 0", BAD, "guard it: a // b if b else 0", ""),
    ("card.cost + 1", BAD, DEFAULT, ""),
    ("rows.index(5)", BAD, f"{PAGE} says what can be used, and how much", ""),
]


@pytest.mark.parametrize(("text", "code", "fix", "name"), WRONG)
def test_a_mistake_has_this_fix(text: str, code: str, fix: str, name: str) -> None:
    """What is wrong stands in the golden files."""
    wrong = mistake(text)
    assert (wrong.code, wrong.name, wrong.offset) == (code, name, None)
    assert wrong.fix.startswith(fix)
    here = Source("a.yaml", 3, 4)
    assert wrong.problem(here) == Problem(code, here, str(wrong), wrong.fix)


def test_too_deep_an_expression_is_refused_with_its_limit() -> None:
    wrong = mistake("[" * 60 + "1" + "]" * 60)
    assert wrong.what.endswith("is refused: it is nested more than 50 deep")
    assert wrong.fix.startswith("write it more simply; ")
    assert "--limit template-depth" in wrong.fix


def test_a_card_without_empty_fields_or_none_at_all_is_not_spoken_of() -> None:
    assert mistake("none + players").what == f"'none + players' fails: {NONE}: 'cost' or 'worth' of card 'teal'"
    assert mistake("none + 1", card={"id": "a", "n": 1}).what == f"'none + 1' fails: {NONE}"
    assert mistake("none + 1", card=None).what == f"'none + 1' fails: {NONE}"


def test_what_python_says_of_a_failure_is_cut_short() -> None:
    wrong = explained(ValueError("x" * 500), FIELD, "'a'", {}, "a")
    assert (wrong.what, wrong.fix) == (f"'a' fails: {'x' * 200}", "check the values that it works with")
    assert explained(LookupError(), FIELD, "'a'", {}, "a").what == "'a' fails: LookupError"
    assert explained(TypeError("NoneType"), FIELD, "'a'", {"card": 5}, "a").what == f"'a' fails: {NONE}"


def test_a_template_that_calls_itself_without_end() -> None:
    wrong = explained(RecursionError("x"), LAYOUT, "the template", {}, "")
    assert (wrong.code, wrong.what, wrong.fix) == (
        "template-failed", "the template fails: a macro or an include calls itself without end", "let it end"
    )  # fmt: skip


def test_an_expression_is_quoted_and_cut_short() -> None:
    assert quoted("a" * 80) == repr("a" * 80)
    assert quoted("a" * 81) == repr("a" * 77 + "...")


def test_a_setup_has_to_say_how_many() -> None:
    for text in ("1 if players > 5", "[1 if players > 5][0]"):
        assert mistake(text, SETUP).what.endswith("gives nothing, as its condition does not hold"), text
    assert mistake("[1, [card.nmae]]", SETUP).what == "there is no 'nmae' in '[1, [card.nmae]]'"
    assert Calculator(FIELD).text(compile_expression(FIELD, "1 if players > 5"), VALUES) == ""
    assert Calculator(FIELD).text(compile_expression(FIELD, "[1 if players > 5, 2]"), VALUES) == "; 2"
    assert mistake("crad", FIELD).name == "crad"
    assert mistake("crad", SETUP).name == "crad"


@pytest.mark.parametrize(
    ("template", "file", "line"),
    [
        ("a\nb {{ 1 / 0 }}\n", "face.xml", 2),
        ("a\n{% macro m() %}\n{{ 1 / 0 }}{% endmacro %}\n{{ m() }}", "face.xml", 3),
        ("a\n\n{% include 'part.xml' %}\n", "part.xml", 2),
        ("a\n{% for %}", "face.xml", 2),
    ],
)
def test_the_innermost_line_of_a_template_is_told(template: str, file: str, line: int) -> None:
    files = {"face.xml": template, "part.xml": "\n{{ 1 / 0 }}"}
    sandbox = Sandbox(LAYOUT, Budget(LAYOUT), loader=FunctionLoader(lambda name: (files[name], name, None)))
    with pytest.raises((ZeroDivisionError, TemplateSyntaxError)) as wrong:
        sandbox.fill(sandbox.get_template("face.xml"), {}, "template-face")
    assert template_line(wrong.value, ".xml") == Source(file, line)
    assert template_line(ValueError("a"), ".xml") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []), ("plain } text }}", []), ("{{ a", []), ("{{a}}", [("a", 2, 0, 5)]),
        ("x {{  a b }}{{ c }}", [("a b", 6, 2, 12), ("c", 15, 12, 19)]),
        ("{{ {'a': {'b': 1}} }} }}", [("{'a': {'b': 1}}", 3, 0, 21)]),
        ("{{ '}}' }}", [("'}}'", 3, 0, 10)]), ('{{ "}}\\"}}" }}', [('"}}\\"}}"', 3, 0, 14)]),
        ("{{ a {{ b }}", [("a {{ b", 3, 0, 12)]), ("{{ 'a }}", [("'a", 3, 0, 8)]), ("{{ {a }}", [("{a", 3, 0, 8)]),
        ("{{ a } }}", [("a }", 3, 0, 9)]), ("{{ a }}}", [("a", 3, 0, 7)]), ("{{ }} {{", [("", 3, 0, 5)]),
    ],
)  # fmt: skip
def test_where_the_expressions_of_a_text_are(text: str, found: list[tuple[str, int, int, int]]) -> None:
    assert [tuple(hole) for hole in holes(text)] == found
    filled = fill_holes(text, lambda inner, offset: f"<{inner}@{offset}>")
    expected, end = "", 0
    for inner, offset, start, stop in found:
        expected, end = f"{expected}{text[end:start]}<{inner}@{offset}>", stop
    assert filled == expected + text[end:]


@pytest.mark.parametrize("opens", ["{% for a in LIST %}", "{% call m(LIST) %}"])
def test_the_steps_of_a_body_are_those_of_what_stands_in_it(opens: str) -> None:
    """That of a loop or call counts itself, and what it is given counts here."""
    text = f"{opens}{'a' * 640}{{% end{opens[3:7].strip()} %}}".replace("LIST", f"[1{', 1' * 13}]")
    tree = super(Sandbox, Sandbox(LAYOUT, Budget(LAYOUT)))._parse(text, None, None)
    assert (steps_of(tree), steps_of(tree.body)) == (1, 1)


def test_limits_are_those_of_when_the_budget_begins() -> None:
    limits.use({"template-parts": 20})
    with pytest.raises(ExpressionError, match="it has more than 20 parts"):
        compile_expression(FIELD, "1" + " + 1" * 20)
    limits.use({})
    assert Calculator(FIELD).value(compile_expression(FIELD, "1" + " + 1" * 20), {}) == 21


def test_an_expression_is_compiled_once_and_computed_against_the_budget_that_is_given() -> None:
    calculator = Calculator(FIELD, 100)
    compiled = compile_expression(FIELD, "players + 1")
    assert compile_expression(FIELD, "players + 1") is compiled
    assert [calculator.value(compiled, {"players": number}) for number in (1, 2)] == [2, 3]
    with pytest.raises(OutOfSteps, match="more than 100 steps"):
        calculator.value(compile_expression(FIELD, "w == w ~ 'a'"), {"w": "a" * 10_000})
    assert "min" in Calculator(SETUP).functions
