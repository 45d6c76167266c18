"""Finds every problem code that the program can give, by reading its source.

A giver is whatever takes a `code`: a function with a parameter of that name, or a record with such a field that says
`what` is wrong, too. What is handed to it is a code, or two with a condition, or a variable `code` whose values stand
elsewhere in the module, or one of a record `codes` that `Codes` made. Where a giver's name is not only its own, or it
does not say `what`, what looks like a code counts as one and the rest does not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache

from program_trees import nodes, tree_of

CODE = re.compile(r"[a-z]+\d*(-[a-z0-9]+)*")
_SURELY_CODE = re.compile(r"[a-z]+(-[a-z]+)+")


@cache
def all_codes() -> dict[str, str]:
    """Return every code, each with a call of the source that gives it."""
    defined = list(nodes(ast.FunctionDef, ast.ClassDef))
    everywhere = _givers(node for _, node in defined)
    own = {name: _givers(node for file, node in defined if file == name) for name in {file for file, _ in defined}}
    found: dict[str, str] = {}
    for file, node in nodes(ast.Call):
        assert isinstance(node, ast.Call)
        name, givers = _name(node.func), {**everywhere, **own.get(file, {})}  # what a module defines is what it calls
        codes = list(_texts(node)) if name == "Codes" else []
        if name in givers:
            position, is_sure = givers[name]
            codes += _codes_of(node, tree_of(file), position, is_sure=is_sure)
        for code in codes:
            found.setdefault(code, ast.unparse(node)[:160])
    return dict(sorted(found.items()))


def _givers(defined: Iterable[ast.AST]) -> dict[str, tuple[int, bool]]:
    """Return by its name what takes a code: which argument it is, and whether nothing else has that name."""
    givers: dict[str, int] = {}
    others = {"add"}  # a method of sets, too
    for node in defined:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
        elif isinstance(node, ast.ClassDef):
            fields = [_name(one.target) for one in node.body if isinstance(one, ast.AnnAssign)]
            builders = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
            names = [argument.arg for one in builders for argument in one.args.args][1:] or fields
        else:
            continue
        if "code" in names:
            givers[node.name] = names.index("code")
        if "code" not in names or "what" not in names:
            others.add(node.name)
    return {name: (position, name not in others) for name, position in givers.items() if name != "__init__"}


def _codes_of(call: ast.Call, module: ast.Module, position: int, *, is_sure: bool) -> Iterator[str]:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "code"] or call.args[position : position + 1]
    if len(call.args) + len(call.keywords) < 2:  # another function of that name: `set.add`, `Refused.problem`
        return
    for value in given:
        yield from _codes_in(value, module, call, is_sure=is_sure)


def _codes_in(value: ast.expr, module: ast.Module, call: ast.Call, *, is_sure: bool) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        if (CODE if is_sure else _SURELY_CODE).fullmatch(value.value):
            yield value.value
    elif isinstance(value, ast.IfExp):
        yield from _codes_in(value.body, module, call, is_sure=is_sure)
        yield from _codes_in(value.orelse, module, call, is_sure=is_sure)
    elif isinstance(value, ast.Name) and value.id == "code":
        yield from _assigned(module)
    elif not _is_passed_on(value) and is_sure:
        raise AssertionError(f"which code this gives cannot be told: {ast.unparse(call)}")


def _is_passed_on(value: ast.expr) -> bool:
    """Return whether a code is handed on that was given elsewhere: `refused.code`, `*trouble`, `codes.failed`."""
    is_of_codes = isinstance(value, ast.Attribute) and _name(value.value) == "codes"
    return isinstance(value, ast.Starred) or _name(value) == "code" or is_of_codes


def _assigned(module: ast.Module) -> Iterator[str]:
    """Yield the texts that look like codes in what is assigned to a variable `code`, alone or with others."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assign | ast.For):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.value if isinstance(node, ast.Assign) else node.iter
            if any(_name(one) == "code" for target in targets for one in ast.walk(target)):
                yield from _texts(value)


def _texts(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        text = one.value if isinstance(one, ast.Constant) else None
        if isinstance(text, str) and _SURELY_CODE.fullmatch(text):
            yield text


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
