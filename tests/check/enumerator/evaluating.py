"""Expressions of random setups: the part of them that reads the same in Python, so that Python evaluates them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any


class _Names(dict[str, Any]):
    """Names that are looked up only where they are needed."""

    def __init__(self, lookup: Callable[[str], Any]) -> None:
        self.lookup = lookup

    def __missing__(self, name: str) -> Any:
        return self.lookup(name)


@cache
def _compiled(text: str) -> Any:
    return compile(text, "<expression>", "eval")


def evaluate(text: str, lookup: Callable[[str], Any]) -> Any:
    """Return what an expression comes to."""
    return eval(_compiled(text), {"__builtins__": {}}, _Names(lookup))  # noqa: S307 - written by random_setups.py


@cache
def named_places(text: str) -> frozenset[str]:
    """Return the names an expression has, and the places that its calls look at, but for those of everybody's cards."""
    names = set()
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Name):
            names.add(node.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in ("total", "removed"):
            names |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return frozenset(names)
