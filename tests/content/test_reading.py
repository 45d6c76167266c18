"""Reading a mapping key by key: types, defaults, and one problem for one mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duckpress.content import Mapping, Reader, read_yaml
from duckpress.core.problems import Problem, Source


def reader_of(text: str) -> tuple[Reader, list[Problem]]:
    problems: list[Problem] = []
    node = read_yaml("f.yaml", text.encode(), problems)
    assert isinstance(node, Mapping)
    return Reader(node, "the thing", problems), problems


@pytest.mark.parametrize(
    ("text", "ask", "value"),
    [
        ("a: no", lambda r: r.text("a"), "no"),
        ("a: 3:1", lambda r: r.text("a"), "3:1"),
        ("a: 0o17", lambda r: r.text("a"), "0o17"),
        ("a: 012", lambda r: r.whole("a"), 12),
        ("a: +3", lambda r: r.whole("a", low=0, high=9), 3),
        ("a: 1e3", lambda r: r.number("a"), 1000.0),
        ("a: .5", lambda r: r.number("a"), 0.5),
        ("a: True", lambda r: r.yes_no("a"), True),
        ("a: no", lambda r: r.yes_no("a"), False),
        ("a: red", lambda r: r.choice("a", ("red", "blue")), "red"),
        ("a: [x, 1]", lambda r: r.texts("a"), ("x", "1")),
        ("a:", lambda r: r.text("a", "d"), "d"),
        ("b: 1", lambda r: (r.whole("b"), r.whole("a", default=None))[1], None),
    ],
)
def test_values_are_what_is_asked_for(text: str, ask: Callable[[Reader], object], value: object) -> None:
    reader, problems = reader_of(text)
    assert ask(reader) == value
    reader.finish()
    assert not problems


@pytest.mark.parametrize(
    ("text", "ask", "code"),
    [
        ('a: "3"', lambda r: r.whole("a"), "wrong-type"),
        ("a: 0x10", lambda r: r.whole("a"), "wrong-type"),
        ("a: 1_000", lambda r: r.number("a"), "wrong-type"),
        ("a: .nan", lambda r: r.number("a"), "wrong-type"),
        ("a: 1e999", lambda r: r.number("a"), "out-of-range"),
        ("a: 10", lambda r: r.whole("a", low=0, high=9), "out-of-range"),
        ("a: on", lambda r: r.yes_no("a"), "wrong-type"),
        ("a: rde", lambda r: r.choice("a", ("red", "blue")), "unknown-choice"),
        ("a: x", lambda r: r.texts("a"), "wrong-type"),
        ("a: [x, [y]]", lambda r: r.texts("a"), "wrong-type"),
        ("a: ", lambda r: r.text("a"), "empty-value"),
        ("a: {x: 1}", lambda r: r.text("a"), "wrong-type"),
        ("a: x", lambda r: r.reader("a"), "wrong-type"),
        ("a: x", lambda r: r.items("a"), "wrong-type"),
    ],
)
def test_a_wrong_value_is_one_problem_at_its_place(text: str, ask: Callable[[Reader], object], code: str) -> None:
    reader, problems = reader_of(text)
    ask(reader)
    reader.finish()
    assert [problem.code for problem in problems] == [code]
    assert problems[0].source.line == 1
    assert problems[0].source.column >= 3
    assert problems[0].fix


def test_a_missing_key_is_reported_at_the_mapping() -> None:
    reader, problems = reader_of("x: {b: 1}")
    inner = reader.reader("x")
    assert inner is not None
    assert (inner.text("a"), inner.text("b")) == ("", "1")
    inner.finish()
    assert [(problem.code, problem.source) for problem in problems] == [("missing-key", Source("f.yaml", 1, 4))]


def test_a_misspelt_required_key_is_one_problem() -> None:
    reader, problems = reader_of("titel: x\ncolour: red\n")
    reader.text("title")
    reader.finish()
    assert [(problem.code, problem.source.line) for problem in problems] == [("unknown-key", 1), ("unknown-key", 2)]
    assert problems[0].fix == "did you mean 'title'?"
