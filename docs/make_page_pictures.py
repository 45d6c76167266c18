"""Makes the pictures of the page in docs/content.md: a game's page, written by the program, in a headless Chromium.

Each PNG carries a hash of what it shows: the words and cards of the page, and its style sheet. A test can tell a stale
picture without a browser. Where there is no Chromium, the pictures are left as they are.

    python docs/make_page_pictures.py
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image, PngImagePlugin

from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.reading import load
from duckpress.views.export_files import ExportRequest
from duckpress.views.page.game_page import FILE, GamePage, preview
from duckpress.views.shown_game import GamePieces

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures" / "page"
STAMP = "duckpress-page"
GAME = "duck-blind"
REQUEST = ExportRequest("preview", dpi=150)
WIDTH, HEIGHT = 1100, 700
SHOWN_COLOURS = 128
DATA = ("game", "cards", "deals")


class View(NamedTuple):
    """A picture: its name, the address of what it shows, when that is there, and what is done then."""

    name: str
    address: str
    is_there: str
    act: str = ""


VIEWS = (
    View("cards", "#cards", "document.querySelectorAll('.card').length > 5"),
    View(
        "card",
        "#cards/play-deck-duck-mallard-drake",
        "document.querySelector('dialog')?.open",
        "for (const line of ['trim', 'safe']) document.querySelector(`[data-line=${line}]`).click()",
    ),
    View("deal", "#deal/3//1", "document.querySelectorAll('.pile').length > 5"),
)


def stamp_of(root: Path) -> str:
    """Return one hash of what the pictures show, but for where it is written."""
    workspace = Workspace(root, bundled_root())
    page = GamePage(GamePieces(workspace, load(workspace, GAME), REQUEST), is_given=True)
    shown = (page.files["page.css"], *(page.script(name) for name in DATA))
    return hashlib.sha256(b"".join(shown)).hexdigest()


def make_pictures(folder: Path) -> None:
    """Write all pictures."""
    from kit.browser import browsing

    info = PngImagePlugin.PngInfo()
    info.add_text(STAMP, stamp_of(ROOT))
    workspace = Workspace(ROOT, bundled_root())
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        out, taken = Path(scratch, "output"), Path(scratch, "taken.png")
        preview(workspace, load(workspace, GAME), REQUEST, out)
        with browsing(Path(scratch, "profile"), WIDTH, HEIGHT) as page:
            for view in VIEWS:
                page.go("about:blank")
                page.go((out / GAME / FILE).as_uri() + view.address)
                page.wait(view.is_there)
                page.ask(view.act)
                page.ask("document.activeElement.blur()")
                page.ask("Promise.all([...document.images].map(one => one.decode().catch(() => {}))).then(() => 1)")
                page.settle()
                page.picture(taken)
                picture = Image.open(io.BytesIO(taken.read_bytes())).convert("RGB")
                shown = picture.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)
                shown.save(folder / f"page-{view.name}.png", pnginfo=info, optimize=True)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    from kit.browser import CHROMIUM

    if Path(CHROMIUM).exists():
        make_pictures(PICTURES)
        print(f"{len(VIEWS)} pictures in {PICTURES}")
    else:
        print(f"there is no {CHROMIUM}: the pictures in {PICTURES} are left as they are")
