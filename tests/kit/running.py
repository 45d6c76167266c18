"""Workspaces made of text, and commands of the program run on them in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from duckpress.cli.commands import main
from duckpress.files.workspace import Workspace

MakeWorkspace = Callable[[Mapping[str, str | bytes]], Workspace]
"""What the fixture `make_workspace` is: it writes files (path -> text or bytes) and opens them as a workspace."""


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files (path -> text or bytes) into a folder, and return it."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def run(
    root: Workspace | Path | str, *words: str, status: int | None = None, columns: int = 0, **environment: str
) -> Result:
    """Run a command in a workspace, and return what it said; it has ended by itself, with `status` where given."""
    if columns:
        environment["COLUMNS"] = str(columns)
    folder = root.root if isinstance(root, Workspace) else root
    done = CliRunner().invoke(main, ["--workspace", str(folder), *words], env=environment)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert status is None or done.exit_code == status, done.output
    return done


def run_json(root: Workspace | Path | str, *words: str, status: int | None = 0, **environment: str) -> Any:
    """Run a command in a workspace, and return what it said as JSON."""
    return json.loads(run(root, *words, "--format", "json", status=status, **environment).stdout)


def every_command() -> dict[str, click.Command]:
    """Return all commands by their names, those of groups, too."""
    context = click.Context(main)
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    found = {name: command for name, command in commands.items() if command is not None and command.name == name}
    assert found.keys() == commands.keys()
    groups = [(name, command) for name, command in found.items() if isinstance(command, click.Group)]
    return found | {f"{group} {name}": one for group, command in groups for name, one in command.commands.items()}


def taken(folder: Path, name: str) -> Any:
    """Return what a script of a written page hands to it."""
    script = (folder / f"data/{name}.js").read_text("utf-8")
    head, tail = f'duckpress.take("{name}", ', ");\n"
    assert (script[: len(head)], script[-len(tail) :]) == (head, tail)
    return json.loads(script[len(head) : -len(tail)])
