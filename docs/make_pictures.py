"""Makes the gallery of the documentation from real output: a picture of every piece of every game, and the page.

Builds all games into a temporary folder, with a packet from one deal where a game has one. Of a piece of cards it shows
faces that differ, spread over all that are in it, and its backs; of what is read, dealt or printed in tiles, the first
two pages of the A4 PDF, cropped to what is cut. Of every further language it shows the first piece; what is for the
designer stays out. One picture has cards of all games at one glance. Each PNG carries a hash of what it shows, so that
a test can tell a stale picture without comparing pixels.

    python docs/make_pictures.py
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

import pypdfium2
from PIL import Image, ImageDraw, PngImagePlugin

from duckpress.core.frame import Frame
from duckpress.files.workspace import Workspace
from duckpress.model import Game, Piece
from duckpress.press.pipeline import build
from duckpress.press.reading import load, translate
from duckpress.press.request import Built, Request
from duckpress.views.pictures import FacePainter
from duckpress.views.shown_game import lay_out_game

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
DPI = 66
GAP_PX = 14
SHOWN_COLOURS = 128
FINE = 4
"""How many times as large the picture of all games is painted as it is shown, so that slanted edges are smooth."""
STAMP = "duckpress-faces"
SEED = "a duck for every seat"
WHOLE = Request(papers=("a4",))
FRONTS, BACKS = 9, 2
CARD_MM = 60.0
ROW_PX = 900
EDGE = "#b9b2a6"
GAMES = "games"
FAN = ((-9, -58), (0, 0), (9, 58))
"""How each of the three cards of a game is turned in the picture of all games, and how far it is to the right."""

T = TypeVar("T")


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
        translated, _ = translate(workspace, game, language.code)
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


def draw_pages(pdf: Path) -> Image.Image:
    """Return the first two pages of a PDF side by side, cropped to what is cut."""
    document = pypdfium2.PdfDocument(pdf)
    sides = []
    for number in range(min(2, len(document))):
        page = document[number]
        left, bottom, right, top = page.get_trimbox()
        width, height = page.get_size()
        picture = page.render(scale=DPI / 72, crop=(left, bottom, width - right, height - top)).to_pil()
        sides.append(picture.convert("RGB"))
    together = Image.new(
        "RGB",
        (sum(side.width for side in sides) + GAP_PX * (len(sides) - 1), max(side.height for side in sides)),
        "white",
    )
    left_px = 0
    for side in sides:
        together.paste(side, (left_px, 0))
        left_px += side.width + GAP_PX
    return together


def spread(items: Sequence[T], most: int, richness: Callable[[T], int]) -> list[T]:
    """Return at most so many items that differ, of each stretch of them the richest."""
    different = list(dict.fromkeys(items))
    count = min(len(different), most) or 1
    ends = [round(at * len(different) / count) for at in range(count + 1)]
    return [max(different[start:end], key=richness) for start, end in pairwise(ends) if end > start]


def draw_faces(workspace: Workspace, game: Game, one: Shown, scale: int = 1) -> list[Image.Image] | None:
    """Return faces of a piece that differ, then its backs; None for what is shown as pages."""
    shown_game = lay_out_game(
        workspace, load(workspace, game.id), language=one.request.language, pieces=(one.piece.id,)
    )
    laid_out = next((part for part in shown_game.checked.pieces if part.piece.id == one.piece.id and part.faces), None)
    if laid_out is None:
        return None
    frames = {frame.hash: frame for face in laid_out.faces for frame in (face.front, face.back) if frame is not None}
    small = FacePainter(shown_game.fonts).pictures(laid_out, frames.values(), DPI / 3)
    colours = {name: len(picture.getcolors(1 << 24) or ()) for name, picture in zip(frames, small, strict=True)}
    fronts = spread([face.front.hash for face in laid_out.faces], FRONTS, colours.__getitem__)
    backs = spread([face.back.hash for face in laid_out.faces if face.back is not None], BACKS, colours.__getitem__)
    chosen = [frames[name] for name in dict.fromkeys([*fronts, *backs])]
    painted = FacePainter(shown_game.fonts).pictures(laid_out, chosen, DPI * scale)
    return [_cut_out(picture, frame, scale) for picture, frame in zip(painted, chosen, strict=True)]


def _cut_out(picture: Image.Image, frame: Frame, scale: int) -> Image.Image:
    """Return a face with corners as they are cut, and a thin edge, so that a white one is seen on white."""
    radius_px = 0.12 * DPI * scale if min(frame.trim) > 40 else 0
    mask = Image.new("L", picture.size, 0)
    box = (0, 0, picture.width - 1, picture.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius_px, fill=255)
    ImageDraw.Draw(picture).rounded_rectangle(box, radius_px, outline=EDGE, width=scale)
    picture.putalpha(mask)
    return picture


def in_rows(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return pictures side by side on white, in as many rows as they need."""
    places, x, y, high = [], 0, 0, 0
    for picture in pictures:
        if x and x + picture.width > ROW_PX:
            x, y, high = 0, y + high + GAP_PX, 0
        places.append((x, y))
        x, high = x + picture.width + GAP_PX, max(high, picture.height)
    wide = max(x + picture.width for (x, _), picture in zip(places, pictures, strict=True))
    together = Image.new("RGB", (wide, y + high), "white")
    for place, picture in zip(places, pictures, strict=True):
        together.paste(picture, place, picture)
    return together


def draw_fan(faces: Sequence[Image.Image]) -> Image.Image:
    """Return three faces as they are held in a hand."""
    wide, high = faces[0].size
    fan = Image.new("RGBA", (wide + 150 * FINE, high + 40 * FINE), "white")
    for picture, (turn, right_px) in zip(faces, FAN, strict=True):
        turned = picture.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        left = (fan.width - turned.width) // 2 + right_px * FINE
        fan.alpha_composite(turned, (left, (fan.height - turned.height) // 2 + abs(right_px) // 8 * FINE))
    return fan.reduce(FINE)


def _richest(faces: Sequence[Image.Image]) -> list[int]:
    """Return the place of the richest face of each third."""
    return list(spread(range(len(faces)), 3, lambda at: len(faces[at].getcolors(1 << 24) or ())))


def piece_of_fan(workspace: Workspace, game: Game) -> Shown:
    """Return the piece of which all games' picture shows cards: the one with the most that are as large as cards."""
    own = [one for one in shown(workspace, game) if one.request == WHOLE and one.piece.instead_of is None]
    decks = {id_: deck.count for id_, deck in game.decks.items() if deck.is_component and max(deck.size.trim) > CARD_MM}
    return max(own, key=lambda one: sum(decks.get(name, 0) for name in one.piece.decks))


def make_pictures(workspace: Workspace, folder: Path) -> None:
    """Write `<game>-<piece>.png` for every piece of every game of the workspace, and one picture of all games."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    fans, info_of_all = [], PngImagePlugin.PngInfo()
    with tempfile.TemporaryDirectory() as scratch:
        for game_id in workspace.games():
            game = load(workspace, game_id).game
            assert game is not None
            fan_of = piece_of_fan(workspace, game).name
            for one, file, stamp in printed(workspace, game, Path(scratch)):
                faces = None if _is_spread(game, one.piece) else draw_faces(workspace, game, one)
                picture = draw_pages(file) if faces is None else in_rows(faces)
                _save(picture, folder / f"{one.name}.png", STAMP, stamp)
                if one.name == fan_of and faces is not None:
                    large = draw_faces(workspace, game, one, FINE) or faces
                    fans.append(draw_fan([large[at] for at in _richest(faces[:FRONTS])]))
                    info_of_all.add_text(f"{STAMP}-{game_id}", stamp)
    together = Image.new("RGB", (sum(fan.width for fan in fans), max(fan.height for fan in fans)), "white")
    for number, fan in enumerate(fans):
        together.paste(fan, (sum(other.width for other in fans[:number]), 0), fan)
    together.quantize(256).save(folder / f"{GAMES}.png", optimize=True, pnginfo=info_of_all)


def _quantized(picture: Image.Image) -> Image.Image:
    return picture.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def _save(picture: Image.Image, path: Path, name: str, stamp: str) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text(name, stamp)
    _quantized(picture).save(path, optimize=True, pnginfo=info)


def _is_spread(game: Game, piece: Piece) -> bool:
    return not piece.decks or any(game.decks[name].overlap_mm is not None for name in piece.decks)


def gallery(workspace: Workspace) -> str:
    """Return the page that shows the pictures."""
    lead = "Every piece of the bundled games: of cards some that differ, then their backs; of all else the first pages."
    parts = [f"# Gallery\n\n![Cards of all games](pictures/{GAMES}.png)\n\n{lead}\n"]
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
