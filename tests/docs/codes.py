"""Finds every problem code that the program can give, by reading its source.

A giver is whatever takes a `code`: a function with a parameter of that name, or a record with such a field. What is
handed to it there is a code, or two with a condition, or a variable `code` whose values stand elsewhere in the module,
or one of a record `codes` that `Codes` made. Codes of one word are given to `Problem` alone, or to who says `what`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from program_trees import nodes, tree_of

CODE = re.compile(r"[a-z]+\d*(-[a-z0-9]+)*")
_SURELY_CODE = re.compile(r"[a-z]+(-[a-z]+)+")


@cache
def all_codes() -> dict[str, str]:
    """Return every code, each with a call of the source that gives it."""
    givers: dict[str, set[tuple[int, bool]]] = {}
    others = {"add"}  # a method of sets, too
    for _, node in nodes(ast.FunctionDef, ast.ClassDef):
        names = _taken(node)
        if "code" in names:
            givers.setdefault(_name(node), set()).add((names.index("code"), "what" in names))
        if not {"code", "what"} <= {*names}:
            others.add(_name(node))
    found: dict[str, str] = {}
    for file, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        name = _name(node.func)
        codes = set(_texts(node, _SURELY_CODE)) if name == "Codes" else set()
        for position, says_what in givers.get(name, ()) if len(node.args) + len(node.keywords) > 1 else ():
            given = [one.value for one in node.keywords if one.arg == "code"] + node.args[position : position + 1]
            for value in given[:1]:
                assert name in others or _is_told(value), f"which code this gives cannot be told: {ast.unparse(node)}"
                codes |= set(_codes_in(value, tree_of(file), CODE if says_what else _SURELY_CODE))
        for code in sorted(codes):
            found.setdefault(code, ast.unparse(node)[:160])
    return dict(sorted(found.items()))


def _taken(node: ast.AST) -> list[str]:
    """Return the names of what a function takes, or of the fields of a record."""
    if isinstance(node, ast.FunctionDef):
        return [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
    assert isinstance(node, ast.ClassDef)
    builders = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    fields = [_name(one.target) for one in node.body if isinstance(one, ast.AnnAssign)]
    if not builders and not fields and "Mistake" in map(_name, node.bases):
        return ["code", "what", "fix"]
    return _taken(builders[0]) if builders else fields


def _is_told(value: ast.expr) -> bool:
    """Return whether a code stands there, or was given elsewhere: `refused.code`, `*trouble`, `codes.failed`."""
    of = value.value if isinstance(value, ast.Attribute) else value
    return isinstance(value, ast.Constant | ast.IfExp | ast.Starred) or "code" in (_name(value), _name(of)[:4])


def _codes_in(value: ast.expr, module: ast.Module, code: re.Pattern[str]) -> Iterator[str]:
    if isinstance(value, ast.Constant | ast.IfExp):
        yield from _texts(value, code)
    elif isinstance(value, ast.Name) and value.id == "code":  # texts that look like codes where it is assigned
        for node in ast.walk(module):
            if isinstance(node, ast.Assign | ast.For):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(_name(one) == "code" for target in targets for one in ast.walk(target)):
                    yield from _texts(node.value if isinstance(node, ast.Assign) else node.iter, _SURELY_CODE)


def _texts(node: ast.AST, code: re.Pattern[str]) -> Iterator[str]:
    for one in ast.walk(node):
        text = one.value if isinstance(one, ast.Constant) else None
        if isinstance(text, str) and code.fullmatch(text):
            yield text


def _name(node: ast.AST) -> str:
    return str(getattr(node, "id", getattr(node, "attr", getattr(node, "name", ""))))
