"""Limits are set by the person who runs the program: in the command, or in the environment, and nowhere else."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from duckpress.cli.commands import main
from duckpress.core import limits
from printed_pond import POND
from running import MakeWorkspace


def run(*line: str, environment: str = "") -> Result:
    return CliRunner().invoke(main, list(line), env={limits.VARIABLE: environment})


def values(done: Result) -> dict[str, int]:
    assert done.exit_code == 0, done.output
    return {row["limit"]: row["value"] for row in json.loads(done.output)["limits"]}


def test_limits_are_set_and_the_command_counts_more_than_the_environment() -> None:
    line = ("--limit", "yaml-depth=80", "--limit", "art-file=2.5M", "limits", "--format", "json")
    found = values(run(*line, environment="yaml-depth=70  text-file=9k"))
    assert (found["yaml-depth"], found["art-file"], found["text-file"]) == (80, 2_500_000, 9_000)


def test_a_limit_holds_for_one_run_and_the_list_says_so() -> None:
    line = next(line for line in run("--limit", "yaml-depth=80", "limits").output.splitlines() if "yaml-depth" in line)
    assert line.split()[:6] == ["yaml-depth", "80", "levels", "(usually", "50):", "lists"]
    assert limits.settings() == {"yaml-depth": 80}
    assert values(run("limits", "--format", "json")) == {name: one.usual for name, one in limits.LIMITS.items()}
    assert not limits.settings()


@pytest.mark.parametrize("where", ["--limit", limits.VARIABLE])
def test_a_limit_that_cannot_be_meant(where: str) -> None:
    no_numbers = ("", "=", "=-1", "=1e3", "=nan", "=80kk", "=\u0668", "=" + "9" * 400)
    for word, says in (
        ("yaml-dept=80", "did you mean 'yaml-depth'?"),
        *((f"yaml-depth{number}", "NAME=NUMBER") for number in no_numbers),
        *((f"yaml-depth={number}", "can be 1 to 150") for number in ("0", "0.5", "1M")),
    ):
        done = run("--limit", word, "list") if where == "--limit" else run("list", environment=word)
        assert (done.exit_code, f"{where}: " in done.output, says in done.output) == (2, True, True), word


def test_a_game_sets_no_limit(make_workspace: MakeWorkspace) -> None:
    game = POND["content/pond/game.yaml"] + "limits: {yaml-depth: 80}\nyaml-depth: 80\n"
    workspace = make_workspace({**POND, "content/pond/game.yaml": game})
    done = run("--workspace", str(workspace.root), "list", "--format", "json")
    codes = {problem["code"] for problem in json.loads(done.output)["problems"]}
    assert codes == {"unknown-key"}
    assert not limits.settings()


def test_a_number_is_read_as_it_was_written() -> None:
    for number in (1, 999, 1_000, 1_500, 12_345, 8_000_000, 2_500_000, 10**9):
        line = ("--limit", f"text-file={limits.written(number)}", "limits", "--format", "json")
        assert values(run(*line))["text-file"] == number
