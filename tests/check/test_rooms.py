"""Places with more cards than room: told once, in as many draws as it happens in, with the worst number."""

from __future__ import annotations

from duckpress.check import check_game
from small_games import small_deck, small_game


def findings(setup: str, players: int = 3) -> list[tuple[str, str, str]]:
    cards = [{"id": f"w{worth}", "worth": worth, "copies": copies} for worth, copies in ((1, 12), (2, 2))]
    setup = setup.replace("X", "count('sky', where='card.worth > 1')")
    game = small_game(setup, small_deck("duck", cards), players=[players])
    return [(one.code, one.what, one.fix) for one in check_game(game) if one.code in ("no-room", "unlucky-draw")]


def test_places_of_three_players_that_are_full_in_some_draws_are_not_full_in_all() -> None:
    setup = """\
setup:
  - {row: sky, take: {duck: 1}}
  - {hand: hand, slots: 1, take: {duck: {count: "1 + X"}}}
"""
    ((code, what, _),) = findings(setup)
    assert (code, what) == ("unlucky-draw", "3 players: in 1 of 7 draws: 'hand' gets 2 cards and has room for 1")


def test_a_place_that_is_too_full_whatever_was_drawn_is_an_error_with_the_worst_number() -> None:
    setup = """\
setup:
  - {row: sky, take: {duck: 2}}
  - {hand: hand, slots: seat, take: {duck: {count: "4 + X"}}}
"""
    assert findings(setup, 1) == [
        ("no-room", "1 player: 'hand' gets 6 cards and has room for 1", "take 5 fewer, or give it more slots")
    ]
