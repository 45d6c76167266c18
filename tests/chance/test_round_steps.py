"""Steps of rounds say what steps of a setup say, and do the same: every number here can be worked out by hand.

A playout deals as `deal` does: every place has as many cards, and of the same decks.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from duckpress.chance import Playouts, playout_problems, playtest
from duckpress.check.dealing import Deal, deal_cards
from duckpress.check.setup.rule_book import Book
from duckpress.content import load_game
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.model import Game
from duckpress.model.setup import Expression, Rounds
from kit.pond import played, pond
from kit.rich_setup import rich_game
from running import MakeWorkspace

DRAW = "  - {pile: draw, take: {duck: 30}}\n"
STEPS = {  # name: more of the setup, the steps of a round, players, what is left after two rounds, what is true then
    "as many places as an expression says": (
        DRAW, "{row: lane, each: round, take: {draw: 3}}", 2, {"lane": 9}, "lane == 6 and total('lane') == 9",
    ),
    "the number of a place": (
        DRAW, "{row: lane, each: 3, when: nth > 1, take: {draw: nth}}", 2, {"lane": 10}, "lane == 0",
    ),
    "a place of each team": (
        DRAW, "{row: purse, each: team, take: {draw: team}}", 4, {"purse": 6}, "purse == 4",
    ),
    "a team takes from each of its players": (
        DRAW + "  - {hand: hand, take: {draw: 5}}\n", "{row: purse, each: team, take: {hand: 1}}", 4,
        {"purse": 8, "hand": 12}, "purse == 4 and hand == 3",
    ),
    "players take from their own team's place": (
        DRAW + "  - {row: purse, each: team, take: {draw: 10}}\n", "{hand: hand, when: team == 1, take: {purse: 2}}", 4,
        {"purse": 12, "hand": 8}, "purse == 10",
    ),
    "cards back to the box": (
        DRAW, "{row: market, take: {draw: 5}}; {box: returned, take: {market: 4}}", 2,
        {"market": 2, "draw": 20}, "returned == 8 and left('duck') == 8",
    ),
    "cards back to the box, and out again": (
        DRAW, "{box: returned, take: {draw: 4}}; {row: market, take: {duck: {where: card.value > 0, count: 3}}}", 2,
        {"market": 6, "draw": 22}, "left('duck') == 2",
    ),
    "all, shared out evenly": (
        "  - {pile: draw, take: {duck: 7}}\n", "{hand: hand, take: {draw: even}}", 3,
        {"hand": 7, "draw": 0}, "hand == 3",
    ),
    "an even share of those who get one": (
        "  - {pile: draw, take: {duck: 8}}\n", "{hand: hand, when: seat > 1, take: {draw: even}}", 4,
        {"hand": 8}, "hand == 0",
    ),
    "all that each player has": (
        DRAW, "{hand: hand, take: {draw: 2}}; {row: won, each: player, take: {hand: all}}", 3, {"won": 12}, "won == 4",
    ),
    "when, for each place": (
        DRAW, "{hand: hand, when: seat == 2 or round == 2, take: {draw: 1}}", 3, {"hand": 4}, "hand == 1",
    ),
    "cards removed unseen": (
        DRAW, "{pile: draw, remove: 4}; {row: trap, take: {draw: 5}, remove: 2}", 2,
        {"draw": 12, "trap": 6}, "removed('draw') == 8 and removed('trap') == 4",
    ),
    "slots that are filled and not passed": (
        DRAW, "{row: market, slots: 4, take: {draw: 4 - market}}", 2, {"market": 4}, "draw == 26",
    ),
    "once for each card of a place": (
        "  - {row: kingdom, take: {duck: [{where: card.value == 1, count: 2}, {where: card.value == 3, count: 1}]}}\n",
        "{row: supply, take: {duck: {per: kingdom, where: card.id == drawn.id, count: drawn.value}}}", 2,
        {"supply": 10}, "tally('supply', 'value', 3) == 6",
    ),
    "people choose": (
        DRAW, "{row: market, take: {draw: {choose: 3, where: card.value == 3}}}", 2,
        {"market": 6}, "sum('market', 'value') == 18",
    ),
    "who is told": (
        DRAW + "  - {hand: hand, take: {draw: 2}}\n", "{row: known, each: player, take: {hand: knowers('hand')}}", 2,
        {"known": 4}, "told('hand') == 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_a_step_of_a_round_does_what_one_of_a_setup_does(make_workspace: MakeWorkspace, name: str) -> None:
    before, steps, players, left, that = STEPS[name]
    setup = "values:\n  bold: {2: 4, 3-4: 5}\nseats: {teams: seat % 2 + 1}\n"
    setup += f"setup:\n{before or DRAW.replace('30', '0')}rounds:\n  until: round == 2\n  steps:\n"
    setup += "".join(f"    - {step}\n" for step in steps.split("; "))
    setup += f'  events:\n    it: "{that} and round == 2"\n'.replace('"it', '"')
    result = played(pond(make_workspace, setup), players, 20)
    assert result.events["it"].share == 0.5, "in the second of two rounds"
    assert {place: dict(result.left[place].counts) for place in left} == {place: {n: 20} for place, n in left.items()}
    assert result.short == {}


def test_a_pile_is_split_into_stacks_and_each_is_seeded(make_workspace: MakeWorkspace) -> None:
    setup = """
setup:
  - {pile: draw, take: {duck: {where: card.value == 1}}}
  - {pile: stack, each: 4, take: {draw: even}}
  - {pile: stack, each: 4, take: {duck: {where: card.value == 3, count: 1}}}
  - {pile: deck, shuffled: no, take: {stack: all}}
rounds:
  until: deck == 0
  steps:
    - {row: turned up, take: {deck: 1}}
  events:
    one rare duck in every six: "round % 6 != 0 or tally('turned up', 'value', 3) == round // 6"
    the first card is rare: "round == 1 and tally('turned up', 'value', 3) == 1"
"""
    result = played(pond(make_workspace, setup), 2, 300)
    assert dict(result.rounds.counts) == {24: 300}
    assert result.events["one rare duck in every six"].share == 1.0
    first = result.events["the first card is rare"]
    assert 24 * first.low < 1 / 6 < 24 * first.high, "it is shuffled into its stack"


def test_amounts_of_a_setup_are_worked_out_first_and_in_a_round_when_each_turn_has_come(
    make_workspace: MakeWorkspace,
) -> None:
    half = "{hand: hand, take: {draw: draw // players}}"
    dealt = played(pond(make_workspace, f"setup:\n{DRAW}  - {half}\nrounds: {{until: round == 1}}\n"), 3, 5)
    assert dict(dealt.left["hand"].counts) == {30: 5}
    taken = played(pond(make_workspace, f"setup:\n{DRAW}rounds: {{until: round == 1, steps: [{half}]}}\n"), 2, 5)
    assert dict(taken.left["hand"].counts) == {15 + 7: 5}


def test_what_lies_in_order_comes_from_the_top_unless_people_choose(make_workspace: MakeWorkspace) -> None:
    setup = """
setup:
  - {pile: draw, take: {duck: {where: card.value == 3}}}
  - {pile: draw, shuffled: no, take: {duck: {where: card.value == 1}}}
  - {pile: other, shuffled: no, take: {draw: all}}
rounds:
  until: round == 1
  steps:
    - {row: top, take: {other: 10}}
  events: {rare: "tally('top', 'value', 3) == 10"}
"""
    assert played(pond(make_workspace, setup)).events["rare"].share == 1.0
    for some in ("pick: any, count: 10", "choose: 10"):
        chosen = setup.replace("{other: 10}", f"{{other: {{{some}}}}}")
        assert played(pond(make_workspace, chosen)).events["rare"].share == 0.0


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("{row: market, slots: 5, take: {draw: 3}}", "no-room"),
        ("{hand: hand, take: {draw: all}}", "unclear-amount"),
        ("{row: purse, each: player, take: {hand: 1}}", "place-kind"),  # one of all is a purse in the setup
        ("{row: lane, each: 3, take: {hand: 1}}", "place-kind"),
        ("{row: side, each: team, take: {draw: 1}}", "place-kind"),  # there are no teams
        ("{row: a, take: {draw: nth}}", "unknown-name"),
        ("{row: a, take: {draw: \"count('drow')\"}}", "unknown-deck"),
        ("{row: a, take: {draw: \"sum('draw', 'size')\"}}", "unknown-field"),
        ("{row: a, take: {duck: {per: kingdom, count: 1}}}", "unknown-place"),
        ("{row: a, take: {draw: {where: card.valeu > 1}}}", "unknown-field"),
        ("{row: a, when: \"count('a', where='card.valeu > 1') > 0\", take: {draw: 1}}", "unknown-field"),
    ],
)
def test_what_a_setup_refuses_a_round_refuses(make_workspace: MakeWorkspace, step: str, code: str) -> None:
    setup = f"setup:\n{DRAW}  - {{hand: hand, take: {{draw: 2}}}}\n  - {{row: purse, take: {{draw: 1}}}}\n"
    game = pond(make_workspace, f"{setup}rounds:\n  until: round == 2\n  steps:\n    - {step}\n")
    assert isinstance(playtest(game, 2, None, 5, "seed", 1), Problem)
    problems = playout_problems(game)
    assert [problem.code for problem in problems] == [code]
    assert problems[0].source.line > 4


ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(path.parent.name for path in ROOT.glob("content/*/setup.yaml"))


def sizes_agree(game: Game) -> None:
    """Hold a playout without a step against a deal, in every way to play."""
    setup = game.setup
    assert setup is not None
    nothing = Rounds((), Expression("round == 1", setup.source), {}, None, {}, {}, setup.source)
    parts = {name: replace(part, rounds=None) for name, part in setup.variants.items()}
    modules = {name: replace(part, rounds=None) for name, part in setup.modules.items()}
    still = replace(game, setup=replace(setup, rounds=nothing, variants=parts, modules=modules))
    book = Book(game, setup)
    for way in book.combinations():
        for players in book.counts_of(way):
            deal = deal_cards(game, players, "seed", way)
            played = playtest(still, players, way, 1, "seed", 1)
            assert isinstance(deal, Deal)
            assert isinstance(played, Playouts), played
            dealt = Counter[str]()
            for holding in deal.places:
                dealt[holding.place] += len(holding.cards)
            left = {place: spread.most for place, spread in played.left.items() if spread.most}
            assert left == +dealt, (way, players)
            assert played.short == {}


@pytest.mark.parametrize("name", GAMES)
def test_the_games_are_laid_out_for_a_playout_as_they_are_dealt(name: str) -> None:
    game, _ = load_game(Workspace(ROOT), name)
    assert game is not None
    sizes_agree(game)


def test_a_setup_with_all_that_steps_can_do_is_laid_out_as_it_is_dealt() -> None:
    sizes_agree(rich_game())
