"""The syntax trees of the program's own files, each parsed once in a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckpress

PROGRAM = Path(duckpress.__file__).parent


@cache
def program_trees() -> dict[str, ast.Module]:
    """Return the tree of every file of the program, by its path in it."""
    files = sorted(PROGRAM.rglob("*.py"))
    return {path.relative_to(PROGRAM).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}


@cache
def _by_kind() -> dict[type[ast.AST], list[tuple[str, ast.AST]]]:
    found: dict[type[ast.AST], list[tuple[str, ast.AST]]] = {}
    for name, tree in program_trees().items():
        for node in ast.walk(tree):
            found.setdefault(type(node), []).append((name, node))
    return found


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes of some kinds, each with the file that holds it."""
    for kind in kinds:
        yield from _by_kind().get(kind, ())
