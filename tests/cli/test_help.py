"""`--help`: every command below what it is for, in full words on 80 columns, and with examples that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from duckpress.cli.command_help import EXAMPLES, GROUPS, summary
from duckpress.cli.commands import main
from duckpress.files.workspace import open_workspace

OWN = "my-game"
FILES = ("cards.xlsx", "my-game-0.1.zip")
"""What a designer has who types the examples."""


def commands() -> dict[str, click.Command]:
    context = click.Context(main)
    every = {name: main.get_command(context, name) or pytest.fail(name) for name in main.list_commands(context)}
    inner = {
        f"{name} {own}": one
        for name, command in every.items()
        if isinstance(command, click.Group)
        for own, one in command.commands.items()
    }
    return every | inner


def shown(name: str) -> str:
    done = CliRunner().invoke(main, [*name.split(), "--help"], env={"COLUMNS": "80"}, terminal_width=80)
    assert done.exit_code == 0, done.output
    return done.output


def words(text: str) -> str:
    return " ".join(text.split())


def test_every_command_is_in_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == main.list_commands(click.Context(main))


@pytest.mark.parametrize("name", ["", *commands()])
def test_help_is_never_cut_off_and_fits_80_columns(name: str) -> None:
    lines = shown(name).splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line.endswith("...") and not line.startswith("Usage:")] == []


def test_the_lists_of_commands_have_their_descriptions_in_full() -> None:
    every = commands()
    for name, command in every.items():
        group, _, _ = name.rpartition(" ")
        assert summary(command)
        assert words(f"{name.rpartition(' ')[2]} {summary(command)}") in words(shown(group)), name


@pytest.mark.parametrize("name", ["", *commands()])
def test_every_help_has_examples_that_begin_with_the_command(name: str) -> None:
    text = shown(name)
    examples = EXAMPLES[name]
    assert [example for example in examples if f"    {example}\n" not in text] == []
    assert [example for example in examples if not example.startswith(f"duckpress {name}".strip())] == []


def typed() -> Iterator[str]:
    return (example for examples in EXAMPLES.values() for example in examples)


@pytest.mark.parametrize("example", list(typed()))
def test_every_example_is_understood(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for file in FILES:
        (tmp_path / file).touch()
    program, *arguments = shlex.split(example)
    assert program == "duckpress"
    context = main.make_context(program, arguments)
    command: click.Command = main
    while isinstance(command, click.Group):
        name, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None
        command, context = found, found.make_context(name, list(rest), parent=context)
    named = context.params.get("games") or context.params.get("game") or ()
    known = {OWN, *open_workspace(tmp_path).games()}
    assert {named} if isinstance(named, str) else set(named) <= known
