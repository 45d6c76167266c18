"""Duck Blind: its table number by number, the warnings at 3 and 5 players, and the draft that needs 42 action cards."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from duckpress.check import check_game, copies_for, setup_table
from duckpress.content import load_game
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.model import Game

PATH = "content/duck-blind/setup.yaml"
OVER = {3: 2, 5: 3}  # the cards left for a last, short flight


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    found, problems = load_game(project, "duck-blind")
    assert found is not None, problems
    return found


def with_actions(game: Game, number: int) -> Game:
    """Return the game with so many action cards, all copies of the first."""
    deck = game.decks["action"]
    cards = (replace(deck.cards[0], copies=number),)
    return replace(game, decks={**game.decks, "action": replace(deck, cards=cards)}, accepted=())


def test_the_table(game: Game) -> None:
    table = setup_table(game)
    assert [column.key for column in table.columns] == [
        "duck", "warden", "action", "removed", "play deck", "flight", "flights", "over",
    ]  # fmt: skip
    assert {row.players: tuple(row.cells.values()) for row in table.rows} == {
        2: (28, 2, 5, 5, 30, 3, 10, 0),
        3: (42, 3, 7, 6, 46, 4, 11, 2),
        4: (55, 4, 8, 7, 60, 5, 12, 0),
        5: (57, 5, 9, 8, 63, 6, 10, 3),
        6: (62, 6, 11, 9, 70, 7, 10, 0),
    }


def test_the_only_findings_are_the_short_last_flights(game: Game) -> None:
    problems = check_game(replace(game, accepted=()))
    assert [(problem.code, problem.level, problem.players, problem.variant) for problem in problems] == [
        ("expectation", Level.WARNING, 3, None),
        ("expectation", Level.WARNING, 5, None),
    ]
    assert [problem.what for problem in problems] == [
        "3 players: 2 cards are left over for a last flight of 4",
        "5 players: 3 cards are left over for a last flight of 6",
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_one_player_count_alone(game: Game, players: int) -> None:
    problems = check_game(replace(game, accepted=()), players=players)
    assert [problem.players for problem in problems] == ([players] if players in OVER else [])


def test_the_draft_passes_with_42_action_cards(game: Game) -> None:
    assert game.decks["action"].count == 42
    found = check_game(replace(game, accepted=()), variant="draft")
    assert {problem.code for problem in found} == {"expectation"}
    assert {problem.level for problem in found} == {Level.WARNING}


@pytest.mark.soak
def test_the_draft_fails_with_11_action_cards_at_every_player_count(game: Game) -> None:
    problems = [one for one in check_game(with_actions(game, 11), variant="draft") if one.code == "not-enough"]
    assert [(one.players, one.what, one.fix) for one in problems] == [
        (players, f"{players} players, variant 'draft': 'draft' needs {5 * players} cards of 'action' "
                  f"(5 for each player), which has {11 - inside} left of 11: {5 * players + inside - 11} too few",
         f"add {5 * players + inside - 11} cards to 'action', for no player count works as it is")
        for players, inside in {2: 5, 3: 7, 4: 8, 5: 9, 6: 11}.items()
    ]  # fmt: skip


@pytest.mark.sweep(6)
@pytest.mark.parametrize(
    ("number", "failing"), [(41, []), (40, [6]), (34, [6]), (33, [5, 6]), (15, [3, 4, 5, 6]), (14, [2, 3, 4, 5, 6])]
)
def test_the_draft_needs_41_for_six(game: Game, number: int, failing: list[int]) -> None:
    problems = check_game(with_actions(game, number), variant="draft")
    assert [problem.players for problem in problems if problem.code == "not-enough"] == failing


@pytest.mark.soak
def test_the_basic_game_needs_11_action_cards(game: Game) -> None:
    codes = [problem.code for problem in check_game(with_actions(game, 11)) if problem.variant is None]
    assert "not-enough" not in codes


@pytest.mark.soak
@pytest.mark.parametrize("share", range(27))
def test_a_blind_with_a_card_of_another_strength_is_found(share: int, game: Game) -> None:
    deck = game.decks["blind"]
    for index, card in list(enumerate(deck.cards))[share::27]:
        cards = (*deck.cards[:index], replace(card, copies=card.copies + 1), *deck.cards[index + 1 :])
        changed = replace(game, decks={**game.decks, "blind": replace(deck, cards=cards)}, accepted=())
        counts = (check_game(changed, players=players) for players in (6, 5, 4, 3, 2))
        codes = ({problem.code for problem in found if problem.level is Level.ERROR} for found in counts)
        assert any("expectation" in errors for errors in codes), card.id


@pytest.mark.soak
def test_a_drake_more_is_found(game: Game) -> None:
    deck = game.decks["duck"]
    cards = (replace(deck.cards[0], copies=deck.cards[0].copies + 1), *deck.cards[1:])
    changed = replace(game, decks={**game.decks, "duck": replace(deck, cards=cards)}, accepted=())
    codes = {problem.code for problem in check_game(changed)}
    assert {"unbalanced", "wrong-total"} <= codes


def test_pieces_for_two_players(game: Game) -> None:
    def cards(deck_id: str, players: int | None) -> int:
        return sum(copies for (deck, _), copies in copies_for(game, players).items() if deck == deck_id)

    assert cards("duck", 2) == 62  # drawn at random, so all of them are needed
    assert (cards("blind", 2), cards("blind", None)) == (20, 60)
    assert (cards("order-token", 4), cards("order-token", None)) == (4, 6)
    assert (cards("aid", 3), cards("aid", None)) == (3, 6)
