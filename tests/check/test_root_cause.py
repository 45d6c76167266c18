"""What fails only because something else is wrong is not told, and what is told says which number mends all of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from duckpress.check import check_game, root_cause
from duckpress.check.all_findings import every_finding
from duckpress.core.problems import Problem, Source
from duckpress.model import Accepted, Game
from small_games import small_deck, small_game

SETUP = """values:
  dealt: {2: 5, 3-4: 4}
setup:
  - pile: draw
    take: {bird: 40}
  - hand: hand
    take: {draw: dealt}
  - row: market
    take: {draw: 5}
variants:
  long:
    setup:
      - {row: late, take: {draw: 1}}
expect:
  - {that: hand, is: {2: 5, 3-4: 4}}
  - {that: market, is: 5}
  - {that: draw, is: {2: 25, 3: 23, 4: 19}, for: base}
  - {that: draw, is: {2: 24, 3: 22, 4: 18}, for: long}
  - that: draw + total('hand') == 35 - (variant == 'long')
totals: {bird: 40}
"""


def changed(old: str, new: str, birds: int = 40, accepted: Sequence[Accepted] = ()) -> Game:
    assert SETUP.count(old) == 1
    deck = small_deck("bird", [{"id": "teal", "copies": birds - 10}, {"id": "smew", "copies": 10}])
    return small_game(SETUP.replace(old, new), deck, accepted=accepted)


def lines(problems: Sequence[Problem]) -> dict[int, list[int | None]]:
    """Return at which player counts something is told of each line."""
    told: dict[int, list[int | None]] = {}
    for problem in problems:
        told.setdefault(problem.source.line, []).append(problem.players)
    return told


def test_of_what_one_number_mends_one_thing_is_told() -> None:
    game = changed("3-4: 4}\nsetup", "3-4: 3}\nsetup")
    assert set(lines(every_finding(game))) == {15, 17, 18}
    problems = check_game(game)
    assert lines(problems) == {15: [3, 4]}
    assert {one.fix for one in problems} == {
        "write 4 instead of 3 in line 2 (an amount of the value 'dealt'): that mends it, "
        "and what lines 17 and 18 expect"
    }


def test_several_mistakes_are_told_each() -> None:
    setup = SETUP.replace("{draw: 5}", "{draw: 7}").replace("2: 5, 3-4: 4}\nsetup", "2: 9, 3-4: 4}\nsetup")
    problems = check_game(small_game(setup, bird=40))
    assert set(lines(problems)) == {15, 16}
    assert {one.fix.partition(" (")[0] for one in problems} == {
        "write 5 instead of 9 in line 2", "write 5 instead of 7 in line 9"
    }  # fmt: skip


def test_a_number_that_mends_one_thing_and_breaks_another_hides_nothing() -> None:
    game = changed("{that: market, is: 5}", "{that: market, is: 4}")
    assert lines(check_game(game)) == {16: [None]}
    # Fewer in the market would leave more in the pile: that is what is expected of one of the two.
    game = small_game(SETUP.replace("market, is: 5", "market, is: 4").replace("is: {2: 25,", "is: {2: 26,"), bird=40)
    assert lines(check_game(game)) == {16: [None], 17: [2]}


def test_what_follows_from_a_shortage_is_named_there() -> None:
    game = changed("take: {bird: 40}", "take: {bird: 42}")
    assert {17, 18, 19} < set(lines(every_finding(game)))
    problems = check_game(game)
    assert lines(problems) == {5: [None]}
    assert problems[0].fix == (
        "add 2 cards to 'bird', for no player count works as it is; or write 40 instead of 42 in line 5 (an amount of "
        "the pile 'draw'): that mends it, and what lines 17, 18 and 19 expect"
    )


def test_what_follows_from_a_total_is_not_told() -> None:
    game = changed("take: {bird: 40}", "take: {bird: all}", birds=39)
    assert set(lines(every_finding(game))) == {17, 18, 19, 20}
    assert lines(check_game(game)) == {20: [None]}


def test_what_is_accepted_explains_nothing() -> None:
    accepted = [Accepted("expectation", "as it is played", Source("content/small/game.yaml", 20, 5), players=3)]
    game = changed("2: 5, 3-4: 4}\nsetup", "2: 5, 3-4: 5}\nsetup", accepted=accepted)
    assert {one.players for one in check_game(game) if one.level == "error"} == {4}


def test_where_the_steps_are_used_up_everything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = changed("3-4: 4}\nsetup", "3-4: 3}\nsetup")
    monkeypatch.setattr(root_cause, "_SHARE", 10**6)
    assert check_game(game) == every_finding(game)


def test_a_number_that_makes_something_else_worse_is_not_the_mistake() -> None:
    setup = """setup:
  - {pile: draw, take: {card: all}}
  - {hand: hand, take: {draw: {2-3: 9, 4: 7}}}
  - {row: dummy, only: 3, take: {draw: 9}}
  - {row: trump, take: {draw: 1}}
expect:
  - {that: total('hand') + dummy, is: {2-3: 27, 4: 28}}
  - {that: draw, is: {2-3: 8, 4: 7}}
"""
    assert all("write" not in one.fix for one in check_game(small_game(setup, card=36)))


def test_of_a_card_too_few_the_total_is_not_told_besides() -> None:
    setup = "setup:\n  - {pile: draw, take: {bird: 40}}\ntotals: {bird: 40}\n"
    (short,) = check_game(small_game(setup, bird=39))
    assert short.code == "not-enough"
    more = setup.replace("bird: 40}\n", "bird: 41}\n")
    assert [one.code for one in check_game(small_game(more, bird=39))] == ["not-enough", "wrong-total"]


def test_of_a_card_too_many_one_total_or_set_is_told() -> None:
    cards = [{"id": f"{s}{x}", "s": s, "x": x, "copies": 5 + (s + x == "mh")} for s in "mn" for x in "dh"]
    setup = "setup:\n  - {pile: draw, take: {bird: all}}\n"
    setup += "totals: {bird: 20, hens: {of: bird, where: card.x == 'h', count: 10}}\n"
    (total,) = check_game(small_game(setup, small_deck("bird", cards)))
    assert "should have 10 cards where card.x == 'h'" in total.what
    (unbalanced,) = check_game(
        small_game(setup + "balanced: [{deck: bird, by: s, field: x}]\n", small_deck("bird", cards))
    )
    assert unbalanced.code == "unbalanced"


def test_no_error_is_left_out_where_only_a_warning_would_be_told() -> None:
    setup = """\
setup:
  - {row: one, take: {bird: 3}}
  - {row: two, take: {bird: {where: card.kind == 'b', count: 1}}}
  - {row: three, take: {bird: all}}
expect:
  - {that: one, is: 2}
"""
    birds = small_deck("bird", [{"id": kind, "kind": kind, "copies": 3} for kind in "ab"])
    problems = check_game(small_game(setup, birds, players=[2]))
    assert [(one.code, one.level) for one in problems] == [("unlucky-draw", "warning"), ("expectation", "error")]
