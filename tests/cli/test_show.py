"""`duckpress show` and `find`: a card by any of its names, and words wherever they stand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from duckpress.build.finding import fold
from duckpress.cli.commands import main
from duckpress.cli.show import blocks
from duckpress.cli.terminal import as_shown
from duckpress.workspace import Workspace

FILES = {
    "content/pond/game.yaml": """title: Étang
version: "0.2"
designer: Nobody
players: 2
theme: base
lists: {birds: {teal: {name: Teal}, eider: {name: Eider}}}
notes: [{subject: Water, choice: cold, reason: "It is  winter; the\\n  pond is frozen."}]
pieces: [{id: cards, title: Cards, decks: [duck, coin]}]
""",
    "content/pond/decks/duck.yaml": """title: Ducks
size: mini
front: duck
fields: {text: text}
cards:
  # a comment about the frozen pond
  - {id: smew, copies: 3, text: "Draw one, « à volonté »."}
  - for: {bird: birds}
    id: "{{ bird.id }}"
    text: "The {{ bird.name }} swims."
""",
    "content/pond/decks/coin.yaml": "title: Coins\nsize: mini\nfront: duck\nfields: {text: text}\n"
    "cards: [{id: smew, text: Five.}, {id: crown, text: Ten.}]\n",
    "content/pond/rules.md": "# Play\n\nA long line of words that goes on until it\nbreaks: take an ŒUF.\n\n"
    "![A card](card:duck/smew)\n",
    "content/pond/layouts/duck.xml": '<face><ground fill="paper"/>'
    '<text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>',
}


@pytest.fixture
def run(make_workspace: Callable[[Mapping[str, str]], Workspace]) -> Callable[..., Result]:
    workspace = make_workspace(FILES)
    return lambda *words: CliRunner().invoke(main, ["--workspace", str(workspace.root), *words])


def found(result: Result) -> list[tuple[str, int, int, str]]:
    assert result.exit_code == 0, result.output
    hits = json.loads(result.output)["hits"]
    return [(hit["file"].removeprefix("content/pond/"), hit["line"], hit["column"], hit["where"]) for hit in hits]


def test_a_card_is_shown_by_any_of_its_names(run: Callable[..., Result]) -> None:
    for name in ("duck/smew", "D1"):
        data = json.loads(run("show", name, "--format", "json").output)
        assert (data["deck"], data["card"], data["code"], data["copies"]) == ("duck", "smew", "D1", 3)
        assert data["values"] == {"text": "Draw one, « à volonté »."}
        uses = {(use["kind"], use["name"], use["line"]) for use in data["uses"]}
        assert {("piece", "cards", 8), ("rules", "en", 6)} <= uses
    text = run("show", "crown").output
    assert text.startswith("coin/crown  pond 0.2 · C2")
    assert "Ten." in text
    assert "\x1b[38" not in text  # no picture in a pipe


def test_a_name_of_two_cards_asks_which(run: Callable[..., Result]) -> None:
    asked = run("show", "smew")
    assert asked.exit_code == 2
    assert "coin/smew, duck/smew: say which" in asked.output
    assert "did you mean 'crown'" in run("show", "crwn").output
    assert run("show", "D99").exit_code == 2


def test_a_card_is_written_as_a_picture(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "card.png"
    done = run("show", "coin/smew", "--png", str(file), "--dpi", "100", "--game", "pond")
    assert done.exit_code == 0, done.output
    with Image.open(file) as picture:
        assert picture.size == (175, 250)  # 44.45 x 63.5 mm


def test_blocks_are_two_pixels_high_and_in_colour() -> None:
    picture = Image.new("RGB", (4, 4), "#ff0000")
    picture.paste((0, 0, 255), (0, 2, 4, 4))
    lines = [as_shown(line) for line in blocks(picture, 4)]
    assert len(lines) == 2
    assert lines[0].startswith("\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m▀") or lines[0].count("▀") == 4
    assert all(line.endswith("\x1b[0m") for line in lines)


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("etang", [("game.yaml", 1, 8, "")]),
        ("A VOLONTE", [("decks/duck.yaml", 7, 46, "duck/smew")]),
        ('"a volonte"', []),
        ("it breaks", [("rules.md", 3, 41, "")]),
        ("oeuf", [("rules.md", 4, 17, "")]),
        ("frozen", [("game.yaml", 7, 79, "")]),
        ("the eider swims", [("decks/duck.yaml", 10, 11, "duck/eider, text")]),
        ("no such words", []),
    ],
)
def test_words_are_found_where_they_stand(
    words: str, places: list[tuple[str, int, int, str]], run: Callable[..., Result]
) -> None:
    assert found(run("find", words, "--format", "json")) == places


def test_what_is_found_is_told_with_what_is_around_it(run: Callable[..., Result]) -> None:
    line = "content/pond/rules.md:3:41: A long line of words that goes on until it breaks: take an ŒUF.\n"
    assert run("find", "IT  breaks", "pond").output.replace("…", "").endswith(line[-40:])
    assert run("find", "nowhere at all").output == "nothing says 'nowhere at all'\n"
    assert run("find", " ").exit_code == 2


def test_folding_keeps_every_place() -> None:
    folded = fold("Ça   va,\n ŒUF’s")
    assert folded.text == "ca va, oeuf's"
    assert len(folded.places) == len(folded.text)
