"""Ducks in a Row: its fronts differ, its pips can be counted, and two-way cards and backs can be turned round."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from duckpress.content import load_game
from duckpress.core.frame import PlacedDrawing, every_item
from duckpress.files.workspace import Workspace
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.press.request import Built


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "ducks-in-a-row")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    return whole("ducks-in-a-row")


@pytest.fixture(scope="module")
def faces(built: Built) -> dict[str, Face]:
    (cards,) = (one for one in built.checked.pieces if one.piece.id == "cards")
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


def test_fronts_of_two_way_cards_and_backs_look_the_same_turned_round(built: Built, faces: dict[str, Face]) -> None:
    pdf = pypdfium2.PdfDocument(Path(built.folder) / "ducks-in-a-row-cards-a4.pdf")
    names = list(faces)
    two_way = [number for number, name in enumerate(names) if re.match(r"(2|4|10|jack|queen|king)-", name)]
    assert len(two_way) == 24
    for page in range(0, len(pdf), 2):
        fronts, backs = (_cards_of(pdf[page + side]) for side in (0, 1))
        for place, front in enumerate(fronts):
            name = names[page // 2 * 9 + place]
            if page // 2 * 9 + place in two_way:
                assert _turn_difference(front) < 0.01, name
            elif name.startswith(("7-", "ace-")):  # one-way by nature: the measure must tell
                assert _turn_difference(front) > 0.01, name
        assert all(_turn_difference(back) < 0.01 for back in backs)


def _cards_of(page: pypdfium2.PdfPage) -> list[Image.Image]:
    """Return the nine cards of a page of poker cards on A4, cut to the trim, row by row."""
    scale = 2.0
    picture = page.render(scale=scale).to_pil().convert("L")
    left, bottom, right, top = page.get_trimbox()
    height = page.get_size()[1]
    wide, high = 63.5 / 25.4 * 72, 88.9 / 25.4 * 72
    x0, y0 = (left + right) / 2 - 1.5 * wide, height - (top + bottom) / 2 - 1.5 * high
    return [
        picture.crop(tuple(round(scale * value) for value in (x, y, x + wide, y + high)))
        for row in range(3)
        for column in range(3)
        for x, y in [(x0 + column * wide, y0 + row * high)]
    ]


def _turn_difference(card: Image.Image) -> float:
    """Return the part of a card's dots that change clearly when it is turned round; edges may fall between dots."""
    inner = card.crop((8, 8, card.width - 8, card.height - 8)).reduce(3)
    difference = ImageChops.difference(inner, inner.rotate(180))
    counts = difference.histogram()
    return sum(counts[120:]) / (inner.width * inner.height)
