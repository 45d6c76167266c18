"""Reading a mapping by its declaration: kinds, defaults, and one problem for one mistake."""

from __future__ import annotations

from typing import Any

import pytest

from duckpress.content import Shape, read_shape, read_yaml
from duckpress.content.yaml.declared_shapes import omittable, optional
from duckpress.content.yaml.kinds import TEXT, whole
from duckpress.core.problems import Read


def read(text: str, **keys: Any) -> Read[Any]:
    """Return a mapping with these keys as it is read from YAML."""
    node, problems = read_yaml("f.yaml", text.encode())
    assert node is not None
    assert not problems
    return read_shape(node, type("ThingKeys", (Shape,), keys), "the thing")


@pytest.mark.parametrize("text", ["a:", "b: 1"])
def test_an_optional_key_that_is_left_out_or_empty_has_its_default(text: str) -> None:
    written, problems = read(text, a=optional(TEXT, "d", ""), b=optional(whole(), None, ""))
    assert written.a == "d"
    assert not problems


def test_a_key_that_may_be_left_out_may_not_be_left_empty() -> None:
    assert read("b: 1", a=omittable(TEXT, ""), b=omittable(TEXT, "")).value.a is None
    assert [problem.code for problem in read("a:", a=omittable(TEXT, "")).problems] == ["empty-value"]
