"""A game in Hebrew, played with an aid: what is hard to read, what changed, and the sheet that tells players so."""

from __future__ import annotations

import unicodedata

import pypdfium2
import pytest

from held_pond import Pond
from running import MakeWorkspace

TEXT, AID = "שלפו קלף (3) ואז אמרו duck.", "- שלפו קלף\\n- הניחו קלף ואז אמרו quack"
FACE = '<face><ground fill="#ffffff"/><text x="5" y="9" width="50" height="60">{{ card.text }}</text></face>'
FILES = {
    "content/pond/game.yaml": 'title: אגם\nversion: "0.1"\ndesigner: Nobody\nplayers: 2\nlanguages: [he]\ntheme: pond\n'
    "pieces: [{id: cards, title: קלפים, decks: [duck]}, {id: aids, title: עזרים, decks: [aid]}]\n",
    "content/pond/theme.yaml": "extends: base\nfamilies: {text: DejaVu Sans, display: DejaVu Sans}\n",
    "content/pond/decks/duck.yaml": "title: ברווזים\nsize: poker\nfront: face\nfields: {text: text}\n"
    f'cards: [{{id: teal, copies: 3, text: "{TEXT}"}}]\n',
    "content/pond/boards/aid.yaml": "title: עזר\nsize: poker\nfront: face\nper: player\ncomponent: no\n"
    f'fields: {{text: text}}\ncards: [{{id: aid, text: "{AID}"}}]\n',
    "content/pond/layouts/face.xml": FACE,
}


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> Pond:
    return Pond(make_workspace(FILES))


def test_faint_words_are_found_and_others_not(pond: Pond) -> None:
    assert "low-contrast" not in pond.done("check", "pond")
    pond.edit("layouts/face.xml", ('height="60"', 'height="60" colour="#999999"'))
    assert "is hard to read: #999999 on #ffffff" in pond.done("check", "pond")


def test_what_changed_is_told_and_printed(pond: Pond) -> None:
    pond.done("release", "pond")
    pond.edit("game.yaml", ('"0.1"', '"0.2"'))
    pond.edit("decks/duck.yaml", ("אמרו duck", "לחשו (duck)"))
    pond.edit("boards/aid.yaml", ("quack", "שלום"))
    assert f'text: "{TEXT}" -> "שלפו קלף (3) ואז לחשו (duck)."' in pond.done("changes", "pond")
    pond.done("update", "pond", "--since", "0.1", "--paper", "a4")
    (sheet,) = pond.output.glob("update-*/*-swap-a4.pdf")
    with pypdfium2.PdfDocument(sheet) as document:
        read = document[0].get_textpage().get_text_bounded()
    words = {word.strip("()[].,") for word in read.split()}
    assert {"ברווזים", "אמרו", "לחשו", "שלום", "quack"} <= words
    assert not any(unicodedata.category(letter) == "Cn" for letter in read)
