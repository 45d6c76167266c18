"""docs/checks.md: every example gives exactly the problem it stands under, and every code of this room has one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from duckpress.check import CODES, check_game
from duckpress.check.mutation_check import unnoticed_changes
from duckpress.content import load_game
from duckpress.core.problems import Problem
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.vendors import VENDORS
from duckpress.views.shown_game import lay_out_game
from duckpress.views.vendor_order import order
from running import MakeWorkspace

PAGE = (Path(__file__).resolve().parents[2] / "docs/checks.md").read_text(encoding="utf-8")


def files_of(text: str) -> dict[str, str]:
    """Return the files written in the blocks of a text: each begins with `# file: path`; `fonts/` is no game's."""
    found = {}
    for block in re.findall(r"(?ms)^```(?:yaml|xml|csv|text)\n(.*?)^```", text):
        for part in re.split(r"(?m)^(?:# |<!-- )file: ", block)[1:]:
            path, _, content = part.partition("\n")
            path = path.removesuffix(" -->")
            found[path if path.startswith("fonts/") else f"content/pond/{path}"] = content
    return found


GAME = files_of(PAGE.partition("\n### ")[0])
PARTS = {part.partition("\n")[0]: re.split(r"(?m)^### ", part) for part in re.split(r"(?m)^## ", PAGE)}
# An example stands under its code; the files that a whole part has in common stand at its beginning.
EXAMPLES = {section.partition("\n")[0]: section for _, *sections in PARTS.values() for section in sections}
COMMON = {section.partition("\n")[0]: files_of(intro) for intro, *sections in PARTS.values() for section in sections}


def problems_of(files: Mapping[str, str], asked: str, make_workspace: MakeWorkspace) -> list[Problem]:
    """Return what is wrong with the game's files and setup; if that is nothing, what typesetting it finds."""
    workspace = make_workspace({**GAME, **files})
    game, problems = load_game(workspace, "pond")
    if game is None:
        return problems
    players, variant = re.search(r"`--players (\d+)`", asked), re.search(r"`--variant (\w+)`", asked)
    found = check_game(game, int(players[1]) if players else None, variant[1] if variant else None)
    if problems or found:
        return [*problems, *found]
    if "`--doubt`" in asked:
        return unnoticed_changes(game)
    vendor = re.search(r"`--for ([\w-]+)`", asked)
    if vendor:
        shown = lay_out_game(workspace, load(workspace, "pond"))
        ordered = order(VENDORS[vendor[1]], shown, shown.checked.pieces, lambda _name: None).checked
        return list(ordered.problems) if ordered is not None else []
    paper, gaps = re.search(r"`--paper (\w+)`", asked), re.search(r"`--gaps (\w+)`", asked)
    if paper or gaps:
        request = Request((paper[1] if paper else "a4",), gaps=gaps[1] if gaps else "auto")
        return list(build(workspace, load(workspace, "pond"), request, workspace.root).checked.problems)
    return list(check(workspace, load(workspace, "pond")).problems)


def test_the_game_of_the_examples_is_fine(make_workspace: MakeWorkspace) -> None:
    assert problems_of({}, "", make_workspace) == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_gives_its_problem(code: str, make_workspace: MakeWorkspace) -> None:
    asked = "".join(re.findall(r"Asked for: .*", EXAMPLES[code]))
    found = problems_of({**COMMON[code], **files_of(EXAMPLES[code])}, asked, make_workspace)
    assert {problem.code for problem in found} == {code}, "\n".join(map(str, found))


def test_every_code_of_the_rules_has_an_example() -> None:
    assert set(CODES) - {"setup-stopped", "too-many-steps"} <= set(EXAMPLES)  # no small example shows these; tests do


def test_what_doubt_says_on_the_page_is_what_it_says(make_workspace: MakeWorkspace) -> None:
    section = EXAMPLES["not-noticed"]
    problems = problems_of(files_of(section), "Asked for: `--doubt`", make_workspace)
    shown = re.findall(r"(?m)^    (content/.*\n        fix: .*)", section)
    assert [str(problem).replace("\n    ", "\n        ") for problem in problems] == shown
