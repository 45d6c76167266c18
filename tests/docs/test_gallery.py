"""The gallery shows every piece of every bundled game as it is now."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from duckpress.files.workspace import Workspace
from duckpress.press.reading import load
from duckpress.press.request import Built

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from make_pictures import GAMES, PICTURES, STAMP, gallery, piece_of_fan, printed, shown, spread  # noqa: E402


@pytest.mark.soak
@pytest.mark.parametrize("game_id", sorted(Workspace(ROOT).games(), key=lambda id_: id_ != "duck-pens"))
def test_the_pictures_show_the_faces_of_today(
    game_id: str, project: Workspace, whole: Callable[[str], Built], tmp_path: Path
) -> None:
    game = load(project, game_id).game
    assert game is not None
    fan = piece_of_fan(project, game).name
    for one, _, stamp in printed(project, game, tmp_path, whole(game_id)):
        with Image.open(PICTURES / f"{one.name}.png") as picture:
            assert picture.info[STAMP] == stamp, f"{one.name} has changed: run make docs"
        if one.name == fan:
            with Image.open(PICTURES / f"{GAMES}.png") as picture:
                assert picture.info[f"{STAMP}-{game_id}"] == stamp, f"{one.name} has changed: run make docs"


def test_what_is_shown_of_a_piece_differs() -> None:
    assert spread(["a", "a", "b", "a"], 3, len) == ["a", "b"]
    assert spread(range(1, 55), 9, lambda number: number % 13) == [6, 12, 18, 24, 25, 36, 38, 48, 51]


def test_the_page_lists_every_piece_and_no_picture_is_left_over(project: Workspace) -> None:
    page = (ROOT / "docs" / "gallery.md").read_text()
    assert page == gallery(project), "the games have changed: run make docs"
    assert {path.name for path in PICTURES.glob("*.png")} == {
        line.rpartition("/")[2].rstrip(")") for line in page.splitlines() if line.startswith("![")
    }


def test_the_gallery_leaves_out_what_is_for_the_designer(project: Workspace) -> None:
    games = [game for id_ in project.games() if (game := load(project, id_).game) is not None]
    assert any(piece.is_for_designer for game in games for piece in game.pieces)
    for game in games:
        ids = {one.piece.id for one in shown(project, game)}
        assert ids == {piece.id for piece in game.pieces if not piece.is_for_designer}, game.id
