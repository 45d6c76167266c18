"""Every number that players count with is pinned: changed by one, up or down, it brings up a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest
from number_changes import Changes

from duckpress.files.workspace import Workspace

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
    make_workspace: Callable[[Mapping[str, str]], Workspace], monkeypatch: pytest.MonkeyPatch
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
