"""The file that shows the whole stream stays one that a newcomer can read."""

from __future__ import annotations

import ast
from pathlib import Path

from duckpress.press import pipeline

TEXT = Path(pipeline.__file__).read_text(encoding="utf-8")


def test_it_is_short() -> None:
    assert TEXT.count("\n") <= 150


def test_it_has_no_closures_and_imports_at_the_top_only() -> None:
    functions = [node for node in ast.walk(ast.parse(TEXT)) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function) if node is not function]
    odd = (ast.FunctionDef, ast.Lambda, ast.Import, ast.ImportFrom, ast.ClassDef)
    assert [ast.unparse(node) for node in inside if isinstance(node, odd)] == []
    assert "ExitStack" not in TEXT


def test_it_names_every_stage_in_its_order() -> None:
    table = [line.split()[0] for line in TEXT.partition('"""')[2].partition('"""')[0].splitlines() if " -> " in line]
    called = [
        (node.lineno, node.col_offset, node.func.id)
        for node in ast.walk(ast.parse(TEXT))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in table
    ]
    in_order = list(dict.fromkeys(name for *_, name in sorted(called)))
    assert in_order == [name for name in table if name != "load_all"], "the games are read before a build begins"
