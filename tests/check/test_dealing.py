"""Deals: every card goes somewhere and only once, as the steps say; the same seed is the same deal."""

from __future__ import annotations

import hashlib

from dealing_table import FILES
from duckpress.check import Deal, deal_cards
from duckpress.check.dealing import ALGORITHM, Chance
from duckpress.content import load_game
from duckpress.model import Game
from running import MakeWorkspace as Make


def table(make_workspace: Make, setup: str | None = None) -> Game:
    files = FILES if setup is None else {**FILES, "content/table/setup.yaml": setup}
    game, problems = load_game(make_workspace(files), "table")
    assert game is not None
    assert problems == []
    return game


def cards(deal: Deal, place: str, seat: int = 0) -> list[str]:
    return next([card.card for card in held.cards] for held in deal.places if (held.place, held.seat) == (place, seat))


def test_the_same_seed_is_the_same_deal_for_ever(make_workspace: Make) -> None:
    game = table(make_workspace)
    deal = deal_cards(game, 4, "candle")
    assert deal == deal_cards(game, 4, "candle")
    assert cards(deal, "hand", 1) == ["card-18", "card-2", "card-17"]
    assert cards(deal, "market") == ["card-7", "card-20"]
    assert [seat.player for seat in deal.seats] == [2, 4, 3, 1]


def test_seeds_counts_and_variants_deal_otherwise(make_workspace: Make) -> None:
    game = table(make_workspace)
    hands = {tuple(cards(deal_cards(game, players, seed), "hand", 1)) for players in (3, 4) for seed in ("a", "b", "1")}
    assert len(hands) == 6


def test_a_deck_that_is_added_changes_no_other(make_workspace: Make) -> None:
    plain = "setup:\n  - pile: stock\n    take: {word: all}\n  - hand: hand\n    take: {stock: 3}\n"
    more = plain.replace("setup:\n", "setup:\n  - row: first\n    when: players > 3\n    take: {word: 0}\n")
    assert cards(deal_cards(table(make_workspace, plain), 4, "x"), "hand", 2) == cards(
        deal_cards(table(make_workspace, more), 4, "x"), "hand", 2
    )


def test_seats_are_drawn_by_lot_unless_told_otherwise(make_workspace: Make) -> None:
    rings = {tuple(seat.player for seat in deal_cards(table(make_workspace), 5, str(seed)).seats) for seed in range(9)}
    assert len(rings) > 5
    still = table(make_workspace, FILES["content/table/setup.yaml"].replace("seats:\n", "seats:\n  shuffled: no\n"))
    assert {tuple(seat.player for seat in deal_cards(still, 5, str(seed)).seats) for seed in range(9)} == {
        (1, 2, 3, 4, 5)
    }


def test_without_seats_players_know_the_hands_they_hold(make_workspace: Make) -> None:
    setup = "setup:\n  - hand: hand\n    take: {word: 3}\n"
    assert [dict(seat.knows) for seat in deal_cards(table(make_workspace, setup), 3, "x").seats] == [
        {"hand": (1,)}, {"hand": (2,)}, {"hand": (3,)}
    ]  # fmt: skip


def words(key: bytes, count: int) -> list[int]:
    """Return the 64-bit numbers of a stream, as docs/deals.md says."""
    found: list[int] = []
    block = 0
    while len(found) < count:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).hexdigest()
        found += [int(digest[at : at + 16], 16) for at in range(0, 64, 16)]
        block += 1
    return found[:count]


def test_the_numbers_are_those_of_the_description() -> None:
    key = b"duckpress-deal-1\0candle\0a-game\x0010\0\0seats\0"
    chance = Chance("candle", "a-game", 10, "", "seats")
    assert [chance.below(1 << 64) for _ in range(9)] == words(key, 9)


def test_the_numbers_never_change() -> None:
    chance = Chance("candle", "a-game", 10, "", "seats")
    assert ALGORITHM == "duckpress-deal-2"
    assert [chance.below(100) for _ in range(12)] == [37, 30, 76, 20, 25, 50, 40, 86, 0, 16, 94, 40]
    order = list(range(1, 11))
    Chance("candle", "a-game", 10, "", "seats").shuffle(order)
    assert order == [3, 6, 7, 10, 1, 4, 9, 5, 2, 8]


def test_a_key_is_its_fields_apart_and_in_one_form() -> None:
    assert Chance("é").below(1 << 60) == Chance("e\u0301").below(1 << 60)
    assert Chance("1", "12").below(1 << 60) != Chance("11", "2").below(1 << 60)
    assert Chance("\udc80").below(1 << 64) == words(b"duckpress-deal-1\0\xed\xb2\x80\0", 1)[0]  # half a letter


def test_numbers_beyond_the_largest_multiple_are_thrown_away() -> None:
    limit = (1 << 63) + 1  # a little more than half of all numbers are below it
    chance = Chance("rejected")
    expected = [number for number in words(b"duckpress-deal-1\0rejected\0", 40) if number < limit]
    assert [chance.below(limit) for _ in range(10)] == expected[:10]
    # So is the largest multiple itself.
    first, second = words(b"duckpress-deal-1\0at the edge\0", 2)
    assert second < first
    assert first > 1 << 63  # so that the largest multiple of this limit is the limit
    assert Chance("at the edge").below(first) == second
