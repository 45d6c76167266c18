"""Playouts: what is counted comes out as counted by hand, whatever the number of processes; bounds are held."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from duckpress.chance import playout_problems, playtest
from duckpress.chance.bounds import flows
from duckpress.check import check_game
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game
from duckpress.core import limits
from duckpress.core.problems import Level
from duckpress.files.workspace import Workspace
from duckpress.press.checking import check
from duckpress.press.reading import load
from kit.pond import GAME, played, pond
from running import MakeWorkspace

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/playtests.md").read_text(encoding="utf-8")
LINE = """
setup:
  - {pile: draw, take: {duck: 30}}
rounds:
  until: draw == 0
  steps:
    - {row: market, take: {draw: 4}}
"""
RARE = LINE.replace("until: draw == 0", "until: round == 1").replace("{draw: 4}", "{draw: 1}")
RARE += "  events:\n    rare: \"count('market', where='card.value == 3') == 1\"\n"


def test_rounds_end_when_the_pile_is_empty_and_the_last_one_is_short(make_workspace: MakeWorkspace) -> None:
    result = played(pond(make_workspace, LINE))
    assert dict(result.rounds.counts) == {8: 50}
    assert dict(result.left["market"].counts) == {30: 50}
    assert result.short == {"market": 1.0}
    dry = result.dry["draw"]
    assert dry is not None
    assert dict(dry.counts) == {8: 50}
    setup = LINE.replace("until: draw == 0", "short: end").replace("{draw: 4}", "{draw: 7}")
    result = played(pond(make_workspace, setup))
    assert (dict(result.rounds.counts), result.unfinished) == ({5: 50}, 0)


def test_a_pile_is_reshuffled_where_it_runs_dry(make_workspace: MakeWorkspace) -> None:
    setup = LINE.replace("until: draw == 0", "until: round == 10\n  reshuffle: {draw: discard}")
    result = played(pond(make_workspace, setup + "    - pile: discard\n      take: {market: all}\n"))
    # 7 rounds of 4 leave 2: the eighth takes those and 2 of the 28, so 22 remain after it ... and 18 after ten.
    assert dict(result.reshuffles["draw"].counts) == {1: 50}
    assert dict(result.left["draw"].counts) == {18: 50}
    assert result.short == {}


def test_what_people_pick_is_what_they_get(make_workspace: MakeWorkspace) -> None:
    setup = LINE.replace("{draw: 4}", "{draw: {count: 10, pick: highest of value}}")
    setup += "  events:\n    all rare: {after: market, that: \"round == 1 and tally('market', 'value', 3) == 10\"}\n"
    event = played(pond(make_workspace, setup)).events["all rare"]
    assert (event.of_games, event.looks) == (1.0, 150)


def test_the_figures_do_not_depend_on_the_number_of_processes(make_workspace: MakeWorkspace) -> None:
    (text,) = re.findall(r"(?ms)^```yaml\n# file: setup.yaml\n(.*?)^```", PAGE)
    game = pond(make_workspace, text)
    assert playout_problems(game) == []
    assert played(game, 3, 100, 1) == played(game, 3, 100, 2)
    assert played(game, 3, 100) != playtest(game, 3, None, 100, "other", 1)


@pytest.mark.parametrize(
    ("bound", "level"),
    [("{at least: 8, at most: 8}", None), ("{at least: 9}", Level.ERROR), ("{at most: 7}", Level.ERROR)],
)
def test_bounds_of_rounds_are_held(make_workspace: MakeWorkspace, bound: str, level: Level | None) -> None:
    problems = playout_problems(pond(make_workspace, f"{LINE}  expect:\n    rounds: {bound}\n"))
    assert {problem.level for problem in problems} == ({level} if level else set())
    assert {problem.code for problem in problems} == ({"playout"} if level else set())


MODULES = """
setup:
  - {pile: draw, take: {duck: 30}}
  - {pile: other, take: {start: 1}}
modules:
  rain: {setup: [{pile: draw, remove: 4}]}
  storm: {setup: [{pile: draw, remove: 5}], only: 3}
  fog: {setup: [{pile: draw, remove: 8}], only: 2-3}
  sun: {setup: [{pile: other, remove: 1}]}
rounds:
  until: draw == 0
  steps: [{row: market, take: {draw: 4}}]
  expect: {rounds: {at least: 6}}
"""
START = {"content/pond/decks/start.yaml": "title: S\nsize: poker\nfront: duck\nfields: {}\ncards: [{id: s}]\n"}


def test_bounds_are_held_in_every_way_to_play_and_told_of_the_fewest_modules(make_workspace: MakeWorkspace) -> None:
    # 30 cards last 8 rounds, 26 and 25 last 7, 22 last 6, 21 last 6; 18 and 17 last 5, and 13 last 4.
    game = pond(make_workspace, MODULES, START)
    problems = playout_problems(game)
    assert {(one.players, one.variant) for one in problems} == {(2, "rain,fog"), (3, "rain,fog"), (3, "storm,fog")}
    assert "variant 'rain,fog'" in problems[0].what
    assert playout_problems(game, None, "base") == []
    # A way to play is not played where its cards flow as in another.
    assert game.setup is not None
    book = Book(game, game.setup)
    ways = {way for way, _, _ in flows(book, book.combinations())}
    assert ways == {None, "rain", "storm", "fog", "rain,storm", "rain,fog", "storm,fog", "rain,storm,fog"}


@pytest.mark.parametrize(("bound", "level"), [("at most: 32%", Level.NOTE), ("at least: 90%", Level.ERROR)])
def test_a_share_that_may_be_either_is_a_note(make_workspace: MakeWorkspace, bound: str, level: Level) -> None:
    problems = playout_problems(pond(make_workspace, f"{RARE}  expect:\n    rare: {{{bound}}}\n"))
    assert {(one.code, one.level) for one in problems} == {("playout", level)}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("until: draw == 0", "until: drow == 0", "unknown-name"),
        ("until: draw == 0", "reshuffle: {draw: discord}", "unknown-place"),
        ("until: draw == 0", "until: draw ==", "bad-expression"),
        ("until: draw == 0", "until: draw == 0\n  expect: {ruonds: {at least: 1}}", "unknown-name"),
        ("until: draw == 0", "events: {it: {after: marked, that: draw}}", "unknown-place"),
        ("{draw: 4}", "{draw: 4 / 3}", "not-whole"),
        ("{draw: 4}", "{draw: {2: 4}}", "missing-count"),
    ],
)
def test_mistakes_are_problems_with_their_place(make_workspace: MakeWorkspace, old: str, new: str, code: str) -> None:
    problems = playout_problems(pond(make_workspace, LINE.replace(old, new)))
    assert [problem.code for problem in problems] == [code]
    assert problems[0].source.line > 1


def test_a_game_without_an_end_is_broken_off(make_workspace: MakeWorkspace) -> None:
    result = played(pond(make_workspace, LINE.replace("until: draw == 0", "until: round == 0")), runs=2)
    assert (result.unfinished, dict(result.rounds.counts)) == (2, {1000: 2})


def test_duck_blind_has_as_many_flights_as_its_source_says() -> None:
    game, _ = load_game(Workspace(ROOT), "duck-blind")
    assert game is not None
    # Exactly 10, 12 and 10 with 2, 4 and 6 players; 11 and 10 full ones with 3 and 5, and a short one.
    results = {players: played(game, players, 5) for players in game.players}
    lengths = {players: dict(result.rounds.counts) for players, result in results.items()}
    assert lengths == {2: {10: 5}, 3: {12: 5}, 4: {12: 5}, 5: {11: 5}, 6: {10: 5}}
    result = results[4]
    assert result.left["play deck"].most == 0
    assert result.short.get("hand", 0) == 0  # ten cards of one's own are always enough


def test_canardage_takes_an_action_a_turn_and_loses_no_card() -> None:
    game, _ = load_game(Workspace(ROOT), "canardage")
    assert game is not None
    for players, actions, pile in ((2, 53, 12), (6, 41, 35)):
        result = played(game, players, 3)
        dry = result.dry["action pile"]  # one card is drawn a turn
        assert dry is None or set(dry.counts) == {actions}
        ends = [sum(result.left[place].mean for place in ("pile", "line", "shot"))]
        ends += [sum(result.left[place].mean for place in ("targets", "aimed"))]
        ends += [sum(result.left[place].mean for place in ("action pile", "hand", "used"))]
        assert ends == pytest.approx([pile, 6, 59])
        assert result.left["shot"].least >= 5 * (players - 1), "one player is left, or none"
        assert result.unfinished == 0


def test_a_bound_of_odds_that_is_broken_hides_none_of_rounds(make_workspace: MakeWorkspace) -> None:
    odds = "odds:\n  any: {ask: \"hand of 2 from draw has >= 1 where card.deck == 'duck'\", at most: 5%}\n"
    files = {**GAME, "content/pond/setup.yaml": f"{LINE}  expect:\n    rounds: {{at least: 9}}\n{odds}"}
    workspace = make_workspace(files)
    codes = {one.code for one in check(workspace, load(workspace, "pond")).problems}
    assert {"odds", "playout"} <= codes


def test_an_event_is_looked_at_only_after_a_step_that_happens(make_workspace: MakeWorkspace) -> None:
    setup = (
        LINE
        + """\
    - {row: late, when: round > 6, take: {market: 1}}
    - {row: never, when: draw > 40, take: {market: 1}}
  events:
    two late: {after: late, that: late == 2}
    one: {after: late, that: late == 1}
    odd: {after: never, that: late == 1}
  expect:
    odd: {at least: 5%}
"""
    )
    game = pond(make_workspace, setup)
    events = played(game).events
    assert [(events[name].looks, events[name].share) for name in ("two late", "one", "odd")] == [
        (100, 0.5), (100, 0.5), (0, 0.0),
    ]  # fmt: skip
    assert {(one.what[11:], one.level) for one in playout_problems(game)} == {
        ("'odd' is never looked at in 25 games", Level.WARNING)
    }


def test_what_rounds_say_in_vain_is_told(make_workspace: MakeWorkspace) -> None:
    setup = (
        LINE
        + """\
    - {row: a, when: players > 7, take: {draw: 1}}
    - {row: b, only: 9, take: {draw: 1}}
    - {row: c, take: {draw: players // 9, market: 1}}
    - {row: d, when: variant == 'opne', take: {draw: 1}}
    - {row: e, when: round > 7, take: {draw: players // 4}}
    - {row: f, when: variant == 'open', take: {draw: any}}
  events: {x: "'stom' in modules"}
  expect: {rounds: {at least: {2-4: 1, 5: 1}}}
variants: {open: {about: x}}
"""
    )
    codes = [(one.source.line, one.code) for one in check_game(pond(make_workspace, setup))]
    assert codes == [
        (8, "unused-step"), (9, "extra-count"), (10, "empty-take"), (11, "unknown-variant"),
        (14, "unknown-variant"), (15, "extra-count"),
    ]  # fmt: skip


RACE = """
setup:
  - {pile: draw, take: {duck: 30}}
rounds:
  until: %s
  steps:
    - {row: caught, each: player, take: {draw: 1}}
    - {row: finish, each: player, take: {caught: {where: card.value == 3, count: all}}}
  events:
    somebody is done: "finish > 0"
"""


def expected_rounds(taken: int) -> float:
    """Return how many rounds there are until the first of 10 rare ducks among 30 is taken, so many at a time."""
    return sum(math.comb(20, taken * past) / math.comb(30, taken * past) for past in range(30 // taken + 1))


@pytest.mark.parametrize(
    ("players", "until"),
    [
        (1, "left('finish') > 0"), (2, "finish > 0"), (3, "total('finish') > 0"),
        (4, "\"count('finish', where='card.value > 1') >= 1\""),
    ],
)  # fmt: skip
def test_a_game_is_over_once_anybody_has_what_until_says(
    make_workspace: MakeWorkspace, players: int, until: str
) -> None:
    result = played(pond(make_workspace, RACE % until), players, runs=1_000)
    assert result.rounds.low < expected_rounds(players) < result.rounds.high
    done = result.events["somebody is done"]
    assert done.of_games == 1
    assert round(done.share * done.looks) == 1_000, "once in each game"


def test_teams_and_numbered_places_are_looked_at_one_by_one(make_workspace: MakeWorkspace) -> None:
    setup = RACE.replace("setup:", "seats: {teams: seat %% 2 + 1}\nsetup:", 1).replace("each: player", "each: team")
    for told in (setup, RACE.replace("each: player", "each: 2")):
        result = played(pond(make_workspace, told % "finish > 0"), 4, runs=1_000)
        assert result.rounds.low < expected_rounds(2) < result.rounds.high


def test_a_value_does_not_see_for_several(make_workspace: MakeWorkspace) -> None:
    game = pond(make_workspace, RACE.replace("setup:", "values: {done: finish > 0}\nsetup:", 1) % "done")
    (problem,) = playout_problems(game)
    assert problem.what == "the value 'done' looks at 'finish', of which there are several"
    assert problem.fix == "write it out here: finish > 0"
    game = pond(make_workspace, RACE.replace("setup:", "values: {done: total('finish') > 0}\nsetup:", 1) % "done")
    assert playout_problems(game) == []


BAG = """
setup:
  - {pile: bag, take: {duck: all}}
rounds:
  until: total('rolled') > 0
  steps:
    - {row: rolled, each: player, take: {duck: 1}}
"""


def test_a_take_that_the_setup_leaves_nothing_is_told_and_what_never_became_true(make_workspace: MakeWorkspace) -> None:
    limits.use({"playout-rounds": 20})
    found = playout_problems(pond(make_workspace, BAG))
    assert [(one.code, one.source.line, one.players) for one in found] == [
        ("playout", 5, 2), ("playout", 5, 3), ("playout", 5, 4), ("empty-take", 7, None),
    ]  # fmt: skip
    assert {one.level for one in found} == {Level.WARNING}
    assert found[0].what == (
        "\"total('rolled') > 0\" is not true after any of 20 rounds in 1 of 1 game, which are broken off"
    )
    assert found[-1].what == ("'rolled' never gets a card from 'duck': the setup leaves none there, and no round does")
    assert found[-1].fix == "take from 'bag', which has 30 of its cards"
    # At some player counts there are some.
    setup = BAG.replace("duck: all", "duck: players * 10 - 10").replace("> 0", "> 0 or round == 2")
    assert playout_problems(pond(make_workspace, setup)) == []


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("until: finish > 0", "until: round == 'last' or finish > 0",
         "round is a number and is compared with the text 'last'"),
        ("value == 3", "value == '3'", "card.value is a whole number and is compared with the text '3'"),
        ("{draw: 1}}", "{draw: 1}, when: players == 'two'}", "players is a number and is compared with the text 'two'"),
        ('"finish > 0"', '"finish == seat or seat == \'a\'"', "seat is a number and is compared with the text 'a'"),
    ],
)  # fmt: skip
def test_what_can_never_be_true_in_rounds(make_workspace: MakeWorkspace, old: str, new: str, what: str) -> None:
    setup = (RACE % "finish > 0").replace(old, new, 1)
    (problem,) = [one for one in check_game(pond(make_workspace, setup)) if one.code == "bad-expression"]
    assert problem.what == what
