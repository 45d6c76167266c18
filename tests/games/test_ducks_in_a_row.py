"""Ducks in a Row against its fact sheet: the deck, the deal at each player count, the pips, the backs, the aid, and the
components and the example of its rules sheet."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image, ImageChops

from duckpress.check import check_game, setup_table
from duckpress.content import load_game
from duckpress.core.frame import PlacedDrawing, every_item
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.layout import Face, load_theme
from duckpress.legibility.vision import SIMULATIONS, difference
from duckpress.model import Game
from duckpress.press.request import Built

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["spades", "hearts", "diamonds", "clubs"]
DEAL = {
    3: {"dealt": 27, "left": 25, "jokers": 0},
    4: {"dealt": 36, "left": 16, "jokers": 0},
    5: {"dealt": 45, "left": 7, "jokers": 0},
    6: {"dealt": 54, "left": 0, "jokers": 2},
}


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "ducks-in-a-row")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    return whole("ducks-in-a-row")


@pytest.fixture(scope="module")
def rules(built: Built) -> str:
    """The words of the rules sheet, with one blank between any two."""
    pages = pypdfium2.PdfDocument(Path(built.folder) / "ducks-in-a-row-rules-a4.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())


@pytest.fixture(scope="module")
def faces(built: Built) -> dict[str, Face]:
    (cards,) = (one for one in built.checked.pieces if one.piece.id == "cards")
    return {face.card: face for face in cards.faces}


def test_every_rank_is_there_once_in_each_suit(game: Game) -> None:
    cards = game.decks["cards"].cards
    found = [(card.values["suit"], card.values["rank"]) for card in cards]
    assert found == [(suit, rank) for suit in SUITS for rank in RANKS]
    assert {card.copies for card in cards} == {1}


def test_ranks_two_to_ten_count_in_a_tie_and_no_others(game: Game) -> None:
    for card in game.decks["cards"].cards:
        rank = str(card.values["rank"])
        assert card.values["value"] == (int(rank) if rank.isdigit() else 0), card.id
        assert card.values["kind"] == ("pip" if rank.isdigit() else "ace" if rank == "A" else "court"), card.id


def test_there_are_two_jokers_of_different_looks(game: Game) -> None:
    assert game.decks["jokers"].count == 2
    assert {card.values["painted"] for card in game.decks["jokers"].cards} == {True, False}


def test_judge_aids_and_sheets(game: Game) -> None:
    assert game.decks["judge"].count == 1
    assert game.decks["aid"].is_per_player
    assert not game.decks["score"].is_component


def test_the_deal_comes_out_as_the_rules_say(game: Game) -> None:
    assert {row.players: dict(row.cells) for row in setup_table(game).rows} == DEAL
    assert check_game(game) == []


def test_the_rule_as_written_cannot_be_dealt_to_six(
    project: Workspace, make_workspace: Callable[[Mapping[str, str | bytes]], Workspace]
) -> None:
    folder = "content/ducks-in-a-row"
    folders = [folder, *project.folders(folder), f"{folder}/art/icons"]
    files = {path: project.read(path) for inside in folders for path in project.files(inside, "")}
    setup = files[f"{folder}/setup.yaml"].decode()
    without, count = re.subn(r"  - pile: deck\n    only: 6\n(?:    .*\n)+", "", setup)
    assert count == 1
    files[f"{folder}/setup.yaml"] = without.encode()
    as_written, problems = load_game(make_workspace(files), "ducks-in-a-row")
    assert as_written is not None, problems
    found = [one for one in check_game(as_written) if one.players is not None and one.level is Level.ERROR]
    assert {problem.players for problem in found} == {6}
    short = next(problem for problem in found if "54" in problem.what)
    assert re.findall(r"\d+", short.what).count("52") == 1
    assert "2" in re.findall(r"\d+", short.what)


def test_figures_of_the_game_follow_from_each_other(game: Game) -> None:
    facts: Mapping[str, Any] = game.facts
    assert facts["hand size"] == 9 == facts["rounds"] + 2  # one for the row and one discarded
    assert facts["row"] == facts["rounds"] + 1
    assert facts["hands"] == facts["row"] - facts["cards in a hand"] + 1 == 4
    assert list(facts["points"]) == [5, 3, 1]
    words = " ".join(setup_table(game).notes)
    assert f"Deal {facts['hand size']} cards to each player." in words


def test_every_front_differs_and_all_backs_are_one(faces: dict[str, Face]) -> None:
    assert len(faces) == len({face.front.hash for face in faces.values()}) == 54
    assert len({face.back.hash for face in faces.values() if face.back is not None}) == 1


def test_pip_cards_show_as_many_pips_as_they_are_worth(game: Game, faces: dict[str, Face]) -> None:
    for card in game.decks["cards"].cards:
        if card.values["kind"] == "pip":
            placed = [item for item in every_item(faces[card.id].front.items) if isinstance(item, PlacedDrawing)]
            assert len({item.key for item in placed}) == 1, card.id
            assert len(placed) == int(str(card.values["value"])) + 2, card.id  # and one under each index


def test_fronts_of_two_way_cards_and_backs_look_the_same_turned_round(built: Built, faces: dict[str, Face]) -> None:
    pdf = pypdfium2.PdfDocument(Path(built.folder) / "ducks-in-a-row-cards-a4.pdf")
    names = list(faces)
    two_way = [number for number, name in enumerate(names) if re.match(r"(2|4|10|jack|queen|king)-", name)]
    assert len(two_way) == 24
    for page in range(0, len(pdf), 2):
        fronts, backs = (_cards_of(pdf[page + side]) for side in (0, 1))
        for place, front in enumerate(fronts):
            name = names[page // 2 * 9 + place]
            if page // 2 * 9 + place in two_way:
                assert _turn_difference(front) < 0.01, name
            elif name.startswith(("7-", "ace-")):  # one-way by nature: the measure must tell
                assert _turn_difference(front) > 0.01, name
        assert all(_turn_difference(back) < 0.01 for back in backs)


def test_the_four_colour_theme_changes_suits_only(project: Workspace) -> None:
    plain, problems = load_theme(project, "ducks-in-a-row", "ducks-in-a-row")
    four, more = load_theme(project, "ducks-in-a-row", "four-colour")
    assert problems == more == []
    assert plain is not None
    assert four is not None
    colours = {role: inks["color"].text for role, inks in four.colours.items()}
    changed = {role for role, inks in plain.colours.items() if inks["color"].text != colours[role]}
    assert changed == {"suit-hearts", "suit-diamonds", "suit-clubs"}
    assert all(
        difference(colours[f"suit-{one}"], colours[f"suit-{other}"], vision) > 18
        for one, other in combinations(SUITS, 2)
        for vision in ("", *SIMULATIONS)
    ), "two suits look alike to some eyes"
    assert (four.styles, four.families, four.icons) == (plain.styles, plain.families, plain.icons)


def test_examples_on_the_aid_are_the_hands_they_stand_for(game: Game) -> None:
    hands: Mapping[str, Any] = game.lists["poker"]
    assert list(hands) == [
        "straight-flush", "four", "full-house", "flush", "straight", "three", "two-pair", "pair", "high-card",
    ]  # fmt: skip
    for name, hand in hands.items():
        cards = [(str(rank), suit) for rank, suit in hand["cards"]]
        assert len(set(cards)) == 5, name
        assert _hand_of(cards) == name
        assert all(rank in RANKS and suit in SUITS for rank, suit in cards), name


def test_the_components_in_the_rules_are_those_printed(game: Game, built: Built, rules: str) -> None:
    printed: Counter[str] = Counter()
    for card in json.loads((Path(built.folder) / "manifest.json").read_text())["cards"]:
        if card["piece"] in ("cards", "aids", "score"):
            printed[card["deck"]] += card["copies"]
    assert printed == {"cards": 52, "jokers": 2, "judge": 1, "aid": 6, "setup-card": 1, "score": 2}
    components = rules[rules.index("Components") : rules.index("Shuffle")]
    for name, count in printed.items():
        title = game.decks[name].title
        counted = f"{count} {title}" if game.decks[name].is_component else f"Print {title.lower()}s as you need them."
        assert counted in components, name


def test_the_example_is_scored_as_the_rules_say(game: Game, rules: str) -> None:
    example: Mapping[str, Any] = game.lists["example"]
    kinds = [*game.lists["poker"]][::-1]
    cards = {card.id: card for card in game.decks["cards"].cards}
    rows = {name: [cards[card] for card in player["row"]] for name, player in example.items()}
    assert len({card.id for row in rows.values() for card in row}) == 8 * len(rows)
    points = dict.fromkeys(rows, 0)
    shared = 0
    for start in range(4):
        hands = {
            name: [(str(card.values["rank"]), str(card.values["suit"])) for card in row[start : start + 5]]
            for name, row in rows.items()
        }
        worth = {name: (kinds.index(_hand_of(hand)), _ranks_of(hand)) for name, hand in hands.items()}
        cells = []
        for name, player in example.items():
            called = list(player["hands"].values())[start]
            assert called == _hand_of(hands[name]), (name, start)
            place = 1 + sum(other > worth[name] for other in worth.values())
            assert player["places"][start] == place, (name, start)
            scored = [5, 3, 1][place - 1]
            points[name] += scored
            cells.append(f"{game.lists['poker'][called]['name']}: {scored}")
        assert " ".join([str(start + 1), *cells]) in rules
        shared += len(worth) - len(set(worth.values()))
    assert shared == 1  # a place that two share is part of the example
    assert " ".join(["Points", *map(str, points.values())]) in rules
    sums = {name: sum(int(str(card.values["value"])) for card in row) for name, row in rows.items()}
    assert points["ada"] == points["cem"] > points["ben"]
    assert f"Ada and Cem are tied at {points['ada']}." in rules
    assert sums["ada"] > sums["cem"]
    assert f"Ada’s row add up to {sums['ada']}, those in Cem’s to {sums['cem']}: Ada wins." in rules


@pytest.mark.parametrize("piece", ["rules", "rules-booklet", "aids", "score"])
def test_two_best_hands_take_the_second_place_only(built: Built, piece: str) -> None:
    pages = pypdfium2.PdfDocument(Path(built.folder) / f"ducks-in-a-row-{piece}-a4.pdf")
    words = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())
    assert re.search("after two best (hands nobody is second, and the next hand is|comes the) third", words)
    assert "as many" not in words  # two places below two best hands: nobody would be third


def test_the_designer_is_credited_and_nobody_asks_whose_game_it_is(built: Built, game: Game, rules: str) -> None:
    assert game.designer == "Daniel Solis"
    assert "Game design: Daniel Solis, who published the rules on his own pages in 2015" in rules
    assert "A game by Daniel Solis" in rules
    assert [note.subject for note in game.notes if "Whose game" in note.question] == []


def test_nothing_a_player_holds_speaks_of_open_questions(built: Built) -> None:
    for name in built.files:
        pages = pypdfium2.PdfDocument(Path(built.folder) / name)
        words = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split()).lower()
        for phrase in ("not named", "unnamed", "filled in", "open question", "rules do not say"):
            assert phrase not in words, (name, phrase)


def _ranks_of(cards: list[tuple[str, str]]) -> tuple[int, ...]:
    """Return the ranks of a poker hand as they are compared: what there is more of first; the ace counts high."""
    orders = [13 if rank == "A" else RANKS.index(rank) for rank, _ in cards]
    return tuple(sorted(orders, key=lambda order: (orders.count(order), order), reverse=True))


def _hand_of(cards: list[tuple[str, str]]) -> str:
    """Return the name of a poker hand; the ace counts high."""
    orders = sorted(13 if rank == "A" else RANKS.index(rank) for rank, _ in cards)
    is_flush = len({suit for _, suit in cards}) == 1
    is_straight = orders == list(range(orders[0], orders[0] + 5))
    if is_flush or is_straight:
        return "straight-flush" if is_flush and is_straight else "flush" if is_flush else "straight"
    counts = sorted(Counter(orders).values(), reverse=True)
    names = {41: "four", 32: "full-house", 31: "three", 22: "two-pair", 21: "pair", 11: "high-card"}
    return names[10 * counts[0] + counts[1]]


def _cards_of(page: pypdfium2.PdfPage) -> list[Image.Image]:
    """Return the nine cards of a page of poker cards on A4, cut to the trim, row by row."""
    scale = 2.0
    picture = page.render(scale=scale).to_pil().convert("L")
    left, bottom, right, top = page.get_trimbox()
    height = page.get_size()[1]
    wide, high = 63.5 / 25.4 * 72, 88.9 / 25.4 * 72
    x0, y0 = (left + right) / 2 - 1.5 * wide, height - (top + bottom) / 2 - 1.5 * high
    return [
        picture.crop(tuple(round(scale * value) for value in (x, y, x + wide, y + high)))
        for row in range(3)
        for column in range(3)
        for x, y in [(x0 + column * wide, y0 + row * high)]
    ]


def _turn_difference(card: Image.Image) -> float:
    """Return the part of a card's dots that change clearly when it is turned round; edges may fall between dots."""
    inner = card.crop((8, 8, card.width - 8, card.height - 8)).reduce(3)
    difference = ImageChops.difference(inner, inner.rotate(180))
    counts = difference.histogram()
    return sum(counts[120:]) / (inner.width * inner.height)
