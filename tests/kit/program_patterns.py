"""Every regular expression of the program: those its modules hold once imported, and those that functions write out."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import duckpress
from program_trees import PROGRAM, program_sources, tree_of

_FUNCTIONS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
_FLAGS_AT = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2}
HANDED_ON = {("duckpress.check.expressions", "_offset")}
"""Functions whose first argument, `pattern`, goes to `re`: what they are called with is read as if it went there."""
HANDED_ON_AS = "pattern"
Compiled = re.Pattern[Any]


class Written(NamedTuple):
    """A pattern, and where it is written; `name` is that of the module with its own, or with the pattern's text."""

    name: str
    pattern: Compiled


def program_modules() -> Iterator[ModuleType]:
    """Yield every module of the program, imported; those of an extra where it is installed."""
    for found in pkgutil.walk_packages(duckpress.__path__, "duckpress."):
        if not found.name.endswith("__main__"):
            try:
                yield importlib.import_module(found.name)
            except ModuleNotFoundError as error:
                if error.name != "distributed":
                    raise


@cache
def program_patterns() -> list[Written]:
    """Return the patterns of the program, each once."""
    written = {}
    for module in program_modules():
        for pattern in (*_held(vars(module).values()), *_in_functions(module)):
            if pattern not in written:
                names = [name for name, value in vars(module).items() if value is pattern]
                place = module.__name__.removeprefix("duckpress.")
                written[pattern] = Written(f"{place}:{names[0] if names else pattern.pattern}", pattern)
    return list(written.values())


def _held(values: Iterable[object], depth: int = 3) -> Iterator[Compiled]:
    """Yield the patterns among values, also inside of what holds others: tuples, mappings, classes."""
    for value in values:
        if isinstance(value, re.Pattern):
            yield value
        elif depth and isinstance(value, list | tuple | set | frozenset):
            yield from _held(value, depth - 1)
        elif depth and isinstance(value, dict):
            yield from _held((*value.keys(), *value.values()), depth - 1)
        elif depth and hasattr(value, "__self__"):  # `_WORD.fullmatch`, kept as a function
            yield from _held([value.__self__], 0)
        elif depth and str(getattr(value, "__module__", "")).startswith("duckpress"):
            fields = getattr(value, "__struct_fields__", ()) if not isinstance(value, type) else ()
            own = dict(vars(value)) if hasattr(value, "__dict__") else {}
            yield from _held([*own.values(), *(getattr(value, name) for name in fields)], depth - 1)


def _in_functions(module: ModuleType) -> Iterator[Compiled]:
    """Yield the patterns that calls such as `re.sub(...)` write out, with the module's own names filled in."""
    file = Path(str(module.__file__)).relative_to(PROGRAM).as_posix()
    nodes = list(ast.walk(tree_of(file))) if re.search(r"\bre\b", program_sources()[file]) else []
    assigned = {
        target.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        place = f"{module.__name__}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.ImportFrom) and node.module == "re"), f"{place}: import re as a module"
        if not (isinstance(node, ast.Call) and node.args):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="re"), attr=function) if function in _FUNCTIONS:
                at = _FLAGS_AT.get(function, 99)
            case ast.Name(id=function) if (module.__name__, function) in HANDED_ON:
                at = 99
            case _:
                continue
        flags = [*node.args[at : at + 1], *(one.value for one in node.keywords if one.arg == "flags")]
        for written in _choices(node.args[0], assigned.keys() - vars(module).keys(), assigned):
            text = _filled(written, module)
            if text is not None:
                yield re.compile(text, _filled(flags[0], module) if flags else 0)
            else:
                words = ast.unparse(written)
                assert words == HANDED_ON_AS or words.startswith("re.escape("), f"{place}: {words} cannot be read"


def _choices(node: ast.expr, local: Set[str], assigned: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    """Yield the ways in which a pattern is written: behind a name of the function, on both sides of a condition."""
    if isinstance(node, ast.Name) and node.id in local:
        yield from _choices(assigned[node.id], local - {node.id}, assigned)
    elif isinstance(node, ast.IfExp):
        yield from _choices(node.body, local, assigned)
        yield from _choices(node.orelse, local, assigned)
    else:
        yield node


def _filled(node: ast.expr, module: ModuleType) -> Any:
    """Return what an expression of a module is; None where only a function knows."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(_filled(value, module) or "x") for value in node.values)
    inner = node.value if isinstance(node, ast.FormattedValue) else node
    try:
        return eval(compile(ast.Expression(inner), "", "eval"), dict(vars(module)))  # noqa: S307  # the program's own source
    except NameError:
        return None
