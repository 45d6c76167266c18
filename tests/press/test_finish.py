"""Clean cards and those of a prototype: what stands on faces, what in margins, and that a finish changes no card."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.core.geometry import Rect, Size, translation
from duckpress.files.workspace import Workspace
from oracle.reading.marks import Around, Run
from oracle.reading.placing import FaceSeat, Lying, PageLayout
from oracle.sheets.margins import margin_faults, margin_runs

ADDRESS = "https://pond.example/report?card={code}"
GAME = """title: Pond
version: "{version}"
designer: Nobody
players: 2
theme: pond
{more}
pieces: [{{id: cards, title: Cards, decks: [duck, aid, token]}}]
"""
FILES = {
    "game.yaml": GAME.format(version="0.1", more=""),
    "theme.yaml": "extends: base\nimprint: {show: yes, decks: {token: {show: no}}}\n"
    "qr: {size: 14, quiet: 2, decks: {aid: {show: yes, side: back}}}\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: face\nback: back\nfields: {text: text}\n"
    "cards:\n  - {id: teal, copies: 2, text: Draw one.}\n  - {id: eider, copies: 1, text: Pass.}\n",
    "decks/aid.yaml": "title: Aid\nsize: mini\nfront: aid\nback: back\ncards: [{id: aid}]\n",
    "decks/token.yaml": "title: Token\nsize: mini\nfront: token\nback: back\ncards: [{id: token}]\n",
    "layouts/face.xml": '<face><ground fill="#ffffff"/><text x="4" y="4" width="36" height="30">{{ card.text }}</text>'
    "</face>",
    "layouts/aid.xml": '<face><ground fill="#ffffff"/>{% if game.finish != "clean" %}'
    '<text x="4" y="4" width="36" height="30">as of {{ game.version }}</text>{% endif %}</face>',
    "layouts/token.xml": '<face><ground fill="#ffffff"/><circle cx="20" cy="20" r="4"/></face>',
    "layouts/back.xml": '<face><ground fill="#ffffff"/><rect x="8" y="8" width="20" height="20"/></face>',
}
IMPRINTS = {"Pond 0.1 · D1": 2, "Pond 0.1 · D2": 1, "Pond 0.1 · A1": 1, "as of 0.1": 1}
Make = Callable[[Mapping[str, str | bytes]], Workspace]


class Pond:
    def __init__(self, make: Make, **others: str) -> None:
        files = FILES | {name.replace("__", "/"): text for name, text in others.items()}
        self.workspace = make({f"content/pond/{name}": text for name, text in files.items()})
        self.folder = self.workspace.root / "content" / "pond"
        self.out = self.workspace.root / "output" / "pond"

    def game(self, more: str = "", version: str = "0.1") -> None:
        (self.folder / "game.yaml").write_text(GAME.format(version=version, more=more))

    def run(self, *words: str) -> str:
        done = CliRunner().invoke(main, ["--workspace", str(self.workspace.root), *words])
        assert done.exit_code == 0, done.output
        return done.output

    def build(self, *words: str) -> tuple[str, dict[str, Any]]:
        """Build, and return the words of the cards' file, and the manifest."""
        self.run("build", "pond", "--paper", "a4", "--piece", "cards", *words)
        return words_of(self.out / "pond-cards-a4.pdf"), json.loads((self.out / "manifest.json").read_text())


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def codes_of(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return sorted(code.text for page in document for code in zxingcpp.read_barcodes(page.render(scale=4).to_pil()))


@pytest.fixture
def pond(make_workspace: Make) -> Pond:
    return Pond(make_workspace)


def counts(words: str) -> dict[str, int]:
    return {text: words.count(text) for text in IMPRINTS if text in words}


def test_clean_cards_say_nothing_and_the_margin_has_it(pond: Pond) -> None:
    words, manifest = pond.build("--finish", "clean")
    assert counts(words) == {}
    assert "D1 ×2 · D2 · A1 · T1" in words
    assert codes_of(pond.out / "pond-cards-a4.pdf") == ["POND/0.1/CARDS/1"]
    assert [file["finish"] for file in manifest["files"]] == ["clean"]
    assert [file["name"] for file in manifest["files"]] == ["pond-cards-a4.pdf"]


def test_cards_of_a_prototype_say_it_and_the_margin_what_is_left(pond: Pond) -> None:
    words, manifest = pond.build("--finish", "prototype")
    assert counts(words) == IMPRINTS
    assert "×" not in words
    assert words.count("T1") == 1
    assert codes_of(pond.out / "pond-cards-a4.pdf") == ["POND/0.1/CARDS/1"]  # without an address no card has one
    assert [file["finish"] for file in manifest["files"]] == ["prototype"]


def test_without_a_finish_the_theme_decides(pond: Pond) -> None:
    words, manifest = pond.build()
    assert counts(words) == IMPRINTS
    assert "T1" not in words
    assert codes_of(pond.out / "pond-cards-a4.pdf") == ["POND/0.1/AID", "POND/0.1/CARDS/1"]
    assert "finish" not in manifest["files"][0]


@pytest.mark.parametrize(("own", "other"), [("clean", "prototype"), ("prototype", "clean")])
def test_the_option_stands_above_the_game(pond: Pond, own: str, other: str) -> None:
    pond.game(f"finish: {own}")
    assert bool(counts(pond.build()[0])) is (own == "prototype")
    words, manifest = pond.build("--finish", other)
    assert bool(counts(words)) is (other == "prototype")
    assert manifest["files"][0]["finish"] == other


@pytest.mark.parametrize("theme", ["extends: base\n", "extends: base\nimprint: {show: no}\n"])
def test_a_prototype_has_imprints_whatever_its_theme_shows(make_workspace: Make, theme: str) -> None:
    pond = Pond(make_workspace, theme__yaml=theme)
    (pond.folder / "theme.yaml").write_text(theme)
    assert counts(pond.build("--finish", "prototype")[0]) == IMPRINTS


@pytest.mark.soak
def test_codes_lead_to_the_address(pond: Pond) -> None:
    pond.game(f"finish: prototype\nreport: {ADDRESS}")
    pond.build()
    link = ADDRESS.format(code="POND/0.1/AID")
    assert link in codes_of(pond.out / "pond-cards-a4.pdf")
    assert "aid/aid" in pond.run("show", link)
    pond.build("--finish", "clean")
    assert codes_of(pond.out / "pond-cards-a4.pdf") == ["POND/0.1/CARDS/1"]


@pytest.mark.parametrize(
    ("report", "is_right"),
    [("https://a.example", True), ("http://a.example/{code}", True), ("pond.example", False), ("https://a/{x}", False)],
)
def test_addresses(pond: Pond, report: str, is_right: bool) -> None:
    pond.game(f'report: "{report}"')
    done = CliRunner().invoke(main, ["--workspace", str(pond.workspace.root), "check", "pond"])
    assert ("bad-report" in done.output) is not is_right


def test_a_finish_changes_no_card(pond: Pond) -> None:
    _, before = pond.build("--finish", "prototype")
    pond.game("finish: prototype")
    pond.run("release", "pond")
    pond.game("finish: clean", "0.2")
    _, after = pond.build()
    assert [card["bare"] for card in after["cards"]] == [card["bare"] for card in before["cards"]]
    assert [card["changed"] for card in after["cards"]] == ["0.1"] * 4
    assert "nothing has changed" in pond.run("changes", "pond")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("finish", ["clean", "prototype"])
def test_updates_are_in_the_finish(pond: Pond, finish: str) -> None:
    pond.game("finish: clean")
    pond.run("release", "pond")
    pond.game("finish: clean", "0.2")
    deck = pond.folder / "decks" / "duck.yaml"
    deck.write_text(deck.read_text().replace("Draw one.", "Draw two."))
    pond.run("update", "pond", "--paper", "a4", *(["--finish", finish] if finish != "clean" else []))
    folder = pond.out / "update-0.1-to-0.2"
    words = words_of(folder / "pond-update-a4.pdf")
    assert words.count("Pond 0.2 · D1") == (2 if finish == "prototype" else 0)
    assert ("D1 ×2" in words) is (finish == "clean")
    assert "D1" in words_of(folder / "pond-swap-a4.pdf")
    assert codes_of(folder / "pond-swap-a4.pdf") == []
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["finish"] == finish
    assert [line["card"] for line in manifest["put_in"]] == ["teal"]


def test_cards_of_an_older_version_say_so_in_the_margin(pond: Pond) -> None:
    pond.game("finish: clean")
    pond.run("release", "pond")
    pond.game("finish: clean", "0.2")
    deck = pond.folder / "decks" / "duck.yaml"
    deck.write_text(deck.read_text().replace("Draw one.", "Draw two."))
    assert "D1 ×2 · D2 0.1 · A1 0.1 · T1 0.1" in pond.build()[0]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("backs", ["duplex", "gutterfold", "none"])
@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
def test_names_find_room(pond: Pond, backs: str, paper: str) -> None:
    """The proof says where one lies on something else, or where the printer cannot print."""
    pond.run("build", "pond", "--paper", paper, "--backs", backs, "--finish", "clean", "--gang")
    (path,) = (path for path in pond.out.glob("*.pdf"))
    words = words_of(path)
    assert all(code in words for code in ("D1", "D2", "A1", "T1"))


def page(*texts: str) -> PageLayout:
    """Return a page with two cards beside one another, and one below, and texts under them."""
    places = ((10.0, 10.0), (60.0, 10.3), (10.0, 80.0))
    faces = [
        Lying(key, FaceSeat(translation(x_mm, y_mm), Size(40.0, 60.0), Rect(x_mm, y_mm, 40.0, 60.0)))
        for key, (x_mm, y_mm) in zip("abc", places, strict=True)
    ]
    runs = [
        Run(text, 2.1, 10.0, 160.0 + 5 * row, 0, "#333333", Rect(10.0, 158.0 + 5 * row, 40.0, 2.1))
        for row, text in enumerate(texts)
    ]
    paper = Rect(0.0, 0.0, 210.0, 297.0)
    return PageLayout(Size(210.0, 297.0), tuple(faces), (), paper, Around(tuple(runs)))


@pytest.mark.parametrize(
    ("texts", "is_right"),
    [
        (["D1 · D2 / D3"], True),
        (["D1 · D2", "D3"], True),
        (["D2 · D1 / D3"], False),
        (["D1 · D2"], False),
        (["D1 ×2 / D3"], False),
        (["D1 · D2 / D3 ×2"], False),
        ([], True),
    ],
)
def test_what_the_proof_says_of_margins(texts: list[str], is_right: bool) -> None:
    names = {"a": {"D1"}, "b": {"D2"}, "c": {"D3"}}
    on_page = page(*texts)
    runs = margin_runs(on_page, names)
    assert len(runs) == len(texts)
    assert (list(margin_faults(on_page, runs, names)) == []) is is_right
