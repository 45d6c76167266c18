"""Canardage: real cards fit on its printed board, and its French is set as French is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest

from duckpress.core.frame import Outline, Text, every_item, path_bounds
from duckpress.core.problems import Level
from duckpress.core.sizes import FORMATS
from duckpress.layout import Face
from duckpress.press.request import Built


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    built = whole("canardage")
    assert [problem for problem in built.checked.problems if problem.level is not Level.NOTE] == []
    return built


@pytest.fixture(scope="module")
def faces(built: Built) -> list[Face]:
    """The French faces: those of a second language are laid out to be checked, and not printed."""
    found: dict[tuple[str, str, str], Face] = {}
    for piece in built.checked.pieces:
        for face in piece.faces:
            found.setdefault((piece.piece.id, face.deck, face.card), face)
    return list(found.values())


def texts(face: Face) -> Iterator[Text]:
    return (item for item in every_item(face.front.items) if isinstance(item, Text))


def test_body_text_is_large_enough(faces: list[Face]) -> None:
    for face in faces:
        for text in texts(face):
            is_imprint = bool(face.code) and text.text.endswith(f"· {face.code}")
            assert text.size_mm / 25.4 * 72 >= (4.5 if is_imprint else 7.5) - 1e-6, (face.deck, face.card, text.text)


def circles(face: Face) -> list[tuple[float, float, float]]:
    """Return (x, y, width) of the board's round places, by the boxes of their outlines."""
    found = []
    for item in every_item(face.front.items):
        if isinstance(item, Outline):
            box = _box(item)
            if abs(box[2] - box[3]) < 0.01 and 38.0 < box[2] < 42.0:
                found.append((box[0], box[1], box[2]))
    return sorted(set(found))


def slots(face: Face) -> list[tuple[float, float, float, float]]:
    """Return (x, y, width, height) of the board's places for cards."""
    boxes = {_box(item) for item in every_item(face.front.items) if isinstance(item, Outline)}
    return sorted(box for box in boxes if 63.4 < box[2] < 66 and 88.8 < box[3] < 92)


def _box(item: Outline) -> tuple[float, float, float, float]:
    """Return the box of an outline (x, y, width, height), rounded to 0.01 mm."""
    box = path_bounds(item.path)
    assert box is not None
    return round(box.x_mm, 2), round(box.y_mm, 2), round(box.width_mm, 2), round(box.height_mm, 2)


def test_a_real_poker_card_lies_in_each_slot_with_a_target_above(faces: list[Face]) -> None:
    board = next(face for face in faces if face.deck == "board")
    card, target = FORMATS["poker"].trim, FORMATS["round-1.5in"].trim
    places, rounds = slots(board), circles(board)
    assert len(places) == len(rounds) == 6
    for (x, y, width, height), (round_x, round_y, across) in zip(places, rounds, strict=True):
        assert width >= card.width_mm
        assert height >= card.height_mm
        assert across >= target.width_mm
        assert round_x + across / 2 == pytest.approx(x + width / 2, abs=0.02)
        assert round_y + across <= y
    for (x, _, width, _), (after, *_) in itertools.pairwise(places):
        assert after - x - width >= 0.5, "neighbouring cards must not overlap"


def test_the_board_is_cut_between_two_slots(faces: list[Face]) -> None:
    board = next(face for face in faces if face.deck == "board")
    middle = board.front.trim.width_mm / 2
    places = slots(board)
    assert places[2][0] + places[2][2] < middle < places[3][0]
    for text in texts(board):
        assert not text.x_mm - 5 < middle < text.x_mm + text.width_mm + 5, text.text
