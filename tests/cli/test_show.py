"""`duckpress show` and `find`: a card by any of its names, and words wherever they stand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

import running
from duckpress.cli.commands import main
from duckpress.cli.show import blocks
from duckpress.cli.terminal import as_shown
from duckpress.views.words import fold
from running import MakeWorkspace

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
def run(make_workspace: MakeWorkspace) -> Callable[..., Result]:
    workspace = make_workspace(FILES)
    return lambda *words: running.run(workspace, *words)


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


def test_values_are_told_as_they_are_written(make_workspace: MakeWorkspace) -> None:
    fields = "fields: {text: text, tags: {kind: list, optional: yes}, rare: {kind: yes-no, optional: yes}}"
    deck = FILES["content/pond/decks/duck.yaml"].replace("fields: {text: text}", fields)
    deck = deck.replace("copies: 3,", "copies: 3, tags: [wet, far away], rare: yes,")
    root = str(make_workspace({**FILES, "content/pond/decks/duck.yaml": deck}).root)
    lines = [
        CliRunner().invoke(main, ["--workspace", root, "show", f"duck/{card}"]).output for card in ("smew", "teal")
    ]
    assert "    tags  wet; far away\n    rare  yes\n" in lines[0]
    assert "    tags  -\n    rare  no\n" in lines[1]


@pytest.fixture
def reported(make_workspace: MakeWorkspace) -> Callable[..., Result]:
    """A game of which one release is out; since then a card has changed, one has gone and one has come."""
    root = make_workspace(FILES).root

    def run(*words: str) -> Result:
        return running.run(root, *words)

    assert run("release", "pond").exit_code == 0
    deck = root / "content/pond/decks/duck.yaml"
    text = deck.read_text(encoding="utf-8").replace("Draw one", "Draw two").replace("id: smew", "id: scaup")
    deck.write_text(text.replace("cards:", "cards:\n  - {id: smew, text: Draw three.}"), encoding="utf-8")
    coin = root / "content/pond/decks/coin.yaml"
    coin.write_text(coin.read_text(encoding="utf-8").replace(", {id: crown, text: Ten.}", ""), encoding="utf-8")
    return run


def test_a_code_tells_what_has_changed_since(reported: Callable[..., Result]) -> None:
    shown = reported("show", "POND/0.2/DUCK/SMEW")
    assert "changed since the version of that code:" in shown.output
    assert '        text: "Draw one, « à volonté »." -> "Draw three."' in shown.output
    same = reported("show", "POND/0.2/DUCK/TEAL").output
    assert "as in the version of that code" in same
    for name in ("D1", "POND/0.1/DUCK/SMEW", "POND/0.2/DUCK/SCAUP"):  # no code; not frozen; not there then
        assert "the version of that code" not in reported("show", name).output


def test_a_code_tells_that_a_card_only_looks_different_since(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("release", "pond").exit_code == 0
    name = "POND/0.2/DUCK/TEAL"
    assert json.loads(run("show", name, "--format", "json").output)["looks_different"] is False
    layout = tmp_path / "content/pond/layouts/duck.xml"
    layout.write_text(layout.read_text(encoding="utf-8").replace('x="4"', 'x="5"'), encoding="utf-8")
    shown = run("show", name).output
    assert "looks different since the version of that code" in shown
    assert "as in the version" not in shown
    data = json.loads(run("show", name, "--format", "json").output)
    assert (data["since"], data["looks_different"]) == ([], True)
    assert json.loads(run("show", "duck/teal", "--format", "json").output)["looks_different"] is None


def test_a_card_that_is_gone_is_told_by_any_of_its_names(reported: Callable[..., Result]) -> None:
    for name in ("C2", "crown", "coin/crown", "POND/0.2/COIN/CROWN"):
        gone = reported("show", name)
        assert gone.exit_code == 2
        words = "coin/crown (C2) is no longer in pond: it was in version 0.2, see content/pond/releases/0.2.lock"
        assert words in " ".join(gone.output.split())
    assert "did you mean" in reported("show", "coin/smev").output


def test_a_code_may_have_only_the_beginning_of_a_long_id(run: Callable[..., Result]) -> None:
    assert run("show", "PO*/0.2/DUCK/SMEW").output.startswith("duck/smew")
    assert "that is no card, but sheet 12 of the piece 'cards', of po* 0.2" in run("show", "PO*/0.2/1/12").output
    assert run("show", "PU*/0.2/DUCK/SMEW").exit_code == 2


def test_what_stands_against_a_picture_is_told(make_workspace: MakeWorkspace) -> None:
    layout = '<face><text x="4" y="4" width="36" height="50">{{ card.text }}</face>'
    root = make_workspace(
        {**FILES, "content/pond/layouts/duck.xml": layout, "content/mire/game.yaml": "title: [\n"}
    ).root
    assert "yaml-syntax" in {problem["code"] for problem in running.run_json(root, "find", "egg")["problems"]}
    told = running.run_json(root, "show", "crown", "--png", str(root / "card.png"), status=1)
    assert told["png"] is None
    assert "malformed-layout" in {problem["code"] for problem in told["problems"]}


def test_blocks_are_two_pixels_high_and_in_colour() -> None:
    picture = Image.new("RGB", (4, 4), "#ff0000")
    picture.paste((0, 0, 255), (0, 2, 4, 4))
    lines = [as_shown(line) for line in blocks(picture, 4)]
    assert len(lines) == 2
    assert lines[0].startswith("\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m▀") or lines[0].count("▀") == 4
    assert all(line.endswith("\x1b[0m") for line in lines)


def test_words_are_found_where_they_stand_and_told_with_what_is_around(run: Callable[..., Result]) -> None:
    for words, places in {
        "etang": [("game.yaml", 1, 8, "")],
        "A VOLONTE": [("decks/duck.yaml", 7, 46, "duck/smew")],
        '"a volonte"': [],
        "it breaks": [("rules.md", 3, 41, "")],
        "oeuf": [("rules.md", 4, 17, "")],
        "frozen": [("game.yaml", 7, 79, "")],
        "the eider swims": [("decks/duck.yaml", 10, 11, "duck/eider, text")],
        "no such words": [],
    }.items():
        assert found(run("find", words, "--format", "json")) == places, words
    line = "content/pond/rules.md:3:41: A long line of words that goes on until it breaks: take an ŒUF.\n"
    assert run("find", "IT  breaks", "pond").output.replace("…", "").endswith(line[-40:])
    assert run("find", "nowhere at all").output == "nothing says 'nowhere at all'\n"
    assert run("find", " ").exit_code == 2


def test_hebrew_and_arabic_are_found_without_points_and_marks_of_direction_and_every_place_is_kept() -> None:
    for written, sought in (
        ("שָׁלוֹם", "שלום"),
        ("צה״ל", 'צה"ל'),
        ("بَطَّة", "بطة"),
        ("بطـــة", "بطة"),
        ("\u2067אב\u2069\u200f גד", "אב גד"),
    ):
        assert fold(written).text == fold(sought).text == sought
    folded = fold("Ça   va,\n ŒUF’s")
    assert folded.text == "ca va, oeuf's"
    assert len(folded.places) == len(folded.text)
