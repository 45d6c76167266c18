"""Reading a mapping by its declaration: kinds, defaults, and one problem for one mistake."""

from __future__ import annotations

from typing import Any

import pytest

from duckpress.content import Shape, read_shape, read_yaml
from duckpress.content.yaml.declared_shapes import Kind, omittable, optional, required
from duckpress.content.yaml.kinds import TEXT, TEXTS, YES_NO, choice, list_of, number, shape, whole
from duckpress.core.problems import Read, Source


class InnerKeys(Shape):
    """A mapping in the thing."""

    a = required(TEXT, "")
    b = required(TEXT, "")


def read(text: str, **keys: Any) -> Read[Any]:
    """Return a mapping with these keys as it is read from YAML."""
    node, problems = read_yaml("f.yaml", text.encode())
    assert node is not None
    assert not problems
    return read_shape(node, type("ThingKeys", (Shape,), keys), "the thing")


COLOUR = choice(("red", "blue"))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a: 3:1", TEXT, "3:1"), ("a: +3", whole(0, 9), 3), ("a: 1e3", number(), 1000.0), ("a: .5", number(), 0.5),
        ("a: no", YES_NO, False), ("a: red", COLOUR, "red"), ("a: [x, 1]", TEXTS, ("x", "1")),
    ],
)  # fmt: skip
def test_values_are_what_is_declared(text: str, kind: Kind[object], value: object) -> None:
    for key in (required(kind, ""), optional(kind, None, ""), omittable(kind, "")):
        written, problems = read(text, a=key)
        assert written.a == value
        assert written.at("a") == Source("f.yaml", 1, 4)
        assert not problems


@pytest.mark.parametrize("text", ["a:", "b: 1"])
def test_an_optional_key_that_is_left_out_or_empty_has_its_default(text: str) -> None:
    written, problems = read(text, a=optional(TEXT, "d", ""), b=optional(whole(), None, ""))
    assert written.a == "d"
    assert not problems


def test_a_key_that_may_be_left_out_may_not_be_left_empty() -> None:
    assert read("b: 1", a=omittable(TEXT, ""), b=omittable(TEXT, "")).value.a is None
    assert [problem.code for problem in read("a:", a=omittable(TEXT, "")).problems] == ["empty-value"]


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ('a: "3"', whole(), "wrong-type"), ("a: 0x10", whole(), "wrong-type"), ("a: 1_000", number(), "wrong-type"),
        ("a: .nan", number(), "wrong-type"), ("a: 1e999", number(), "out-of-range"),
        ("a: 10", whole(0, 9), "out-of-range"), ("a: rde", COLOUR, "unknown-choice"),
        ("a: x", shape(InnerKeys), "wrong-type"), ("a: x", list_of(TEXT), "wrong-type"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_one_problem_at_its_place(text: str, kind: Kind[object], code: str) -> None:
    _, problems = read(text, a=required(kind, ""))
    assert [problem.code for problem in problems] == [code]
    assert problems[0].source.line == 1
    assert problems[0].source.column >= 3
    assert problems[0].fix


def test_a_misspelt_required_key_is_one_problem() -> None:
    _, problems = read("titel: x\ncolour: red\n", title=required(TEXT, ""))
    assert [(problem.code, problem.source.line) for problem in problems] == [("unknown-key", 1), ("unknown-key", 2)]
    assert problems[0].fix == "did you mean 'title'?"
