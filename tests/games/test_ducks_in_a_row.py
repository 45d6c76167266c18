"""Ducks in a Row: its fronts differ, its pips can be counted, and two-way cards and backs can be turned round."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from card_pictures import sides, turn_difference

from duckpress.content import load_game
from duckpress.core.frame import PlacedDrawing, every_item
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, LaidOut
from duckpress.model import Game
from duckpress.press.request import Built


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "ducks-in-a-row")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def cards(whole: Callable[[str], Built]) -> LaidOut:
    (cards,) = (one for one in whole("ducks-in-a-row").checked.pieces if one.piece.id == "cards")
    return cards


@pytest.fixture(scope="module")
def faces(cards: LaidOut) -> dict[str, Face]:
    return {face.card: face for face in cards.faces}


def test_every_front_differs_and_all_backs_are_one(faces: dict[str, Face]) -> None:
    assert len(faces) == len({face.front.hash for face in faces.values()}) == 54
    assert len({face.back.hash for face in faces.values() if face.back is not None}) == 1


def test_pip_cards_show_as_many_pips_as_they_are_worth(game: Game, faces: dict[str, Face]) -> None:
    for card in game.decks["cards"].cards:
        if card.values["kind"] == "pip":
            placed = [item for item in every_item(faces[card.id].front.items) if isinstance(item, PlacedDrawing)]
            assert len({item.key for item in placed}) == 1, card.id
            assert len(placed) == int(str(card.values["value"])) + 2, card.id  # and one under each index


def test_fronts_of_two_way_cards_and_backs_look_the_same_turned_round(cards: LaidOut) -> None:
    turned = {name: turn_difference(front) for name, front in sides(cards, are_backs=False).items()}
    two_way = [name for name in turned if re.match(r"(2|4|10|jack|queen|king)-", name)]
    assert len(two_way) == 24
    assert {name for name in two_way if turned[name] > 0.01} == set()
    assert all(turned[name] > 0.01 for name in turned if name.startswith(("7-", "ace-")))  # the measure tells
    assert all(turn_difference(back) < 0.01 for back in sides(cards, are_backs=True).values())
