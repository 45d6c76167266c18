"""How the program is written, as far as a test can see it: sentences, sizes of folders, where imports stand."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from program_trees import PROGRAM, nodes, program_sources

ROOT = Path(__file__).resolve().parent.parent


def test_a_folder_holds_about_twenty_modules() -> None:
    folders = Counter(Path(name).parent.as_posix() for name in program_sources() if not name.endswith("__init__.py"))
    assert {folder: count for folder, count in folders.items() if count > 22} == {}


WHOLE_PROGRAM = {"docs", "fuzz", "games", "hostile", "kit", "lost", "mutation", "oracle", "printshop"}
"""Folders of tests that are of no package: CONTRIBUTING.md says what each of them is for."""


def test_the_folders_of_tests_are_packages_of_the_program() -> None:
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}
    assert folders - {path.parent.name for path in PROGRAM.glob("*/__init__.py")} <= WHOLE_PROGRAM
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert [name for name in sorted(WHOLE_PROGRAM) if f"`tests/{name}`" not in page] == []


def test_docstrings_say_what_is_returned() -> None:
    """PEP 257 has "Return ..."; a function that yields says "Yield ..."."""
    wrong = []
    verbs = ("Give", "Gives", "Tell", "Tells", "Returns", "Yields")
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    for name, node in nodes(*kinds, having="|".join(verbs)):
        assert isinstance(node, kinds)
        first = (ast.get_docstring(node) or "").partition(" ")[0]
        if first in verbs:
            wrong.append(f"{name}:{node.body[0].lineno}")
    assert wrong == []
