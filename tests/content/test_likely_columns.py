"""Columns that look like copies or ids: told where nothing else makes sense of them, and only there."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from duckpress.content import load_game
from duckpress.content.tables.cells import looks_like_copies
from duckpress.core import limits
from duckpress.core.problems import Level, Problem
from running import MakeWorkspace as Make

GAME = 'title: P\nversion: "0.1"\ndesigner: D\nplayers: 2\npieces: [{id: a, title: A, decks: [cards]}]\n'
HEAD = "title: C\nsize: poker\nfront: f\n"
TABLE = "fields: {name: text, %s: {kind: %s, optional: yes}}\ncards: c.csv\n"


def problems(make: Make, deck: str, table: str = "", files: Mapping[str, str | bytes] | None = None) -> list[Problem]:
    workspace = make(
        {"content/pond/game.yaml": GAME, "content/pond/decks/cards.yaml": HEAD + deck,
         **({"content/pond/decks/c.csv": table} if table else {}),
         **{f"content/pond/{name}": text for name, text in (files or {}).items()}}
    )  # fmt: skip
    return load_game(workspace, "pond")[1]


@pytest.mark.parametrize(("name", "kind"), [("Qty", "whole"), ("Anzahl", "text"), ("Nombre", "number")])
def test_a_column_that_counts_cards_and_is_a_field_is_told(make_workspace: Make, name: str, kind: str) -> None:
    (problem,) = problems(make_workspace, TABLE % (name, kind), f"id,name,{name}\na,A,3\nb,B,\n")
    assert (problem.code, problem.level) == ("looks-like-copies", Level.WARNING)
    assert (problem.source.file, problem.source.line, problem.source.column) == ("content/pond/decks/cards.yaml", 4, 22)
    assert problem.fix == f"call the column 'copies' in c.csv, and delete {name!r} under 'fields', to print 4"


@pytest.mark.parametrize(
    ("counts", "fix"),
    [
        ("1 2", "'copies: 2' instead of 'count: 2', and delete 'count' under 'fields', to print 3"),
        ("2", "'copies: 2' instead of 'count: 2', and delete 'count' under 'fields', to print 2"),
        ("'' 2", "'copies: 2' instead of 'count: 2', and delete 'count' under 'fields', to print 3"),
        *((counts, "") for counts in ("0 1", "''", "2 10000", "2 -1", "2 1.5", "2 many", "2 ²")),
    ],
)
def test_only_numbers_of_cards_are_copies(make_workspace: Make, counts: str, fix: str) -> None:
    cards = ", ".join(f"{{id: c{number}, count: {count}}}" for number, count in enumerate(counts.split()))
    told = problems(make_workspace, f"fields: {{count: text}}\ncards: [{cards}]\n")
    assert [one.fix for one in told] == ([f"write {fix}"] if fix else [])
    if fix:
        count = len(counts.split())
        cards = "1 card" if count == 1 else f"{count} cards"
        assert told[0].what == f"'count' looks like copies, and is only a field: deck 'cards' prints {cards}"


def test_a_cell_that_is_no_count_is_named_where_most_are(make_workspace: Make) -> None:
    (problem,) = problems(make_workspace, TABLE % ("Qty", "text"), "id,name,Qty\na,A,x3\nb,B,two\nc,C,2.0\n")
    fix = "call the column 'copies' in c.csv, and delete 'Qty' under 'fields', and write a whole number for 'two'"
    assert (problem.code, problem.fix) == ("looks-like-copies", fix)


COUNTED = "id,name,count\na,A,3\n"
USES = {
    "copies too": ("id,name,count,copies\na,A,3,2\n", {}),
    "once each": ("id,name,count\na,A,1\nb,B,\n", {}),
    "not copies": ("id,name,count\na,A,-3\n", {}),
    "a layout": (COUNTED, {"layouts/f.xml": "<face><text>{{ card.count }}</text></face>"}),
    "a shared layout": (COUNTED, {"../../layouts/f.xml": "<face><text>{{ card['count'] }}</text></face>"}),
    "a text": ("id,name,count\na,Take {=count},3\n", {}),
    "the rules": (COUNTED, {"rules.md": "# P\n\n{{ decks.cards.cards[0].count }}\n"}),
    "the setup": (
        COUNTED,
        {"setup.yaml": "setup: [{pile: p, take: {cards: all}}]\nexpect: [{that: \"sum('cards', 'count') == 3\"}]\n"},
    ),
}


@pytest.mark.parametrize("use", USES)
def test_a_field_that_means_something_else_is_no_mistake(make_workspace: Make, use: str) -> None:
    table, files = USES[use]
    assert problems(make_workspace, TABLE % ("count", "whole"), table, files) == []


def test_a_list_of_a_card_may_use_a_field(make_workspace: Make) -> None:
    deck = "fields: {tags: list, count: whole}\ncards: [{id: a, tags: [x, 'take {=count}'], count: 3}]\n"
    assert problems(make_workspace, deck) == []


@pytest.mark.parametrize("words", ["{{ box.count }}", "{{ decks.cards.count }}", "count", "{=Count}"])
def test_the_size_of_a_deck_or_another_name_is_no_use_of_a_field(make_workspace: Make, words: str) -> None:
    layout = {"layouts/f.xml": f"<face><text>{words}</text></face>"}
    (problem,) = problems(make_workspace, TABLE % ("count", "whole"), COUNTED, layout)
    assert problem.code == "looks-like-copies"


def test_a_layout_that_is_too_large_is_passed_over(make_workspace: Make) -> None:
    limits.use({"template-file": 100})
    large = {"layouts/e.xml": "{=count}" + " " * 100}
    (problem,) = problems(make_workspace, TABLE % ("count", "whole"), COUNTED, large)
    assert problem.code == "looks-like-copies"
    used = {**large, "layouts/f.xml": b"\xff{=count}"}
    assert problems(make_workspace, TABLE % ("count", "whole"), COUNTED, used) == []


def test_an_undeclared_column_is_not_to_be_declared(make_workspace: Make) -> None:
    (problem,) = problems(make_workspace, "fields: {name: text}\ncards: c.csv\n", "id,name,Stück\na,A,3\n")
    assert (problem.code, problem.fix) == ("unknown-key", "did you mean 'copies'?")


def test_a_table_without_ids_names_the_column_that_may_be_them(make_workspace: Make) -> None:
    found = problems(make_workspace, "fields: {name: text}\ncards: c.csv\n", "Nr.,name\n1,A\n")
    assert [problem.fix for problem in found if problem.code == "missing-key"] == [
        "call the column 'Nr.' 'id': small letters, digits and '-', another for each card"
    ]


@pytest.mark.parametrize(
    ("name", "is_likely"),
    [*((name, True) for name in ("Quantité", "# of copies", "枚数", "Qty.")), ("counter", False), ("#", False)],
)
def test_names_in_many_languages(name: str, is_likely: bool) -> None:
    assert looks_like_copies(name) is is_likely
