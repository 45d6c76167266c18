"""One step serves several seats: in their order, where they may take the same cards, and each with cards of its own."""

from __future__ import annotations

from duckpress.check import Deal, check_game, deal_cards
from duckpress.model import Game
from small_games import small_deck, small_game


def whats(game: Game) -> list[tuple[str, str]]:
    return [(one.code, one.what) for one in check_game(game) if one.code in ("not-enough", "unlucky-draw")]


def worths(*copies: int) -> list[dict[str, object]]:
    """Return cards worth 1, 2 and so on, so many of each."""
    return [{"id": f"w{at}", "worth": at, "copies": n} for at, n in enumerate(copies, 1)]


def test_a_seat_may_draw_what_the_next_but_one_lacks_then() -> None:
    """Seats 1 and 3 want the same cards; seat 2 may take any, and is served between them."""
    setup = "setup: [{hand: hand, take: {duck: {where: card.worth >= seat % 2 + 1, count: 1}}}]\n"
    game = small_game(setup, small_deck("duck", worths(1, 2)), players=[3])
    ((code, what),) = whats(game)
    assert code == "unlucky-draw"
    assert "draws: player 3's 'hand' needs 1 card of 'duck' where card.worth >= seat % 2 + 1" in what
    assert {isinstance(deal_cards(game, 3, str(seed)), Deal) for seed in range(20)} == {True, False}
    enough = small_game(setup, small_deck("duck", worths(1, 3)), players=[3])
    assert whats(enough) == []


def test_seats_that_want_the_same_cards_lack_them_together_if_nobody_else_takes_any() -> None:
    setup = "setup: [{hand: hand, take: {duck: {where: card.worth == seat % 2 + 1, count: 1}}}]\n"
    ((_, what),) = whats(small_game(setup, small_deck("duck", worths(1, 1)), players=[3]))
    assert what.endswith("(1 for each player), which has 1 such card: 1 too few")


def test_each_seat_lacks_cards_of_its_own_where_a_place_has_none_that_is_right() -> None:
    setup = """\
setup:
  - {row: row, take: {duck: 2}}
  - {hand: hand, take: {row: {where: card.worth == seat + 1, count: seat}}}
"""
    found = whats(small_game(setup, small_deck("duck", worths(2)), players=[2]))
    assert [what.partition(": ")[2] for _, what in found] == [
        "player 1's 'hand' needs 1 card of 'row' where card.worth == seat + 1, which holds 0 such cards: 1 too few",
        "player 2's 'hand' needs 2 cards of 'row' where card.worth == seat + 1, which holds 0 such cards: 2 too few",
    ]


def test_a_card_that_was_imagined_for_other_counts_makes_no_seats_want_the_same() -> None:
    setup = "setup: [{hand: hand, take: {duck: {where: card.worth == seat % 2 + 1, count: seat}}}]\n"
    ducks = small_deck("duck", worths(9))
    for players in ([3], [2, 3]):
        found = whats(small_game(setup, ducks, players=players))
        assert [what.rpartition(": ")[2] for _, what in found] == ["1 too few", "3 too few"]


def test_a_card_that_was_imagined_for_other_counts_keeps_no_seats_apart() -> None:
    setup = """\
setup:
  - {hand: hand, only: 2, take: {duck: {where: card.worth == 2, count: 1}}}
  - {pile: own, each: player, only: 3, take: {duck: {where: card.worth >= seat, count: 2}}}
"""
    ducks = small_deck("duck", [{"id": "a", "worth": 1, "copies": 1}, {"id": "c", "worth": 3, "copies": 4}])
    alone = [what for _, what in whats(small_game(setup, ducks, players=[3]))]
    assert len(alone) == 1
    assert [what for _, what in whats(small_game(setup, ducks, players=[2, 3])) if "'own'" in what] == alone


def test_cards_for_drawn_ones_are_lacked_apart_for_each_kind_that_was_drawn() -> None:
    setup = """\
setup:
  - {row: row, take: {duck: all}}
  - {row: supply, take: {goose: {count: 1}}}
  - {row: pairs, take: {supply: {per: row, where: card.worth == drawn.worth, count: 1}}}
"""
    found = whats(
        small_game(setup, small_deck("duck", worths(2, 1)), small_deck("goose", worths(0, 0, 1)), players=[2])
    )
    lacking = sorted((what.partition("drawn: ")[2][:4], what[-9:]) for _, what in found)
    assert lacking == [("'w1'", "2 too few"), ("'w2'", "1 too few")]


def test_a_card_that_is_like_another_is_there_for_the_next_seat_too() -> None:
    """Nothing tells 'a' from 'b' when a hand draws from the row: what stays there is right for the next one."""
    setup = """\
setup:
  - {row: row, take: {duck: {where: card.kind == 'b', count: 1}}}
  - {hand: hand, take: {row: {where: card.worth != seat, count: 1}}}
expect:
  - {that: row, is: 0}
  - {that: "sum('hand', 'worth')", is: 3}
"""
    cards = [{"id": kind, "kind": kind, "worth": 3, "copies": 2} for kind in "ab"]
    game = small_game(setup, small_deck("duck", cards, per="player"), players=[2])
    assert [one.code for one in check_game(game)] == ["unused-cards"]


def test_a_copy_more_is_in_the_set_of_each_player() -> None:
    setup = """\
setup:
  - row: row
    take:
      duck: [{where: card.worth == 1, count: 3}, {where: card.worth == 1, count: 4}]
"""
    found = check_game(small_game(setup, small_deck("duck", worths(2, 5), per="player"), players=[3]))
    short = [one for one in found if one.code == "not-enough"]
    assert [(one.what.rpartition(", ")[2], one.fix.partition(" where")[0]) for one in short] == [
        ("which has 2 such cards: 1 too few", "add 1 card"),
        ("which has 0 left of 2 such cards: 4 too few", "add 4 cards"),
    ]
