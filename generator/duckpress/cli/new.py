"""`duckpress new`: makes a small complete game to start from."""

from __future__ import annotations

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, workspace_of
from duckpress.cli.terminal import echo, style


@click.command("new")
@click.argument("name")
@click.option("--title", help="What the game is called; without it made of its name.")
@FORMAT
@click.pass_context
def new_command(ctx: click.Context, name: str, title: str | None, form: str) -> None:
    """Make a small complete game in content/NAME, to be changed into your own."""
    from duckpress.views.new_game import NotStarted, start_game

    workspace = workspace_of(ctx)
    try:
        files = start_game(workspace, name, title)
    except NotStarted as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        report.print_json({"game": name, "folder": str(workspace.root), "files": files}, ())
        return
    echo(f"{style(name, bold=True)}: {len(files)} files in {workspace.root}")
    for file in files:
        echo(f"    {file}")
    echo(f"`duckpress build {name}` prints it; begin with its game.yaml, which explains itself.")
