"""The game of a copy: what its fields and its name know, and how many of each card it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bingo import FILES, copier_of
from duckpress.editions.draws import Copier, CopyDraw
from duckpress.files.workspace import Workspace
from duckpress.model.game import Copy

Make = Callable[[Mapping[str, str]], Workspace]
GAME = "content/bingo/game.yaml"
ANN = Copy("ann", 2, 7, {"name": "Ann", "prize": None})
HEAD = FILES[GAME].partition("edition:")[0].replace("lists:", "facts: {most: 5}\nlists:")


def copier(make_workspace: Make, edition: str) -> Copier:
    head = "edition:\n  columns: {name: text, prize: {kind: text, optional: yes}}\n  names: {team: [mood, bird]}\n"
    return copier_of(make_workspace({**FILES, GAME: f"{HEAD}{head}{edition}"}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ row.name }}", "Ann"),
        ("{{ copy.id }} {{ copy.number }}/{{ copy.count }}", "ann 2/7"),
        ("{{ facts.most }} {{ lists.mood|length }}", "5 3"),
        ("{{ dealt.number|length }}", "3"),
        ("{{ names.team }}", "calm duck"),
        ("{{ row.prize or 'none' }}", "none"),
    ],
)
def test_what_fields_and_names_know(text: str, said: str, make_workspace: Make) -> None:
    edition = f'  deal: {{number: 3}}\n  fields: {{sheet: {{owner: "{text}"}}}}\n  marks: {{name: "{text}"}}\n'
    made = copier(make_workspace, edition)
    game, problems = made.game(ANN, CopyDraw())
    assert not problems
    assert game.decks["sheet"].cards[0].values["owner"] == said
    assert made.name(ANN, CopyDraw()) == (said, ())


def test_a_name_of_two_lines_is_one(make_workspace: Make) -> None:
    """A cell of a table keeps its line ends as the markup has them."""
    made = copier(make_workspace, '  marks: {name: "{{ row.name }}"}\n')
    two = Copy("ann", 1, 1, {"name": "Ann\\\nTeal", "prize": None})
    assert made.name(two, CopyDraw()) == ("Ann Teal", ())


def test_a_field_that_is_left_empty_has_its_default(make_workspace: Make) -> None:
    game = copier(make_workspace, '  fields: {sheet: {owner: "{{ row.prize }}"}}\n').game(ANN, CopyDraw()).value
    assert game.decks["sheet"].cards[0].values["owner"] == "Nobody"


def test_a_card_that_is_drawn_twice_is_printed_twice(make_workspace: Make) -> None:
    deck = FILES["content/bingo/decks/number.yaml"].replace('n: "{{ n }}"}', 'n: "{{ n }}", copies: 2}')
    files = {**FILES, GAME: f"{HEAD}edition: {{deal: {{number: 20}}}}\n", "content/bingo/decks/number.yaml": deck}
    made = copier_of(make_workspace(files))
    cards = made.game(ANN, CopyDraw()).value.decks["number"].cards
    assert sum(card.copies for card in cards) == 20
    assert {card.copies for card in cards} == {1, 2}
    assert [card.values["n"] for card in cards] == sorted(card.values["n"] for card in cards)  # type: ignore[type-var]


@pytest.mark.parametrize("marks", ["{{ row.nme }}", "{{ row.name|int + 'x' }}"])
def test_a_name_that_cannot_be_made_is_told_of_its_copy(marks: str, make_workspace: Make) -> None:
    name, problems = copier(make_workspace, f'  marks: {{name: "{marks}"}}\n').name(ANN, CopyDraw())
    assert name == ""
    assert [one.what.startswith("copy 'ann': ") for one in problems] == [True]


def test_a_sample_stands_for_what_all_copies_share(make_workspace: Make) -> None:
    made = copier(make_workspace, '  deal: {number: 3}\n  fields: {sheet: {owner: "{{ row.name }}"}}\n')
    sample = made.sample()
    assert sample.decks["sheet"].cards[0].values["owner"] == "Nobody"
    assert sum(card.copies for card in sample.decks["number"].cards) == 3
