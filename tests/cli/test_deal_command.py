"""`duckpress deal`, and `build` and `check` where they deal: arguments, text, JSON, exit statuses."""

from __future__ import annotations

import pytest

from dealing_table import FILES
from duckpress import cli
from duckpress.files.workspace import Workspace
from running import MakeWorkspace as Make
from running import run, run_json


@pytest.fixture
def table(make_workspace: Make) -> Workspace:
    return make_workspace(FILES)


def test_the_text_tells_seats_and_places_in_order(table: Workspace) -> None:
    lines = run(table, "deal", "table", "--players", "3", "--seed", "1", status=cli.DONE).output.splitlines()
    assert lines[0] == "table: 3 players, seed '1'"
    assert lines[1].startswith("    seat 1: player ")
    assert lines[1].endswith("left 2, right 3, told hand 2, told market")
    assert [line.split("(")[0].strip() for line in lines[4:]] == [
        "stock", "market", "hand, seat 1", "hand, seat 2", "hand, seat 3", "removed from stock"
    ]  # fmt: skip


def test_places_of_teams_and_numbers_are_no_seats(make_workspace: Make) -> None:
    setup = """\
seats: {teams: seat % 2 + 1, relations: {left: seat + 1, right: seat - 1}}
setup:
  - {pile: stack, each: 2, take: {word: 3}}
  - {aside: chest, each: team, take: {word: 2}}
  - {slot: mat, each: player, take: {word: 1}}
  - {hand: signals, each: team, take: {word: 1}}
"""
    workspace = make_workspace({**FILES, "content/table/setup.yaml": setup})
    line = ("deal", "table", "--players", "3", "--seed", "1")
    told = run(workspace, *line).output
    named = [line.split("(")[0].strip() for line in told.splitlines()[4:9]]
    assert "told" not in told  # what a team holds is nobody's own hand
    assert named == ["stack 1", "stack 2", "chest, team 1", "chest, team 2", "mat, seat 1"]
    places = run_json(workspace, *line)["places"]
    assert [(one["seat"], one["team"], one["nth"]) for one in places[1:5]] == [
        (None, None, 2), (None, 1, None), (None, 2, None), (1, None, None)
    ]  # fmt: skip


def test_the_json_holds_every_card_once(table: Workspace) -> None:
    data = run_json(table, "deal", "table", "--players", "5", "--seed", "abc")
    assert (data["game"], data["players"], data["variant"], data["seed"]) == ("table", 5, None, "abc")
    held = [card["card"] for place in (*data["places"], *data["removed"], *data["left"]) for card in place["cards"]]
    assert sorted(held) == sorted(f"card-{number}" for number in range(1, 21))
    assert data["problems"] == []


def test_numbers_and_texts_are_seeds_alike_and_what_cannot_be_typed_again_is_none(table: Workspace) -> None:
    for seed in ("0", "-1", "007", "a b", "näbě", "x" * 40):
        run(table, "deal", "table", "--players", "3", f"--seed={seed}", status=cli.DONE)
    for seed in ("", "  ", "x" * 41, "two\nlines", "tab\there"):
        done = run(table, "deal", "table", "--players", "3", "--seed", seed, status=cli.USAGE_ERROR)
        assert ("a seed is a text or a number" if seed.strip() else "--seed is empty") in done.output


def test_what_is_missing_is_said(table: Workspace) -> None:
    for line, said in (
        ("deal table --seed 1", "say for how many players"),
        ("deal table --players 3", "--seed"),
        ("deal table --players 9 --seed 1", "no player count '9'"),
        ("deal table --players 3 --seed 1 --variant odd", "no variant 'odd'"),
        ("build table --seed 1", "say for how many players"),
        ("build table --piece told", "give a --seed"),
    ):
        assert said in " ".join(run(table, *line.split(), status=cli.USAGE_ERROR).output.split()), line


def test_a_seed_for_a_game_without_a_packet_is_refused(make_workspace: Make) -> None:
    game = FILES["content/table/game.yaml"].partition("  - {id: host")[0]
    files = {path: text for path, text in FILES.items() if "/boards/" not in path}
    workspace = make_workspace({**files, "content/table/game.yaml": game})
    assert "from: deal" in run(workspace, "build", "table", "--seed", "1", status=cli.USAGE_ERROR).output


def test_a_setup_that_fails_is_not_dealt(make_workspace: Make) -> None:
    setup = FILES["content/table/setup.yaml"].replace("take: {stock: 3}", "take: {stock: 30}")
    workspace = make_workspace({**FILES, "content/table/setup.yaml": setup})
    line = ("deal", "table", "--players", "3", "--seed", "1")
    done = run(workspace, *line, status=cli.CONTENT_ERROR)
    assert "not-enough" in done.output
    assert "nothing dealt" in done.output
    assert set(run_json(workspace, *line, status=cli.CONTENT_ERROR)) == {"game", "problems"}


def test_a_named_game_is_checked_at_a_player_count_that_it_does_not_have(table: Workspace) -> None:
    done = run(table, "check", "table", "--players", "7", status=cli.CONTENT_ERROR)
    assert "player-count" in done.output
    assert "'hand' needs 21 cards of 'stock' (3 for each player), which holds 17: 4 too few" in done.output


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("market: yes", "market: yes, hnad: [left]", "unknown-place"),
        ("market: yes", "market: [left]", "place-kind"),
        ("left: seat + 1", "left: seat / 2", "not-whole"),
        ("left != seat and right", "left != left('word') and right", "name-taken"),  # but a relation may be called so
    ],
)
def test_a_mistake_in_seats_is_found(make_workspace: Make, old: str, new: str, code: str) -> None:
    setup = FILES["content/table/setup.yaml"].replace(old, new)
    workspace = make_workspace({**FILES, "content/table/setup.yaml": setup})
    found = run_json(workspace, "check", "table", status=1)["problems"]
    assert {(problem["code"], problem["file"]) for problem in found} == {(code, "content/table/setup.yaml")}
