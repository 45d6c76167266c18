"""The looks of Duck Blind's cards: backs turned round, blinds without colours, and how much the ducks vary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from duckpress.layout import LaidOut
from duckpress.press.request import Built
from duckpress.views.pictures import paint_frames
from kit.setting import LIBRARY

DPI = 72


@pytest.fixture(scope="module")
def pieces(whole: Callable[[str], Built]) -> dict[str, LaidOut]:
    return {one.piece.id: one for one in reversed(whole("duck-blind").checked.pieces)}  # the original comes first


def sides(piece: LaidOut, *, are_backs: bool) -> dict[str, Image.Image]:
    """Return the different faces or backs of a piece as pictures, by the first card that has each."""
    frames = {}
    for face in piece.faces:
        frame = face.back if are_backs else face.front
        if frame is not None and frame not in frames.values():
            frames[face.card] = frame
    return dict(zip(frames, paint_frames(piece, list(frames.values()), LIBRARY, DPI, has_bleed=False), strict=True))


def turn_difference(card: Image.Image) -> float:
    """Return the part of a card's dots that change clearly when it is turned round."""
    grey = card.convert("L")
    counts = ImageChops.difference(grey.reduce(2), grey.rotate(180).reduce(2)).histogram()
    return sum(counts[100:]) / sum(counts)


@pytest.mark.parametrize("name", ["play-deck", "blinds", "bonus"])
def test_backs_look_the_same_either_way_up(pieces: dict[str, LaidOut], name: str) -> None:
    backs = sides(pieces[name], are_backs=True)
    assert {card for card, back in backs.items() if turn_difference(back) > 0.01} == set()
    fronts = sides(pieces[name], are_backs=False)
    assert all(turn_difference(front) > 0.01 for front in fronts.values())  # the measure tells


def test_blinds_differ_in_lightness(pieces: dict[str, LaidOut]) -> None:
    """So they are told apart by eyes that see no hue, and in grey, before the mark is looked for."""
    backs = sides(pieces["blinds"], are_backs=True)
    grounds = sorted(int(back.convert("L").getpixel((12, 34))) for back in backs.values())  # type: ignore[arg-type]
    assert len(grounds) == 6
    assert all(darker + 12 < lighter for darker, lighter in pairwise(grounds)), grounds


def test_ducks_differ_in_pose_and_scene(whole: Callable[[str], Built]) -> None:
    game = whole("duck-blind").checked.game
    assert game is not None
    species = game.lists["species"].values()  # type: ignore[union-attr]
    scenes = Counter(one["scene"] for one in species)
    poses = Counter(one["pose"][sex] for one in species for sex in ("drake", "hen"))
    assert len(scenes) >= 4
    assert len(poses) >= 6
    assert max(poses.values()) <= 6
    assert all(one["pose"]["drake"] != one["pose"]["hen"] for one in species)


@pytest.mark.parametrize("are_backs", [False, True])
def test_cards_that_share_a_sheet_have_one_colour_at_their_edges(pieces: dict[str, LaidOut], are_backs: bool) -> None:
    edges = set()
    for name in ("play-deck", "blinds", "bonus"):
        for card in sides(pieces[name], are_backs=are_backs).values():
            wide, high = card.size
            strips = [(0, 0, wide, 4), (0, high - 4, wide, high), (0, 0, 4, high), (wide - 4, 0, wide, high)]
            edges |= {colour for strip in strips for _, colour in card.crop(strip).getcolors(9999) or []}
    assert len(edges) == 1
