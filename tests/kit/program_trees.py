"""The syntax trees of the program's own files, each parsed once in a process, and only where somebody looks at it."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckpress

PROGRAM = Path(duckpress.__file__).parent


@cache
def program_sources() -> dict[str, str]:
    """Return the text of every file of the program, by its path in it."""
    files = sorted(PROGRAM.rglob("*.py"))
    return {path.relative_to(PROGRAM).as_posix(): path.read_text(encoding="utf-8") for path in files}


@cache
def tree_of(name: str) -> ast.Module:
    """Return the tree of a file of the program; the collector would walk all of it again and again meanwhile."""
    gc.disable()
    try:
        return ast.parse(program_sources()[name])
    finally:
        gc.enable()


@cache
def _by_kind(name: str) -> dict[type[ast.AST], list[ast.AST]]:
    found: dict[type[ast.AST], list[ast.AST]] = {}
    for node in ast.walk(tree_of(name)):
        found.setdefault(type(node), []).append(node)
    return found


def nodes(*kinds: type[ast.AST], having: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes of some kinds with their files, of which only those are parsed that have the pattern `having`."""
    for name, source in program_sources().items():
        if re.search(having, source):
            for kind in kinds:
                yield from ((name, node) for node in _by_kind(name).get(kind, ()))
