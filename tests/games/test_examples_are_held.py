"""Worked examples of the rules: a designer who breaks one is told by `check`, at the line that expects it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace

# game: what its game.yaml says, what is written there instead, what the problem says
BROKEN = [
    ("ducks-in-a-row", "second: pair, third: three,", "second: two-pair, third: three,", "hand 2 of Ada"),
    ("ducks-in-a-row", "third: full-house,", "third: four,", "hand 3 of Cem"),
    ("ducks-in-a-row", "places: [3, 1, 1, 2]", "places: [3, 1, 2, 2]", "cem.places is 3, 1, 2, 2"),
    ("ducks-in-a-row", '["6", diamonds], ["6", clubs]', '["6", diamonds], ["5", clubs]', "'two-pair'"),
    ("ducks-in-a-row", "row: [7-of-hearts,", "row: [6-of-hearts,", "hand 1 of Ada"),
    ("duck-pens", "group: yes, spaces: [D7, E7]", "group: no, spaces: [D7, E7]",
     "all nine pens of Red"),
    ("duck-pens", 'shape: "i", full: no', 'shape: "i", full: yes', "a pen of Blue is full"),
    ("duck-pens", 'shape: "t", full: yes', 'shape: "l", full: yes', "s, l, l"),
    ("duck-pens", "own: 7, other: 1", "own: 6, other: 2", "6, 2"),
    ("blind-mans-draft", '"4": {card: 5}', '"4": {card: 6}', "is 31, and should be 29"),
    ("blind-mans-draft", '"2": {card: 9}', '"9": {card: 9}', "does not arrive"),
    ("blind-mans-draft", "third: {to: self}", "third: {to: right}", "left, opposite, right"),
    ("canardage", "water, red, yellow, blue]", "water, red, green, blue]", "« yellow »"),
    ("canardage", "cards: [green, blue, water,", "cards: [green, water, blue,", "« water »"),
]  # fmt: skip


@pytest.mark.sweep(8)
@pytest.mark.parametrize(("game_id", "is_", "instead", "says"), BROKEN)
def test_check_tells_a_broken_example(
    game_id: str,
    is_: str,
    instead: str,
    says: str,
    project: Workspace,
    make_workspace: Callable[[Mapping[str, str | bytes]], Workspace],
) -> None:
    folder = f"content/{game_id}"
    folders = [folder, *project.folders(folder), f"{folder}/art/icons"]
    files = {path: project.read(path) for inside in folders for path in project.files(inside, "")}
    text = files[f"{folder}/game.yaml"].decode()
    assert text.count(is_) == 1
    files[f"{folder}/game.yaml"] = text.replace(is_, instead).encode()
    game, problems = load_game(make_workspace(files), game_id)
    assert game is not None, problems
    found = [one for one in check_game(game) if one.level is Level.ERROR and says in one.what]
    assert found
    assert {one.source.file for one in found} == {f"{folder}/setup.yaml"}
