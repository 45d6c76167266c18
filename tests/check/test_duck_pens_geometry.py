"""Duck Pens' Automa cards and board: placed by hand on an empty field, and spoilt in every way the checks know."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from test_polyomino import placements

from duckpress.check import check_game
from duckpress.content import load_game
from duckpress.core.coordinates import Coordinates
from duckpress.core.problems import Level, Problem
from duckpress.files.workspace import Workspace
from duckpress.model import Game, Value

POINTS = Coordinates(13, 11)


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    found, _ = load_game(project, "duck-pens")
    assert found is not None
    return found


def errors(game: Game) -> list[Problem]:
    return [one for one in check_game(game) if one.level is Level.ERROR]


def cells_of(game: Game, shape: str) -> tuple[str, ...]:
    records = {id_: record for name in ("pens", "small-pens") for id_, record in game.lists[name].items()}
    cells = records[shape]["cells"]
    return tuple(cells.split("/")) if isinstance(cells, str) else tuple(map(str, cells))  # type: ignore[union-attr, arg-type]


def with_cards(game: Game, **changes: dict[str, Value]) -> Game:
    """Return the game with fields of Automa cards changed; `all_cards` changes every card."""
    deck = game.decks["automa"]
    cards = tuple(
        replace(
            card, values={**card.values, **changes.get("all_cards", {}), **changes.get(card.id.replace("-", "_"), {})}
        )
        for card in deck.cards
    )
    return replace(game, decks={**game.decks, "automa": replace(deck, cards=cards)})


def test_every_card_can_be_placed_by_hand(game: Game) -> None:
    cards = game.decks["automa"].cards
    assert len(cards) == 18
    for card in cards:
        possible = placements(cells_of(game, str(card.values["shape"])), 12, 10, by_points=True)
        assert POINTS.find(str(card.values["point"])) in possible, card.id


def test_the_shapes_are_the_five_tetrominoes_a_pentomino_and_small_ones(game: Game) -> None:
    sizes = {id_: sum(row.count("X") for row in cells_of(game, id_)) for id_ in game.lists["pens"]}
    assert sizes == {"i": 4, "l": 4, "s": 4, "t": 4, "o": 4, "p": 5}
    assert all(sum(row.count("X") for row in cells_of(game, id_)) <= 3 for id_ in game.lists["small-pens"])


def test_the_data_is_without_error(game: Game) -> None:
    assert errors(game) == []


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"automa_3": {"point": "N3"}}, {"off-board"}),
        ({"automa_3": {"point": "M12"}}, {"off-board"}),
        ({"automa_3": {"point": "3B"}}, {"bad-coordinate"}),
        ({"automa_3": {"shape": "z"}}, {"unknown-shape"}),
        ({"automa_3": {"shape": "XXXXX"}}, {"shape-not-allowed"}),
        ({"automa_3": {"shape": "X./.X"}}, {"torn-shape"}),
        ({"automa_3": {"shape": "X/Y"}}, {"unknown-shape"}),
        ({"automa_3": {"shape": ".X./XXX/.X.", "point": "A1"}}, {"shape-not-allowed", "cannot-place"}),
        ({"automa_4": {"shape": "XXX/X..", "point": "B3"}, "automa_3": {"shape": "l", "point": "B3"}}, {"same-card"}),
        ({"all_cards": {"point": "B3"}}, {"same-card", "uneven-spread"}),
    ],
)
def test_a_spoilt_card_is_found(game: Game, changes: dict[str, dict[str, Value]], codes: set[str]) -> None:
    found = {one.code for one in errors(with_cards(game, **changes))}
    assert found - {"expectation", "wrong-total"} == codes


def test_a_card_that_is_there_twice_is_found(game: Game) -> None:
    deck = game.decks["automa"]
    first, *others = deck.cards
    twice = replace(deck, cards=(replace(first, copies=2), *others))
    found = errors(replace(game, decks={**game.decks, "automa": twice}))
    assert {one.code for one in found} >= {"same-card", "wrong-total"}


def test_a_duck_beside_the_field_is_found(game: Game) -> None:
    lists = {**game.lists, "field": {**game.lists["field"], "M3": {"id": "M3", "holds": "duck", "amount": 1}}}
    assert "off-board" in {one.code for one in errors(replace(game, lists=lists))}
