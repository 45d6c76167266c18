"""The pictures of the gallery, of the pages and of sheets show what there is today."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import DOCS, ROOT, Page
from PIL import Image

from duckpress.core.sizes import FORMATS, PAPERS
from duckpress.files.workspace import Workspace
from duckpress.impose import Gaps, fit_grid
from duckpress.impose.gutter import fit_half
from duckpress.press.reading import load
from duckpress.press.request import Built

sys.path.insert(0, str(DOCS))

import make_page_pictures as of_pages
import make_pictures as of_games
import make_printing_pictures as of_sheets


def stamp_in(file: Path, stamp: str) -> object:
    with Image.open(file) as picture:
        return picture.info[stamp]


@pytest.mark.soak
@pytest.mark.parametrize("game_id", sorted(Workspace(ROOT).games(), key=lambda id_: id_ != "duck-pens"))
def test_the_gallery_shows_the_faces_of_today(
    game_id: str, project: Workspace, whole: Callable[[str], Built], tmp_path: Path
) -> None:
    game = load(project, game_id).game
    assert game is not None
    fan = of_games.piece_of_fan(project, game).name
    for one, _, stamp in of_games.printed(project, game, tmp_path, whole(game_id)):
        here = stamp_in(of_games.PICTURES / f"{one.name}.png", of_games.STAMP)
        assert here == stamp, f"{one.name} has changed: run make docs"
        if one.name == fan:
            among = stamp_in(of_games.PICTURES / f"{of_games.GAMES}.png", f"{of_games.STAMP}-{game_id}")
            assert among == stamp, f"{one.name} has changed: run make docs"


def test_the_gallery_lists_every_piece_but_those_for_the_designer(project: Workspace) -> None:
    page = Page("gallery").text
    assert page == of_games.gallery(project), "the games have changed: run make docs"
    listed = {line.rpartition("/")[2].rstrip(")") for line in page.splitlines() if line.startswith("![")}
    assert {path.name for path in of_games.PICTURES.glob("*.png")} == listed
    games = [game for id_ in project.games() if (game := load(project, id_).game) is not None]
    assert any(piece.is_for_designer for game in games for piece in game.pieces)
    for game in games:
        ids = {one.piece.id for one in of_games.shown(project, game)}
        assert ids == {piece.id for piece in game.pieces if not piece.is_for_designer}, game.id


def test_the_pictures_show_the_sheets_of_today(tmp_path: Path) -> None:
    for one, _, stamp in of_sheets.printed(tmp_path):
        here = stamp_in(of_sheets.PICTURES / f"{one.name}.png", of_sheets.STAMP)
        assert here == stamp, f"{one.name} is stale; run: python docs/make_printing_pictures.py"


@pytest.mark.soak
def test_the_pictures_show_the_page_of_today() -> None:
    stamp = of_pages.stamp_of(ROOT)
    for view in of_pages.VIEWS:
        here = stamp_in(of_pages.PICTURES / f"page-{view.name}.png", of_pages.STAMP)
        assert here == stamp, "stale; run: python docs/make_page_pictures.py (it needs Chromium)"


def test_every_picture_is_on_its_page() -> None:
    on_page = set(re.findall(r"\(pictures/printing/([\w-]+)\.png\)", Page("printing").text))
    assert on_page == {one.name for one in of_sheets.SHOWN} == {path.stem for path in of_sheets.PICTURES.glob("*.png")}
    on_page = set(re.findall(r"\(pictures/page/([\w-]+)\.png\)", Page("content").text))
    views = {f"page-{view.name}" for view in of_pages.VIEWS}
    assert on_page == views == {path.stem for path in of_pages.PICTURES.glob("*.png")}


def test_the_table_of_what_lies_on_a_sheet() -> None:
    row = re.compile(r"^\| `([\w.-]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
    rows = row.findall(Page("printing").text)
    assert len(rows) >= 6
    for size, *written in rows:
        found = []
        for paper in (PAPERS["a4"], PAPERS["letter"]):
            grids = [fit_grid(FORMATS[size], paper, None, gaps) for gaps in (Gaps.NEVER, Gaps.ALWAYS)]
            found += [grid.capacity if grid else 0 for grid in (*grids, fit_half(FORMATS[size], paper))]
        assert found == list(map(int, written)), size
