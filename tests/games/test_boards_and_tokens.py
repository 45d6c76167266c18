"""A whole game of boards and tokens, built and proven, and its files read back: tiles, scale, common sheets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from duckpress.core.geometry import MM_PER_PT
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.checking import check
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from running import MakeWorkspace, write_files

DECK = """\
title: {id}
size: {size}
front: {front}
{more}component: no
cards:
  - {{id: {id}, copies: {copies}}}
"""
WORD = """\
<face><ground fill="#eeeedd"/>
<text x="8" y="8" width="{{ trim.width / 2 }}" height="10" size="20">North-west</text>
<text x="{{ trim.width / 2 }}" y="{{ trim.height - 18 }}" width="{{ trim.width / 2 - 8 }}" height="10" align="right"
  size="20">South-east</text>
</face>
"""
CHIP = """<face><ground fill="#bbccdd"/></face>"""
BACK = """<face><ground fill="#334455"/></face>"""
GAME = """\
title: Shore
version: "0.1"
designer: Somebody
players: 2
theme: base
pieces:
  - {id: board, title: Board, decks: [board]}
  - {id: large, title: Board twice as wide, decks: [board], scale: 1.33, instead_of: board}
  - {id: tokens, title: Tokens, decks: [round, square, slip]}
"""
FILES = {
    "content/shore/game.yaml": GAME,
    "content/shore/boards/board.yaml": DECK.format(
        id="board", size="full-page-landscape", front="board", copies=1, more="tiled: yes\n"
    ),
    "content/shore/boards/round.yaml": DECK.format(
        id="round", size="{width: 30mm, round: yes}", front="chip", copies=7, more="back: back\n"
    ),
    "content/shore/boards/square.yaml": DECK.format(
        id="square", size="{width: 20mm, height: 20mm}", front="chip", copies=12, more="back: back\n"
    ),
    "content/shore/boards/slip.yaml": DECK.format(
        id="slip", size="{width: 90mm, height: 25mm}", front="chip", copies=2, more=""
    ),
    "content/shore/layouts/board.xml": WORD,
    "content/shore/layouts/chip.xml": CHIP,
    "content/shore/layouts/back.xml": BACK,
}


def built(root: Path, files: Mapping[str, str], **request: object) -> Path:
    workspace = Workspace(write_files(root, files), bundled_root())
    found = build(workspace, load(workspace, "shore"), Request(**request), root / "output")  # type: ignore[arg-type]
    assert [str(problem) for problem in found.checked.problems] == []
    return found.folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("shore"), FILES)


def pages(path: Path) -> list[str]:
    return [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_board_is_one_sheet_and_its_large_print_two(folder: Path, paper: str) -> None:
    (whole,) = pages(folder / f"shore-board-{paper}.pdf")
    assert "North-west" in whole
    assert "tile" not in whole
    first, second = pages(folder / f"shore-large-{paper}.pdf")
    assert "North-west" in first
    assert "tile 1 of 2" in first
    assert "South-east" in second
    assert "tile 2 of 2" in second


def test_the_large_print_is_larger_by_its_scale_and_no_new_card(folder: Path) -> None:
    def height_mm(name: str) -> float:
        page = pypdfium2.PdfDocument(folder / name)[0]
        text = page.get_textpage()
        left, bottom, right, top = text.get_charbox(text.get_text_range().index("N"))
        assert right > left
        return (top - bottom) * MM_PER_PT

    assert height_mm("shore-large-a4.pdf") / height_mm("shore-board-a4.pdf") == pytest.approx(1.33, abs=0.01)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert len({card["frame"] for card in manifest["cards"] if card["deck"] == "board"}) == 2


def test_tokens_of_three_sizes_share_one_sheet_with_its_back(folder: Path) -> None:
    assert len(pages(folder / "shore-tokens-a4.pdf")) == 2


def test_tiles_laid_over_each_other_show_the_board(tmp_path: Path) -> None:
    """The pictures of the tiles, joined as a person would join them, are the picture of the whole board."""
    files = dict(FILES)
    files["content/shore/boards/board.yaml"] = DECK.format(
        id="board",
        size="{width: 420mm, height: 330mm, bleed: 0, corner: 0}",
        front="board",
        copies=1,
        more="tiled: yes\n",
    )
    grid = '<squaregrid columns="21" rows="14" cell="19" x="10" y="30" labels="cells" stroke="#884422"/></face>'
    files["content/shore/layouts/board.xml"] = WORD.replace("</face>", grid)
    folder = built(tmp_path, files, papers=("a4", "600x500mm"), pieces=("board",))
    (whole,) = trims(folder / "shore-board-600x500mm.pdf")
    joined = Image.new("RGB", whole.size, "white")
    tiles = trims(folder / "shore-board-a4.pdf")
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
    document = pypdfium2.PdfDocument(path)
    for number in range(len(document)):
        page = document[number]
        left, bottom, right, top = page.get_trimbox()
        scale = 4 * MM_PER_PT
        picture = page.render(scale=scale).to_pil().convert("RGB")
        edges = (left, page.get_height() - top, right, page.get_height() - bottom)
        found.append(picture.crop(tuple(round(edge * scale) for edge in edges)))  # type: ignore[arg-type]
    return found


def test_what_is_not_tiled_and_too_large_is_told_how_it_could_be(make_workspace: MakeWorkspace) -> None:
    files = dict(FILES)
    files["content/shore/boards/board.yaml"] = FILES["content/shore/boards/board.yaml"].replace("tiled: yes\n", "")
    workspace = make_workspace(files)
    loaded = load(workspace, "shore")
    checked = check(workspace, loaded).problems
    built = build(workspace, loaded, Request(("a4",)), workspace.root / "output").checked.problems
    file = "content/shore/boards/board.yaml"
    for problems in (checked, built):
        assert {(one.code, one.source.file) for one in problems} == {("does-not-fit", file)}
        assert all("tiled: yes" in one.fix for one in problems)
