"""Blind Man's Draft against its fact sheet: the cards, ten players and no other number, who knows which hand."""

from __future__ import annotations

from collections import Counter

import pytest

from duckpress.content import load_game
from duckpress.model import Game
from duckpress.rules import Deal, check_game, deal_cards, setup_table
from duckpress.workspace import Workspace


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "blind-mans-draft")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def deal(game: Game) -> Deal:
    return deal_cards(game, 10, "a seed of the tests")


def test_forty_numbers_five_doubling_five_negation(game: Game) -> None:
    numbers = Counter({card.values["number"]: card.copies for card in game.decks["number"].cards})
    assert numbers == dict.fromkeys(range(1, 11), 4)
    assert (game.decks["doubling"].count, game.decks["negation"].count) == (5, 5)


def test_markers_aids_slips_and_garnets(game: Game) -> None:
    assert [card.values["number"] for card in game.decks["seat-marker"].cards] == list(range(1, 11))
    assert {card.values["value"] for card in game.decks["garnet"].cards} == {1, 2, 4}
    assert game.decks["aid"].is_per_player
    assert (game.decks["order"].dealt_to, game.decks["private"].dealt_to) == ("player", "player")


def test_ten_players_pass(game: Game) -> None:
    assert game.players == (10,)
    assert check_game(game) == []
    cells = setup_table(game).rows[0].cells
    assert cells == {"cards": 50, "hand": 5, "stock": 0, "told": 3, "smallest": 4, "largest": 10}


@pytest.mark.parametrize(("players", "said"), [(9, "5 cards are left over"), (11, "5 cards are missing")])
def test_nine_and_eleven_are_refused_by_the_program_and_by_the_cards(game: Game, players: int, said: str) -> None:
    problems = check_game(game, players)
    assert "player-count" in {problem.code for problem in problems}
    assert any(problem.code == "expectation" and said in problem.what for problem in problems)
    if players == 11:
        needed = [problem.what for problem in problems if problem.code == "not-enough"]
        assert any("needs 55 cards" in what and "which holds 50: 5 too few" in what for what in needed)


def test_all_fifty_cards_are_dealt_five_to_each(deal: Deal) -> None:
    hands = [held.cards for held in deal.places if held.place == "hand"]
    assert [len(hand) for hand in hands] == [5] * 10
    assert Counter(card.deck for hand in hands for card in hand) == {"number": 40, "doubling": 5, "negation": 5}


def test_the_ring(deal: Deal) -> None:
    for seat in deal.seats:
        assert seat.relations["left"] == seat.number % 10 + 1
        assert deal.seats[seat.relations["left"] - 1].relations["right"] == seat.number
        opposite = deal.seats[seat.relations["opposite"] - 1]
        assert opposite.relations["opposite"] == seat.number
        assert abs(opposite.number - seat.number) == 5
    assert sorted(seat.player for seat in deal.seats) == list(range(1, 11))


def test_everybody_is_told_the_hand_opposite_and_the_two_on_the_right(deal: Deal) -> None:
    known: Counter[int] = Counter()
    for seat in deal.seats:
        right = seat.relations["right"]
        told = (seat.relations["opposite"], right, deal.seats[right - 1].relations["right"])
        assert seat.knows["hand"] == told
        assert seat.number not in told
        known.update(told)
    assert known == dict.fromkeys(range(1, 11), 3)


def test_prices_and_prizes(game: Game) -> None:
    assert game.facts["prizes"] == {"28": 1, "29": 2, "30": 4}
    assert [game.facts[name] for name in ("limit", "hours", "waste cost", "question cost")] == [30, 48, 2, 4]
    assert list(game.lists["gifts"]) == ["left", "right", "opposite", "other", "self"]
