"""`duckpress show` and `find`: a card by any of its names, and words wherever they stand."""

from __future__ import annotations

import pytest
from PIL import Image

from duckpress.cli.show import blocks
from duckpress.cli.terminal import as_shown
from duckpress.views.words import fold
from held_pond import Pond
from running import MakeWorkspace, run_json

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
def pond(make_workspace: MakeWorkspace) -> Pond:
    return Pond(make_workspace(FILES))


def found(pond: Pond, words: str) -> list[tuple[str, int, int, str]]:
    hits = pond.data("find", words)["hits"]
    return [(hit["file"].removeprefix("content/pond/"), hit["line"], hit["column"], hit["where"]) for hit in hits]


def test_a_card_is_shown_by_any_of_its_names(pond: Pond) -> None:
    for name in ("duck/smew", "D1"):
        data = pond.data("show", name)
        assert (data["deck"], data["card"], data["code"], data["copies"]) == ("duck", "smew", "D1", 3)
        assert data["values"] == {"text": "Draw one, « à volonté »."}
        uses = {(use["kind"], use["name"], use["line"]) for use in data["uses"]}
        assert {("piece", "cards", 8), ("rules", "en", 6)} <= uses
    text = pond.done("show", "crown")
    assert text.startswith("coin/crown  pond 0.2 · C2")
    assert "Ten." in text
    assert "\x1b[38" not in text  # no picture in a pipe


def test_a_name_of_two_cards_asks_which(pond: Pond) -> None:
    assert "coin/smew, duck/smew: say which" in pond.done("show", "smew", status=2)
    assert "did you mean 'crown'" in pond.done("show", "crwn", status=2)
    pond.done("show", "D99", status=2)


def test_values_are_told_as_they_are_written(pond: Pond) -> None:
    fields = "fields: {text: text, tags: {kind: list, optional: yes}, rare: {kind: yes-no, optional: yes}}"
    more = "copies: 3, tags: [wet, far away], rare: yes,"
    pond.edit("decks/duck.yaml", ("fields: {text: text}", fields), ("copies: 3,", more))
    assert "    tags  wet; far away\n    rare  yes\n" in pond.done("show", "duck/smew")
    assert "    tags  -\n    rare  no\n" in pond.done("show", "duck/teal")


@pytest.fixture
def reported(pond: Pond) -> Pond:
    """A game of which one release is out; since then a card has changed, one has gone and one has come."""
    pond.release()
    new = "cards:\n  - {id: smew, text: Draw three.}"
    pond.edit("decks/duck.yaml", ("Draw one", "Draw two"), ("id: smew", "id: scaup"), ("cards:", new))
    pond.edit("decks/coin.yaml", (", {id: crown, text: Ten.}", ""))
    return pond


def test_a_code_tells_what_has_changed_since(reported: Pond) -> None:
    shown = reported.done("show", "POND/0.2/DUCK/SMEW")
    assert "changed since the version of that code:" in shown
    assert '        text: "Draw one, « à volonté »." -> "Draw three."' in shown
    assert "as in the version of that code" in reported.done("show", "POND/0.2/DUCK/TEAL")
    for name in ("D1", "POND/0.1/DUCK/SMEW", "POND/0.2/DUCK/SCAUP"):  # no code; not frozen; not there then
        assert "the version of that code" not in reported.run("show", name).output


def test_a_code_tells_that_a_card_only_looks_different_since(pond: Pond) -> None:
    pond.release()
    name = "POND/0.2/DUCK/TEAL"
    assert pond.data("show", name)["looks_different"] is False
    pond.edit("layouts/duck.xml", ('x="4"', 'x="5"'))
    shown = pond.done("show", name)
    assert "looks different since the version of that code" in shown
    assert "as in the version" not in shown
    data = pond.data("show", name)
    assert (data["since"], data["looks_different"]) == ([], True)
    assert pond.data("show", "duck/teal")["looks_different"] is None


def test_a_card_that_is_gone_is_told_by_any_of_its_names(reported: Pond) -> None:
    for name in ("C2", "crown", "coin/crown", "POND/0.2/COIN/CROWN"):
        words = "coin/crown (C2) is no longer in pond: it was in version 0.2, see content/pond/releases/0.2.lock"
        assert words in " ".join(reported.done("show", name, status=2).split())
    assert "did you mean" in reported.run("show", "coin/smev").output


def test_a_code_may_have_only_the_beginning_of_a_long_id(pond: Pond) -> None:
    assert pond.run("show", "PO*/0.2/DUCK/SMEW").output.startswith("duck/smew")
    assert "that is no card, but sheet 12 of the piece 'cards', of po* 0.2" in pond.run("show", "PO*/0.2/1/12").output
    pond.done("show", "PU*/0.2/DUCK/SMEW", status=2)


def test_what_stands_against_a_picture_is_told(make_workspace: MakeWorkspace) -> None:
    layout = '<face><text x="4" y="4" width="36" height="50">{{ card.text }}</face>'
    files = {**FILES, "content/pond/layouts/duck.xml": layout, "content/mire/game.yaml": "title: [\n"}
    root = make_workspace(files).root
    assert "yaml-syntax" in {problem["code"] for problem in run_json(root, "find", "egg")["problems"]}
    told = run_json(root, "show", "crown", "--png", str(root / "card.png"), status=1)
    assert told["png"] is None
    assert "malformed-layout" in {problem["code"] for problem in told["problems"]}


def test_blocks_are_two_pixels_high_and_in_colour() -> None:
    picture = Image.new("RGB", (4, 4), "#ff0000")
    picture.paste((0, 0, 255), (0, 2, 4, 4))
    lines = [as_shown(line) for line in blocks(picture, 4)]
    assert len(lines) == 2
    assert lines[0].startswith("\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m▀") or lines[0].count("▀") == 4
    assert all(line.endswith("\x1b[0m") for line in lines)


def test_words_are_found_where_they_stand_and_told_with_what_is_around(pond: Pond) -> None:
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
        assert found(pond, words) == places, words
    line = "content/pond/rules.md:3:41: A long line of words that goes on until it breaks: take an ŒUF.\n"
    assert pond.done("find", "IT  breaks", "pond").replace("…", "").endswith(line[-40:])
    assert pond.done("find", "nowhere at all") == "nothing says 'nowhere at all'\n"
    pond.done("find", " ", status=2)


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
