"""The tiles of a large board, joined, are the board; and what is told of a board that is not tiled."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops

from duckpress.core.geometry import MM_PER_PT
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from running import MakeWorkspace

BOARD = "content/shore/boards/board.yaml"
FILES = {
    "content/shore/game.yaml": 'title: Shore\nversion: "0.1"\ndesigner: Somebody\nplayers: 2\ntheme: base\n'
    "pieces: [{id: board, title: Board, decks: [board]}]\n",
    BOARD: "title: Board\nsize: {width: 420mm, height: 330mm, bleed: 0, corner: 0}\nfront: board\ntiled: yes\n"
    "component: no\ncards: [{id: board}]\n",
    "content/shore/layouts/board.xml": '<face><ground fill="#eeeedd"/>'
    '<text x="8" y="8" width="99" height="10" size="20">North-west</text>'
    '<text x="312" y="312" width="99" height="10" align="right" size="20">South-east</text>'
    '<squaregrid columns="21" rows="14" cell="19" x="10" y="30" labels="cells" stroke="#884422"/></face>',
}


def test_tiles_laid_over_each_other_show_the_board(make_workspace: MakeWorkspace) -> None:
    """The pictures of the tiles, joined as a person would join them, are the picture of the whole board."""
    workspace = make_workspace(FILES)
    built = build(workspace, load(workspace, "shore"), Request(("a4", "600x500mm")), workspace.root / "output")
    assert [str(problem) for problem in built.checked.problems] == []
    (whole,) = trims(built.folder / "shore-board-600x500mm.pdf")
    joined = Image.new("RGB", whole.size, "white")
    tiles = trims(built.folder / "shore-board-a4.pdf")
    assert len(tiles) == 4
    for at, tile in enumerate(tiles):
        row, column = divmod(at, 2)
        place = column * (whole.width - tile.width), row * (whole.height - tile.height)
        here = joined.crop((*place, place[0] + tile.width, place[1] + tile.height))
        shared = here.point(lambda value: 0 if value == 255 else 255).convert("L").getbbox()
        assert (shared is not None) is (at > 0), "neighbours share a strip"
        joined.paste(tile, place)
    odd = ImageChops.difference(joined, whole).convert("L").point(lambda value: 255 if value > 96 else 0)
    assert odd.histogram()[255] < 0.002 * whole.width * whole.height


def trims(path: Path) -> list[Image.Image]:
    """Return each page of a file, cut at its trim box, as a picture of 4 pixels a millimetre."""
    found = []
    scale = 4 * MM_PER_PT
    for page in pypdfium2.PdfDocument(path):
        left, bottom, right, top = page.get_trimbox()
        edges = (left, page.get_height() - top, right, page.get_height() - bottom)
        picture = page.render(scale=scale).to_pil().convert("RGB")
        found.append(picture.crop(tuple(round(edge * scale) for edge in edges)))  # type: ignore[arg-type]
    return found


def test_what_is_not_tiled_and_too_large_is_told_how_it_could_be(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**FILES, BOARD: FILES[BOARD].replace("tiled: yes\n", "")})
    loaded = load(workspace, "shore")
    built = build(workspace, loaded, Request(("a4",)), workspace.root / "output")
    for problems in (check(workspace, loaded).problems, built.checked.problems):
        assert {(one.code, one.source.file) for one in problems} == {("does-not-fit", BOARD)}
        assert all("tiled: yes" in one.fix for one in problems)
