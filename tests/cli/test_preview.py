"""`duckpress preview`: a folder with a page of every card, which opens from the disk and asks nobody for anything."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bingo import files_in
from held_pond import Pond

FILES = {
    "game.yaml": (
        'title: "Pond <b>& Co"\nversion: "0.2"\ndesigner: Ann\nplayers: 2\nlanguages: [en]\ntheme: base\n'
        "pieces:\n  - {id: cards, title: Cards, decks: [bird]}\n  - {id: board, title: Board, decks: [board]}\n"
        "  - {id: grey, title: Grey, decks: [bird], instead_of: cards}\n"
    ),
    "decks/bird.yaml": (
        "title: Birds\nsize: {width: 40mm, height: 50mm, corner: 3mm}\nfront: card\nback: back\n"
        "fields: {name: text, text: {kind: text, optional: yes}}\ncards:\n"
        "  - {id: teal, copies: 2, name: \"Teal's \\\"<script>alert(1)</script>\\\"\", text: 'Draw **one** {star}'}\n"
        "  - {id: smew, copies: 1, name: Smew}\n"
    ),
    "boards/board.yaml": (
        "title: Board\nsize: {width: 500mm, height: 200mm}\nfront: board\ntiled: yes\ncards: [{id: sea}]\n"
    ),
    "layouts/card.xml": '<face><text x="5" y="5" width="30" height="30" size="9" min="4">{{ card.name }}</text></face>',
    "layouts/back.xml": '<face><ground fill="#808080"/></face>',
    "layouts/board.xml": '<face><ground fill="#2050a0"/></face>',
    "rules.md": "# Play\n\nPlay as you like.\n",
}  # fmt: skip
LONG = f"  - {{id: long, name: {'Merganser ' * 150}}}\n"


@pytest.fixture
def pond(tmp_path: Path) -> Pond:
    return Pond(tmp_path, {f"content/pond/{path}": text for path, text in FILES.items()})


def cards_of(pond: Pond) -> dict[str, dict[str, Any]]:
    """Return the cards of the page by their anchors."""
    return {card["anchor"]: card for deck in pond.page_data("cards")["decks"] for card in deck["cards"]}


def test_every_card_is_there_once_with_its_pictures_and_words(pond: Pond) -> None:
    (row,) = pond.data("preview", "--dpi", "127")["games"]
    assert (row["game"], Path(row["folder"]) / row["file"]) == ("pond", pond.output / "preview/index.html")
    cards = cards_of(pond)
    assert list(cards) == ["cards-bird-teal", "cards-bird-smew", "board-board-sea"]
    fronts = [card["front"] for card in cards.values()]
    for name, most in zip(fronts, (270, 270, 1600), strict=True):  # with 2 mm of bleed; a board is made smaller
        with Image.open(pond.output / "preview" / name) as picture:
            assert (picture.format, max(picture.size)) == ("JPEG", most)
    assert [card["copies"] for card in cards.values()] == [2, 1, 1]
    (rules,) = pond.page_data("cards")["reading"]
    assert [page["anchor"] for page in rules["pages"]] == ["rules-1"]
    shown = {card[side] for card in cards.values() for side in ("front", "back")} - {None}
    shown |= {page["picture"] for page in rules["pages"]}
    assert {name for name in files_in(pond.output / "preview") if name.startswith("pictures/")} == shown
    backs = [card["back"] for anchor, card in cards.items() if anchor.startswith("cards-")]
    assert backs[0] == backs[1] is not None, "a back that cards share is there once"
    teal = cards["cards-bird-teal"]
    assert teal["name"].startswith("Teal's")
    assert "Draw one star" in teal["words"]
    assert teal["at"] == "content/pond/decks/bird.yaml:7:10"


def test_each_card_that_lacks_a_picture_is_marked_and_it_is_told_once(pond: Pond) -> None:
    pond.edit("layouts/card.xml", ("</face>", '<image href="art/none.svg" x="5" y="5" width="9" height="9"/></face>'))
    pond.done("preview", status=1)
    (group,) = pond.page_data("findings")["groups"]
    (finding,) = group["findings"]
    assert finding["what"].endswith("(and 1 more like it)")
    assert finding["cards"] == ["bird/teal", "bird/smew"]


def test_the_page_loads_its_own_files_alone_and_a_cards_words_are_only_words(pond: Pond) -> None:
    pond.done("preview")
    files = files_in(pond.output / "preview")
    page = files["index.html"].decode()
    policy = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)"', page)[0]
    allowed = "default-src 'none'; img-src 'self' file:; style-src 'self' file:; script-src 'self' file:;"
    assert policy.startswith(allowed)
    assert "unsafe" not in policy
    loaded = re.findall(r'(?i)\b(?:src|href)\s*=\s*"?([^"\s>]*)', page)
    scripts = [name for name in loaded if name.endswith(".js")]
    assert loaded == ["icon.svg", "page.css", *scripts]
    assert [name for name in scripts if "/" in name] == ["data/game.js", "data/cards.js", "data/findings.js"]
    assert not re.search(r"(?i)<(iframe|object|b|img|style)\b|<[^>]*\son\w+\s*=", page)
    assert scripts[0] == "page.js"
    for name in scripts[1:]:
        text = files[name].decode() if "/" not in name else ""
        text = text.replace("http://www.w3.org/2000/svg", "")  # the name of a language, which nobody asks for
        assert not re.search(
            r"innerHTML *=|outerHTML|insertAdjacentHTML|document\.write|eval|fetch|\bimport\b|https?:", text
        )
    own = sum(len(data) for name, data in files.items() if "/" not in name and name != "manifest.json")
    assert own < 250_000


def test_a_card_that_leaves_the_game_leaves_the_folder_and_a_changed_one_is_new(pond: Pond) -> None:
    pond.done("preview")
    before = cards_of(pond)
    pond.edit("decks/bird.yaml", ("name: Smew", "name: Gadwall"))
    pond.done("preview")
    after = cards_of(pond)
    assert after["cards-bird-teal"]["front"] == before["cards-bird-teal"]["front"]
    assert after["cards-bird-smew"]["front"] != before["cards-bird-smew"]["front"]
    pond.done("build", "pond", "--piece", "board", "--paper", "a4")  # leaves the page where it is
    files = files_in(pond.output / "preview")
    assert before["cards-bird-smew"]["front"] not in files
    listed = [file["name"] for file in json.loads(files["manifest.json"])["files"]]
    assert sorted((*listed, "manifest.json")) == sorted(files)


def test_a_piece_by_name_and_a_game_with_an_error(pond: Pond) -> None:
    pond.done("preview", "pond", "--piece", "grey")
    assert list(cards_of(pond)) == ["grey-bird-teal", "grey-bird-smew"]
    pond.edit("layouts/back.xml", ("ground", "grund"))
    assert "a draft is shown: 1 error" in pond.done("preview", status=1)
    (pond.folder / "game.yaml").write_text("title: [", "utf-8")
    assert "nothing to show: 1 error" in pond.done("preview", status=1)


def test_a_card_that_is_wrong_is_shown_and_marked_and_hides_no_other(pond: Pond) -> None:
    fails = "9 // (0 if card.text == '1' else 1)"
    pond.edit("layouts/card.xml", ("</face>", f'<rect x="{{{{ {fails} }}}}" y="9" width="2" height="2"/></face>'))
    points = "fields: {points: {kind: whole, default: 1}, "
    cards = f"cards:\n{LONG}  - {{id: bad, name: Bad, points: many}}\n"
    cards += "  - {id: broken, name: Gadwall, text: '1'}\n  - {id: gull}\n"
    pond.edit("decks/bird.yaml", ("fields: {", points), ("cards:\n", cards))
    report = json.loads(pond.done("preview", "pond", "--format", "json", status=1))
    assert report["games"][0]["file"] == "preview/index.html"
    groups = pond.page_data("findings")["groups"]
    findings = {key: one["what"] for group in groups for one in group["findings"] for key in one["cards"]}
    birds = {name.rpartition("-")[2]: card for name, card in cards_of(pond).items() if "-bird-" in name}
    assert {name: (card["front"] is not None, f"bird/{name}" in findings) for name, card in birds.items()} == {
        **dict.fromkeys(("teal", "smew"), (True, False)),
        **dict.fromkeys(("long", "bad", "gull"), (True, True)),
        "broken": (False, True),
    }
    assert findings["bird/gull"] == "card 'gull' has no 'name'"
    assert "mm over its box of 30 x 30 mm" in findings["bird/long"]
    assert "'points' of card 'bad' is 'many'" in findings["bird/bad"]


def test_a_box_that_is_too_small_is_outlined_in_what_is_shown(pond: Pond) -> None:
    pond.edit("decks/bird.yaml", ("cards:\n", f"cards:\n{LONG}"))
    for name, marked in (("long", True), ("teal", False)):
        shown = pond.done("show", f"bird/{name}", "--png", str(pond.root / "a.png"), "--dpi", "100", status=int(marked))
        assert ("text-overflow" in shown) == marked
        with Image.open(pond.root / "a.png") as picture:
            assert picture.size == (157, 197)  # 40 x 50 mm
            pixels = [picture.getpixel((x, y)) for x in range(16, 24) for y in range(40, 120)]
        assert any(red > 150 > 100 > green for red, green, _ in pixels) == marked  # type: ignore[index]
