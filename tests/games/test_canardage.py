"""Canardage against its fact sheet: every card and count, the setup, the board, the French as it is printed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import pypdfium2
import pytest

from duckpress.build import Built
from duckpress.content import load_game
from duckpress.frame import Outline, Text, every_item
from duckpress.layout import Face
from duckpress.model import Game
from duckpress.problems import Level
from duckpress.rules import check_game, setup_table
from duckpress.sizes import FORMATS
from duckpress.workspace import Workspace

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
    """Give a text without its narrow spaces and the line's ends that some readers make of them."""
    return re.sub(rf"[\s{NARROW}]+(?=[!?;:»])", "", text)


def words(page: pypdfium2.PdfPage) -> str:
    """Give the text of a page as a reader copies it, signs glued to their words."""
    return glued(page.get_textpage().get_text_range().replace("\r\n", "\n"))


def texts(face: Face) -> Iterator[Text]:
    return (item for item in every_item(face.front.items) if isinstance(item, Text))


def lines(face: Face) -> list[str]:
    """Give the lines of a face, each put together from its runs."""
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
    counts = {name: deck.count for name, deck in game.decks.items()}
    assert counts == {
        "duck": 36, "water": 5, "action": 59, "target": 6, "board": 1, "aid": 1, "setup-card": 1,
    }  # fmt: skip
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
        tuple(item.d for item in every_item(face.front.items) if isinstance(item, Outline))
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
    """Give (x, y, width) of the board's round places, by the boxes of their outlines."""
    found = []
    for item in every_item(face.front.items):
        if isinstance(item, Outline):
            box = _box(item.d)
            if abs(box[2] - box[3]) < 0.01 and 38.0 < box[2] < 42.0:
                found.append((box[0], box[1], box[2]))
    return sorted(set(found))


def slots(face: Face) -> list[tuple[float, float, float, float]]:
    """Give (x, y, width, height) of the board's places for cards."""
    boxes = {_box(item.d) for item in every_item(face.front.items) if isinstance(item, Outline)}
    return sorted(box for box in boxes if 63.4 < box[2] < 66 and 88.8 < box[3] < 92)


def _box(d: str) -> tuple[float, float, float, float]:
    """Give the box of an outline of lines and curves (x, y, width, height), rounded to 0.01 mm."""
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", d)]
    across, down = numbers[::2], numbers[1::2]
    if not across or not down:
        return 0.0, 0.0, 0.0, 0.0
    x, y = min(across), min(down)
    return round(x, 2), round(y, 2), round(max(across) - x, 2), round(max(down) - y, 2)


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


def test_the_rules_hold_every_action_card_and_the_setup_table(built: Built, game: Game) -> None:
    pdf = pypdfium2.PdfDocument(built.folder / "canardage-rules-a4.pdf")
    text = " ".join(" ".join(words(page).split()) for page in pdf)
    for card in game.decks["action"].cards:
        assert glued(str(card.values["title"])) in text, card.id
    for players, row in SETUP.items():
        assert " ".join(str(value) for value in (players, *row.values())) in text
    for heading in ("MATÉRIEL", "BUT DU JEU", "MISE EN PLACE", "TOUR DE JEU", "FIN DE PARTIE", "QUESTIONS OUVERTES"):
        assert heading in text.upper(), heading


def test_the_english_is_complete(built: Built) -> None:
    assert not [found for found in built.checked.problems if found.code.startswith("translation")]
    languages = {language.code for language in built.checked.game.languages} if built.checked.game else set()
    assert languages == {"fr", "en"}
