"""`docs/architecture.md`: what it names is there, in the order of the layers, and it stays a page."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise

from pages import ROOT, Page, rows_of

PROGRAM = ROOT / "generator" / "duckpress"
PAGE = Page("architecture")
TASKS = (
    "element", "field kind", "check", "finding of the proof", "command", "paper", "vendor", "export", "language",
    "limit", "file format",
)  # fmt: skip


def test_it_stays_a_page() -> None:
    assert len(PAGE.text.splitlines()) <= 160


def test_the_packages_are_those_of_the_tree_in_the_order_of_the_layers() -> None:
    named = [name for row in rows_of(PAGE.sections["The packages"]) for name in re.findall("`([a-z]+)`", row[0])]
    there = {path.parent.name for path in PROGRAM.glob("*/__init__.py")}
    assert set(named) == there
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    layers = [set(re.findall("[a-z]+", layer)) for layer in contract["layers"] if layer != "__main__"]
    places = {name: place for place, layer in enumerate(reversed(layers)) for name in layer}
    missed = [(one, next_) for one, next_ in pairwise(named) if places[one] > places[next_]]
    assert not missed, "these stand before what they import"


def test_files_that_are_named_are_there() -> None:
    paths = re.findall(r"`([a-z_]+/[a-z_./-]+)`", PAGE.text)
    assert len(paths) > 20
    missing = [path for path in paths if not (PROGRAM / path).exists() and not (ROOT / path).exists()]
    assert set(missing) <= {"output/duck-blind/"}


def test_where_to_add_what_people_add() -> None:
    rows = rows_of(PAGE.sections["Where do I add ..."])
    assert [task for task in TASKS if not any(task in row[0] for row in rows)] == []
    assert [row[0] for row in rows if not re.search("`[a-z_/]+", row[1])] == []


def test_names_in_code_are_there() -> None:
    """What looks like a name of the program's is one: a class, a function or a module."""
    program = "\n".join(path.read_text(encoding="utf-8") for path in PROGRAM.rglob("*.py"))
    names = set(re.findall(r"\w+", program))
    assert set(re.findall(r"`([A-Z][A-Za-z]+|[a-z]+_[a-z_]+|CHECKS)`", PAGE.text)) - names == set()
    for package, module in re.findall(r"`([a-z]+)\.([a-z_]+)[a-z_.]*`", PAGE.text):
        if (PROGRAM / package).is_dir():
            assert any((PROGRAM / package / f"{module}{end}").exists() for end in ("", ".py")), f"{package}.{module}"
