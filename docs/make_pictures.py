"""Makes the gallery of the documentation from real output: a picture of every piece of every game, and the page.

Builds all games into a temporary folder, opens their A4 PDFs and sets the first sheet's front and back side by side,
cropped to the cards. Each PNG carries the hashes of the faces it shows, so that a test can tell a stale picture
without comparing pixels.

    python docs/make_pictures.py
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, PngImagePlugin

from duckpress.build import Request, build, load
from duckpress.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DPI = 72
GAP_PX = 14
SHOWN_COLOURS = 128
STAMP = "duckpress-faces"


def face_stamp(manifest: dict, piece: str) -> str:
    """Give one hash over the faces of a piece, as the manifest lists them."""
    shown = [card for card in manifest["cards"] if card["piece"] == piece]
    faces = [(card["deck"], card["card"], card["frame"], card["back"]) for card in shown]
    return hashlib.sha256(json.dumps(faces).encode()).hexdigest()


def draw_piece(pdf: Path) -> Image.Image:
    """Give the first sheet of a PDF, front and (where there is one) back side by side, cropped to the cut cards."""
    document = pypdfium2.PdfDocument(pdf)
    sides = []
    for number in range(min(2, len(document))):
        page = document[number]
        left, bottom, right, top = page.get_trimbox()
        if number and "back" not in page.get_textpage().get_text_bounded():
            break
        width, height = page.get_size()
        picture = page.render(scale=DPI / 72, crop=(left, bottom, width - right, height - top)).to_pil()
        sides.append(picture.convert("RGB"))
    width_px = sum(side.width for side in sides) + GAP_PX * (len(sides) - 1)
    together = Image.new("RGB", (width_px, max(side.height for side in sides)), "white")
    left_px = 0
    for side in sides:
        together.paste(side, (left_px, 0))
        left_px += side.width + GAP_PX
    return together.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def make_pictures(workspace: Workspace, folder: Path) -> None:
    """Write `<game>-<piece>.png` for every piece of every game of the workspace."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        for game_id in workspace.games():
            built = build(workspace, load(workspace, game_id), Request(papers=("a4",)), Path(scratch))
            manifest = json.loads((built.folder / "manifest.json").read_text())
            for row in built.pieces:
                stamp = PngImagePlugin.PngInfo()
                stamp.add_text(STAMP, face_stamp(manifest, row.piece))
                picture = draw_piece(built.folder / f"{game_id}-{row.piece}-a4.pdf")
                picture.save(folder / f"{game_id}-{row.piece}.png", optimize=True, pnginfo=stamp)


def gallery(workspace: Workspace) -> str:
    """Give the page that shows the pictures."""
    lead = "Every piece of the bundled games, as it comes out of the printer: front and back of its first sheet."
    parts = [f"# Gallery\n\n{lead}\n"]
    for game_id in workspace.games():
        game = load(workspace, game_id).game
        assert game is not None
        parts.append(f"\n## {game.title}\n\n{' '.join(game.about.split())}\n")
        parts += [
            f"\n### {piece.title}\n\n![{piece.title}](pictures/{game_id}-{piece.id}.png)\n"
            for piece in game.pieces
            if game.dealt_to(piece) is None  # what a deal fills is printed with a seed only
        ]
    return "".join(parts)


if __name__ == "__main__":
    make_pictures(Workspace(ROOT), PICTURES)
    (ROOT / "docs" / "gallery.md").write_text(gallery(Workspace(ROOT)))
