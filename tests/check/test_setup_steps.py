"""Steps: personal places, leftovers, parts of decks, variants; and the words of what falls short."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from duckpress.check import Deal, check_game, copies_for, deal_cards, setup_table
from duckpress.check import all_findings as findings
from duckpress.check.dealing import Seat
from duckpress.core.problems import Level, Source
from duckpress.model import Accepted, Deck, Game
from small_games import owned_deck, small_deck, small_game, told


def cells(game: Game, key: str, variant: str | None = None) -> list[object]:
    return [row.cells[key] for row in setup_table(game, variant).rows]


BY_SEAT = "  - {hand: hand, take: {blind: {where: card.owner %s, count: %s}}}\n"
TOLD: dict[str, tuple[str, tuple[Deck, ...], dict[str, Any], tuple[str, ...]]] = {
    "a personal pile that is too small": ("""\
  - {pile: own, each: player, take: {blind: {where: card.owner == seat}}}
  - {hand: hand, take: {own: 6}}
""", (owned_deck(),), {}, (
        "* 'hand' needs 6 cards of each player's 'own', which holds 5: 1 too few | "
        "add 1 card like 'a-1' to 'blind' for each of them, for no player count works as it is",)),
    "texts that mention fields": ("  - {pile: draw, take: {cards: all}}\n", (small_deck("cards", [
        {"id": "a", "text": "worth {=value}, not {=worth}", "value": 3}, {"id": "b", "text": r"\{=none}", "value": 1},
    ]),), {}, (
        "10:20 unknown-field-in-text 'text' of card 'a' mentions {=worth}, and deck 'cards' has no such field | *",)),
    "parts that several players share are not counted twice": (BY_SEAT % ("<= seat", 5), (owned_deck(),), {}, ()),
    "nor those that all share": (BY_SEAT % ("<= 2", 3), (owned_deck(),), {}, (
        "* unused-cards *", "* 4 players: * has 10 such cards: 2 too few | *")),
    "a condition that looks at the table is computed each time": ("""\
  - {pile: one, take: {blind: {where: card.owner == taken('blind') + 1}}}
  - {pile: two, take: {blind: {where: card.owner == taken('blind') - 3, count: 5}}}
expect:
  - {that: one == 5 and two == 5}
""", (owned_deck(),), {}, ("* unused-cards *",)),
    "a variant that keeps a step and drops where it takes from": ("""\
  - {pile: draw, take: {cards: all}}
  - {hand: hand, take: {draw: 4}}
  - {row: line, take: {draw: 1}}
variants:
  calm: {drops: [draw]}
""", (), {"cards": 20}, (
        "6:18 place-dropped variant 'calm' drops 'draw', and 'hand' in line 3 and 'line' in line 4 still take from it "
        "| drop or replace 'hand' and 'line' too, or form 'draw' anew in a step with 'replaces: draw'",)),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_what_is_found_in_words(name: str) -> None:
    steps, decks, more, patterns = TOLD[name]
    told(check_game(small_game(f"setup:\n{steps}", *decks, **more)), *patterns)


VARIANTS = """
setup:
  - {pile: draw, take: {cards: 10}}
  - {hand: hand, take: {draw: 2}}
expect:
  - {that: draw + total('hand'), is: 10, when: variant != 'short'}
variants:
  short: {setup: [{pile: draw, replaces: draw, take: {cards: 8}}]}
  open: {drops: [hand], table: {shown: {shows: draw}}}
  long: {setup: [{row: line, take: {draw: 6}}]}
table: {draw: {}}
"""


def test_variants_replace_drop_and_add_steps() -> None:
    game = small_game(VARIANTS, cards=10)
    assert cells(game, "draw") == [6, 4, 2]
    assert cells(game, "draw", "short") == [4, 2, 0]
    assert cells(game, "draw", "open") == [10, 10, 10]
    assert cells(game, "shown", "open") == [10, 10, 10]
    (problem,) = check_game(game, variant="shart")
    assert (problem.code, problem.fix) == ("unknown-variant", "did you mean 'short'?")
    assert [(one.players, one.variant, one.what) for one in check_game(game)] == [
        (2, "long", "2 players, variant 'long': draw + total('hand') is 4, and should be 10"),
        (3, "long", "3 players, variant 'long': 'line' needs 6 cards of 'draw', which holds 4: 2 too few"),
        (4, "long", "4 players, variant 'long': 'line' needs 6 cards of 'draw', which holds 2: 4 too few"),
    ]


def test_accepted_findings_are_notes_with_their_reason() -> None:
    at = Source("content/small/game.yaml", 20, 5)
    accepted = (Accepted("expectation", "it is played short", at, players=3), Accepted("no-room", "wide", at))
    game = small_game(
        "setup:\n  - pile: draw\n    take: {cards: 10}\nexpect:\n  - {that: draw % players == 0, say: uneven}\n",
        cards=10, accepted=accepted,
    )  # fmt: skip
    assert [(one.code, one.level, one.players, one.what) for one in check_game(game)] == [
        ("accept-unused", Level.NOTE, None, "'no-room' is accepted, and does not occur"),
        ("expectation", Level.NOTE, 3, "3 players: uneven (accepted: it is played short)"),
        ("expectation", Level.ERROR, 4, "4 players: uneven"),
    ]
    assert not [one for one in check_game(game, players=2) if one.code == "accept-unused"]


def test_a_game_without_a_setup() -> None:
    game = replace(small_game("title: T\n", cards=3), setup=None)
    assert check_game(game) == []
    assert setup_table(game).rows == ()
    assert dict(copies_for(game, 2)) == {("cards", "card"): 3}
    seats = (Seat(1, 1, {}, {}), Seat(2, 2, {}, {}))
    assert deal_cards(game, 2, "candle", "short") == Deal("small", "candle", 2, "short", seats, (), (), ())


def test_notes_say_for_which_player_counts_they_are() -> None:
    setup = """\
setup:
  - {pile: draw, take: {cards: players}, note: "{{ draw }} cards"}
  - {row: line, only: 4, take: {cards: 1}, note: one on the table}
notes: [Begin.]
"""
    notes = [f"{n} players: {n} cards" for n in (2, 3, 4)]
    assert setup_table(small_game(setup, cards=10)).notes == (*notes, "4 players: one on the table", "Begin.")


def test_a_run_that_stops_without_a_word_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "CHECKS", findings.CHECKS._replace(of_setup=()))
    at = Source("content/small/game.yaml", 20, 5)
    setup = "setup:\n  - hand: hand\n    take: {ducks: 4}\n"
    game = small_game(setup, cards=20, accepted=[Accepted("setup-stopped", "so be it", at)])
    (problem,) = check_game(game)
    assert (problem.code, problem.level, problem.source.line) == ("setup-stopped", Level.ERROR, 2)
