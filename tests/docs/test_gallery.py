"""The gallery shows every piece of every bundled game as it is now."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from duckpress.build import Request, build, load
from duckpress.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from make_pictures import PICTURES, STAMP, face_stamp, gallery  # noqa: E402


@pytest.mark.parametrize("game_id", Workspace(ROOT).games())
def test_the_pictures_show_the_faces_of_today(game_id: str, project: Workspace, tmp_path: Path) -> None:
    built = build(project, load(project, game_id), Request(papers=("a4",)), tmp_path)
    manifest = json.loads((built.folder / "manifest.json").read_text())
    for row in built.pieces:
        with Image.open(PICTURES / f"{game_id}-{row.piece}.png") as picture:
            assert picture.info[STAMP] == face_stamp(manifest, row.piece), f"{row.piece} has changed: run make docs"


def test_the_page_lists_every_piece_and_no_picture_is_left_over(project: Workspace) -> None:
    page = (ROOT / "docs" / "gallery.md").read_text()
    assert page == gallery(project), "the games have changed: run make docs"
    assert {path.name for path in PICTURES.glob("*.png")} == {
        line.rpartition("/")[2].rstrip(")") for line in page.splitlines() if line.startswith("![")
    }
