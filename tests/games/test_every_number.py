"""Every number that players count with is pinned: changed by one it brings up a finding; so is each worked example."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from number_changes import Changes

from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from running import MakeWorkspace

ROOT = Path(__file__).resolve().parents[2]
GAMES = Workspace(ROOT).games()
PARTS = 64  # of the numbers of a game; `make test` changes those of one


@pytest.mark.sweep(5 * PARTS)
@pytest.mark.parametrize(("game", "part"), list(product(GAMES, range(PARTS))))
def test_every_number_is_pinned(game: str, part: int, project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = Changes(project, game, monkeypatch)
    unnoticed = [found for number in changes.numbers()[part::PARTS] if (found := changes.unnoticed(number)) is not None]
    assert not unnoticed, f"{len(unnoticed)} numbers can be changed without a finding:\n" + "\n".join(unnoticed)


SMALL = {
    "content/pond/game.yaml": """
title: Pond
version: "0.1"
designer: A. Nonymous
players: 2
facts: {hand: 4, rounds: 7}
lists:
  birds: {teal: {value: 3, x: 12}, smew: {value: 5, x: 14}}
  table: {first: {points: 2}, second: {points: 9}}
pieces: [{id: cards, title: Cards, decks: [duck, sheet]}]
""",
    "content/pond/decks/duck.yaml": """
title: Ducks 21
size: poker
front: duck
fields: {value: whole, x: number, text: {kind: text, default: Draw 2 cards.}}
cards:
  - {for: {bird: birds}, id: "{{ bird.id }}", copies: 6, value: "{{ bird.value }}", x: "{{ bird.x }}"}
""",
    "content/pond/boards/sheet.yaml": """
title: Sheet
size: {width: 80mm, height: 60mm}
front: sheet
component: no
fields: {lines: whole}
cards: [{id: sheet-3, lines: 8}]
""",
    "content/pond/setup.yaml": """
setup:
  - hand: hand
    take: {duck: "facts['hand']"}
    note: Deal 4 cards.
totals: {duck: 12}
expect:
  - {that: hand, is: 4}
  - {that: total('hand'), is: 8}
  - {that: "count('duck', where='card.value >= 3')", is: 12}
  - {that: lists.table.first.points, is: 2}
""",
}


def test_a_number_that_nothing_pins_is_named_where_it_stands(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = Changes(make_workspace(SMALL), "pond", monkeypatch)
    found = [found for number in changes.numbers() if (found := changes.unnoticed(number)) is not None]
    assert [one.removeprefix("content/pond/") for one in found] == [
        "game.yaml:6:26: 7 (as it is) -> 8",  # the fact that nothing asks for
        "game.yaml:8:25: 3 (as it is) -> 4",  # more than 3 is 3 or more
        "game.yaml:8:50: 5 (as it is) -> 6",
        "game.yaml:9:48: 9 (as it is) -> 10",  # the setup asks for the list, and not for this record
        "setup.yaml:10:12: 3 (in \"count('duck', where='card.value >= 3')\") -> 2",
    ]


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
    game_id: str, is_: str, instead: str, says: str, project: Workspace, make_workspace: MakeWorkspace
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
