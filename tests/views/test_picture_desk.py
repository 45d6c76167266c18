"""The desk that hands out pictures gives what exports write, to any thread, and keeps what it has made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from duckpress.files.workspace import Workspace
from duckpress.press.reading import load
from duckpress.views import picture_files
from duckpress.views.face_pictures import lay_out_game
from duckpress.views.picture_files import PictureDesk, face_file, screen_file
from duckpress.views.pictures import FacePainter

POND = {
    "content/pond/game.yaml": 'title: Pond\nversion: "0.1"\ndesigner: Nobody\nplayers: 2\ntheme: base\n'
    "languages: [en]\npieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\ncards: [{id: mallard}, {id: teal}]\n",
    "content/pond/layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.id }}</text></face>',
}


def test_threads_get_what_an_export_writes_and_each_picture_is_made_once(
    make_workspace: Callable[[Mapping[str, str]], Workspace],
) -> None:
    workspace = make_workspace(POND)
    shown = lay_out_game(workspace, load(workspace, "pond"))
    (one,) = shown.checked.pieces
    files = [of(one, face.front, 50) for face in one.faces for of in (face_file, screen_file)]
    painter = FacePainter(shown.fonts)
    alone = [
        file.painted(painter, painter.pages(one, file.frames, 50, has_bleed=file.has_bleed), {})[0] for file in files
    ]
    desk = PictureDesk()
    desk.begin(shown.fonts)
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(desk.picture, files * 3))
    assert made == alone * 3
    assert len(set(map(id, made))) == len(files)


def test_what_nobody_asks_for_any_more_is_forgotten_first(
    make_workspace: Callable[[Mapping[str, str]], Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(POND)
    shown = lay_out_game(workspace, load(workspace, "pond"))
    (one,) = shown.checked.pieces
    first, second = (face_file(one, face.front, 50) for face in one.faces)
    desk = PictureDesk()
    desk.begin(shown.fonts)
    size = len(desk.picture(first))
    monkeypatch.setattr(picture_files, "_MOST_BYTES", size)
    assert desk.picture(first) is desk.picture(first)
    before = desk.picture(first)
    desk.picture(second)
    again = desk.picture(first)
    assert again == before
    assert again is not before
