"""Codes for reports on finished cards: what they say, that no version changes a card by them, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner, Result

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Request

GAME = """title: Pond
version: "{version}"
designer: Nobody
players: 2
theme: pond
pieces: [{{id: cards, title: Cards, decks: [duck, aid]}}]
"""
FILES = {
    "game.yaml": GAME.format(version="0.1"),
    "theme.yaml": "extends: base\nqr: {size: 12, quiet: 2, decks: {duck: {show: yes}, aid: {show: yes, side: back}}}\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: face\nback: back\nfields: {text: text}\n"
    "cards:\n  - {id: teal, copies: 1, text: Draw one.}\n  - {id: eider, copies: 1, text: Pass.}\n",
    "decks/aid.yaml": "title: Aid\nsize: mini\nfront: back\nback: back\ncards: [{id: aid}]\n",
    "layouts/face.xml": '<face><ground fill="#ffffff"/><text x="4" y="4" width="36" height="30">{{ card.text }}</text>'
    "</face>",
    "layouts/back.xml": '<face><ground fill="#ffffff"/><rect x="8" y="8" width="20" height="20"/></face>',
}
Make = Callable[[Mapping[str, str | bytes]], Workspace]


def pond(make_workspace: Make, **others: str) -> Workspace:
    files = FILES | {name.replace("__", "/"): text for name, text in others.items()}
    return make_workspace({f"content/pond/{name}": text for name, text in files.items()})


def run(workspace: Workspace, *words: str) -> Result:
    return CliRunner().invoke(main, ["--workspace", str(workspace.root), *words])


def codes_of(workspace: Workspace, out: Path, ink: str = "color") -> list[str]:
    built = build(workspace, load(workspace, "pond"), Request(papers=("a4",), pieces=("cards",), ink=ink), out)
    assert not built.checked.problems
    (name,) = (name for name in built.files if name.endswith(".pdf"))
    with pypdfium2.PdfDocument(built.folder / name) as document:
        found = [code.text for page in document for code in zxingcpp.read_barcodes(page.render(scale=3).to_pil())]
    return sorted(text for text in found if "/CARDS/" not in text)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("ink", ["color", "low"])
def test_cards_say_which_they_are(make_workspace: Make, tmp_path: Path, ink: str) -> None:
    workspace = pond(make_workspace)
    assert codes_of(workspace, tmp_path / "out", ink) == ["POND/0.1/AID", "POND/0.1/DUCK/EIDER", "POND/0.1/DUCK/TEAL"]


def test_a_version_by_itself_changes_no_code(make_workspace: Make, tmp_path: Path) -> None:
    workspace = pond(make_workspace)
    assert run(workspace, "release", "pond").exit_code == 0
    folder = workspace.root / "content" / "pond"
    (folder / "game.yaml").write_text(GAME.format(version="0.2"))
    deck = folder / "decks" / "duck.yaml"
    deck.write_text(deck.read_text().replace("Draw one.", "Draw two."))
    assert codes_of(workspace, tmp_path / "out") == ["POND/0.1/AID", "POND/0.1/DUCK/EIDER", "POND/0.2/DUCK/TEAL"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("POND/0.1/AID", "aid/aid"),
        ("POND/0.1/DUCK/TEAL", "duck/teal"),
        ("POND/0.1/CARDS/02", "no card, but sheet 2 of the piece 'cards', of pond 0.1"),
        ("POND/0.1/1/2", "no card, but sheet 2 of the piece 'cards', of pond 0.1"),
        ("POND/0.1/0/2", "no card, but sheet 2 of those that pieces share, of pond 0.1"),
        ("POND/0.1/DUCK/SMEW", "pond has no card 'duck/smew'; version 0.1 may have had it"),
    ],
)
def test_show_takes_what_a_code_says(make_workspace: Make, text: str, words: str) -> None:
    done = run(pond(make_workspace), "show", text)
    assert words in done.output
    assert done.exit_code == (0 if words.count("/") == 1 and " " not in words else 2)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    ("theme", "code"),
    [
        ("{show: yes, side: back}", "bad-qr"),  # of ducks nobody may know one from behind
        ("{decks: {dukc: {show: yes}}}", "bad-qr"),
        ("{show: yes, fill: nothing}", "unknown-colour"),
        ("{show: yes, ground: nothing}", "unknown-colour"),
        ("{show: yes, plaice: top}", "unknown-key"),
        ("{show: yes, size: 9}", "qr-too-small"),
        ("{show: yes, place: top-left}", "qr-misfit"),
        ("{show: yes, x: 3}", "qr-misfit"),
        ('{show: yes, fill: "#f0f0f0"}', "qr-faint"),
    ],
)
def test_what_cannot_be_is_told(make_workspace: Make, theme: str, code: str) -> None:
    workspace = pond(make_workspace, **{"theme.yaml": f"extends: base\nqr: {theme}\n"})
    assert f'"{code}"' in run(workspace, "check", "pond", "--format", "json").output


def test_cards_without_backs_have_none_there(make_workspace: Make) -> None:
    aid = FILES["decks/aid.yaml"].replace("back: back\n", "")
    theme = "extends: base\nqr: {decks: {aid: {show: yes, side: back}}}\n"
    workspace = pond(make_workspace, **{"decks/aid.yaml": aid, "theme.yaml": theme})
    assert "have no backs" in run(workspace, "check", "pond").output
