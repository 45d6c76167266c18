"""Blind Man's Draft against its fact sheet: the cards, ten players and no other number, who sees which hand, and what
the rules sheet says about it: its components, the way hands travel, its example."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from duckpress.check import Deal, check_game, deal_cards, setup_table
from duckpress.check.editions.card_pools import copy_seed
from duckpress.content import load_game
from duckpress.core.frame import Text, every_item
from duckpress.editions.edition_run import EditionRequest, run_edition
from duckpress.editions.people import numbered_copies
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.press.packets.packet_deal import deal_packet
from duckpress.press.reading import load
from duckpress.press.request import Built, Request


@pytest.fixture(scope="module")
def game(project: Workspace) -> Game:
    game, problems = load_game(project, "blind-mans-draft")
    assert game is not None, problems
    assert problems == []
    return game


@pytest.fixture(scope="module")
def built(whole: Callable[[str], Built]) -> Built:
    return whole("blind-mans-draft")


@pytest.fixture(scope="module")
def rules(built: Built) -> str:
    """The words of the rules sheet, with one blank between any two."""
    pages = pypdfium2.PdfDocument(Path(built.folder) / "blind-mans-draft-rules-a4.pdf")
    return " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())


@pytest.fixture(scope="module")
def deal(game: Game) -> Deal:
    return deal_cards(game, 10, "a seed of the tests")


def test_forty_numbers_five_doubling_five_negation(game: Game) -> None:
    numbers = Counter({card.values["number"]: card.copies for card in game.decks["number"].cards})
    assert numbers == dict.fromkeys(range(1, 11), 4)
    assert (game.decks["doubling"].count, game.decks["negation"].count) == (5, 5)


def test_markers_aids_slips_and_garnets(game: Game) -> None:
    assert [card.values["number"] for card in game.decks["seat-marker"].cards] == list(range(1, 11))
    assert {card.values["value"]: card.copies for card in game.decks["garnet"].cards} == {1: 20, 2: 10, 4: 10}
    assert game.decks["aid"].is_per_player
    assert [card.copies for card in game.decks["order-slip"].cards] == [1] * 10
    assert (game.decks["order"].dealt_to, game.decks["private"].dealt_to) == ("player", "player")


def test_the_slips_name_the_neighbours_of_each_seat(game: Game, deal: Deal) -> None:
    for seat, slip in zip(deal.seats, game.decks["order-slip"].cards, strict=True):
        relations = {name.replace(" ", "_"): other for name, other in seat.relations.items()}
        assert slip.values == {"seat": seat.number, **relations}


def test_ten_players_pass(game: Game) -> None:
    assert game.players == (10,)
    assert check_game(game) == []
    cells = setup_table(game).rows[0].cells
    assert cells == {"cards": 50, "hand": 5, "stock": 0, "told": 3, "smallest": 4, "largest": 10}


@pytest.mark.parametrize(("players", "said"), [(9, "5 cards are left over"), (11, "needs 55 cards of 'stock'")])
def test_nine_and_eleven_are_refused_by_the_program_and_by_the_cards(game: Game, players: int, said: str) -> None:
    problems = check_game(game, players)
    assert "player-count" in {problem.code for problem in problems}
    assert any(problem.code in ("expectation", "not-enough") and said in problem.what for problem in problems)
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
        told = (right, deal.seats[right - 1].relations["right"], seat.relations["opposite"])
        assert seat.knows["hand"] == told
        assert seat.number not in told
        known.update(told)
    assert known == dict.fromkeys(range(1, 11), 3)


TABLES = 40
SEED = "no guest will ever guess this"


def test_forty_packets_are_forty_deals(game: Game) -> None:
    """An edition deals each table by a seed of its own: forty deals, all different, each as the setup wants it."""
    seeds = [copy_seed(SEED, game.id, copy.id) for copy in numbered_copies(game, TABLES).value]
    deals = [deal_packet(game, Request(seed=seed)) for seed in seeds]
    assert all(isinstance(deal, Deal) for deal in deals)
    dealt = [deal for deal in deals if isinstance(deal, Deal)]
    assert len({repr(deal.places) for deal in dealt}) == TABLES
    assert len({tuple(seat.player for seat in deal.seats) for deal in dealt}) == TABLES


@pytest.mark.parametrize("tables", [2, pytest.param(TABLES, marks=pytest.mark.soak)])
def test_packets_for_many_tables(project: Workspace, tmp_path: Path, tables: int) -> None:
    """Each table has a folder with a file for the host and for each player, which say whose they are; twice alike."""
    pieces = ("host", "private")
    asked = EditionRequest(Request(("a4",), pieces=pieces), lambda game: numbered_copies(game, tables), SEED, 20)
    runs = [run_edition(project, load(project, "blind-mans-draft"), asked, tmp_path / name) for name in ("one", "two")]
    assert [(run.copies, run.failed, run.files, run.checked.problems) for run in runs] == [
        (tables, (), 11 * tables, ())
    ] * 2
    first, second = (
        {path.relative_to(run.folder).as_posix(): path.read_bytes() for path in run.folder.rglob("*.*")} for run in runs
    )
    assert first == second
    packets = [{data for name, data in first.items() if f"/{table:04}/" in name} for table in range(1, tables + 1)]
    assert [len(packet) for packet in packets] == [11] * tables
    assert len(set().union(*packets)) == 11 * tables
    for name, data in first.items():
        if name.endswith(".pdf"):
            for page in pypdfium2.PdfDocument(data):
                assert f"copy {int(name.split('/')[1])} of {tables}" in page.get_textpage().get_text_bounded(), name


def test_prices_and_prizes(game: Game) -> None:
    assert game.facts["prizes"] == {"28": 1, "29": 2, "30": 4}
    assert [game.facts[name] for name in ("limit", "hours", "waste cost", "question cost")] == [30, 48, 2, 4]
    assert list(game.lists["gifts"]) == ["left", "right", "opposite", "other", "self"]


def test_the_default_print_has_what_ten_players_and_a_host_need(built: Built) -> None:
    printed = printed_cards(built)
    assert {name: printed[name] for name in ("aid", "order-slip", "seat-marker")} == dict.fromkeys(
        ("aid", "order-slip", "seat-marker"), 10
    )
    assert {name: printed[name] for name in ("answer-sheet", "scoring-sheet", "sight")} == dict.fromkeys(
        ("answer-sheet", "scoring-sheet", "sight"), 1
    )


def test_the_components_in_the_rules_are_those_printed(game: Game, built: Built, rules: str) -> None:
    components = rules[rules.index("Components") : rules.index("You also need")]
    for name, count in printed_cards(built).items():
        assert name in game.packaging or f"{count} {game.decks[name].title}" in components, name
    assert "twenty 1s, ten 2s and ten 4s" in components


def test_hands_travel_to_the_three_players_who_see_them_and_back(deal: Deal, rules: str) -> None:
    """Whose stack lies before each seat after every step of the rules, and who looks at it then."""
    assert "Pass on to the left three times more" in rules
    seen: dict[int, set[int]] = {seat.number: set() for seat in deal.seats}
    owner = {seat.number: seat.number for seat in deal.seats}
    for times in (1, 1, 3):
        for _ in range(times):
            owner = {deal.seats[seat - 1].relations["left"]: whose for seat, whose in owner.items()}
        for seat, whose in owner.items():
            seen[seat].add(whose)
    across = {deal.seats[seat - 1].relations["opposite"]: whose for seat, whose in owner.items()}
    assert across == {seat: seat for seat in across}
    assert seen == {seat.number: set(seat.knows["hand"]) for seat in deal.seats}


@pytest.mark.parametrize("side", ["front", "back"])
def test_the_sight_card_marks_the_seats_that_the_deal_says(built: Built, deal: Deal, side: str) -> None:
    (face,) = (face for one in built.checked.pieces for face in one.faces if face.deck == "sight")
    frame = face.front if side == "front" else face.back
    assert frame is not None
    words = [item.text for item in every_item(frame.items) if isinstance(item, Text)]
    signs = [(int(seat), sign) for sign, seat in pairwise(words) if sign in "!?" and seat.isdigit()]
    if side == "front":
        marked = {seat.number for seat in deal.seats if 1 in seat.knows["hand"]}
    else:
        marked = set(deal.seats[0].knows["hand"])
    assert len(marked) == 3
    assert sorted(signs) == [(seat, "!" if seat in marked else "?") for seat in range(1, 11)]


def test_the_example_follows_the_rules(game: Game, deal: Deal, rules: str) -> None:
    lists: Any = game.lists
    you = deal.seats[2]
    targets = {**you.relations, "self": you.number, "other": int(lists["example-named"]["other"]["giver"])}
    order = {place: targets[gift["to"]] for place, gift in lists["example-order"].items()}
    assert list(order) == ["first", "second", "third", "fourth", "fifth"]
    assert sorted(lists["example-order"][place]["to"] for place in order) == sorted(lists["gifts"])
    assert targets["other"] not in {you.number, *map(you.relations.get, SURE)}
    said = ", the ".join(
        f"{place}{' card' if place == 'first' else ''} to {'yourself' if seat == you.number else f'seat {seat}'}"
        for place, seat in order.items()
    )
    assert f"You give your {said}.".replace(", the fifth", " and the fifth") in rules
    received = {int(seat): gift["card"] for seat, gift in lists["example-received"].items()}
    sure = {seat.number for seat in deal.seats if you.number in (*map(seat.relations.get, SURE), seat.number)}
    assert sure <= set(received)
    named = {kind: int(lists["example-named"][kind]["giver"]) for kind in ("doubling", "negation")}
    mine = total_of(received, named)
    assert sorted(card for card in received.values() if isinstance(card, str)) == ["doubling", "negation"]
    assert f"Total {mine}" in rules
    others = [total["total"] for seat, total in lists["example-totals"].items()]
    assert [int(seat) for seat in lists["example-totals"]] == [seat for seat in range(1, 11) if seat != you.number]
    assert f"The others have {', '.join(map(str, others[:-1]))} and {others[-1]}." in rules
    assert max(total for total in [mine, *others] if total <= 30) == mine
    assert f"You win with {mine} and earn {spelled(game.facts['prizes'][str(mine)])} garnets" in rules
    assert others.count(28) == 2
    assert f"with 28 earns {spelled(game.facts['prizes']['28'])}." in rules
    assert max(others) > 30
    assert f"The player with {max(others)} is up for elimination" in rules
    tenth = total_of(received, {**named, "doubling": 8})
    assert tenth > 30
    assert f"Seat 8 for doubling: the 10 counts 20 and you have {tenth}, which is over 30." in rules
    both = total_of(received, {"doubling": 8, "negation": 8})
    assert f"Seat 8 for both: the 10 counts 0 and you have {both}." in rules
    assert {1, 8, 10} & set(received) == {8, 10}
    assert received[10] == "negation"
    wasted = total_of(received, {**named, "doubling": 1})
    before, _, _ = rules.partition("The order from the example")
    figure = before[before.rindex("Order of seat") :]
    written = [you.number, *(targets[gift] for gift in lists["gifts"]), named["doubling"], named["negation"]]
    assert [int(seat) for seat in re.findall(r"seat (\d+)", figure)] == written
    assert f"For doubling you name seat {named['doubling']}, for negation seat {named['negation']}." in rules
    assert f"Seat 1 for doubling, which gave you nothing: you have {wasted}," in rules


SURE = ("left", "right", "opposite")


def total_of(received: dict[int, int | str], named: dict[str, int]) -> int:
    """Return what a new hand comes to: the cards by their givers, and the givers named for doubling and negation."""
    cards = {seat: card if isinstance(card, int) else 0 for seat, card in received.items()}
    for kind, factor in (("doubling", 2), ("negation", 0)):
        if kind in received.values() and named[kind] in cards:
            cards[named[kind]] *= factor
    return sum(cards.values())


def spelled(number: int) -> str:
    return ("nothing", "one", "two", "three", "four")[number]


def printed_cards(built: Built) -> Counter[str]:
    """Return how many cards of each deck are printed, as the manifest has it."""
    printed: Counter[str] = Counter()
    for card in json.loads((Path(built.folder) / "manifest.json").read_text())["cards"]:
        if card["piece"] not in ("rules", "rules-booklet"):
            printed[card["deck"]] += card["copies"]
    return printed
