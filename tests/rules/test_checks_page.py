"""docs/checks.md: every example gives exactly the problem it stands under, and every code of this room has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from duckpress.content import load_game
from duckpress.problems import Problem
from duckpress.rules import CODES, check_game
from duckpress.workspace import Workspace

PAGE = (Path(__file__).resolve().parents[2] / "docs/checks.md").read_text(encoding="utf-8")
MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]


def files_of(text: str) -> dict[str, str]:
    """Give the files written in the YAML blocks of a text: each begins with `# file: path`."""
    found = {}
    for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"(?m)^# file: ", block)[1:]:
            path, _, content = part.partition("\n")
            found[f"content/pond/{path}"] = content
    return found


SECTIONS = re.split(r"(?m)^### ", PAGE)
GAME = files_of(SECTIONS[0])
EXAMPLES = {section.partition("\n")[0]: section for section in SECTIONS[1:]}


def problems_of(files: Mapping[str, str], asked: str, make_workspace: MakeWorkspace) -> list[Problem]:
    game, problems = load_game(make_workspace({**GAME, **files}), "pond")
    if game is None:
        return problems
    players, variant = re.search(r"`--players (\d+)`", asked), re.search(r"`--variant (\w+)`", asked)
    found = check_game(game, int(players[1]) if players else None, variant[1] if variant else None)
    return [*problems, *found]


def test_the_game_of_the_examples_is_fine(make_workspace: MakeWorkspace) -> None:
    assert problems_of({}, "", make_workspace) == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_gives_its_problem(code: str, make_workspace: MakeWorkspace) -> None:
    asked = "".join(re.findall(r"Asked for: .*", EXAMPLES[code]))
    found = problems_of(files_of(EXAMPLES[code]), asked, make_workspace)
    assert {problem.code for problem in found} == {code}, "\n".join(map(str, found))


def test_every_code_of_the_rules_has_an_example() -> None:
    assert set(CODES) <= set(EXAMPLES)
