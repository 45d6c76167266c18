"""A setup that uses all that steps can do, and what each player has in the end: the same seed is the same for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from duckpress.check import Deal, check_game, deal_cards, setup_table
from duckpress.check.dealing import CardRef, Holding
from duckpress.check.setup.rule_book import Book
from duckpress.check.setup.runs import Runs
from duckpress.core.problems import Problem, Source, has_errors
from duckpress.model import Accepted, Game
from rich_setup import rich_game
from small_games import small_game


def shown(deal: Deal) -> str:
    """Return a deal as text, a line for each place."""

    def lines(word: str, holdings: tuple[Holding, ...]) -> list[str]:
        return [
            f"{word} {held.place} ({held.kind}) {held.seat}: "
            + " ".join(f"{card.card}{f'/{card.set_of}' if card.set_of else ''}" for card in held.cards)
            for held in holdings
        ]

    seats = [
        f"seat {seat.number}: player {seat.player}, {dict(seat.relations)}, knows {dict(seat.knows)}"
        for seat in deal.seats
    ]
    head = f"{deal.game}, {deal.players} players, variant {deal.variant}, seed {deal.seed}"
    whole = [*seats, *lines("at", deal.places), *lines("removed from", deal.removed), *lines("left in", deal.left)]
    return "\n".join([head, *whole, ""])


def test_a_rich_setup_is_dealt_as_it_always_was(golden: Callable[[Path, str], None]) -> None:
    game = rich_game()
    deals = [deal_cards(game, players, "candle", variant) for variant in (None, "long") for players in (2, 3, 4)]
    golden(Path(__file__).with_name("golden") / "rich-deals.txt", "\n".join(map(shown, deals)))


@pytest.mark.parametrize(("players", "variant"), [(2, None), (4, "long")])
def test_every_card_of_a_deal_lies_in_one_place_and_the_counts_are_those_of_the_setup(
    players: int, variant: str | None
) -> None:
    game = rich_game()
    assert check_game(game) == []
    assert game.setup is not None
    run = Runs(Book(game, game.setup)).run(players, variant)
    deal = deal_cards(game, players, "anything", variant)
    assert isinstance(deal, Deal)
    for held in deal.places:
        assert len(held.cards) == run.steps.states[0].top.size(held.place, held.seat), held.place
    for place, removed in Counter(dict.fromkeys([held.place for held in deal.removed], 0)).items():
        removed = sum(len(held.cards) for held in deal.removed if held.place == place)
        assert removed == run.steps.states[0].top.removed(place), place
    found = Counter(card for held in (*deal.places, *deal.removed, *deal.left) for card in held.cards)
    sets = {"duck": [0], "blind": [0], "kit": range(1, players + 1)}
    assert found == {
        CardRef(deck.id, card.id, of): card.copies
        for deck in game.decks.values()
        for of in sets[deck.id]
        for card in deck.cards
    }


def test_each_player_takes_and_removes_as_many_as_their_seat_says() -> None:
    own, line = "{pile: own, each: player, take: {kit: 4}, remove: seat - 1}", "{row: line, take: {own: own - 1}}"
    deal = deal_cards(rich_game(f"setup:\n  - {own}\n  - {line}\n"), 3, "candle")
    assert isinstance(deal, Deal)
    assert [(held.place, held.seat, len(held.cards)) for held in deal.places] == [
        ("own", 1, 1), ("own", 2, 1), ("own", 3, 1), ("line", 0, 3 + 2 + 1)
    ]  # fmt: skip
    assert [(held.seat, len(held.cards)) for held in deal.removed] == [(1, 0), (2, 1), (3, 2)]


SKIPPED = """\
setup:
  - {row: river, only: 2, take: {duck: 1}}
  - {pile: rest, take: {river: all, duck: 2}}
  - {row: never, when: players > 9, take: {duck: 3}, note: Lay out three.}
"""


def game(setup: str, *accepted: str) -> Game:
    notes = [Accepted(code, "so be it", Source("content/small/game.yaml")) for code in accepted]
    return small_game(setup, accepted=notes, duck=12)


def test_a_place_that_no_step_has_formed_holds_nothing_and_its_note_is_not_said() -> None:
    assert not has_errors(check_game(game(SKIPPED)))
    for players, count in ((2, 3), (3, 2)):
        deal = deal_cards(game(SKIPPED), players, "x")
        assert isinstance(deal, Deal)
        assert [len(held.cards) for held in deal.places if held.place == "rest"] == [count]
    assert setup_table(game(SKIPPED)).notes == ()


@pytest.mark.parametrize(
    ("amount", "code"),
    [("3 / players", "not-whole"), ("2 - players", "negative-amount"), ("{2: 1}", "missing-count"),
     ("nix", "unknown-name"), ("9 - 7 // (4 - players)", "bad-expression")],
)  # fmt: skip
def test_what_cannot_be_computed_is_told_even_where_it_is_accepted(amount: str, code: str) -> None:
    setup = f"setup:\n  - row: river\n    take: {{duck: {amount}}}\nvariants: {{long: {{about: x}}}}\n"
    assert not has_errors(check_game(game(setup, code)))
    told = deal_cards(game(setup, code), 4, "x", "long")
    assert isinstance(told, Problem)
    assert told.code == (code if code != "unknown-name" else "setup-stopped")
    assert (told.source.line, told.game, told.players, told.variant) == (3, "small", 4, "long")
    cells = {row.players: set(row.cells.values()) for row in setup_table(game(setup, code)).rows}
    assert cells[4] == {None}


def test_no_place_holds_less_than_no_cards() -> None:
    setup = "setup:\n  - pile: stock\n    take: {duck: 4}\n  - row: river\n    take: {stock: 5}\n"
    table = setup_table(game(setup, "not-enough"))
    assert [dict(row.cells)["stock size"] for row in table.rows] == [0, 0, 0]


@pytest.mark.parametrize(
    "more", ["table:\n  odd: {shows: 6 // (players - 2)}\n", "notes: ['Take {{ 6 // (players - 2) }}.']\n"]
)
def test_what_a_table_cannot_show_is_told(more: str) -> None:
    (problem,) = check_game(game("setup:\n  - row: river\n    take: {duck: all}\n" + more))
    assert (problem.code, problem.players) == ("bad-expression", 2)
