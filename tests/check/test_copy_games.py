"""What differs between copies: pools that are drawn from, and the game of each copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from bingo import FILES, copier_of, game_of
from duckpress.check.copy_games import drawn_names, pools_of
from duckpress.files.workspace import Workspace
from duckpress.model.game import Copy
from duckpress.share.editions.draws import Copier, CopyDraw

GAME = "content/bingo/game.yaml"
Make = Callable[[Mapping[str, str]], Workspace]


def test_a_pool_that_is_too_small_is_told_with_what_there_is(make_workspace: Make) -> None:
    game = FILES[GAME].replace('"card.n <= 6", count: 2', '"card.n <= 6", count: 7')
    problems = pools_of(game_of(make_workspace({**FILES, GAME: game}))).problems
    assert [one.code for one in problems] == ["pool-too-small"]
    assert "7 cards of deck 'number' for which 'card.n <= 6' is true, and there are 6" in problems[0].what
    assert problems[0].fix == "draw at most 6, or add 1 card"


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ("card.id == 'n3'", [2]),
        ("card.copies == 1 and card.n == facts.most", [4]),
        ("card.n == lists.mood|length", [2]),
    ],
)
def test_a_condition_knows_card_facts_and_lists(where: str, numbers: list[int], make_workspace: Make) -> None:
    game = FILES[GAME].replace('"card.n <= 6", count: 2', f'"{where}", count: 1')
    files = {**FILES, GAME: game.replace("lists:", "facts: {most: 5}\nlists:")}
    pools = pools_of(game_of(make_workspace(files))).value
    assert [*pools.decks["number"][0].cards] == numbers


@pytest.mark.parametrize(("where", "code"), [("card.n <", "bad-expression"), ("card.m == 1", "unknown-name")])
def test_a_condition_that_cannot_be_told_is_a_problem(where: str, code: str, make_workspace: Make) -> None:
    game = FILES[GAME].replace('"card.n <= 6", count: 2', f'"{where}", count: 1')
    pools, problems = pools_of(game_of(make_workspace({**FILES, GAME: game})))
    assert [one.code for one in problems] == [code]
    assert len(pools.decks["number"][0].cards) == 12


def test_parts_that_share_cards_are_too_many_together(make_workspace: Make) -> None:
    game = FILES[GAME].replace('"card.n <= 6", count: 2', "card.n > 4, count: 7")
    problems = pools_of(game_of(make_workspace({**FILES, GAME: game}))).problems
    what = "each copy has 10 cards of deck 'number', and no more than 8 can be drawn"
    assert [(one.code, one.what, one.fix) for one in problems] == [("pool-too-small", what, "draw fewer, or add cards")]


def test_words_of_a_list_have_names_or_are_their_ids(make_workspace: Make) -> None:
    game = FILES[GAME].replace("[brave, calm, bold]", "{brave: {name: Brave}, calm: {age: 3}}")
    named = game_of(make_workspace({**FILES, GAME: game}))
    made = {drawn_names(named, "s", id_, 0)["team"] for id_ in "abcdefghijkl"}
    assert {name.partition(" ")[0] for name in made} == {"Brave", "calm"}


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
