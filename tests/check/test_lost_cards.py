"""Cards that a problem has cost: what is wrong with them is told, and nothing that is concluded from their number."""

from __future__ import annotations

import pytest

from duckpress.check import check_game
from duckpress.content import load_game
from running import MakeWorkspace

GAME = """title: Pond
version: "0.1"
designer: A. Nonymous
players: 2-4
languages: [en]
lists: {species: [mallard, teal]}
accept: [{code: expectation, reason: so be it}]
pieces: [{id: cards, title: Cards, decks: [duck]}]
"""
SETUP = """setup: [{pile: draw, take: {duck: 4}}]
totals: {duck: 4}
balanced: [{deck: duck, by: species, field: sex}]
expect: [{that: draw < 4, say: a pile of four}]
"""
DECK = """title: Ducks
size: poker
front: duck
fields: {species: text, sex: {kind: choice, choices: [drake, hen]}, cost: {kind: whole, default: 0}}
"""
FAMILY = """cards:
  - {for: {one: species}, id: "{{ one.id }}-drake", species: "{{ one.id }}", sex: drake}
  - {for: {one: species}, id: "{{ one.id }}-hen", species: "{{ one.id }}", sex: hen}
"""
TABLE = "id,species,sex\na,mallard,drake\nb,mallard,hen\nc,teal,drake\nd,teal,hen\n"

LOST = {
    "not-utf8": ("cards: duck.csv", TABLE.replace("mallard", "mällard").encode("cp1252")),
    "csv-syntax": ("cards: duck.csv", TABLE.replace("teal,hen", 'teal,"hen').encode()),
    "missing-file": ("cards: ducks.csv", None),
    "wrong-type": ("cards: [mallard]", None),
    "unknown-name": (FAMILY.replace("{{ one.id }}-hen", "{{ one.nmae }}-hen"), None),
    "unknown-list": (FAMILY.replace("species}", "spices}", 1), None),
    "bad-id": ("cards: duck.csv", TABLE.replace("b,", "B b,").encode()),
    "duplicate-id": ("cards: duck.csv", TABLE.replace("b,", "a,").encode()),
    "missing-key": ("cards: duck.csv", TABLE.replace("\nb,", "\n,").encode()),
}


def codes(make_workspace: MakeWorkspace, cards: str, table: bytes | None) -> list[str]:
    files: dict[str, str | bytes] = {"game.yaml": GAME, "setup.yaml": SETUP, "decks/duck.yaml": DECK + cards}
    if table is not None:
        files["decks/duck.csv"] = table
    game, problems = load_game(make_workspace({f"content/pond/{path}": text for path, text in files.items()}), "pond")
    assert game is not None
    return [problem.code for problem in (*problems, *check_game(game))]


@pytest.mark.parametrize("code", LOST)
def test_nothing_is_concluded_from_the_cards_that_are_left(make_workspace: MakeWorkspace, code: str) -> None:
    assert codes(make_workspace, *LOST[code]) == [code]


def test_a_wrong_value_costs_no_card(make_workspace: MakeWorkspace) -> None:
    assert codes(make_workspace, FAMILY, None) == ["expectation"]
    rows = "id,species,sex,cost\na,mallard,drake,x\nb,mallard,hen,0\nc,teal,drake,0\n"
    found = codes(make_workspace, "cards: duck.csv", rows.encode())
    assert sorted(set(found)) == ["expectation", "not-enough", "unbalanced", "wrong-type"]  # and the total
