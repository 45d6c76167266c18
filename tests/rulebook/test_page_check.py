"""The oracle of pages sees faults in setting rules: it holds pages against what their filled lines ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.rulebook import pages, sheet
from duckpress.rulebook.block_setting import BlockSetting
from duckpress.rulebook.blocks import GeneratedBlocks
from duckpress.rulebook.furniture import PageSetter
from duckpress.text import typesetter
from oracle.page_check.asked_letters import asked_of_lines, joined
from oracle.watching import watch

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


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    watch(monkeypatch.setattr)


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


def test_lines_say_what_they_ask_for() -> None:
    asked = list(asked_of_lines(RULES.split("\n")[3:], iter([()])))
    letters = "play1.takeacard.2.play{}ornot,orlater.{}twohint.duckscount.duckcardsteal1smew2parta"
    assert joined(asked).startswith(letters)
    assert [one.style for one in asked if one.letters == "hint.duckscount."] == ["rules-callout"]
    assert [target for one in asked for target in one.shows] == [None, "card:duck/smew"]
    assert joined(asked_of_lines(["2. one", "2) two", "", "text", "7. text", "", "4. four"], iter(()))) == (
        "2.one3.twotext7.text4.four"
    )


MAKE = pages.make_pages
DRAWN = typesetter.drawn_lines
COLUMN_ITEMS = pages._column_items


def _without_last(sections: Any, *more: Any) -> Any:
    """Return pages without the last strip of the last section."""
    *before, last = sections
    return MAKE([*before, last.__class__(last.columns, last.slugs[:-1])], *more)


def _twice(column: Any, x_mm: float, y_mm: float) -> Any:
    return [*COLUMN_ITEMS(column, x_mm, y_mm), *COLUMN_ITEMS(column, x_mm, y_mm)]


def _lower(column: Any, x_mm: float, y_mm: float) -> Any:
    return COLUMN_ITEMS(column, x_mm + 4, y_mm)


def _numbered(self: PageSetter, made: Any, *more: Any) -> Any:
    return FINISHED(self, made[::-1], *more)


FINISHED = PageSetter._finished
HEADING = BlockSetting._heading
COMPONENTS = GeneratedBlocks._components


def _larger(self: BlockSetting, block: Any, width_mm: float) -> Any:
    return HEADING(self, block.__class__(1, block.text, block.source), width_mm)


def _miscounted(self: GeneratedBlocks, directive: Any) -> Any:
    first, *rest = COMPONENTS(self, directive)
    return [first.__class__(tuple(("9", words) for _, words in first.entries), first.source), *rest]


FAULTS: dict[str, tuple[object, str, Any, str]] = {
    "the last line is missing": (sheet, "make_pages", _without_last, "the words are"),
    "columns are drawn twice": (pages, "_column_items", _twice, "the words are"),
    "columns are moved": (pages, "_column_items", _lower, "column"),
    "pages are exchanged": (PageSetter, "_finished", _numbered, "the words are"),
    "headings are too large": (BlockSetting, "_heading", _larger, "Part a"),
    "cards are miscounted": (GeneratedBlocks, "_components", _miscounted, "[components] does not say '3 "),
}


@pytest.mark.sweep(6)
@pytest.mark.parametrize("what", FAULTS)
def test_a_page_that_is_set_wrong_is_told_of(
    problems: Callable[[], tuple[Problem, ...]], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    where, name, change, words = FAULTS[what]
    assert problems() == ()
    monkeypatch.setattr(where, name, change)
    faults = [problem for problem in problems() if problem.code == "proof-frame"]
    assert faults, problems()
    assert words in faults[0].what
    assert faults[0].source.file == "content/pond/rules.md"
    assert "a fault in duckpress" in faults[0].fix


def test_lost_letters_of_a_sheet_are_told_by_the_program_itself(
    problems: Callable[[], tuple[Problem, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # nobody watches
    monkeypatch.setattr(typesetter, "drawn_lines", lambda *how: DRAWN(*how)[:-1])
    faults = [problem for problem in problems() if problem.code == "proof-frame"]
    assert faults
    assert faults[0].source.file == "content/pond/rules.md"
    assert "where '" in faults[0].what
