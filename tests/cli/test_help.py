"""`--help`: every command below what it is for, in full words on 80 columns, and with examples that can be typed."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from duckpress.cli.commands import GROUPS, main
from duckpress.files.workspace import open_workspace
from running import every_command

OWN = "my-game"
FILES = ("cards.xlsx", "my-game-0.1.zip")
"""What a designer has who types the examples."""


COMMANDS = {"": main, **every_command()}


def shown(name: str) -> str:
    done = CliRunner().invoke(main, [*name.split(), "--help"], env={"COLUMNS": "80"}, terminal_width=80)
    assert done.exit_code == 0, done.output
    return done.output


def examples(name: str) -> list[str]:
    return [line.strip() for line in (COMMANDS[name].epilog or "").splitlines()[2:]]


def test_every_command_is_in_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == main.list_commands(click.Context(main))
    assert main.get_command(click.Context(main), "quack") is None


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_is_whole_on_80_columns_with_examples_and_in_the_list_of_commands(name: str) -> None:
    text = shown(name)
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert [line for line in text.splitlines() if line.endswith("...") and not line.startswith("Usage:")] == []
    assert examples(name)
    for example in examples(name):
        assert f"    {example}\n" in text
        assert example.startswith(f"duckpress {name}".strip())
    group, _, own = name.rpartition(" ")
    first = " ".join((COMMANDS[name].help or "").partition("\n\n")[0].split())
    assert first
    assert not name or f"{own} {first}" in " ".join(shown(group).split())


@pytest.mark.parametrize("example", [line for name in COMMANDS for line in examples(name)])
def test_every_example_is_understood(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in FILES:
        (tmp_path / file).touch()
    program, *arguments = shlex.split(example)
    context = main.make_context(program, arguments)
    command: click.Command = main
    while isinstance(command, click.Group):
        name, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        command, context = found, found.make_context(name, list(rest), parent=context)
    named = context.params.get("games") or context.params.get("game") or ()
    known = {OWN, *open_workspace(tmp_path).games()}
    assert {named} if isinstance(named, str) else set(named) <= known
