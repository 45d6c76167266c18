"""Canardage against its fact sheet: cards and counts, setup, board, rules as they are played, French as printed."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pypdfium2
import pytest

from duckpress.check import check_game, setup_table
from duckpress.content import load_game
from duckpress.core.bounds import path_bounds
from duckpress.core.frame import Outline, Text, every_item
from duckpress.core.problems import Level
from duckpress.core.sizes import FORMATS
from duckpress.files.workspace import Workspace
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.press.pipeline import build
from duckpress.press.reading import load
from duckpress.press.request import Built, Request
from shared import with_faces

NARROW = "\u202f"

# The names as they stand on the cards, and how often each card is in the deck.
ACTIONS = {
    f"PAN{NARROW}!": 13,
    "EN JOUE": 11,
    "EN AVANT MARCHE": 6,
    "CANARD PRESSÉ": 3,
    "CANARD BLASÉ": 3,
    f"À COUVERT{NARROW}!": 3,
    "RECTIFIER À GAUCHE": 2,
    "RECTIFIER À DROITE": 2,
    "PLANQUÉ": 2,
    "2 POUR LE PRIX D’UN": 1,
    "DUCKY LUKE": 1,
    f"OUPS{NARROW}!": 1,
    "CANARDS ENCHAÎNÉS": 1,
    "DANSE DES CANARDS": 1,
    "CANARCHIE": 1,
    "FULGURO COIN": 1,
    "WALKING DUCK": 1,
    "PEACE AND LOVE": 1,
    "MEXICOIN": 1,
    "CANARD SIMPLET": 1,
    "PRÉSIDENT": 1,
    "COMMISSAIRE MAGRET": 1,
    "MOBY DUCK": 1,
}
SETUP = {
    2: {"ducks": 10, "water": 2, "dealt pile": 12, "pile": 6, "action pile": 53},
    3: {"ducks": 15, "water": 2, "dealt pile": 17, "pile": 11, "action pile": 50},
    4: {"ducks": 20, "water": 3, "dealt pile": 23, "pile": 17, "action pile": 47},
    5: {"ducks": 25, "water": 4, "dealt pile": 29, "pile": 23, "action pile": 44},
    6: {"ducks": 30, "water": 5, "dealt pile": 35, "pile": 29, "action pile": 41},
}
SWIMMERS = {
    "fr": {"water": "Eau", "red": "Rouge", "blue": "Bleu", "yellow": "Jaune", "green": "Vert"},
    "en": {"water": "Water", "red": "Red", "blue": "Blue", "yellow": "Yellow", "green": "Green"},
}


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "canardage")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    built = whole("canardage")
    assert [problem for problem in built.checked.problems if problem.level is not Level.NOTE] == []
    return built


@pytest.fixture(scope="module")
def faces(built: Built) -> list[Face]:
    """The French faces: those of a second language are laid out to be checked, and not printed."""
    found: dict[tuple[str, str, str], Face] = {}
    for piece in built.checked.pieces:
        for face in piece.faces:
            found.setdefault((piece.piece.id, face.deck, face.card), face)
    return list(found.values())


def glued(text: str) -> str:
    """Return a text without its narrow spaces and the line's ends that some readers make of them."""
    return re.sub(rf"[\s{NARROW}]+(?=[!?;:»])", "", text)


def words(page: pypdfium2.PdfPage) -> str:
    """Return the text of a page as a reader copies it, signs glued to their words."""
    return glued(page.get_textpage().get_text_range().replace("\r\n", "\n"))


def texts(face: Face) -> Iterator[Text]:
    return (item for item in every_item(face.front.items) if isinstance(item, Text))


def lines(face: Face) -> list[str]:
    """Return the lines of a face, each put together from its runs."""
    rows: dict[float, list[Text]] = {}
    for item in texts(face):
        rows.setdefault(round(item.y_mm, 2), []).append(item)
    return ["".join(item.text for item in sorted(row, key=lambda item: item.x_mm)) for row in rows.values()]


def test_six_colours_of_six_ducks_and_five_water_cards(game: Game) -> None:
    assert [card.copies for card in game.decks["duck"].cards] == [6] * 6
    assert game.decks["duck"].count == 36
    assert game.decks["water"].count == 5
    assert {game.decks[deck].back for deck in ("duck", "water")} == {"duck-back"}
    assert {game.decks[deck].format for deck in ("duck", "water", "action")} == {"poker"}


def test_each_colour_has_a_hat_of_its_own(game: Game) -> None:
    colours = game.lists["colours"]
    for key in ("name", "hat", "fill"):
        assert len({str(record[key]) for record in colours.values()}) == 6, key


def test_the_rest_of_the_box(game: Game) -> None:
    counts = {name: game.decks[name].count for piece in game.pieces for name in piece.decks}
    assert counts == {
        "duck": 36, "water": 5, "action": 59, "target": 6, "board": 1, "aid": 1, "setup-card": 1,
        "box": 1, "divider": 2,
    }  # fmt: skip
    assert game.packaging == {"box", "divider"}
    assert game.decks["aid"].is_per_player
    assert game.decks["action"].back == "action-back"
    assert game.players == (2, 3, 4, 5, 6)


def test_action_cards_are_the_23_of_the_rules(game: Game) -> None:
    cards = game.decks["action"].cards
    found = {str(card.values["title"]).upper().replace(" !", f"{NARROW}!"): card.copies for card in cards}
    assert found == ACTIONS
    assert list(found) == list(ACTIONS)
    assert (len(found), sum(found.values())) == (23, 59)


def test_every_action_card_has_a_picture_of_its_own(project: Workspace, game: Game, faces: list[Face]) -> None:
    layouts = {path.rpartition("/")[2] for path in project.files("content/canardage/layouts", ".xml")}
    assert {f"scene-{card.id}.xml" for card in game.decks["action"].cards} == {
        name for name in layouts if name.startswith("scene-")
    }
    drawn = [
        tuple(item.path for item in every_item(face.front.items) if isinstance(item, Outline))
        for face in faces
        if face.deck == "action"
    ]
    assert len(set(drawn)) == len(drawn) == 23


def test_the_setup_comes_out_as_the_rules_say(game: Game) -> None:
    assert {row.players: dict(row.cells) for row in setup_table(game).rows} == SETUP
    assert check_game(game) == []


def test_titles_are_printed_in_capitals_with_their_accents(built: Built) -> None:
    pdf = pypdfium2.PdfDocument(built.folder / "canardage-actions-a4.pdf")
    printed = [line.strip() for page in pdf for line in words(page).splitlines()]
    assert {title: printed.count(glued(title)) for title in ACTIONS} == ACTIONS


def test_titles_are_set_in_capitals_with_their_narrow_space(faces: list[Face]) -> None:
    set_lines = [line for face in faces if face.deck == "action" for line in lines(face)]
    assert [title for title in ACTIONS if title not in set_lines] == []


def test_titles_are_kept_in_normal_case(game: Game) -> None:
    for card in game.decks["action"].cards:
        title = str(card.values["title"])
        assert title != title.upper(), title


def test_french_signs_have_their_narrow_space_on_the_cards(faces: list[Face]) -> None:
    seen = 0
    for face in faces:
        for line in lines(face):
            assert "'" not in line
            for sign in re.finditer(r"(.)[!?;:»]", line):
                assert sign[1] == NARROW, (face.card, line)
                seen += 1
    assert seen >= 12


def test_no_french_text_is_typed_with_the_wrong_apostrophe(project: Workspace) -> None:
    for name in ("decks/action.yaml", "decks/water.yaml", "setup.yaml", "rules.md"):
        text = project.read(f"content/canardage/{name}")
        assert isinstance(text, bytes)
        spoken = re.sub(r"(?m)#.*$|where: .*$|that: .*$|\{\{.*?\}\}|\{%.*?%\}|facts\['.*?'\]", "", text.decode())
        assert not re.search(r"\w'\w", spoken), name


def test_body_text_is_large_enough(faces: list[Face]) -> None:
    for face in faces:
        for text in texts(face):
            is_imprint = bool(face.code) and text.text.endswith(f"· {face.code}")
            assert text.size_mm / 25.4 * 72 >= (4.5 if is_imprint else 7.5) - 1e-6, (face.deck, face.card, text.text)


def circles(face: Face) -> list[tuple[float, float, float]]:
    """Return (x, y, width) of the board's round places, by the boxes of their outlines."""
    found = []
    for item in every_item(face.front.items):
        if isinstance(item, Outline):
            box = _box(item)
            if abs(box[2] - box[3]) < 0.01 and 38.0 < box[2] < 42.0:
                found.append((box[0], box[1], box[2]))
    return sorted(set(found))


def slots(face: Face) -> list[tuple[float, float, float, float]]:
    """Return (x, y, width, height) of the board's places for cards."""
    boxes = {_box(item) for item in every_item(face.front.items) if isinstance(item, Outline)}
    return sorted(box for box in boxes if 63.4 < box[2] < 66 and 88.8 < box[3] < 92)


def _box(item: Outline) -> tuple[float, float, float, float]:
    """Return the box of an outline (x, y, width, height), rounded to 0.01 mm."""
    box = path_bounds(item.path)
    assert box is not None
    return round(box.x_mm, 2), round(box.y_mm, 2), round(box.width_mm, 2), round(box.height_mm, 2)


def test_a_real_poker_card_lies_in_each_slot_with_a_target_above(faces: list[Face]) -> None:
    board = next(face for face in faces if face.deck == "board")
    card, target = FORMATS["poker"].trim, FORMATS["round-1.5in"].trim
    places, rounds = slots(board), circles(board)
    assert len(places) == len(rounds) == 6
    for (x, y, width, height), (round_x, round_y, across) in zip(places, rounds, strict=True):
        assert width >= card.width_mm
        assert height >= card.height_mm
        assert across >= target.width_mm
        assert round_x + across / 2 == pytest.approx(x + width / 2, abs=0.02)
        assert round_y + across <= y
    for (x, _, width, _), (after, *_) in itertools.pairwise(places):
        assert after - x - width >= 0.5, "neighbouring cards must not overlap"


def test_the_board_is_cut_between_two_slots(faces: list[Face]) -> None:
    board = next(face for face in faces if face.deck == "board")
    middle = board.front.trim.width_mm / 2
    places = slots(board)
    assert places[2][0] + places[2][2] < middle < places[3][0]
    for text in texts(board):
        assert not text.x_mm - 5 < middle < text.x_mm + text.width_mm + 5, text.text


def test_the_board_is_two_sheets_of_a4(built: Built) -> None:
    assert len(pypdfium2.PdfDocument(built.folder / "canardage-board-a4.pdf")) == 2


@pytest.fixture(scope="module")
def rules(
    built: Built, project: Workspace, run_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Return the text of the rules by language, lines as they are printed."""
    folder: Path = tmp_path_factory.mktemp("english")
    loaded = with_faces(run_folder, load(project, "canardage"))
    english = build(project, loaded, Request(("a4",), language="en", pieces=("rules",)), folder)
    files = {
        "fr": built.folder / "canardage-rules-a4.pdf",
        "en": english.folder / "canardage-rules-a4-en.pdf",
    }
    return {code: "\n".join(words(page) for page in pypdfium2.PdfDocument(path)) for code, path in files.items()}


def flowing(text: str) -> str:
    return " ".join(text.split())


def test_the_rules_hold_every_action_card_and_the_setup_table(rules: dict[str, str], game: Game) -> None:
    text = flowing(rules["fr"])
    for card in game.decks["action"].cards:
        assert glued(str(card.values["title"])) in text, card.id
        assert glued(flowing(str(card.values["text"]).replace("**", ""))) in text, card.id
    for players, row in SETUP.items():
        assert " ".join(str(value) for value in (players, *row.values())) in text
    for heading in ("MATÉRIEL", "BUT DU JEU", "MISE EN PLACE", "TOUR DE JEU", "FIN DE PARTIE", "LES CARTES ACTION"):
        assert heading in rules["fr"].splitlines(), heading


def test_the_components_of_the_rules_are_those_printed(built: Built, game: Game, rules: dict[str, str]) -> None:
    printed: Counter[str] = Counter()
    for card in json.loads((built.folder / "manifest.json").read_text(encoding="utf-8"))["cards"]:
        if card["deck"] in game.decks and card["language"] == "fr":
            printed[card["deck"]] += card["copies"]
    assert printed.keys() == {deck for piece in game.pieces for deck in piece.decks}
    listed = rules["fr"].splitlines()
    for deck, count in printed.items():
        title = game.decks[deck].title
        assert (deck in game.packaging) or any(re.match(rf"{count} ?{title}", line) for line in listed), (
            f"{count} {title}"
        )


class Line:
    """The line as the rules move it: in each slot a card, and behind it in its list what hides beneath it."""

    def __init__(self, cards: list[str], pile: list[str]) -> None:
        self.cards = [[card] for card in cards]
        self.pile = pile

    def march(self) -> None:
        self.pile += self.cards.pop(0)
        self._close_up()

    def shoot(self, slot: int) -> None:
        shot, *hidden = self.cards[slot - 1]
        if shot != "water":
            self.cards[slot - 1 : slot] = [hidden] if hidden else []
            self._close_up()

    def hide_under_the_next(self, slot: int) -> None:
        assert self.cards[slot] not in ([], ["water"])
        self.cards[slot] += self.cards[slot - 1]
        del self.cards[slot - 1]
        self._close_up()

    def _close_up(self) -> None:
        while len(self.cards) < 6 and self.pile:
            self.cards.append([self.pile.pop(0)])

    def seen(self) -> list[str]:
        return [cards[0] for cards in self.cards]


def test_the_example_is_played_by_the_rules(game: Game, rules: dict[str, str]) -> None:
    start: Any = game.lists["example"]["line"]
    new: list[str] = list(cast("Any", game.lists["example"]["pile"])["cards"])
    line = Line(list(start["cards"]), list(new))
    aimed = start["target"]
    lines = [line.seen()]

    line.march()
    lines.append(line.seen())
    named = [{start["cards"][0], new[0]}]  # the ducks that this step of the example speaks of
    assert line.seen()[aimed - 1] == "water", "the target aims at Water now"

    victim = line.seen()[aimed]
    assert victim not in ("water", "blue"), "Blue shoots at somebody else's duck, next to the target"
    line.shoot(aimed + 1)
    lines.append(line.seen())
    named.append({victim, new[1]})

    hider, cover = line.seen()[aimed : aimed + 2]
    assert hider == "yellow", "Yellow hides a duck of their own"
    line.hide_under_the_next(aimed + 1)
    lines.append(line.seen())
    named.append({cover, new[2]})

    line.shoot(aimed + 1)
    lines.append(line.seen())
    named.append({cover, hider})

    for code, swimmers in SWIMMERS.items():
        _, _, example = rules[code].partition("EXEMPLE" if code == "fr" else "EXAMPLE")
        example, _, _ = example.partition("\nCR")
        name = "|".join(swimmer.upper() for swimmer in swimmers.values())
        row = rf"(?:\n(?:{name})(?:\n[^\n]*\.)?[\n ]\d[^\n]*){{6}}"  # names on pictures, Water's text, captions
        printed = [re.findall(rf"(?m)^(?:{name})$", found) for found in re.findall(row, example)]
        assert printed == [[swimmers[card].upper() for card in cards] for cards in lines], code
        assert re.findall(r"(?m)^(\d) \+ (\w+)$", example) == [(str(aimed + 1), swimmers[hider].lower())]
        intro, *steps = map(flowing, re.split(row, example))
        assert intro.endswith(f" {aimed}.")
        for step, cards in zip(steps, [*named, set()], strict=True):
            said = set(re.findall(r"canard (\w+)" if code == "fr" else r"(\w+) duck\b", step))
            assert said >= {swimmers[card].lower() for card in cards}, (code, step)


def test_the_numbers_of_aids_and_setup_card_are_those_of_the_game(faces: list[Face]) -> None:
    said = {face.deck: " ".join(lines(face)) for face in faces if face.deck in ("aid", "setup-card")}
    back = next(" ".join(item.text for item in every_item(face.back.items) if isinstance(item, Text))
                for face in faces if face.deck == "aid" and face.back)  # fmt: skip
    assert re.findall(r"(\d+) (?:cartes Action|canards devant)", glued(said["aid"])) == ["3", "6"]
    assert "59" in re.findall(r"\d+", back)
    notes = said["setup-card"].partition("•")[2]
    assert re.findall(r"(?<![\w.])\d+(?![\w.])", notes) == ["6", "5", "6", "3"]


def test_the_action_pile_and_its_discards_are_never_both_empty(game: Game) -> None:
    deck = game.decks["action"]
    stay = sum(c.copies for c in deck.cards if c.id in ("a-couvert", "moby-duck", "commissaire-magret", "president"))
    held = max(game.players) * int(str(game.facts["hand size"]))
    note = next(note for note in game.notes if note.subject == "Pioche Action et défausse")
    assert re.findall(r"\d+", note.reason) == [str(held), str(deck.count - held - stay)]
    assert (held, stay, deck.count - held - stay) == (18, 6, 35)


def test_what_is_open_is_asked_of_the_designer_only(built: Built, game: Game) -> None:
    assert sum(bool(note.question) for note in game.notes) >= 10
    assert game.designer == "Keith Meyers"
    assert [note.subject for note in game.notes if "crédit" in note.question] == []  # a look-up answers that
    assert not list(built.folder.glob("*designer*"))
    printed = flowing(" ".join(words(page) for page in pypdfium2.PdfDocument(built.folder / "canardage-all-a4.pdf")))
    for note in game.notes:
        for said in (note.reason, note.question):
            assert not said or glued(said) not in printed, note.subject
    for word in ("non précisé", "la règle ne dit", "question ouverte", "source"):
        assert word not in printed.lower(), word


def test_designer_publisher_and_illustrator_are_credited(rules: dict[str, str]) -> None:
    for code, role in (("fr", "illustrée par"), ("en", "illustrated by")):
        for credit in ("Keith Meyers", f"Gigamic (2007, 2016), {role} Randy Martinez"):
            assert glued(credit) in flowing(rules[code]), (code, credit)


def test_the_pun_on_the_newspaper_keeps_its_circumflex(project: Workspace) -> None:
    for name in ("game.yaml", "rules.md", "rules.en.md", "decks/action.yaml", "lang/en.yaml", "designer-notes.md"):
        text = project.read(f"content/canardage/{name}")
        assert isinstance(text, bytes)
        assert not re.search(r"(?i)(?<!-)enchain", text.decode()), name


def test_the_english_is_complete(built: Built) -> None:
    assert not [found for found in built.checked.problems if found.code.startswith("translation")]
    languages = {language.code for language in built.checked.game.languages} if built.checked.game else set()
    assert languages == {"fr", "en"}
