"""Makes the gallery of the documentation from real output: a picture of every piece of every game, and the page.

Builds all games into a temporary folder, with a packet from one deal where a game has one, opens their A4 PDFs and sets
the first sheet's front and back (of rules and boards in tiles, the first two pages) side by side, cropped to what is
cut. Of every further language it shows the first piece; what is for the designer stays out. Each PNG carries a hash of
what it shows, so that a test can tell a stale picture without comparing pixels.

    python docs/make_pictures.py
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image, PngImagePlugin

from duckpress.files.workspace import Workspace
from duckpress.model import Game, Piece
from duckpress.press.pipeline import build
from duckpress.press.reading import load, spoken
from duckpress.press.request import Built, Request

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DPI = 66
GAP_PX = 14
SHOWN_COLOURS = 128
STAMP = "duckpress-faces"
SEED = "a duck for every seat"
WHOLE = Request(papers=("a4",))


class Shown(NamedTuple):
    """A picture of the gallery: its name, the piece's title as printed, and the request that prints it with others."""

    name: str
    title: str
    piece: Piece
    request: Request


def shown(workspace: Workspace, game: Game) -> Iterator[Shown]:
    """Yield the pictures of a game: every piece for players, and the first once more for each further language."""
    for piece in game.chosen_pieces():
        is_dealt = game.dealt_to(piece) is not None
        dealt = Request(papers=("a4",), pieces=(piece.id,), players=max(game.players), seed=SEED)
        yield Shown(f"{game.id}-{piece.id}", piece.title, piece, dealt if is_dealt else WHOLE)
    for language in game.languages[1:]:
        translated, _ = spoken(workspace, game, language.code)
        piece = translated.chosen_pieces()[0]
        request = Request(papers=("a4",), pieces=(piece.id,), language=language.code)
        yield Shown(f"{game.id}-{piece.id}-{language.code}", piece.title, piece, request)


def printed(
    workspace: Workspace, game: Game, scratch: Path, whole: Built | None = None
) -> Iterator[tuple[Shown, Path, str]]:
    """Print what the pictures of a game show; gives each with its file, and a hash of its faces.

    `whole` is the game, where it has been built already.
    """
    built = {} if whole is None else {WHOLE: whole}
    for one in shown(workspace, game):
        if one.request not in built:
            built[one.request] = build(workspace, load(workspace, game.id), one.request, scratch)
        yield one, *_found(built[one.request], game, one)


def _found(built: Built, game: Game, one: Shown) -> tuple[Path, str]:
    if game.dealt_to(one.piece) is not None:
        file = min((built.folder / "packet").glob(f"{game.id}-{one.piece.id}*-a4.pdf"))
        return file, hashlib.sha256(file.read_bytes()).hexdigest()
    manifest = json.loads((built.folder / "manifest.json").read_text())
    language = one.request.language or game.languages[0].code
    cards = [
        card
        for card in manifest["cards"]
        if (card["piece"], card["language"]) == (one.piece.id, language) and card.get("paper") in (None, "a4")
    ]
    faces = [(card["deck"], card["card"], card["frame"], card["back"]) for card in cards]
    wanted = (one.piece.id, language, "a4")
    (entry,) = [file for file in manifest["files"] if (file["piece"], file["language"], file["paper"]) == wanted]
    return built.folder / entry["name"], hashlib.sha256(json.dumps(faces).encode()).hexdigest()


def draw_piece(pdf: Path, *, is_spread: bool) -> Image.Image:
    """Return the first sheet of a PDF, front and (where there is one) back side by side, cropped to the cut cards.

    Of a spread (rules, a board in tiles) the first two pages are shown.
    """
    document = pypdfium2.PdfDocument(pdf)
    sides = []
    for number in range(min(2, len(document))):
        page = document[number]
        left, bottom, right, top = page.get_trimbox()
        width, height = page.get_size()
        if number and not is_spread and not _is_back(document):
            break
        picture = page.render(scale=DPI / 72, crop=(left, bottom, width - right, height - top)).to_pil()
        sides.append(picture.convert("RGB"))
    width_px = sum(side.width for side in sides) + GAP_PX * (len(sides) - 1)
    together = Image.new("RGB", (width_px, max(side.height for side in sides)), "white")
    left_px = 0
    for side in sides:
        together.paste(side, (left_px, 0))
        left_px += side.width + GAP_PX
    return together.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def _is_back(document: pypdfium2.PdfDocument) -> bool:
    words = document[1].get_textpage().get_text_bounded()
    return any(f"· {back} ·" in words for back in ("back", "verso"))


def make_pictures(workspace: Workspace, folder: Path) -> None:
    """Write `<game>-<piece>.png` for every piece of every game of the workspace."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        for game_id in workspace.games():
            game = load(workspace, game_id).game
            assert game is not None
            for one, file, stamp in printed(workspace, game, Path(scratch)):
                info = PngImagePlugin.PngInfo()
                info.add_text(STAMP, stamp)
                picture = draw_piece(file, is_spread=_is_spread(game, one.piece))
                picture.save(folder / f"{one.name}.png", optimize=True, pnginfo=info)


def _is_spread(game: Game, piece: Piece) -> bool:
    return not piece.decks or any(game.decks[name].overlap_mm is not None for name in piece.decks)


def gallery(workspace: Workspace) -> str:
    """Return the page that shows the pictures."""
    lead = "Every piece of the bundled games, as it comes out of the printer: front and back of its first sheet."
    parts = [f"# Gallery\n\n{lead}\n"]
    for game_id in workspace.games():
        game = load(workspace, game_id).game
        assert game is not None
        parts.append(f"\n## {game.title}\n\n{' '.join(game.about.split())}\n")
        for one in shown(workspace, game):
            code = one.request.language
            title = one.title if code is None else f"{one.title} ({code})"
            parts.append(f"\n### {title}\n\n![{title}](pictures/{one.name}.png)\n")
    return "".join(parts)


if __name__ == "__main__":
    make_pictures(Workspace(ROOT), PICTURES)
    (ROOT / "docs" / "gallery.md").write_text(gallery(Workspace(ROOT)))
