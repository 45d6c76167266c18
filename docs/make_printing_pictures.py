"""Makes the pictures of docs/printing.md: sheets of a small deck, printed by the program itself.

Each PNG carries a hash of what lies on the pages it was made from, so that a test can tell a stale picture without
comparing pixels.

    python docs/make_printing_pictures.py
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdfium2
from PIL import Image, ImageChops, ImageDraw, PngImagePlugin

from duckpress.core.backs import Backs
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

PICTURES = Path(__file__).resolve().parent / "pictures" / "printing"
STAMP = "duckpress-sheets"
SHOWN_COLOURS = 64
EDGE = "#b4b4b4"
DRIFT_MM = 2.0

COLOURS = ("#e0b04a", "#7fb069", "#d98880", "#7fb3d5")
FACE = """<face>
  <ground fill="{{ card.colour }}"/>
  <rect x="3" y="3" width="{{ trim.width - 6 }}" height="{{ trim.height - 6 }}" fill="paper" rx="3"/>
  <text x="6" y="8" width="{{ trim.width - 12 }}" height="24" style="big" align="center">{{ card.letter }}</text>
  <text x="6" y="{{ trim.height - 20 }}" width="{{ trim.width - 12 }}" height="10" align="center">SIDE</text>
</face>
"""
FILES = {
    "game.yaml": 'title: Letters\nversion: "1.0"\ndesigner: Nobody\nplayers: 2\ntheme: letters\n'
    "pieces: [{id: cards, title: Cards, decks: [letter]}]\n",
    "theme.yaml": 'families: {body: Alegreya Sans}\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
    "text:\n  body: {font: body, size: 16, min: 8, colour: ink}\n"
    "  big: {font: body, weight: bold, size: 60, min: 20, colour: ink}\n",
    "decks/letter.yaml": "title: Letters\nsize: poker\nfront: front\nback: back\n"
    "fields: {letter: text, colour: text}\ncards:\n"
    + "".join(
        f'  - {{id: {letter.lower()}, letter: {letter}, colour: "{COLOURS[at % 4]}"}}\n'
        for at, letter in enumerate("ABCDEFGHI")
    ),
    "layouts/front.xml": FACE.replace("SIDE", "front"),
    "layouts/back.xml": FACE.replace("SIDE", "back").replace('fill="paper"', 'fill="#f2ead8"'),
}


class Shown(NamedTuple):
    """A picture: its name, the request that prints it, the page shown, and how it is drawn."""

    name: str
    request: Request
    page: int = 0
    dpi: int = 40
    drifting: int | None = None  # the column whose back is shown as it comes out of the first row


SHOWN = (
    Shown("fold-upright", Request(papers=("a4",), backs=Backs.GUTTERFOLD)),
    Shown("fold-level", Request(papers=("letter",), backs=Backs.GUTTERFOLD)),
    Shown("lines-single", Request(papers=("a4",), cut="lines", gaps="never")),
    Shown("lines-double", Request(papers=("a4",), cut="lines", gaps="always")),
    Shown("drift-butted", Request(papers=("a4",), gaps="never"), page=1, dpi=60, drifting=1),
    Shown("drift-roomy", Request(papers=("a4",), gaps="always", turn="short"), page=1, dpi=60, drifting=2),
)


def printed(folder: Path) -> Iterator[tuple[Shown, Path, str]]:
    """Yield what is shown with its file and the hash of its page, printed in a folder."""
    game = folder / "content" / "letters"
    for name, text in FILES.items():
        path = game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    workspace = Workspace(folder, bundled_root())
    for one in SHOWN:
        built = build(workspace, load(workspace, "letters"), one.request, folder / one.name)
        pdf = next(built.folder / name for name in built.files if "-cards-" in name)
        with pikepdf.open(pdf) as document:
            page = document.pages[one.page]
            says = page.Contents.read_bytes() + bytes(str(page.MediaBox), "ascii")
        yield one, pdf, hashlib.sha256(says).hexdigest()


def draw(one: Shown, pdf: Path) -> Image.Image:
    """Return a page of a file with an edge around the paper; of a drifting back, one card as it comes out."""
    page = pypdfium2.PdfDocument(pdf)[one.page]
    picture = page.render(scale=one.dpi / 72).to_pil().convert("RGB")
    if one.drifting is not None:
        return _drifted(picture, page, one.dpi, one.drifting)
    ImageDraw.Draw(picture).rectangle((0, 0, picture.width - 1, picture.height - 1), outline=EDGE)
    return picture.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def _drifted(picture: Image.Image, page: pypdfium2.PdfPage, dpi: int, column: int) -> Image.Image:
    """Return what is cut out where a card of the first row should be, when the back came out 2 mm to the left."""
    px = dpi / 25.4
    left_pt, _, _, top_pt = page.get_trimbox()
    gap_mm = 4.0 if page.get_width() > page.get_height() else 0.0
    x, y = left_pt * dpi / 72 + column * (63.5 + gap_mm) * px, (page.get_height() - top_pt) * dpi / 72
    moved = ImageChops.offset(picture, round(-DRIFT_MM * px), 0)
    card = moved.crop((round(x), round(y), round(x + 63.5 * px), round(y + 88.9 * px)))
    ImageDraw.Draw(card).rectangle((0, 0, card.width - 1, card.height - 1), outline=EDGE)
    return card.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def make_pictures(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for one, pdf, stamp in printed(Path(scratch)):
            info = PngImagePlugin.PngInfo()
            info.add_text(STAMP, stamp)
            draw(one, pdf).save(folder / f"{one.name}.png", pnginfo=info, optimize=True)


if __name__ == "__main__":
    make_pictures(PICTURES)
    print(f"{len(SHOWN)} pictures in {PICTURES}")
