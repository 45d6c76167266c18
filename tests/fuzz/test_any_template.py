"""Whatever stands in the expressions of a template, filling it gives the face or one problem, never an exception."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from targets import TARGETS

from duckpress.core import limits
from duckpress.core.problems import Source
from duckpress.expressions.budget import OutOfSteps
from duckpress.files.workspace import Workspace
from duckpress.layout.templates import Templates
from profiles import examples

HERE = Source("content/trial/decks/d.yaml", 3, 10)
VALUES = {
    "duck": {"id": "a", "title": "Heron", "value": 7, "tags": ["x", "y"], "inner": {"k": 1.5}, "none": None},
    "facts": {"rows": [[1, 2], [3]]},
    "list": [1, 2],
    "n": 3,
    "name": "Wade, wade",
}
ATOMS = st.one_of(
    st.integers(-5, 10**16).map(str),
    st.floats(allow_nan=False).map(repr),
    st.sampled_from(
        ["duck", "duck.title", "duck.tags", "duck.inner", "duck.none", "duck.nothing", "n", "name", "nothing", "true",
         "none", "''", "'x'", "'{}'", "[]", "()", "{}", "facts.rows", "range(3)", "namespace(a=1)", "loop", "self",
         "varargs", "t", "t('x')", "duck['value']", "name[0]", "name[1:]", "list[5]", "{'k': [1]}", "card.value",
         "players"]
    ),
    st.text("abc\"'\\{}%#_.|~()[]", max_size=6).map(repr),
)  # fmt: skip
FILTERS = (
    "upper", "length", "list", "sort", "join('-')", "map('upper')", "first", "last", "int", "float", "round(2)", "sum",
    "unique", "reverse", "default('d')", "replace('a', 'bb')", "batch(2)", "groupby('k')", "dictsort", "items", "max",
    "select('odd')", "selectattr('k')", "truncate(5)", "string", "number", "t", "safe", "e", "abs", "wordcount",
    "map(attribute='k')", "min", "trim", "title", "reject('in', [1])", "nothing", "attr('x')", "_looped(3)",
    "map('@ran')", "@looped(3)",
)  # fmt: skip
TESTS = ("defined", "none", "odd", "even", "string", "number", "in [1, 2]", "divisibleby 2", "mapping", "callable", "x")


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = ("+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", ">=", "in", "not in", "and", "or")
    return st.one_of(
        st.builds(lambda a, o, b: f"({a} {o} {b})", inner, st.sampled_from(operators), inner),
        st.builds(lambda a, f: f"({a}|{f})", inner, st.sampled_from(FILTERS)),
        st.builds(lambda a, t: f"({a} is {t})", inner, st.sampled_from(TESTS)),
        st.builds(lambda a, b: f"[{a}, {b}]", inner, inner),
        st.builds(lambda a, b: f"({a})[{b}]", inner, inner),
        st.builds(lambda a, b, c: f"({a} if {b} else {c})", inner, inner, inner),
        st.builds(
            lambda a, n: f"({a}).{n}", inner, st.sampled_from(["upper()", "split()", "k", "count(1)", "items()", "x"])
        ),
        st.builds(lambda a, b: f"({a})({b})", inner, inner),
        st.builds(lambda a: f"(-{a})", inner),
        st.builds(lambda a: f"(not {a})", inner),
    )


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=12)
CODES = ("template-syntax", "template-refused", "template-failed", "unknown-name", "missing-template")
BODIES = st.recursive(
    st.one_of(
        EXPRESSIONS.map(lambda one: f"{{{{ {one} }}}}"), st.sampled_from(["x", "<b/>", "{{", "{% end %}", "{#", "\n"])
    ),
    lambda inner: st.one_of(
        st.builds(lambda e, b: f"{{% for i in {e} %}}{b}{{% endfor %}}", EXPRESSIONS, inner),
        st.builds(lambda e, b: f"{{% if {e} %}}{b}{{% endif %}}", EXPRESSIONS, inner),
        st.builds(lambda e, b: f"{{% set n = {e} %}}{b}", EXPRESSIONS, inner),
        st.builds(lambda b, e: f"{{% macro m(a) %}}{b}{{% endmacro %}}{{{{ m({e}) }}}}", inner, EXPRESSIONS),
        st.builds(lambda b: f"{{% set s %}}{b}{{% endset %}}{{{{ s }}}}", inner),
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda b: f"{{% include 'front' %}}{b}", inner),
        st.builds(lambda b: f"{{% block b %}}{b}{{% endblock %}}", inner),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("any") / "content/trial/layouts"
    folder.mkdir(parents=True)
    return folder


@examples(25)
@given(source=BODIES)
def test_any_template_is_filled_or_a_problem(root: Path, source: str) -> None:
    limits.use({"template-steps": 5_000})
    try:
        (root / "front.xml").write_text(source, encoding="utf-8", errors="replace")
        templates = Templates(Workspace(root.parents[2]), "content/trial")
        template, problem = templates.open("front", HERE)
        if template is not None:
            xml, problem = templates.fill(template, VALUES)
            assert (xml == "") or problem is None
    finally:
        limits.use({})
    assert template is not None or problem is not None
    if problem is not None:
        assert problem.code in CODES
        assert problem.fix
        assert problem.source.line >= 1
        assert len(str(problem)) < 2_000


@examples(25)
@given(EXPRESSIONS)
def test_any_expression_of_a_card_or_a_setup_is_computed_or_a_problem(expression: str) -> None:
    for text in (expression, f"a {{{{ {expression} }}}}"):
        with suppress(OutOfSteps):
            TARGETS["expression"](text.encode("utf-8", "replace"))
