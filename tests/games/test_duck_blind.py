"""Duck Blind against its fact sheet: how many of every card, who has which shells, what the officers do."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from duckpress.check import check_game, setup_table
from duckpress.content import load_game
from duckpress.files.workspace import Workspace
from duckpress.model import Game

# The setup table as the rules give it, and what follows from it: players -> its row.
SETUP = {
    2: {"duck": 28, "warden": 2, "action": 5, "removed": 5, "play deck": 30, "flight": 3, "flights": 10, "over": 0},
    3: {"duck": 42, "warden": 3, "action": 7, "removed": 6, "play deck": 46, "flight": 4, "flights": 11, "over": 2},
    4: {"duck": 55, "warden": 4, "action": 8, "removed": 7, "play deck": 60, "flight": 5, "flights": 12, "over": 0},
    5: {"duck": 57, "warden": 5, "action": 9, "removed": 8, "play deck": 63, "flight": 6, "flights": 10, "over": 3},
    6: {"duck": 62, "warden": 6, "action": 11, "removed": 9, "play deck": 70, "flight": 7, "flights": 10, "over": 0},
}


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "duck-blind")
    assert game is not None, problems
    assert problems == []
    return game


def test_duck_cards_are_62_in_three_tiers_of_worth(game: Game) -> None:
    species: Counter[object] = Counter()
    worth: dict[object, tuple[object, object]] = {}
    for card in game.decks["duck"].cards:
        species[card.values["species"]] += card.copies
        worth[card.values["species"]] = (card.values["value"], card.values["rare"])
    assert game.decks["duck"].count == 62
    assert Counter((*worth[name], count) for name, count in species.items()) == {
        (1, False, 8): 4,
        (2, False, 6): 3,
        (4, True, 4): 3,
    }


def test_every_species_has_as_many_drakes_as_hens(game: Game) -> None:
    sexes: Counter[tuple[object, object]] = Counter()
    for card in game.decks["duck"].cards:
        sexes[card.values["species"], card.values["sex"]] += card.copies
    assert sexes
    assert all(count == sexes[species, "hen"] for (species, _), count in sexes.items())


def test_action_cards_are_seven_of_each_of_six_kinds(game: Game) -> None:
    assert [(card.values["title"], card.copies) for card in game.decks["action"].cards] == [
        (title, 7) for title in ("Double Barrel", "Choke", "Duck Call", "Spook!", "Rogue Dog", "Gun Jam!")
    ]


def test_only_spook_is_played_before_the_reveal(game: Game) -> None:
    early = [card.id for card in game.decks["action"].cards if card.values["timing"] == "before the reveal"]
    assert early == ["spook"]


def test_six_officers_take_one_or_every_uncovered_rare_duck_or_none(game: Game) -> None:
    effects = {card.id: str(card.values["effect"]) for card in game.decks["warden"].cards}
    assert game.decks["warden"].count == 6
    assert [name for name, words in effects.items() if "**every rare duck**" in words] == ["chris"]
    assert [name for name, words in effects.items() if "**one rare duck**" in words] == ["ken", "daniel", "tracy"]
    assert [name for name, words in effects.items() if "rare duck" not in words] == ["mitch", "zachary"]


def test_every_blind_holds_a_permit_and_shots_of_one_to_five(game: Game) -> None:
    blinds: dict[object, Counter[tuple[object, object]]] = {}
    for card in game.decks["blind"].cards:
        blinds.setdefault(card.values["owner"], Counter())[card.values["kind"], card.values["shots"]] += card.copies
    ten = {("permit", 0): 1, ("shot", 1): 3, ("shot", 2): 2, ("shot", 3): 2, ("shot", 4): 1, ("shot", 5): 1}
    assert blinds == {owner: Counter(ten) for owner in range(1, 7)}


def test_each_blind_has_a_colour_and_a_mark_of_its_own(game: Game) -> None:
    looks = {(card.values["owner"], card.values["mark"], card.values["colour"]) for card in game.decks["blind"].cards}
    owners, marks, colours = (set(column) for column in zip(*looks, strict=True))
    assert len(looks) == len(owners) == len(marks) == len(colours) == 6


def test_bonus_cards_are_nine_different_ones(game: Game) -> None:
    cards = game.decks["bonus"].cards
    assert len(cards) == game.decks["bonus"].count == len({card.values["condition"] for card in cards}) == 9
    assert {card.values["points"] for card in cards} == {game.facts["bonus points"]}


def test_tokens_aids_and_sheets(game: Game) -> None:
    assert [card.values["number"] for card in game.decks["order-token"].cards] == [1, 2, 3, 4, 5, 6]
    assert game.decks["start-token"].count == 1
    assert game.decks["aid"].is_per_player
    assert not game.decks["scoring"].is_component
    form = game.decks["feedback"].cards[0].values
    questions, scales = form["questions"], form["scales"]
    assert isinstance(questions, tuple)
    assert isinstance(scales, tuple)
    assert (len(questions), len(scales)) == (6, 6)


def test_cards_that_are_shuffled_together_have_the_same_back(game: Game) -> None:
    assert {game.decks[deck].back for deck in ("duck", "warden", "action")} == {"play-back"}
    assert {game.decks[deck].format for deck in ("duck", "warden", "action")} == {"poker"}
    # Drafted and won Action cards are shuffled into a blind: its cards have the same size.
    assert game.decks["blind"].format == "poker"


def test_the_setup_comes_out_as_the_rules_say(game: Game) -> None:
    table = setup_table(game)
    assert {row.players: dict(row.cells) for row in table.rows} == SETUP


def test_only_the_leftovers_with_three_and_five_players_are_found(game: Game) -> None:
    found = check_game(game)
    assert {(problem.code, str(problem.level), problem.players) for problem in found} == {
        ("expectation", "warning", 3),
        ("expectation", "warning", 5),
    }
    assert [re.findall(r"\d+", problem.what)[1] for problem in found] == ["2", "3"]
