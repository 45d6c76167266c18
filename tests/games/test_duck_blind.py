"""Duck Blind: the looks of its cards, turned round and without colours; and its second language, set as French is."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from card_pictures import sides, turn_difference

from duckpress.check import setup_table
from duckpress.content.translations.translation_file import in_language
from duckpress.core.frame import Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.reading import load
from duckpress.press.request import Built
from duckpress.press.typesetting import TypesetTask, lay_out_faces
from duckpress.text.fonts import FontLibrary
from shared import with_faces


@pytest.fixture(scope="module")
def pieces(whole: Callable[[str], Built]) -> dict[str, LaidOut]:
    return {one.piece.id: one for one in reversed(whole("duck-blind").checked.pieces)}  # the original comes first


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


@pytest.mark.parametrize("are_backs", [False, True])
def test_cards_that_share_a_sheet_have_one_colour_at_their_edges(pieces: dict[str, LaidOut], are_backs: bool) -> None:
    edges = set()
    for name in ("play-deck", "blinds", "bonus"):
        for card in sides(pieces[name], are_backs=are_backs).values():
            wide, high = card.size
            strips = [(0, 0, wide, 4), (0, high - 4, wide, high), (0, 0, 4, high), (wide - 4, 0, wide, high)]
            edges |= {colour for strip in strips for _, colour in card.crop(strip).getcolors(9999) or []}
    assert len(edges) == 1


@pytest.fixture(scope="module")
def games(project: Workspace) -> tuple[Game, Game]:
    """The original and the translation."""
    game = load(project, "duck-blind").game
    assert game is not None
    return game, in_language(project, game, "fr").game


def test_every_french_text_has_french_spaces_quotes_and_apostrophes(
    games: tuple[Game, Game], run_folder: Path, project: Workspace
) -> None:
    frames = with_faces(run_folder, load(project, "duck-blind")).frames
    pieces = [piece for piece in games[1].pieces if not piece.book]  # rules have tests of their own
    task = TypesetTask(project, games[1], FontLibrary(project), pieces, language="fr", frames=frames)
    faces = [face for one in lay_out_faces(task).pieces for face in one.faces]
    sides = [side for face in faces for side in (face.front, face.back) if side is not None]
    said = " ".join(item.text for side in sides for item in every_item(side.items) if isinstance(item, Text))
    assert all(words in said for words in ("Canard colvert", "d’Amérique", "Enrayé\u202f!"))
    assert not {"'", '"'} & set(said)
    assert re.findall(r"\w[!?;](?!\w)|[ \u00a0][!?;:»]|«[^\u202f]", said) == []


def test_the_setup_table_is_french_and_has_the_same_numbers(games: tuple[Game, Game]) -> None:
    one, other = map(setup_table, games)
    assert one.rows == other.rows
    assert not {column.title for column in one.columns} & {column.title for column in other.columns}
    assert len(other.notes) == len(one.notes)
    assert not set(one.notes) & set(other.notes)
