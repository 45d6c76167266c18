"""Every limit: a small game that goes over it where it is set low is told its code and its name, and passes set higher.

The game is the good one of `hostile_game` with some files replaced. The code that has to come is the one in the table
of docs/limits.md; `status 3` there means that the machine's message names the limit.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from harness import run_here
from hostile_game import FACE, GOOD, Files, game

from duckpress.limits import LIMITS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
CODES = dict(re.findall(r"(?m)^\| `([a-z-]+)` \|.*\| `?([^|`]+)`? \|$", PAGE))


class Case(NamedTuple):
    """A game that goes over a limit set to `low` and passes where it is set to `high`; what of the good game differs.

    `command` are the command lines: all but the last one only prepare, with the usual limits.
    """

    low: int
    high: int
    files: Files
    command: tuple[str, ...] = ("check g",)


def content(**files: str | bytes) -> dict[str, str | bytes]:
    """Give files of the game by their names, with `__` for `/` and `_` for the dot before the ending."""
    return {f"content/g/{name.replace('__', '/').replace('_', '.')}": text for name, text in files.items()}


CASES: dict[str, Case] = {
    # files
    "text-file": Case(600, 5000, content(setup_yaml=f"# {'x' * 1000}\nsetup: []\n")),
    "art-file": Case(100, 1000, content(art__pond_svg=f"{GOOD['content/g/art/pond.svg']!s}<!--{'x' * 200}-->")),
    "template-file": Case(500, 2000, game(face=FACE + "\n" * 1000)),
    "rules-file": Case(100, 2000, content(rules_md="# Pond\n\n" + "Quack quack. " * 20)),
}


@pytest.mark.parametrize("name", LIMITS)
def test_every_limit_has_a_case(name: str) -> None:
    assert name in CASES, f"no test goes over {name}"


@pytest.mark.parametrize("name", CASES)
def test_a_limit_holds_and_can_be_raised(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    *before, last = case.command
    run_here(tmp_path, "list", files={**GOOD, **case.files})
    for line in before:
        assert run_here(tmp_path, *line.split()).status == 0
    ran = run_here(tmp_path, "--limit", f"{name}={case.low}", *last.split())
    if CODES[name].startswith("status"):
        assert str(ran.status) == CODES[name].removeprefix("status ")
        assert f"--limit {name}=NUMBER" in ran.err
        assert run_here(tmp_path, "--limit", f"{name}={case.high}", *last.split()).status == 0
        return
    found = [problem for problem in ran.problems if problem["code"] == CODES[name]]
    assert found, ran
    assert f"--limit {name}=NUMBER" in found[0]["fix"], found
    assert found[0]["file"], found
    assert ran.status == (1 if found[0]["level"] == "error" else 0), ran
    ran = run_here(tmp_path, "--limit", f"{name}={case.high}", *last.split())
    assert not [problem for problem in ran.problems if problem["code"] == CODES[name]], ran
    assert ran.out
