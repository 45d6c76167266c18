"""Patterns mean the same in every Python 3.11: up to 3.11.4 `(...)*+` takes what it may not, or nothing at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parent.parent / "generator"
# Of one sign or one class a possessive repeat is right everywhere; of a group, `(?>(?:...)*)` says the same and is.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every text and all bytes that a module holds, with their lines; of an f-string its parts."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            value = node.value
            yield node.lineno, value if isinstance(value, str) else value.decode("latin-1")


@pytest.mark.parametrize("pattern", ["(?:a|b)*+", "(a)++c", "(?:[ab]++){3,}+", "(?:a)?+", "(?:ab){1,3}+"])
def test_a_possessive_group_is_found(pattern: str) -> None:
    assert POSSESSIVE_GROUP.search(pattern)


@pytest.mark.parametrize("pattern", [r"\s++(a)+", r"(?>(?:a|b)*)", r"[^)]*+", r"\)*+", r"(?:[^()]*+\))*"])
def test_what_is_right_everywhere_is_not(pattern: str) -> None:
    assert not POSSESSIVE_GROUP.search(pattern)


def test_no_pattern_of_the_program_repeats_a_group_possessively() -> None:
    modules = sorted(PROGRAM.rglob("*.py"))
    found = [
        f"{path.relative_to(PROGRAM)}:{line}: write (?>(?:...)*) in {text!r}"
        for path in modules
        for line, text in strings_of(path)
        if POSSESSIVE_GROUP.search(text)
    ]
    assert len(modules) > 100
    assert found == []
