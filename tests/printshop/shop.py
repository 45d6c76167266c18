"""A small game made to be printed in every way: cards that are told apart from any side and any way up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pypdfium2
from cutting import ALIKE, cut_sheets, difference, is_blank, most_like
from PIL import Image

from duckpress.core.frame import Frame
from duckpress.core.geometry import Size
from duckpress.core.sizes import FORMATS
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.impose import Edges, Placement, Sheet, Side
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.render import Booklet, DocumentInfo, Renderer
from duckpress.text.fonts import FontLibrary
from running import write_files

DPI = 300

LAYOUT = """<face>
  <ground fill="{{ card.colour }}"/>
  <rect x="4" y="4" width="{{ trim.width - 8 }}" height="{{ trim.height - 8 }}" stroke="ink" stroke-width="0.6"/>
  <polygon points="6,6 16,6 6,{{ trim.height * 0.4 }}" fill="ink"/>
  <text x="8" y="{{ trim.height / 2 }}" width="{{ trim.width - 16 }}" height="10" size="16"
    align="center">{{ card.id }} SIDE</text>
  <circle cx="{{ trim.width - 8 }}" cy="{{ 8 + card.number * 3 }}" r="1.6" fill="ink"/>
</face>
"""

THEME = 'families: {body: Alegreya Sans}\ncolours: {paper: "#ffffff", ink: "#303030", line: "#888888"}\n'
THEME += "text: {body: {font: body, size: 12, min: 8, colour: ink}}\n"


_COLOURS = ("#ffe070", "#90e090", "#ff9ac8", "#90c8ff", "#ffa060", "#d8d8d8")


def make_shop(folder: Path, size: str, copies: Mapping[str, int], *, backs: str = "each") -> Workspace:
    """Write the game into a folder.

    `backs` is `each` (every card its own), `shared`, `none`, or `mixed`: the first card has none.
    """
    cards = [
        f'  - {{id: {name}, copies: {count}, number: {number}, colour: "{_COLOURS[number % len(_COLOURS)]}"}}\n'
        for number, (name, count) in enumerate(copies.items())
    ]
    head = f"size: {size}\nfront: front\nfields: {{number: whole, colour: text}}\n"
    shown = LAYOUT.replace("SIDE", "back").replace('polygon points="6,6 16,6', 'polygon points="6,6 26,6')
    if backs == "shared":
        shown = shown.replace("{{ card.id }}", "the").replace("card.number", "2")
        shown = shown.replace("{{ card.colour }}", "#a8c8d8")
    files = {
        "game.yaml": 'title: Shop\nversion: "1.0"\ndesigner: Nobody\nplayers: 2\ntheme: shop\n'
        f"pieces: [{{id: cards, title: Cards, decks: [{'bare, card' if backs == 'mixed' else 'card'}]}}]\n",
        "theme.yaml": THEME,
        "layouts/front.xml": LAYOUT.replace("SIDE", "front"),
        "layouts/back.xml": shown,
    }
    if backs == "mixed":
        files["decks/bare.yaml"] = f"title: Bare\n{head}cards:\n{cards.pop(0)}"
    back = "" if backs == "none" else "back: back\n"
    files["decks/card.yaml"] = f"title: Cards\n{head}{back}cards:\n{''.join(cards)}"
    write_files(folder / "content" / "shop", files)
    return Workspace(folder, bundled_root())


def print_shop(workspace: Workspace, request: Request, out: Path) -> list[Path]:
    """Build the game and give its PDFs."""
    built = build(workspace, load(workspace, "shop"), request, out)
    assert not built.checked.has_errors, "\n".join(map(str, built.checked.problems))
    return [built.folder / name for name in built.files if name.endswith(".pdf") and "-all-" not in name]


def compared(workspace: Workspace, pdf: Path, size: str) -> Counter[str]:
    """Cut a file of the game and compare each card with its face and its back; return how many there are of each."""
    wanted, found = faces(workspace), Counter[str]()
    fronts = {name: face for name, (face, _) in wanted.items()}
    for one in cut_sheets(pdf, *FORMATS[size].trim):
        name, differs = most_like(one.face, fronts)
        back = wanted[name][1]
        assert differs < ALIKE, f"{name}: its face is off"
        assert (one.back is None or is_blank(one.back)) is (back is None)
        if one.back is not None and back is not None:
            assert difference(one.back, back) < ALIKE, f"{name}: its back is off"
        found[name] += 1
    return found


def faces(workspace: Workspace) -> dict[str, tuple[Image.Image, Image.Image | None]]:
    """Return what each card should look like, cut out: face and back."""
    game = load(workspace, "shop").game
    assert game is not None
    fonts = FontLibrary(workspace)
    (piece, *_), problems = typeset(TypesetTask(workspace, game, fonts, game.pieces))
    assert not problems, problems
    renderer = Renderer(fonts)

    def picture(frame: Frame) -> Image.Image:
        side = Side((Placement(0, False, 0.0, 0.0, 0, frame.hash, Edges(0.0, 0.0, 0.0, 0.0)),), ())
        sheet = Sheet(Size(*frame.trim), side, None, 1, 1)
        pdf = renderer.render([Booklet("one", (sheet,), {frame.hash: frame}, piece.drawings, {})], DocumentInfo("one"))
        return pypdfium2.PdfDocument(pdf)[0].render(scale=DPI / 72).to_pil().convert("RGB")

    return {face.card: (picture(face.front), face.back and picture(face.back)) for face in piece.faces}
