"""Letters of a rules sheet that are lost on the way to its pages are told by the program itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.text import typesetter

GAME = """\
title: Pond
version: "0.2"
players: 2
languages: [en]
theme: base
booklet: yes
about: Ducks on a pond.
pieces: [{id: cards, title: Cards, decks: [duck]}]
"""
DECK = "title: Ducks\nsize: poker\nfront: duck\ncards: [{id: teal}, {id: smew, copies: 2}]\n"
RULES = """\
---
columns: 2
---
# Play

[components]

1. **Take** a card.
2. Play {star}
   - or *not*,
   - or later.

![Two](card:duck/smew width=20mm)

> **Hint.** Ducks count.

| Duck | Cards |
|---|--:|
| Teal | 1 |
| Smew | 2 |
"""
RULES += "".join(
    f"\n## Part {part}\n\n{'Wherever ducks are counted, a duck is counted once. ' * 40}\n" for part in "abcdef"
)
Make = Callable[[Mapping[str, str | bytes]], Workspace]


@pytest.fixture
def problems(make_workspace: Make) -> Callable[[], tuple[Problem, ...]]:
    """Return a function that builds the rules and says what is wrong with them."""
    files: dict[str, str | bytes] = {
        "content/pond/game.yaml": GAME,
        "content/pond/decks/duck.yaml": DECK,
        "content/pond/layouts/duck.xml": '<face><ground fill="panel"/><text x="5" y="5">{{ card.id }}</text></face>',
        "content/pond/rules.md": RULES,
    }
    workspace = make_workspace(files)
    request = Request(papers=("a4",), pieces=("rules",))
    return lambda: build(workspace, load(workspace, "pond"), request, workspace.root / "output").checked.problems


DRAWN = typesetter.drawn_lines


def test_lost_letters_of_a_sheet_are_told_by_the_program_itself(
    problems: Callable[[], tuple[Problem, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typesetter, "drawn_lines", lambda *how: DRAWN(*how)[:-1])
    faults = [problem for problem in problems() if problem.code == "proof-frame"]
    assert faults
    assert faults[0].source.file == "content/pond/rules.md"
    assert "where '" in faults[0].what
