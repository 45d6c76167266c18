"""Which card is which: imprints that say it, bare faces that no version touches, codes that can be scanned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner

from duckpress.art.qr_code import code_path, modules_of
from duckpress.cli.commands import main
from duckpress.core.geometry import Rect
from duckpress.core.report_address import read_report, report_text
from duckpress.press.sheets.free_places import free_place
from duckpress.press.sheets.sheet_codes import _even, _modules
from duckpress.store.manifest import read_manifest

GAME = """title: Pond
version: "{version}"
designer: Nobody
players: 2
languages: [en, fr]
theme: pond
pieces: [{{id: cards, title: Cards, decks: [duck, aid]}}]
"""
DECK = """title: Ducks
size: mini
front: duck
back: back
fields: {{text: text}}
cards:
  - {{id: teal, copies: 2, text: {teal}}}
  - {{id: eider, copies: 1, text: Pass.}}
"""
AID = "title: Aid\nsize: mini\nfront: aid\ncards: [{id: aid}]\n"
THEME = """extends: base
colours: {sea: {color: "#103050", low: "#ffffff"}, on-sea: {color: "#ffffff", low: "#000000"}}
imprint: {show: yes, place: bottom-left, decks: {aid: {turn: 90, place: right}}}
"""
LAYOUTS = {
    "duck": '<face><ground fill="#ffffff"/><text x="4" y="4" width="36" height="40">{{ card.text }}</text></face>',
    "back": '<face><ground fill="#ffffff"/><icon name="star" x="10" y="10" size="20"/></face>',
    "aid": '<face><ground fill="#ffffff"/><text x="4" y="4" width="30" height="6">{{ game.version }}</text>'
    '<qr text="{{ report }}" x="6" y="20" size="28"/></face>',
}


class Pond:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "content" / "pond"
        for name in ("decks", "layouts", "lang", "art/icons"):
            (self.folder / name).mkdir(parents=True)
        for name, text in LAYOUTS.items():
            (self.folder / "layouts" / f"{name}.xml").write_text(text)
        star = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0H10V10Z"/></svg>'
        (self.folder / "art" / "icons" / "star.svg").write_text(star)
        (self.folder / "decks" / "aid.yaml").write_text(AID)
        (self.folder / "theme.yaml").write_text(THEME)
        cards = "{teal: {text: Pioche.}, eider: {text: Passe.}}"
        french = f"title: Pond\ndecks:\n  duck: {{title: Canards, cards: {cards}}}\n"
        (self.folder / "lang" / "fr.yaml").write_text(french)
        self.tweak()

    def tweak(self, version: str = "0.1", teal: str = "Draw one.") -> None:
        (self.folder / "game.yaml").write_text(GAME.format(version=version))
        (self.folder / "decks" / "duck.yaml").write_text(DECK.format(teal=teal))

    def run(self, *words: str) -> str:
        result = CliRunner().invoke(main, ["--workspace", str(self.root), *words])
        assert result.exit_code == 0, result.output
        return result.output

    def build(self, *words: str) -> tuple[dict[str, Any], str, Path]:
        """Build, and give the cards of the manifest, the words of all pages, and the file."""
        self.run("build", "pond", "--paper", "a4", "--piece", "cards", *words)
        folder = self.root / "output" / "pond"
        manifest = json.loads((folder / "manifest.json").read_text())
        (name,) = [one["name"] for one in manifest["files"]]
        document = pypdfium2.PdfDocument(folder / name)
        words_ = "\n".join(page.get_textpage().get_text_range() for page in document)
        document.close()
        cards = {card["card"]: card for card in manifest["cards"]}
        for path in folder.iterdir():
            if path.name != name and path.is_file():
                path.unlink()
        return cards, " ".join(words_.split()), folder / name


@pytest.fixture
def pond(tmp_path: Path) -> Pond:
    return Pond(tmp_path)


def test_only_what_changed_gets_the_new_version(pond: Pond) -> None:
    first, words, _ = pond.build()
    assert words.count("Pond 0.1 · D1") == 2
    assert words.count("Pond 0.1 · D2") == 1
    pond.run("release", "pond")
    pond.tweak("0.2", "Draw two.")
    second, words, _ = pond.build()
    assert words.count("Pond 0.2 · D1") == 2
    assert words.count("Pond 0.1 · D2") == 1
    assert second["eider"]["frame"] == first["eider"]["frame"]
    assert second["teal"]["bare"] != first["teal"]["bare"]
    assert {name: card["changed"] for name, card in second.items()} == {"teal": "0.2", "eider": "0.1", "aid": "0.1"}
    assert {name: card["code"] for name, card in second.items()} == {"teal": "D1", "eider": "D2", "aid": "A1"}
    pond.run("release", "pond")
    again, _, _ = pond.build()
    assert again == second
    assert "nothing has changed" in pond.run("changes", "pond")


@pytest.mark.sweep(2)
@pytest.mark.parametrize("ink", ["low", "grey"])
def test_versions_are_told_in_every_ink(pond: Pond, ink: str) -> None:
    pond.run("release", "pond")
    pond.tweak("0.2", "Draw two.")
    _, words, _ = pond.build("--ink", ink)
    assert words.count("Pond 0.2 · D1") == 2
    assert words.count("Pond 0.1 · D2") == 1


def test_a_version_by_itself_changes_no_bare_face(pond: Pond) -> None:
    first, words, _ = pond.build()
    assert "0.1" in words
    pond.run("release", "pond")
    pond.tweak("0.7")
    second, words, _ = pond.build()
    for name, card in first.items():
        assert (second[name]["bare"], second[name]["bare_back"]) == (card["bare"], card["bare_back"])
        assert second[name]["changed"] == "0.1"
    # The aid writes the game's own version: it is printed anew, and is the same card.
    assert second["aid"]["frame"] != first["aid"]["frame"]
    assert second["teal"]["frame"] == first["teal"]["frame"] != first["teal"]["bare"]
    assert "nothing has changed" in pond.run("changes", "pond")


@pytest.mark.soak
def test_a_language_has_versions_of_its_own(pond: Pond) -> None:
    pond.run("release", "pond")
    path = pond.folder / "lang" / "fr.yaml"
    path.write_text(path.read_text().replace("Passe.", "Passez."))
    pond.tweak("0.2")
    for _ in range(2):  # before the release and after it
        assert "Pond 0.2 · D2" in pond.build("--lang", "fr")[1]
        assert "Pond 0.1 · D2" in pond.build()[1]
        pond.run("release", "pond")


def test_codes_of_faces_and_sheets_read_back(pond: Pond) -> None:
    *_, path = pond.build()
    with pypdfium2.PdfDocument(path) as document:
        found = [
            code.text
            for page in document
            for code in zxingcpp.read_barcodes(page.render(scale=200 / 72).to_pil().convert("L"))
        ]
    assert sorted(found) == ["POND/0.1/AID", "POND/0.1/CARDS/1"]
    report = read_report(found[0])
    assert report is not None
    assert (report.game, report.version) == ("pond", "0.1")


def test_manifests_of_before_are_still_read(pond: Pond) -> None:
    pond.build()
    pond.run("build", "pond", "--paper", "a4")
    path = pond.root / "output" / "pond" / "manifest.json"
    data = json.loads(path.read_text())
    for card in data["cards"]:
        for key in ("bare", "bare_back", "code", "changed"):
            card.pop(key, None)
    assert read_manifest(json.dumps(data).encode()) is not None


@pytest.mark.parametrize(
    ("imprint", "code"),
    [
        ("{show: yes, text: '{oops}'}", "bad-imprint"),
        ("{show: yes, side: back}", "bad-imprint"),
        ("{show: yes, decks: {dukc: {show: no}}}", "bad-imprint"),
        ("{show: yes, style: nothing}", "unknown-style"),
        ("{show: yes, colour: nothing}", "unknown-colour"),
        ("{show: yes, plaice: top}", "unknown-key"),
        ("{show: yes, place: top-left, inset: 4.2}", "imprint-misfit"),
        ("{show: yes, place: left, x: -3}", "imprint-misfit"),
    ],
)
def test_what_cannot_be_is_told(pond: Pond, imprint: str, code: str) -> None:
    (pond.folder / "theme.yaml").write_text(f"extends: base\nimprint: {imprint}\n")
    result = CliRunner().invoke(main, ["--workspace", str(pond.root), "check", "pond", "--format", "json"])
    assert f'"{code}"' in result.output


def test_sums_of_bits_are_the_codes_themselves() -> None:
    for number in (1, 7, 12, 44, 45, 99, 123, 1000, 43210):
        text = _even(report_text("duck-blind", "0.3", "play-deck"), number)
        assert _modules(text) == modules_of(text, "l", 3)


def test_an_outline_covers_exactly_the_dark_modules() -> None:
    modules = modules_of("OUTLINE", "m")
    loops = code_path(modules, 0.0, 0.0, 1.0).subpaths()
    rings = [list(zip(loop.numbers[::2], loop.numbers[1::2], strict=True)) for loop in loops]

    def is_dark(x: float, y: float) -> bool:
        """Count the upright sides to the left of a point: an odd number, and it is inside."""
        sides = [
            pair for ring in rings for pair in zip(ring, (*ring[1:], ring[0]), strict=True) if pair[0][0] == pair[1][0]
        ]
        return sum(a[0] < x and min(a[1], b[1]) < y < max(a[1], b[1]) for a, b in sides) % 2 == 1

    drawn = tuple(
        int("".join("1" if is_dark(x + 0.5, y + 0.5) else "0" for x in range(len(modules))), 2)
        for y in range(len(modules))
    )
    assert drawn == modules


def test_a_code_takes_no_room_that_is_taken() -> None:
    page = Rect(5, 5, 200, 287)
    assert free_place(10, 1.6, 1.6, page, []) == (195, 282)
    assert free_place(10, 1.6, 1.6, page, [Rect(150, 285, 55, 5)]) == (150 - 1.6 - 10, 282)
    assert free_place(10, 1.6, 1.6, page, [Rect(5, 270, 200, 22)]) == (5, 270 - 1.6 - 10)
    assert free_place(10, 1.6, 1.6, page, [Rect(0, 0, 210, 297)]) is None
    # Along the edge it keeps further away where it can, and no further than it has to across.
    beside = [Rect(5, 270, 200, 10), Rect(150, 285, 55, 5)]
    assert free_place(10, 1.6, 3.2, page, beside) == (150 - 3.2 - 10, 282)
    assert free_place(10, 1.6, 3.2, page, [*beside, Rect(5, 285, 150 - 2 * 1.6 - 10 - 5, 5)]) == (150 - 1.6 - 10, 282)
    # Between two halves of a folded sheet.
    assert free_place(4, 1.0, 1.0, page, [Rect(0, 0, 210, 145), Rect(0, 151, 210, 146)]) == (5, 146)
