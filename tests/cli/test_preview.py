"""`duckpress preview`: a folder with a page of every card, which opens from the disk and asks nobody for anything."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

import running
from duckpress import cli
from duckpress.cli.commands import main

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


class Elements(HTMLParser):
    """Gathers the elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def run(root: Path, *arguments: str) -> Result:
    return running.run(root, "preview", *arguments)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    running.write_files(tmp_path / "content/pond", FILES)
    return tmp_path


def folder_of(root: Path) -> Path:
    return root / "output/pond/preview"


def page_of(root: Path) -> Elements:
    page = Elements()
    page.feed((folder_of(root) / "index.html").read_text(encoding="utf-8"))
    return page


def data_of(root: Path, name: str) -> dict[str, Any]:
    """Return what a script of the page hands to it."""
    script = (folder_of(root) / f"data/{name}.js").read_text("utf-8")
    head, tail = f'duckpress.take("{name}", ', ");\n"
    assert (script[: len(head)], script[-len(tail) :]) == (head, tail)
    data: dict[str, Any] = json.loads(script[len(head) : -len(tail)])
    return data


def cards_of(root: Path) -> dict[str, dict[str, Any]]:
    """Return the cards of the page by their anchors."""
    return {card["anchor"]: card for deck in data_of(root, "cards")["decks"] for card in deck["cards"]}


def findings_of(root: Path) -> dict[str, str]:
    """Return what is wrong with each card, by deck and card."""
    groups = data_of(root, "findings")["groups"]
    return {key: one["what"] for group in groups for one in group["findings"] for key in one["cards"]}


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_card_is_there_once_with_its_pictures_and_words(root: Path) -> None:
    done = run(root, "--dpi", "127", "--format", "json")
    assert done.exit_code == cli.DONE, done.output
    (row,) = json.loads(done.output)["games"]
    assert (row["game"], Path(row["folder"]) / row["file"]) == ("pond", folder_of(root) / "index.html")
    cards = cards_of(root)
    assert list(cards) == ["cards-bird-teal", "cards-bird-smew", "board-board-sea"]
    fronts = [card["front"] for card in cards.values()]
    for name, most in zip(fronts, (270, 270, 1600), strict=True):  # with 2 mm of bleed; a board is made smaller
        with Image.open(folder_of(root) / name) as picture:
            assert (picture.format, max(picture.size)) == ("JPEG", most)
    assert [card["copies"] for card in cards.values()] == [2, 1, 1]
    (rules,) = data_of(root, "cards")["reading"]
    assert [page["anchor"] for page in rules["pages"]] == ["rules-1"]
    shown = {card[side] for card in cards.values() for side in ("front", "back")} - {None}
    shown |= {page["picture"] for page in rules["pages"]}
    assert {name for name in files_of(folder_of(root)) if name.startswith("pictures/")} == shown
    backs = [card["back"] for anchor, card in cards.items() if anchor.startswith("cards-")]
    assert backs[0] == backs[1] is not None, "a back that cards share is there once"
    teal = cards["cards-bird-teal"]
    assert teal["name"].startswith("Teal's")
    assert "Draw one star" in teal["words"]
    assert teal["at"] == "content/pond/decks/bird.yaml:7:10"


def test_each_card_that_lacks_a_picture_is_marked_and_it_is_told_once(root: Path) -> None:
    layout = root / "content/pond/layouts/card.xml"
    picture = '<image href="art/none.svg" x="5" y="5" width="9" height="9"/></face>'
    layout.write_text(FILES["layouts/card.xml"].replace("</face>", picture))
    run(root)
    (group,) = data_of(root, "findings")["groups"]
    (finding,) = group["findings"]
    assert finding["what"].endswith("(and 1 more like it)")
    assert finding["cards"] == ["bird/teal", "bird/smew"]


def test_the_page_loads_its_own_files_alone_and_a_cards_words_are_only_words(root: Path) -> None:
    run(root)
    page = page_of(root)
    metas = [attributes for tag, attributes in page.found if tag == "meta"]
    policy = next(meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith(
        "default-src 'none'; img-src 'self' file:; style-src 'self' file:; script-src 'self' file:;"
    )
    assert "unsafe" not in str(policy)
    loaded = [attributes.get("src") or attributes.get("href") for _, attributes in page.found]
    scripts = [name for name in loaded if name and name.endswith(".js")]
    assert [name for name in loaded if name] == ["icon.svg", "page.css", *scripts]
    assert [name for name in scripts if "/" in name] == ["data/game.js", "data/cards.js", "data/findings.js"]
    assert {tag for tag, _ in page.found} & {"iframe", "object", "b", "img", "style"} == set()
    assert not any(name.startswith("on") for _, attributes in page.found for name in attributes)
    files = files_of(folder_of(root))
    assert scripts[0] == "page.js"
    for name in scripts[1:]:
        text = files[name].decode() if "/" not in name else ""
        text = text.replace("http://www.w3.org/2000/svg", "")  # the name of a language, which nobody asks for
        assert not re.search(
            r"innerHTML *=|outerHTML|insertAdjacentHTML|document\.write|eval|fetch|\bimport\b|https?:", text
        )
    own = sum(len(data) for name, data in files.items() if "/" not in name and name != "manifest.json")
    assert own < 250_000


def test_a_card_that_leaves_the_game_leaves_the_folder_and_a_changed_one_is_new(root: Path) -> None:
    run(root)
    before = cards_of(root)
    deck = root / "content/pond/decks/bird.yaml"
    deck.write_text(deck.read_text("utf-8").replace("name: Smew", "name: Gadwall"), "utf-8")
    run(root)
    after = cards_of(root)
    assert after["cards-bird-teal"]["front"] == before["cards-bird-teal"]["front"]
    assert after["cards-bird-smew"]["front"] != before["cards-bird-smew"]["front"]
    running.run(root, "build", "pond", "--piece", "board", "--paper", "a4", status=0)  # leaves the page where it is
    files = files_of(folder_of(root))
    assert before["cards-bird-smew"]["front"] not in files
    listed = [file["name"] for file in json.loads(files["manifest.json"])["files"]]
    assert sorted((*listed, "manifest.json")) == sorted(files)


def test_a_piece_by_name_and_a_game_with_an_error(root: Path) -> None:
    assert run(root, "pond", "--piece", "grey").exit_code == cli.DONE
    assert list(cards_of(root)) == ["grey-bird-teal", "grey-bird-smew"]
    (root / "content/pond/layouts/back.xml").write_text("<face><grund/></face>")
    done = run(root)
    assert (done.exit_code, "a draft is shown: 1 error" in done.output) == (cli.CONTENT_ERROR, True), done.output
    (root / "content/pond/game.yaml").write_text("title: [", "utf-8")
    done = run(root)
    assert (done.exit_code, "nothing to show: 1 error" in done.output) == (cli.CONTENT_ERROR, True), done.output


def test_a_card_that_is_wrong_is_shown_and_marked_and_hides_no_other(root: Path) -> None:
    deck = root / "content/pond/decks/bird.yaml"
    deck.write_text(
        deck.read_text("utf-8").replace("fields: {", "fields: {points: {kind: whole, default: 1}, ")
        + "  - {id: long, name: " + "Merganser " * 150 + "}\n  - {id: bad, name: Bad, points: many}\n"
        "  - {id: broken, name: Gadwall, text: '1'}\n  - {id: gull}\n",
        "utf-8",
    )  # fmt: skip
    card = root / "content/pond/layouts/card.xml"
    card.write_text(
        card.read_text("utf-8").replace(
            "</face>",
            "<rect x='{{ 9 // (0 if card.text == \"1\" else 1) }}' y='9' width='2' height='2' fill='ink'/></face>",
        ),
        "utf-8",
    )
    done = run(root, "pond", "--format", "json")
    report = json.loads(done.output)
    assert (done.exit_code, report["games"][0]["file"]) == (cli.CONTENT_ERROR, "preview/index.html")
    cards = cards_of(root)
    birds = {name.removeprefix("cards-bird-"): card for name, card in cards.items() if name.startswith("cards-bird")}
    findings = findings_of(root)
    assert {name: (card["front"] is not None, f"bird/{name}" in findings) for name, card in birds.items()} == {
        "teal": (True, False),
        "smew": (True, False),
        "long": (True, True),
        "bad": (True, True),
        "broken": (False, True),
        "gull": (True, True),
    }
    assert findings["bird/gull"] == "card 'gull' has no 'name'"
    assert "mm over its box of 30 x 30 mm" in findings["bird/long"]
    assert "'points' of card 'bad' is 'many'" in findings["bird/bad"]


def test_a_box_that_is_too_small_is_outlined_in_what_is_shown(root: Path) -> None:
    deck = root / "content/pond/decks/bird.yaml"
    deck.write_text(deck.read_text("utf-8") + "  - {id: long, name: " + "Merganser " * 150 + "}\n", "utf-8")
    for name, marked in (("long", True), ("teal", False)):
        show = ["--workspace", str(root), "show", f"bird/{name}", "--png", str(root / "a.png"), "--dpi", "100"]
        done = CliRunner().invoke(main, show)
        assert done.exit_code == (cli.CONTENT_ERROR if marked else cli.DONE), done.output
        assert ("text-overflow" in done.output) == marked
        with Image.open(root / "a.png") as picture:
            assert picture.size == (157, 197)  # 40 x 50 mm
            pixels = [picture.getpixel((x, y)) for x in range(16, 24) for y in range(40, 120)]
        assert any(red > 150 > 100 > green for red, green, _ in pixels) == marked  # type: ignore[index]
