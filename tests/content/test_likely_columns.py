"""Columns that look like copies or ids: told where nothing else makes sense of them, and only there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from duckpress.content import load_game
from duckpress.content.tables.cells import looks_like_copies
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Workspace

Make = Callable[[Mapping[str, str | bytes]], Workspace]
GAME = 'title: P\nversion: "0.1"\ndesigner: D\nplayers: 2\npieces: [{id: a, title: A, decks: [cards]}]\n'
HEAD = "title: C\nsize: poker\nfront: f\n"
TABLE = "fields: {name: text, %s: {kind: %s, optional: yes}}\ncards: c.csv\n"


def problems(make: Make, deck: str, table: str = "", **files: str) -> list[Problem]:
    written = {
        f"content/pond/{name.replace('__', '/')}.{'xml' if '__' in name else 'yaml'}": text
        for name, text in files.items()
    }
    workspace = make(
        {"content/pond/game.yaml": GAME, "content/pond/decks/cards.yaml": HEAD + deck,
         **({"content/pond/decks/c.csv": table} if table else {}), **written}
    )  # fmt: skip
    return load_game(workspace, "pond")[1]


@pytest.mark.parametrize(
    ("name", "kind"), [("Qty", "whole"), ("Anzahl", "text"), ("Nombre", "number"), ("count", "whole")]
)
def test_a_column_that_counts_cards_and_is_a_field_is_told(make_workspace: Make, name: str, kind: str) -> None:
    (problem,) = problems(make_workspace, TABLE % (name, kind), f"id,name,{name}\na,A,3\nb,B,\n")
    assert (problem.code, problem.level) == ("looks-like-copies", Level.WARNING)
    assert (problem.source.file, problem.source.line, problem.source.column) == ("content/pond/decks/cards.yaml", 4, 22)
    assert problem.fix == f"call the column 'copies' in c.csv, and delete {name!r} under 'fields', to print 4"


def test_in_yaml_the_line_to_write_is_named(make_workspace: Make) -> None:
    (problem,) = problems(make_workspace, "fields: {Qty: whole}\ncards: [{id: a, Qty: 1}, {id: b, Qty: 2}]\n")
    assert problem.fix == "write 'copies: 2' instead of 'Qty: 2', and delete 'Qty' under 'fields', to print 3"


USES = {
    "copies too": ("id,name,count,copies\na,A,3,2\n", {}),
    "once each": ("id,name,count\na,A,1\nb,B,\n", {}),
    "not copies": ("id,name,count\na,A,-3\n", {}),
    "a layout": ("id,name,count\na,A,3\n", {"layouts__f": "<face><text>{{ card.count }}</text></face>"}),
    "a text": ("id,name,count\na,Take {=count},3\n", {}),
    "the setup": (
        "id,name,count\na,A,3\n",
        {"setup": "setup: [{pile: p, take: {cards: all}}]\nexpect: [{that: \"sum('cards', 'count') == 3\"}]\n"},
    ),
}


@pytest.mark.parametrize("use", USES)
def test_a_field_that_means_something_else_is_no_mistake(make_workspace: Make, use: str) -> None:
    table, files = USES[use]
    assert problems(make_workspace, TABLE % ("count", "whole"), table, **files) == []


def test_the_size_of_a_deck_is_no_use_of_a_field(make_workspace: Make) -> None:
    layout = "<face><text>{{ deck.count }} {{ decks.cards.count }}</text></face>"
    (problem,) = problems(make_workspace, TABLE % ("count", "whole"), "id,name,count\na,A,3\n", layouts__f=layout)
    assert problem.code == "looks-like-copies"


def test_an_undeclared_column_is_not_to_be_declared(make_workspace: Make) -> None:
    (problem,) = problems(make_workspace, "fields: {name: text}\ncards: c.csv\n", "id,name,Stück\na,A,3\n")
    assert (problem.code, problem.fix) == ("unknown-key", "did you mean 'copies'?")


def test_a_table_without_ids_names_the_column_that_may_be_them(make_workspace: Make) -> None:
    found = problems(make_workspace, "fields: {name: text}\ncards: c.csv\n", "Nr.,name\n1,A\n")
    assert [problem.fix for problem in found if problem.code == "missing-key"] == [
        "call the column 'Nr.' 'id': small letters, digits and '-', another for each card"
    ]


@pytest.mark.parametrize("name", ["Quantité", "# of copies", "No. of copies", "Кол-во", "枚数", "COUNT", "Qty."])
def test_names_in_many_languages(name: str) -> None:
    assert looks_like_copies(name)


@pytest.mark.parametrize("name", ["number", "cost", "counter", "countries", "name", "#", ""])
def test_other_names_are_none(name: str) -> None:
    assert not looks_like_copies(name)
