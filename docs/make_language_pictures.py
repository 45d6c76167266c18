"""Makes the picture of docs/languages.md: a card in Japanese, Chinese, Hebrew and Arabic, laid out by the program.

The fonts in `docs/fonts` hold the letters of these cards alone; Hebrew and Arabic are drawn in a font that comes along.
The PNG carries a hash of the faces it shows, so that a test can tell a stale picture without comparing pixels.

    python docs/make_language_pictures.py
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from PIL import Image, PngImagePlugin

from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace, bundled_root
from duckpress.layout import LaidOut
from duckpress.press.reading import load
from duckpress.press.typesetting import TypesetTask, typeset
from duckpress.text.fonts import FontLibrary
from make_layout_pictures import GAP_PX, SHOWN_COLOURS, STAMP, draw_face

DOCS = Path(__file__).resolve().parent
PICTURE = DOCS / "pictures" / "languages" / "scripts.png"

FACE = """<face>
  <ground fill="water"/>
  <rect x="3" y="3" width="57" height="52" rx="3" fill="paper"/>
  <rect x="2" y="20" width="59" height="2" fill="water"/>
  <text x="6" y="5" width="51" height="14" style="title" valign="middle">{{ card.name }}</text>
  <text x="6" y="25" width="51" height="28">{{ card.text }}</text>
</face>
"""


class Card(NamedTuple):
    """A card in a language of its own: the family it is set in, its name, and its text."""

    language: str
    family: str
    name: str
    text: str


CARDS = (
    Card(
        "ja",
        "Zen Maru Gothic",
        "キンクロハジロ",
        "手番の始めに、山札から2枚引いて「池」に置く。池に鴨が3羽以上いたら、もう1枚引いてもよい（1回だけ）。",
    ),
    Card(
        "zh",
        "ZCOOL KuaiLe",
        "凤头潜鸭",
        "轮到你时，抽2张牌并放在《池塘》中。池塘里有3只以上的鸭子时，可以再抽1张（只有一次）。",
    ),
    Card(
        "he",
        "DejaVu Sans",
        "צולל מצויץ",
        "בתחילת התור מושכים 2 קלפים ומניחים אותם באגם. אם יש באגם 3 ברווזים או יותר, מושכים עוד קלף (Aythya fuligula).",
    ),
    Card(
        "ar",
        "DejaVu Sans",
        "البطة الغواصة",
        "في بداية دورك اسحب بطاقتين وضعهما في البحيرة. إذا كان في البحيرة 3 بطات أو أكثر فاسحب بطاقة أخرى"
        " (Aythya fuligula).",
    ),
)


class Shown(NamedTuple):
    """A card laid out, with the fonts it takes and what was found."""

    piece: LaidOut
    fonts: FontLibrary
    problems: tuple[Problem, ...]


def laid_out(folder: Path) -> Iterator[Shown]:
    """Yield the cards, each laid out as a game of its own in a folder."""
    shutil.copytree(DOCS / "fonts", folder / "fonts")
    for card in CARDS:
        files = {
            "game.yaml": f'title: Ducks\nversion: "1.0"\ndesigner: Nobody\nplayers: 2\nlanguages: [{card.language}]\n'
            f"theme: {card.language}\npieces: [{{id: cards, title: Cards, decks: [duck]}}]\n",
            "theme.yaml": f"extends: base\nfamilies: {{body: {card.family}, title: {card.family}}}\n"
            'colours: {water: "#bcd6d2"}\n'
            "text:\n  body: {size: 11, leading: 1.4}\n  title: {size: 19, weight: regular, align: center}\n",
            "decks/duck.yaml": "title: Ducks\nsize: {width: 63mm, height: 58mm}\nfront: duck\n"
            "fields: {name: text, text: text}\n"
            f'cards: [{{id: tufted, name: "{card.name}", text: "{card.text}"}}]\n',
            "layouts/duck.xml": FACE,
        }
        for name, text in files.items():
            path = folder / "content" / card.language / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        workspace = Workspace(folder, bundled_root())
        loaded, fonts = load(workspace, card.language), FontLibrary(workspace)
        assert loaded.game is not None, loaded.problems
        pieces, problems = typeset(TypesetTask(workspace, loaded.game, fonts, loaded.game.pieces))
        assert pieces, problems
        yield Shown(pieces[0], fonts, (*loaded.problems, *problems))


def stamp_of(shown: list[Shown]) -> str:
    """Return one hash over the faces."""
    return hashlib.sha256(" ".join(one.piece.faces[0].front.hash for one in shown).encode()).hexdigest()


def make_picture() -> None:
    """Write the picture: all cards side by side."""
    with tempfile.TemporaryDirectory() as scratch:
        shown = list(laid_out(Path(scratch)))
        cards = [draw_face(one.piece.faces[0], one.piece, one.fonts, has_guides=False) for one in shown]
    for problem in (problem for one in shown for problem in one.problems):
        print(problem)
    step = cards[0].width + GAP_PX
    together = Image.new("RGB", (step * len(cards) - GAP_PX, cards[0].height), "white")
    for at, card in enumerate(cards):
        together.paste(card, (step * at, 0))
    info = PngImagePlugin.PngInfo()
    info.add_text(STAMP, stamp_of(shown))
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    together.quantize(SHOWN_COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True, pnginfo=info)


if __name__ == "__main__":
    make_picture()
