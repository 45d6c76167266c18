"""The boxes of words and pictures on a card: what each is, and the field that it comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest

from kit.page_game import write_page

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H{}V9Z" fill="#4a7fbf"/></svg>'
FILES = {
    "game.yaml": "title: Pond\nversion: '0.1'\ndesigner: Nobody\nplayers: 2\ntheme: base\nlanguages: [en]\n"
    "pieces: [{id: cards, title: Cards, decks: [duck]}]\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {name: text, art: image}\ncards:\n"
    "  - {id: teal, name: Quack, art: art/quack-1.svg}\n  - {id: smew, name: Smew, art: art/quack-2.svg}\n"
    "  - {id: eider, name: Eider, art: art/quack-1.svg}\n",
    "layouts/duck.xml": '<face><image x="0" y="0" width="40" height="60" href="art/ground.svg"/>'
    '<image x="4" y="5" width="20" height="20" href="{{ card.art }}"/>'
    '<image x="30" y="5" width="8" height="8" href="art/{{ \'a\' if card.id == \'teal\' else \'b\' }}.svg"/>'
    '<text x="4" y="40" width="36" height="10">{{ card.name }}</text></face>',
    "art/quack-1.svg": SVG.format(9),
    "art/quack-2.svg": SVG.format(8),
    "art/ground.svg": SVG.format(7),
    "art/a.svg": SVG.format(6),
    "art/b.svg": SVG.format(5),
}


def data(folder: Path, name: str) -> Any:
    script = (folder / f"data/{name}.js").read_text("utf-8")
    return json.loads(script.partition(", ")[2].rpartition(");")[0])


@pytest.mark.parametrize(
    ("card", "words", "art"),
    [(0, "Quack", "art/quack-1.svg"), (1, "Smew", "art/quack-2.svg"), (2, "Eider", "art/quack-1.svg")],
)
def test_words_and_pictures_have_their_fields(tmp_path: Path, card: int, words: str, art: str) -> None:
    folder = Path(urlparse(write_page(tmp_path, FILES)).path).parent
    front = data(folder, "cards")["decks"][0]["cards"][card]["front"]
    picture, icon, text = data(folder, "boxes")[front]
    assert picture[4:] == [art, "art"]
    assert picture[:4] == pytest.approx([4, 5, 20, 20], abs=0.1)
    assert icon[4:] == ["", ""], "it comes from the card, and the ground that all have from none"
    assert text[4:] == [words, "name"], "a file's name is no words"
