"""`duckpress preview`: one page with every card, which needs no other file and asks nobody for anything."""

from __future__ import annotations

import base64
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from duckpress import cli
from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace, bundled_root

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
    """Gathers the elements of a page with their attributes, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def run(root: Path, *arguments: str) -> Result:
    done = CliRunner().invoke(main, ["--workspace", str(root), "preview", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        target = tmp_path / "content" / "pond" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return Workspace(tmp_path, bundled_root()).root


def page_of(root: Path) -> Elements:
    page = Elements()
    page.feed((root / "output" / "pond" / "preview.html").read_text(encoding="utf-8"))
    return page


def size_of(uri: str | None) -> tuple[int, int]:
    head, _, data = (uri or "").partition(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        return picture.size


def test_every_card_is_there_once_with_its_picture(root: Path) -> None:
    done = run(root, "--dpi", "127", "--format", "json")
    assert done.exit_code == cli.DONE, done.output
    (row,) = json.loads(done.output)["games"]
    assert (row["game"], Path(row["folder"]) / row["file"]) == ("pond", root / "output" / "pond" / "preview.html")
    page = page_of(root)
    anchors = [figure["id"] for figure in page.all("figure")]
    assert anchors[:3] == ["cards-bird-teal", "cards-bird-smew", "board-board-sea"]
    assert all(anchor and anchor.startswith("rules-") for anchor in anchors[3:]), "then the pages of the rules"
    assert len(anchors) > 3
    fronts = [picture["src"] for picture in page.all("img") if "src" in picture]
    assert len(fronts) == len(anchors)
    assert size_of(fronts[0]) == size_of(fronts[1]) == (200, 250)
    assert max(size_of(fronts[2])) == 1600, "a board is made smaller"
    assert "×2" in page.words


def test_a_back_that_cards_share_is_in_the_page_once(root: Path) -> None:
    run(root)
    text = (root / "output/pond/preview.html").read_text()
    backs: dict[str, Any] = json.loads(re.search(r"const backs = (\{.*\});", text)[1])  # type: ignore[index]
    (picture,) = backs.values()
    assert size_of(picture)
    shown = [picture.get("data-back") for picture in page_of(root).all("img") if "data-back" in picture]
    assert shown == [*backs] * 2


def test_the_words_to_search_for_are_those_of_the_card(root: Path) -> None:
    run(root)
    words = {str(figure["id"]): str(figure["data-words"]) for figure in page_of(root).all("figure")}
    for word in ("Teal's", "Draw one star", "teal", "Birds"):
        assert word in words["cards-bird-teal"]


def test_the_page_loads_nothing_and_a_cards_words_are_only_words(root: Path) -> None:
    run(root)
    page = page_of(root)
    policy = next(meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith("default-src 'none'; img-src data:;")
    for tag, attributes in page.found:
        assert tag not in ("link", "iframe", "object", "b")
        for name in ("src", "href"):
            assert (attributes.get(name) or "data:").startswith("data:")
    assert len(page.all("script")) == 1, "the card's own <script> is text"
    text = re.sub(r"data:image/jpeg;base64,[A-Za-z0-9+/=]+", "", (root / "output/pond/preview.html").read_text())
    assert "http" not in text.replace("http-equiv", "")


def test_the_controls_speak_the_language_of_the_cards(root: Path) -> None:
    path = root / "content/pond/game.yaml"
    path.write_text(path.read_text().replace("languages: [en]", "languages: [fr]"))
    (root / "content/pond/rules.md").rename(root / "content/pond/rules.fr.md")
    assert run(root).exit_code == cli.DONE
    page = page_of(root)
    assert [one["lang"] for one in page.all("html")] == ["fr"]
    assert {one["placeholder"] for one in page.all("input") if "placeholder" in one} == {"Chercher"}
    for word in ("Taille", "Dos"):
        assert word in page.words
    assert "Dos de Smew" in {picture.get("alt") for picture in page.all("img")}


def test_columns_are_as_wide_as_the_widest_card_and_boards_keep_a_row_of_a_telephone(root: Path) -> None:
    run(root)
    sections = [one for one in page_of(root).all("div") if str(one["class"]).startswith("cards")]
    assert [(one["class"], one["style"]) for one in sections[:2]] == [
        ("cards", "--wide:40.0mm"),
        ("cards large", "--wide:500.0mm"),
    ]


def test_the_same_game_gives_the_same_page(root: Path) -> None:
    run(root)
    first = (root / "output/pond/preview.html").read_bytes()
    run(root, "--out", str(root / "again"))
    assert (root / "again/pond/preview.html").read_bytes() == first


def test_a_piece_by_name_and_a_game_with_an_error(root: Path) -> None:
    assert run(root, "pond", "--piece", "grey").exit_code == cli.DONE
    assert [figure["id"] for figure in page_of(root).all("figure")] == ["grey-bird-teal", "grey-bird-smew"]
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
        "  - {id: broken, name: Gadwall, text: '1'}\n",
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
    assert (done.exit_code, report["games"][0]["file"]) == (cli.CONTENT_ERROR, "preview.html")
    page = page_of(root)
    shown = {figure["id"]: figure.get("class") for figure in page.all("figure")}
    birds = {name.removeprefix("cards-bird-"): mark for name, mark in shown.items() if name.startswith("cards-bird")}  # type: ignore[union-attr]
    assert birds == {"teal": None, "smew": None, "long": "wrong", "bad": "wrong", "broken": "wrong"}
    assert "mm over its box of 30 x 30 mm" in page.words
    assert "'points' of card 'bad' is 'many'" in page.words
    fronts = [image["src"] for image in page.all("img") if (image.get("src") or "").startswith("data:")]  # type: ignore[union-attr]
    assert len(fronts) == 6  # four birds, the board and the page of rules; the broken one has none
    assert [span.get("class") for span in page.all("span")] == ["missing"]


def test_a_box_that_is_too_small_is_outlined_in_what_is_shown(root: Path) -> None:
    deck = root / "content/pond/decks/bird.yaml"
    deck.write_text(deck.read_text("utf-8") + "  - {id: long, name: " + "Merganser " * 150 + "}\n", "utf-8")
    for name, marked in (("long", True), ("teal", False)):
        show = ["--workspace", str(root), "show", f"bird/{name}", "--png", str(root / "a.png"), "--dpi", "100"]
        done = CliRunner().invoke(main, show)
        assert done.exit_code == (cli.CONTENT_ERROR if marked else cli.DONE), done.output
        assert ("text-overflow" in done.output) == marked
        with Image.open(root / "a.png") as picture:
            pixels = [picture.getpixel((x, y)) for x in range(16, 24) for y in range(40, 120)]
        assert any(red > 150 > 100 > green for red, green, _ in pixels) == marked  # type: ignore[index]


def test_a_build_leaves_the_page_where_it_is(root: Path) -> None:
    run(root)
    done = CliRunner().invoke(main, ["--workspace", str(root), "build", "pond", "--paper", "a4"])
    assert done.exit_code == cli.DONE, done.output
    assert (root / "output/pond/preview.html").is_file()
