"""Which card is which: imprints, codes and margins say it, in every finish, and no version touches bare faces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from duckpress.art.qr_code import modules_of
from duckpress.core.geometry import Rect
from duckpress.core.report_address import read_report, report_text
from duckpress.press.sheets.free_places import free_place
from duckpress.press.sheets.sheet_codes import _even, _modules
from duckpress.store.manifest import read_manifest
from held_pond import Pond
from pdf_reading import pages_of
from running import MakeWorkspace, run, run_json

ADDRESS = "https://pond.example/report?card={code}"
GAME = """title: Pond
version: "{version}"
designer: Nobody
players: 2
languages: [en, fr]
theme: pond
{more}
pieces: [{{id: cards, title: Cards, decks: [duck, aid, token]}}]
"""
GROUND = '<face><ground fill="#ffffff"/>'
FILES = {
    "game.yaml": GAME.format(version="0.1", more=""),
    "theme.yaml": "extends: base\n"
    'colours: {sea: {color: "#103050", low: "#ffffff"}, on-sea: {color: "#ffffff", low: "#000000"}}\n'
    "imprint: {show: yes, place: bottom-left, decks: {aid: {turn: 90, place: right}, token: {show: no}}}\n"
    "qr: {size: 14, quiet: 2, decks: {aid: {show: yes, side: back}}}\n",
    "decks/duck.yaml": "title: Ducks\nsize: mini\nfront: face\nback: back\nfields: {text: text}\n"
    "cards:\n  - {id: teal, copies: 2, text: Draw one.}\n  - {id: eider, copies: 1, text: Pass.}\n",
    "decks/aid.yaml": "title: Aid\nsize: mini\nfront: aid\nback: back\ncards: [{id: aid}]\n",
    "decks/token.yaml": "title: Token\nsize: mini\nfront: token\nback: back\ncards: [{id: token}]\n",
    "layouts/face.xml": GROUND + '<text x="4" y="4" width="36" height="30">{{ card.text }}</text></face>',
    "layouts/aid.xml": GROUND + '{% if game.finish != "clean" %}'
    '<text x="4" y="4" width="36" height="30">as of {{ game.version }}</text>{% endif %}</face>',
    "layouts/token.xml": GROUND + '<circle cx="20" cy="20" r="4"/></face>',
    "layouts/back.xml": GROUND + '<rect x="8" y="8" width="20" height="20"/></face>',
    "lang/fr.yaml": "title: Pond\n"
    "decks:\n  duck: {title: Canards, cards: {teal: {text: Pioche.}, eider: {text: Passe.}}}\n",
}
IMPRINTS = {"Pond 0.1 · D1": 2, "Pond 0.1 · D2": 1, "Pond 0.1 · A1": 1, "as of 0.1": 1}
SHEET = "POND/0.1/CARDS/1"


class PrintedPond(Pond):
    """A small game, printed and read back."""

    path: Path

    def __init__(self, make: MakeWorkspace, files: Mapping[str, str] = {}) -> None:
        super().__init__(make({f"content/pond/{name}": text for name, text in (FILES | dict(files)).items()}))

    def game(self, more: str = "", version: str = "0.1") -> None:
        (self.folder / "game.yaml").write_text(GAME.format(version=version, more=more))

    def go_on(self, more: str = "", teal: str = "Draw two.") -> None:
        """Release the game as it is, and go on with the next version, in which the teal says something else."""
        self.game(more)
        self.done("release", "pond")
        self.game(more, "0.2")
        self.edit("decks/duck.yaml", ("Draw one.", teal))

    def build(self, *words: str) -> tuple[str, dict[str, Any]]:
        """Build, and return the words of the cards' file, and the manifest with its cards by their ids."""
        self.done("build", "pond", "--paper", "a4", "--piece", "cards", *words)
        manifest = json.loads((self.output / "manifest.json").read_text())
        (self.path,) = (self.output / file["name"] for file in manifest["files"])
        (self.output / "manifest.json").unlink()
        return " ".join(pages_of(self.path)), manifest | {"cards": {card["card"]: card for card in manifest["cards"]}}


def codes_of(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        images = [page.render(scale=3).to_pil().convert("L") for page in document]
        return sorted(code.text for image in images for code in zxingcpp.read_barcodes(image))


def counts(words: str) -> dict[str, int]:
    return {text: words.count(text) for text in IMPRINTS if text in words}


def each(manifest: dict[str, Any], key: str) -> dict[str, str]:
    return {name: card[key] for name, card in manifest["cards"].items()}


@pytest.fixture
def pond(make_workspace: MakeWorkspace) -> PrintedPond:
    return PrintedPond(make_workspace)


def test_only_what_changed_gets_the_new_version(pond: PrintedPond) -> None:
    words, first = pond.build()
    assert counts(words) == IMPRINTS
    pond.go_on()
    words, second = pond.build()
    assert (words.count("Pond 0.2 · D1"), words.count("Pond 0.1 · D2")) == (2, 1)
    assert second["cards"]["eider"]["frame"] == first["cards"]["eider"]["frame"]
    assert second["cards"]["teal"]["bare"] != first["cards"]["teal"]["bare"]
    assert each(second, "changed") == {"teal": "0.2", "eider": "0.1", "aid": "0.1", "token": "0.1"}
    assert each(second, "code") == {"teal": "D1", "eider": "D2", "aid": "A1", "token": "T1"}
    for ink in ("low", "grey"):  # in which it is laid out in colour, too
        words, _ = pond.build("--ink", ink)
        assert (words.count("Pond 0.2 · D1"), words.count("Pond 0.1 · D2")) == (2, 1)
    assert "D1 ×2 · D2 0.1 · A1 0.1 · T1 0.1" in pond.build("--finish", "clean")[0]
    pond.done("release", "pond")
    assert pond.build()[1]["cards"] == second["cards"]
    assert "nothing has changed" in pond.done("changes", "pond")


def test_a_version_by_itself_changes_no_bare_face_and_no_code(pond: PrintedPond) -> None:
    words, first = pond.build()
    assert "as of 0.1" in words
    pond.go_on(teal="Draw one.")
    words, second = pond.build()
    assert [each(second, key) for key in ("bare", "bare_back")] == [each(first, key) for key in ("bare", "bare_back")]
    assert {*each(second, "changed").values()} == {"0.1"}
    # The aid writes the game's own version: it is printed anew, and is the same card.
    frames, before, bare = each(second, "frame"), each(first, "frame"), each(first, "bare")
    assert frames["aid"] != before["aid"]
    assert frames["teal"] == before["teal"] != bare["teal"]
    assert "POND/0.1/AID" in codes_of(pond.path)
    assert "nothing has changed" in pond.done("changes", "pond")


@pytest.mark.soak
def test_a_language_has_versions_of_its_own(pond: PrintedPond) -> None:
    pond.go_on(teal="Draw one.")
    pond.edit("lang/fr.yaml", ("Passe.", "Passez."))
    for _ in range(2):  # before the release and after it
        assert "Pond 0.2 · D2" in pond.build("--lang", "fr")[0]
        assert "Pond 0.1 · D2" in pond.build()[0]
        pond.done("release", "pond")


def test_manifests_of_before_are_still_read(pond: PrintedPond) -> None:
    pond.done("build", "pond", "--paper", "a4")
    data = json.loads((pond.output / "manifest.json").read_text())
    for card in data["cards"]:
        for key in ("bare", "bare_back", "code", "changed"):
            card.pop(key, None)
    assert read_manifest(json.dumps(data).encode()) is not None


def test_each_finish_says_which_card_is_which(pond: PrintedPond) -> None:
    words, manifest = pond.build()  # as the theme has it
    assert counts(words) == IMPRINTS
    assert "T1" not in words
    codes = codes_of(pond.path)
    assert codes == ["POND/0.1/AID", SHEET]
    report = read_report(codes[0])
    assert report is not None
    assert (report.game, report.version) == ("pond", "0.1")
    assert "finish" not in manifest["files"][0]
    for own, other in (("clean", "prototype"), ("prototype", "clean")):  # of the game, and of the option above it
        pond.game(f"finish: {own}")
        for finish, options in ((own, ()), (other, ("--finish", other)))[: 2 if own == "clean" else 1]:
            words, manifest = pond.build(*options)
            assert [file["finish"] for file in manifest["files"]] == [finish]
            assert finish != own or codes_of(pond.path) == [SHEET]  # without an address no card has one
            if finish == "clean":
                assert counts(words) == {}
                assert "D1 ×2 · D2 · A1 · T1" in words
            else:
                assert counts(words) == IMPRINTS
                assert "×" not in words
                assert words.count("T1") == 1


def test_a_finish_changes_no_card(pond: PrintedPond) -> None:
    _, before = pond.build("--finish", "prototype")
    pond.game("finish: prototype")
    pond.done("release", "pond")
    pond.game("finish: clean", "0.2")
    _, after = pond.build()
    assert each(after, "bare") == each(before, "bare")
    assert {*each(after, "changed").values()} == {"0.1"}
    assert "nothing has changed" in pond.done("changes", "pond")


def test_a_prototype_has_imprints_whatever_its_theme_shows(make_workspace: MakeWorkspace) -> None:
    theme = {"theme.yaml": "extends: base\nimprint: {show: no}\n"}
    assert counts(PrintedPond(make_workspace, theme).build("--finish", "prototype")[0]) == IMPRINTS


def test_updates_are_in_the_finish(pond: PrintedPond) -> None:
    pond.go_on("finish: clean")
    folder = pond.output / "update-0.1-to-0.2"
    for finish, options in (("clean", ()), ("prototype", ("--finish", "prototype"))):
        pond.done("update", "pond", "--paper", "a4", *options)
        words = " ".join(pages_of(folder / "pond-update-a4.pdf"))
        assert words.count("Pond 0.2 · D1") == (2 if finish == "prototype" else 0)
        assert ("D1 ×2" in words) is (finish == "clean")
        assert "D1" in " ".join(pages_of(folder / "pond-swap-a4.pdf"))
        manifest = json.loads((folder / "manifest.json").read_text())
        assert (manifest["finish"], [line["card"] for line in manifest["put_in"]]) == (finish, ["teal"])


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("paper", "backs"), [("a5", "gutterfold"), ("a4", "duplex"), ("letter", "none")])
def test_names_find_room(pond: PrintedPond, paper: str, backs: str) -> None:
    """The proof says where one lies on something else, or where the printer cannot print."""
    words = pond.build("--paper", paper, "--backs", backs, "--finish", "clean")[0]
    assert all(code in words for code in ("D1", "D2", "A1", "T1"))


def test_codes_of_cards_say_which_they_are(make_workspace: MakeWorkspace) -> None:
    theme = "extends: base\nqr: {size: 12, quiet: 2, decks: {duck: {show: yes}, aid: {show: yes, side: back}}}\n"
    pond = PrintedPond(make_workspace, {"theme.yaml": theme})
    pond.go_on(f"report: {ADDRESS}")
    pond.build("--ink", "low")
    cards = [f"POND/{card}" for card in ("0.1/AID", "0.1/DUCK/EIDER", "0.2/DUCK/TEAL")]
    links = [ADDRESS.format(code=card) for card in cards]
    assert [code for code in dict.fromkeys(codes_of(pond.path)) if "/CARDS/" not in code] == links


def test_show_takes_what_a_code_says(pond: PrintedPond) -> None:
    for text, words, status in (
        ("POND/0.1/AID", "aid/aid", 0),
        (ADDRESS.format(code="POND/0.1/AID"), "aid/aid", 0),
        ("POND/0.1/DUCK/TEAL", "duck/teal", 0),
        ("POND/0.1/CARDS/02", "no card, but sheet 2 of the piece 'cards', of pond 0.1", 2),
        ("POND/0.1/1/2", "no card, but sheet 2 of the piece 'cards', of pond 0.1", 2),
        ("POND/0.1/0/2", "no card, but sheet 2 of those that pieces share, of pond 0.1", 2),
        ("POND/0.1/DUCK/SMEW", "pond has no card 'duck/smew'; version 0.1 may have had it", 2),
    ):
        assert words in run(pond.root, "show", text, status=status).output


@pytest.mark.parametrize(
    ("imprint", "qr", "codes"),
    [
        ("show: yes, side: back", "show: yes, side: back", "bad-imprint bad-qr"),  # nobody may know a duck from behind
        ("show: yes, decks: {dukc: {show: no}}", "decks: {dukc: {show: yes}}", "bad-imprint bad-qr"),
        ("show: yes, text: '{oops}'", "show: yes, fill: nothing", "bad-imprint unknown-colour"),
        ("show: yes, style: nothing", "show: yes, ground: nothing", "unknown-style unknown-colour"),
        ("show: yes, colour: nothing", "show: yes, plaice: top", "unknown-colour unknown-key"),
        ("show: yes, place: top-left, inset: 4.2", "show: yes, size: 9", "imprint-misfit qr-too-small"),
        ("show: yes, place: left, x: -3", "show: yes, place: top-left", "imprint-misfit qr-misfit"),
        ("show: no", "show: yes, x: 3", "qr-misfit"),
        ("show: no", 'show: yes, fill: "#f0f0f0"', "qr-faint"),
    ],
)
def test_what_cannot_be_is_told(pond: PrintedPond, imprint: str, qr: str, codes: str) -> None:
    (pond.folder / "theme.yaml").write_text(f"extends: base\nimprint: {{{imprint}}}\nqr: {{{qr}}}\n")
    problems = run_json(pond.root, "check", "pond", status=None)["problems"]
    assert set(codes.split()) <= {problem["code"] for problem in problems}


def test_cards_without_backs_have_no_code_there(make_workspace: MakeWorkspace) -> None:
    aid = FILES["decks/aid.yaml"].replace("back: back\n", "")
    assert "have no backs" in run(PrintedPond(make_workspace, {"decks/aid.yaml": aid}).root, "check", "pond").output


def test_addresses_of_reports(pond: PrintedPond) -> None:
    for report, is_right in (
        ("https://a.example", True), ("http://a.example/{code}", True), ("pond.example", False),
        ("https://a/{x}", False),
    ):  # fmt: skip
        pond.game(f'report: "{report}"')
        assert ("bad-report" in run(pond.root, "check", "pond").output) is not is_right, report


def test_sums_of_bits_are_the_codes_themselves() -> None:
    for number in (1, 7, 12, 44, 45, 99, 123, 1000, 43210):
        text = _even(report_text("duck-blind", "0.3", "play-deck"), number)
        assert _modules(text) == modules_of(text, "l", 3)


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
