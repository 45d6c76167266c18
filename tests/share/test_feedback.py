"""The feedback form of a bundle: a game's own, else one that the program writes, in the game's language and theme."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from duckpress.core.language import program
from duckpress.core.report_address import read_report
from duckpress.files.workspace import Workspace
from duckpress.press.reading import load
from duckpress.share.feedback_form import feedback_form, has_own_form, questions_of
from held_pond import DECK, Pond, pond_files, words_of
from running import MakeWorkspace

ROOT = Path(__file__).resolve().parents[2]
GAMES = Workspace(ROOT).games()
LANGUAGES, PLAN = "languages: [en, fr]\n", "bundle: {papers: [a5, letter]}\n"
FRENCH = "title: L'étang\ndecks: {duck: {title: Canards, cards: {teal: {text: Un.}, smew: {text: Deux.}}}}\n"


def bundled(pond: Pond) -> tuple[dict[str, bytes], dict[str, Any]]:
    pond.done("bundle", "pond")
    with zipfile.ZipFile(pond.output / "pond-0.1.zip") as archive:
        parts = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    return parts, json.loads(parts["manifest.json"])


def codes_of(data: bytes) -> list[set[str]]:
    with pypdfium2.PdfDocument(data) as document:
        pages = [page.render(scale=200 / 72, grayscale=True).to_pil() for page in document]
    return [{code.text for code in zxingcpp.read_barcodes(page)} for page in pages]


@pytest.mark.soak
def test_a_game_without_a_form_gets_one_in_every_language(make_workspace: MakeWorkspace) -> None:
    pond = Pond(make_workspace(pond_files(LANGUAGES + PLAN, lang__fr_yaml=FRENCH)))
    parts, manifest = bundled(pond)
    forms = {name for name in parts if "feedback" in name}
    assert forms == {
        f"{paper}/pond-feedback-{paper}{language}.pdf" for paper in ("a5", "letter") for language in ("", "-fr")
    }
    said = words_of(parts["letter/pond-feedback-letter.pdf"])
    for words in ("Playtest feedback form · version 0.1", "Final scores", "What would you change first?", "Pond"):
        assert words in said
    assert "Length of the game (3: right) too short 1 2 3 4 5 too long" in said
    french = words_of(parts["letter/pond-feedback-letter-fr.pdf"])
    assert "Que changeriez-vous en premier" in french
    assert "feedback" not in french
    assert "Durée de la partie (3 : juste bien) trop courte 1 2 3 4 5 trop longue" in french.replace("\u202f", " ")
    (codes,) = codes_of(parts["letter/pond-feedback-letter.pdf"])
    assert [read_report(code) for code in codes] == [("pond", "0.1", ("feedback", "01"))]
    listed = {one["name"]: one for one in manifest["files"]}
    for name in forms:
        assert (listed[name]["piece"], listed[name]["ink"]) == ("feedback", "color")
        assert listed[name]["pages"] == listed[name]["sheets"] == len(codes_of(parts[name]))
    text = " ".join(parts["README.txt"].decode().split())
    assert "letter/pond-feedback-letter.pdf Playtest feedback form: in colour Sheets: 1" in text
    assert "Questionnaire de partie d’essai\u202f: en couleurs" in parts["README.txt"].decode()
    assert "sheet 1 of the piece 'feedback', of pond 0.1" in pond.run("show", "POND/0.1/FEEDBACK/1").output
    pond.done("bundle", "--check", str(pond.output / "pond-0.1.zip"))


CARDS = {program.FORM_CARDS_READ, program.FORM_CARDS_WORTH, program.FORM_CARDS}
BOARD = {program.FORM_BOARD_READ, program.FORM_BOARD_CHOICE, program.FORM_BOARD}
MORE = {*CARDS, *BOARD, program.FORM_COUNT, program.FORM_DICE, program.FORM_HIDDEN, program.FORM_SOLO}
CARD_DECK = (
    "title: Ducks\nsize: mini\nfront: duck\nback: duck\nfields: {text: text}\n"
    "cards: [{id: teal, copies: 4, text: Take a duck of your choice.}]\n"
)
BOARD_DECK = "title: Map\nsize: {width: 300mm, height: 200mm}\ntiled: yes\nfront: duck\ncards: [{id: map}]\n"
DICE_DECK = "title: Dice\nsize: mini\nfront: die\ncards: [{id: die, copies: 2}]\n"
DIE = '<face><dicenet x="4" y="4" width="36" height="50"/></face>'
SETUP = "setup:\n  - {hand: hand, each: player, take: {duck: 2}}\n"
ALONE = SETUP.replace("hand: hand, each: player", "pile: foe, only: 1")


ASKED: tuple[tuple[str, dict[str, str], set[str]], ...] = (
    ("2", {}, set()),
    ("2-4", {"decks__duck_yaml": CARD_DECK}, {*CARDS, program.FORM_COUNT}),
    ("2", {"decks__map_yaml": BOARD_DECK, "decks__die_yaml": DICE_DECK, "layouts__die_xml": DIE},
     {*BOARD, program.FORM_DICE}),
    ("2", {"decks__duck_yaml": CARD_DECK, "setup_yaml": SETUP}, {*CARDS, program.FORM_HIDDEN}),
    # Cards that stand for another player, to somebody alone: the game is not asked about its cards.
    ("1-2", {"decks__duck_yaml": CARD_DECK, "setup_yaml": ALONE}, {program.FORM_COUNT, program.FORM_SOLO}),
)  # fmt: skip


@pytest.mark.parametrize(("players", "files", "asked"), ASKED)
def test_the_form_asks_about_what_the_game_has(
    players: str, files: dict[str, str], asked: set[str], make_workspace: MakeWorkspace
) -> None:
    written = pond_files(**files)
    written["content/pond/game.yaml"] = written["content/pond/game.yaml"].replace("players: 2", f"players: {players}")
    workspace = make_workspace(written)
    loaded = load(workspace, "pond")
    assert loaded.game is not None, loaded.problems
    scales, asked_in_words = questions_of(workspace, loaded.game)
    said = {*asked_in_words, *(scale.asks for scale in scales)}
    assert said & MORE == asked
    assert {program.FORM_AGAIN, program.FORM_RULES, program.FORM_TIME, program.FORM_CHANGE} <= said


@pytest.mark.sweep(3)
@pytest.mark.parametrize("change", ["feedback: no", "inks: [low]", "own"])
def test_a_game_may_do_without_or_bring_its_own(change: str, make_workspace: MakeWorkspace) -> None:
    if change == "own":
        form = DECK.replace("One.", "Tell us.").replace("teal", "form").replace("smew", "more")
        files = pond_files("bundle: {papers: [a5]}\n", decks__form_yaml=form)
        game = files["content/pond/game.yaml"]
        own = "[duck]}, {id: feedback, title: Tell us, decks: [form]}]"
        files["content/pond/game.yaml"] = game.replace("[duck]}]", own)
    else:
        files = pond_files(f"bundle: {{papers: [a5], {change}}}\n")
    parts, _ = bundled(Pond(make_workspace(files)))
    forms = [name for name in parts if "feedback" in name]
    expected = {"own": ["a5/pond-feedback-a5.pdf"], "inks: [low]": ["a5/pond-feedback-a5-low.pdf"]}
    assert forms == expected.get(change, [])
    assert all("Tell us." in words_of(parts[name]) for name in forms if change == "own")


@pytest.mark.sweep(5)
@pytest.mark.parametrize("game_id", GAMES)
def test_the_form_of_every_game_is_one_page_of_the_common_papers(game_id: str, project: Workspace) -> None:
    loaded = load(project, game_id)
    assert loaded.game is not None
    if has_own_form(loaded.game):
        return
    language = loaded.game.languages[-1].code
    made, problems = feedback_form(project, loaded, language, ("a4", "letter"), "low", lambda _name: None)
    assert problems == []
    assert [(one.facts.paper, one.facts.pages) for one in made] == [("a4", 1), ("letter", 1)]
    way = "-low" if language == loaded.game.language else f"-low-{language}"
    assert [one.facts.name for one in made] == [f"{game_id}-feedback-{paper}{way}.pdf" for paper in ("a4", "letter")]
