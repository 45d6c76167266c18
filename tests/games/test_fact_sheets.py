"""The bundled games against their fact sheets: cards and counts, setups, credits, and what their printed rules say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest

from duckpress.check import check_game, setup_table
from duckpress.content import load_game
from duckpress.core.frame import Frame, Text, every_item
from duckpress.files.workspace import Workspace
from duckpress.layout import LaidOut
from duckpress.model import Game
from duckpress.press.request import Built


class Facts(NamedTuple):
    """What the rules of a game say: its designer, cards by deck, and the columns and rows of its setup by players."""

    designer: str
    cards: dict[str, int]
    columns: str
    setup: dict[int, tuple[int, ...]]


FACTS = {
    "blind-mans-draft": Facts(
        "Toby",
        {"number": 40, "doubling": 5, "negation": 5, "seat-marker": 10, "garnet": 40, "order-slip": 10, "aid": 1,
         "answer-sheet": 1, "scoring-sheet": 1, "sight": 1},
        "cards hand stock told smallest largest", {10: (50, 5, 0, 3, 4, 10)},
    ),
    "canardage": Facts(
        "Keith Meyers",
        {"duck": 36, "water": 5, "action": 59, "target": 6, "board": 1, "aid": 1, "setup-card": 1},
        "ducks water dealt_pile pile action_pile",
        {2: (10, 2, 12, 6, 53), 3: (15, 2, 17, 11, 50), 4: (20, 3, 23, 17, 47), 5: (25, 4, 29, 23, 44),
         6: (30, 5, 35, 29, 41)},
    ),
    "duck-blind": Facts(
        "Tom Gurganus",
        {"duck": 62, "warden": 6, "action": 42, "blind": 60, "bonus": 9, "order-token": 6, "start-token": 1, "aid": 1,
         "setup-card": 1},
        "duck warden action removed play_deck flight flights over",
        {2: (28, 2, 5, 5, 30, 3, 10, 0), 3: (42, 3, 7, 6, 46, 4, 11, 2), 4: (55, 4, 8, 7, 60, 5, 12, 0),
         5: (57, 5, 9, 8, 63, 6, 10, 3), 6: (62, 6, 11, 9, 70, 7, 10, 0)},
    ),
    "duck-pens": Facts(
        "", {"board": 1, "die": 3, "automa": 18, "aid": 1, "automa-aid": 1},
        "board dice aids automa", {1: (1, 3, 1, 18), 2: (1, 3, 2, 0)},
    ),
    "ducks-in-a-row": Facts(
        "Daniel Solis", {"cards": 52, "jokers": 2, "judge": 1, "aid": 1, "setup-card": 1},
        "dealt left jokers", {3: (27, 25, 0), 4: (36, 16, 0), 5: (45, 7, 0), 6: (54, 0, 2)},
    ),
}  # fmt: skip
LEFT_OVER = {"duck-blind": {("expectation", 3), ("expectation", 5)}}
"""What `check` finds in the game as it is: cards that are left over."""


def words_of(pieces: Iterable[LaidOut]) -> str:
    """Return all words of some pieces, without what line breaks change."""
    frames = [frame for piece in pieces for frame in _frames(piece)]
    return squeezed(
        " ".join(item.text for frame in frames for item in every_item(frame.items) if isinstance(item, Text))
    )


def _frames(piece: LaidOut) -> Iterator[Frame]:
    yield from piece.pages.get("a4", ())
    for face in piece.faces:
        yield face.front
        if face.back is not None:
            yield face.back


def squeezed(words: str) -> str:
    """Return words without blanks, hyphens and markup, and with the apostrophes of print."""
    return re.sub(r"[\s\u00ad\u202f-]|\*\*|\{[a-z]+\}", "", words).replace("'", "’")


@pytest.fixture(scope="module", params=FACTS)
def built(request: pytest.FixtureRequest, whole: Callable[[str], Built]) -> Built:
    return whole(request.param)


@pytest.fixture(scope="module")
def game(built: Built) -> Game:
    assert built.checked.game is not None
    return built.checked.game


def test_the_cards_and_the_setup_are_those_of_the_fact_sheet(game: Game) -> None:
    facts = FACTS[game.id]
    assert game.designer == facts.designer
    assert {deck.id: deck.count for deck in game.decks.values() if deck.is_component} == facts.cards
    assert [deck.id for deck in game.decks.values() if deck.is_per_player] == ["aid"]
    rows = {row.players: dict(row.cells) for row in setup_table(game).rows}
    columns = [name.replace("_", " ") for name in facts.columns.split()]
    assert rows == {players: dict(zip(columns, row, strict=True)) for players, row in facts.setup.items()}
    found = {(problem.code, problem.players) for problem in check_game(game)}
    assert found == LEFT_OVER.get(game.id, set())


def test_the_rules_name_the_components_that_are_printed_and_the_designer(game: Game, built: Built) -> None:
    rules = words_of(one for one in built.checked.pieces if one.piece.id == "rules")
    for deck in game.decks.values():
        if deck.is_component:
            count = deck.count * (max(game.players) if deck.is_per_player else 1)
            assert squeezed(f"{count} {deck.title}") in rules, deck.id
    assert squeezed(game.designer) in rules


def test_the_designer_alone_is_asked_the_open_questions(game: Game, built: Built) -> None:
    words = words_of(one for one in built.checked.pieces if not one.piece.is_for_designer)
    asked = [note.question for note in game.notes if note.question]
    assert asked
    assert [question for question in asked if squeezed(question) in words] == []


def copies(game: Game, deck: str, *fields: str) -> dict[Any, int]:
    """Return how many cards of a deck have each value of a field, or each combination of several."""
    found: Counter[Any] = Counter()
    for card in game.decks[deck].cards:
        values = tuple(card.values[name] for name in fields)
        found[values if len(values) > 1 else values[0]] += card.copies
    return dict(found)


def one_game(name: str, project: Workspace) -> Game:
    game, problems = load_game(project, name)
    assert game is not None, problems
    return game


def test_blind_mans_draft(project: Workspace) -> None:
    game = one_game("blind-mans-draft", project)
    for players, said in ((9, "5 cards are left over"), (11, "needs 55 cards of 'stock'")):
        problems = check_game(game, players)
        assert "player-count" in {problem.code for problem in problems}
        assert any(said in problem.what for problem in problems)


def test_canardage(project: Workspace) -> None:
    game = one_game("canardage", project)
    assert [card.copies for card in game.decks["duck"].cards] == [6] * 6
    assert {game.decks[deck].back for deck in ("duck", "water")} == {"duck-back"}


def test_duck_blind(project: Workspace) -> None:
    game = one_game("duck-blind", project)
    species = copies(game, "duck", "species", "value", "rare")
    assert Counter((value, rare, count) for (_, value, rare), count in species.items()) == {
        (1, False, 8): 4, (2, False, 6): 3, (4, True, 4): 3,
    }  # fmt: skip
    sexes = copies(game, "duck", "species", "sex")
    assert all(count == sexes[name, "hen"] for (name, _), count in sexes.items())
    ten = {("permit", 0): 1, ("shot", 1): 3, ("shot", 2): 2, ("shot", 3): 2, ("shot", 4): 1, ("shot", 5): 1}
    assert copies(game, "blind", "owner", "kind", "shots") == {
        (owner, *card): count for owner in range(1, 7) for card, count in ten.items()
    }
    assert len(copies(game, "blind", "owner", "mark", "colour")) == 6
    assert len(copies(game, "bonus", "condition")) == 9
    assert {game.decks[deck].back for deck in ("duck", "warden", "action")} == {"play-back"}
    assert {game.decks[deck].format for deck in ("duck", "warden", "action", "blind")} == {"poker"}


def test_duck_pens(project: Workspace) -> None:
    game = one_game("duck-pens", project)
    (die,) = game.decks["die"].cards
    faces = die.values["faces"]
    assert isinstance(faces, tuple)
    assert Counter(faces) == {"red": 3, "blue": 3}
    assert all(faces[at] != faces[5 - at] for at in range(3))  # opposite sides
    field: Any = game.lists["field"]
    held = {(ord(at[0]) - ord("A"), int(at[1:]) - 1): space["holds"] for at, space in field.items()}
    assert Counter(held.values()) == {"duck": 40, "egg": 24, "bread": 24}
    assert held == {(11 - x, 9 - y): what for (x, y), what in held.items()}  # both sides have the same
