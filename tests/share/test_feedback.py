"""The feedback form of a bundle: a game's own, else one that the program writes, in the game's language and theme."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from click.testing import CliRunner

from duckpress.cli.commands import main
from duckpress.core.language import program
from duckpress.core.report_address import read_report
from duckpress.files.workspace import Workspace
from duckpress.press.reading import load
from duckpress.share.feedback_form import feedback_form, has_own_form, questions_of

ROOT = Path(__file__).resolve().parents[2]
GAMES = Workspace(ROOT).games()
POND = {
    "content/pond/game.yaml": """title: Pond
version: "0.1"
designer: Nobody
players: 2
languages: [en, fr]
theme: base
bundle: {papers: [a5, letter]}
pieces: [{id: cards, title: Cards, decks: [duck]}]
""",
    "content/pond/decks/duck.yaml": "title: Ducks\nsize: mini\nfront: duck\nfields: {text: text}\n"
    "cards: [{id: teal, text: One.}]\n",
    "content/pond/lang/fr.yaml": "title: L'étang\ndecks: {duck: {title: Canards, cards: {teal: {text: Un.}}}}\n",
    "content/pond/layouts/duck.xml": '<face><text x="4" y="4" width="36" height="50">{{ card.text }}</text></face>',
}


def bundled(root: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    done = CliRunner().invoke(main, ["--workspace", str(root), "bundle", "pond"])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(root / "output/pond/pond-0.1.zip") as archive:
        parts = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    return parts, json.loads(parts["manifest.json"])


def words_of(data: bytes) -> str:
    with pypdfium2.PdfDocument(data) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def codes_of(data: bytes) -> list[set[str]]:
    with pypdfium2.PdfDocument(data) as document:
        pages = [page.render(scale=200 / 72, grayscale=True).to_pil() for page in document]
    return [{code.text for code in zxingcpp.read_barcodes(page)} for page in pages]


@pytest.mark.soak
def test_a_game_without_a_form_gets_one_in_every_language(
    make_workspace: Callable[[Mapping[str, str]], Workspace],
) -> None:
    root = make_workspace(POND).root
    parts, manifest = bundled(root)
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
    told = CliRunner().invoke(main, ["--workspace", str(root), "show", "POND/0.1/FEEDBACK/1"])
    assert "sheet 1 of the piece 'feedback', of pond 0.1" in told.output
    checked = CliRunner().invoke(main, ["bundle", "--check", str(root / "output/pond/pond-0.1.zip")])
    assert checked.exit_code == 0, checked.output


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


@pytest.mark.parametrize(
    ("players", "files", "asked"),
    [
        ("2", {}, set()),
        ("2-4", {"decks/duck.yaml": CARD_DECK}, {*CARDS, program.FORM_COUNT}),
        (
            "2",
            {"decks/map.yaml": BOARD_DECK, "decks/die.yaml": DICE_DECK, "layouts/die.xml": DIE},
            {*BOARD, program.FORM_DICE},
        ),
        ("2", {"decks/duck.yaml": CARD_DECK, "setup.yaml": SETUP}, {*CARDS, program.FORM_HIDDEN}),
        # Cards that stand for another player, to somebody alone: the game is not asked about its cards.
        (
            "1-2",
            {"decks/duck.yaml": CARD_DECK, "setup.yaml": ALONE},
            {program.FORM_COUNT, program.FORM_SOLO},
        ),
    ],
)  # fmt: skip
def test_the_form_asks_about_what_the_game_has(
    players: str, files: dict[str, str], asked: set[str], make_workspace: Callable[[Mapping[str, str]], Workspace]
) -> None:
    game = POND["content/pond/game.yaml"].replace("players: 2", f"players: {players}")
    own = {f"content/pond/{name}": text for name, text in files.items()}
    workspace = make_workspace({**POND, "content/pond/game.yaml": game, **own})
    loaded = load(workspace, "pond")
    assert loaded.game is not None, loaded.problems
    questions = questions_of(workspace, loaded.game)
    said = {*questions.open, *(scale.asks for scale in questions.scales)}
    assert said & MORE == asked
    assert {program.FORM_AGAIN, program.FORM_RULES, program.FORM_TIME, program.FORM_CHANGE} <= said


@pytest.mark.sweep(3)
@pytest.mark.parametrize("change", ["feedback: no", "inks: [low]", "own"])
def test_a_game_may_do_without_or_bring_its_own(
    change: str, make_workspace: Callable[[Mapping[str, str]], Workspace]
) -> None:
    game = POND["content/pond/game.yaml"].replace("languages: [en, fr]\n", "").replace("[a5, letter]", "[a5]")
    more = {}
    if change == "own":
        game = game.replace("[duck]}]", "[duck]}, {id: feedback, title: Tell us, decks: [form]}]")
        deck = POND["content/pond/decks/duck.yaml"]
        more["content/pond/decks/form.yaml"] = deck.replace("One.", "Tell us.").replace("teal", "form")
    else:
        game = game.replace("[a5]}", f"[a5], {change}}}")
    parts, _ = bundled(make_workspace({**POND, **more, "content/pond/game.yaml": game}).root)
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
