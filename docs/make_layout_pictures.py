"""Makes the pictures of docs/layouts.md: every example block of the page, laid out and printed by the program itself.

The page holds a small game in blocks with `file=`, and examples: an `xml` block with a picture's link under it. Each
example becomes the front of a deck and a piece of its own in that game. A block's first line may say

    size=60x40          the card's size in millimetres, instead of the one in the deck's file
    deck=NAME           another deck of the page than `card`: all its cards are shown side by side
    inks=color,low      the card in several inks side by side
    guides              the bleed is shown, with a line at the cut and one at the safe zone

Each PNG carries a hash of the faces it shows, so that a test can tell a stale picture without comparing pixels.

    python docs/make_layout_pictures.py
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image, ImageDraw, PngImagePlugin

from duckpress.check import setup_table
from duckpress.content import load_game
from duckpress.core.geometry import MM_PER_INCH, PT_PER_INCH, Size
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.impose.sheets import Edges, Placement, Sheet, Side
from duckpress.layout import Batch, Face, LaidOut, Wanted, lay_out_pieces, load_theme
from duckpress.render import Booklet, DocumentInfo, render_pdf
from duckpress.text.fonts import FontLibrary

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "layouts.md"
STAMP = "duckpress-faces"
DPI = 200
SHOWN_COLOURS = 64
GAP_PX = 16
OUTLINE, GUIDE = "#b4b4b4", "#d0392b"

_FILE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXAMPLE = re.compile(r"^```xml([^\n]*)\n((?:(?!^```).)*?)^```\n\n!\[[^\]]*\]\(([^)]+)\)$", re.DOTALL | re.MULTILINE)


class Example(NamedTuple):
    """An example block: the id of its deck, piece and template, its picture, and what its first line says."""

    name: str
    picture: str
    template: str
    deck: str
    size: str
    inks: tuple[str, ...]
    has_guides: bool
    line: int


class Shown(NamedTuple):
    """An example laid out in each of its inks, and what was found."""

    pieces: tuple[LaidOut, ...]
    problems: tuple[Problem, ...]

    @property
    def faces(self) -> list[Face]:
        """The faces of all inks."""
        return [face for piece in self.pieces for face in piece.faces]

    @property
    def stamp(self) -> str:
        """One hash over the faces."""
        return hashlib.sha256(" ".join(face.front.hash for face in self.faces).encode()).hexdigest()


def read_files(text: str) -> dict[str, str]:
    """Return the files of the page's game: path -> content."""
    return dict(_FILE.findall(text))


def read_examples(text: str) -> list[Example]:
    """Return the example blocks of the page that have a picture."""
    examples = []
    for match in _EXAMPLE.finditer(text):
        said = dict(word.partition("=")[::2] for word in match[1].split())
        name = f"example-{Path(match[3]).stem}"
        inks = tuple(said.get("inks", "color").split(","))
        line = text.count("\n", 0, match.start()) + 1
        example = Example(
            name, match[3], match[2], said.get("deck", "card"), said.get("size", ""), inks, "guides" in said, line
        )
        examples.append(example)
    return examples


def write_game(files: dict[str, str], examples: Sequence[Example], folder: Path) -> tuple[Workspace, str]:
    """Write the page's game with a deck and a piece for every example; give the workspace and the game's id."""
    decks = {Path(path).stem: path for path in files if "/decks/" in path}
    game_path = next(path for path in files if path.endswith("/game.yaml"))
    home = game_path.removesuffix("/game.yaml")
    written = {path: text for path, text in files.items() if path not in decks.values()}
    head, _, _ = files[game_path].partition("pieces:")
    pieces = "".join(
        f"  - {{id: {name}, title: {name}, decks: [{name}]}}\n" for name in [*decks, *(one.name for one in examples)]
    )
    written[game_path] = f"{head}pieces:\n{pieces}"
    for name, path in decks.items():  # for examples that show its cards: with the layout of its first example
        first = next(one for one in examples if one.deck == name)
        written[path] = re.sub(r"(?m)^front: .*$", f"front: {first.name}", files[path])
    for one in examples:
        deck = re.sub(r"(?m)^front: .*$", f"front: {one.name}", files[decks[one.deck]])
        if one.size:
            width, _, height = one.size.partition("x")
            deck = re.sub(r"(?m)^size: .*$", f"size: {{width: {width}mm, height: {height}mm}}", deck)
        written[f"{home}/decks/{one.name}.yaml"] = deck
        written[f"{home}/layouts/{one.name}.xml"] = one.template
    for path, text in written.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return Workspace(folder, bundled_root()), home.removeprefix("content/")


def lay_out_examples(
    workspace: Workspace, game_id: str, fonts: FontLibrary, examples: Sequence[Example]
) -> dict[str, Shown]:
    """Return every example laid out in its inks; a problem of the game as a whole is a problem of every example."""
    game, found = load_game(workspace, game_id)
    if game is None:
        raise SystemExit("\n".join(map(str, found)))
    theme, more = load_theme(workspace, game.id, game.theme)
    if theme is None:
        raise SystemExit("\n".join(map(str, more)))
    table = setup_table(game).as_data()
    shown = {}
    for one in examples:
        piece = next(piece for piece in game.pieces if piece.id == one.name)
        problems = [*found, *more]
        pieces = []
        for ink in one.inks:
            batch = Batch(workspace, game, fonts, table, "en", ink, [Wanted(piece, theme, {})])
            ((laid_out, about),) = lay_out_pieces(batch)
            pieces.append(laid_out)
            problems += about
        shown[one.name] = Shown(tuple(pieces), tuple(problems))
    return shown


def draw_face(face: Face, piece: LaidOut, fonts: FontLibrary, *, has_guides: bool) -> Image.Image:
    """Return a face as the printer would show it, cut to the card; with guides, cut to its bleed."""
    trim, bleed_mm = face.format.trim, face.format.bleed_mm if has_guides else 0.0
    frame = face.front
    paper = Size(trim.width_mm + 2 * bleed_mm, trim.height_mm + 2 * bleed_mm)
    placed = Placement(0, False, bleed_mm, bleed_mm, 0, frame.hash, Edges(bleed_mm, bleed_mm, bleed_mm, bleed_mm))
    sheet = Sheet(paper, Side((placed,), ()), None, 1, 1)
    booklet = Booklet("", (sheet,), {frame.hash: frame}, piece.drawings, piece.pictures)
    page = pypdfium2.PdfDocument(render_pdf([booklet], fonts, DocumentInfo("example")))[0]
    image = page.render(scale=DPI / PT_PER_INCH).to_pil().convert("RGB")
    pen = ImageDraw.Draw(image)
    if has_guides:
        for inset_mm in (bleed_mm, bleed_mm + face.format.safe_mm):
            inset_px = round(inset_mm / MM_PER_INCH * DPI)
            pen.rectangle((inset_px, inset_px, image.width - 1 - inset_px, image.height - 1 - inset_px), outline=GUIDE)
    pen.rectangle((0, 0, image.width - 1, image.height - 1), outline=OUTLINE)
    return image


def draw_example(example: Example, shown: Shown, fonts: FontLibrary) -> Image.Image:
    """Return the picture of an example: its cards side by side."""
    cards = [
        draw_face(face, piece, fonts, has_guides=example.has_guides) for piece in shown.pieces for face in piece.faces
    ]
    width = sum(card.width for card in cards) + GAP_PX * (len(cards) - 1)
    together = Image.new("RGB", (width, max(card.height for card in cards)), "white")
    left_px = 0
    for card in cards:
        together.paste(card, (left_px, 0))
        left_px += card.width + GAP_PX
    return together.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE)


def make_pictures() -> None:
    """Write the pictures of the page, and delete those that no example has any more."""
    text = PAGE.read_text(encoding="utf-8")
    examples = read_examples(text)
    with tempfile.TemporaryDirectory() as scratch:
        workspace, game_id = write_game(read_files(text), examples, Path(scratch))
        fonts = FontLibrary(workspace)
        shown = lay_out_examples(workspace, game_id, fonts, examples)
        for problem in {problem for one in shown.values() for problem in one.problems}:
            print(problem)
        for example in examples:
            target = DOCS / example.picture
            target.parent.mkdir(parents=True, exist_ok=True)
            stamp = PngImagePlugin.PngInfo()
            stamp.add_text(STAMP, shown[example.name].stamp)
            if shown[example.name].faces:
                draw_example(example, shown[example.name], fonts).save(target, optimize=True, pnginfo=stamp)
    wanted = {(DOCS / example.picture).resolve() for example in examples}
    for folder in {path.parent for path in wanted}:
        for old in set(folder.glob("*.png")) - wanted:
            old.unlink()


if __name__ == "__main__":
    make_pictures()
