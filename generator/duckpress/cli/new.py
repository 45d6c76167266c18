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

    try:
        started = start_game(workspace_of(ctx), name, title)
    except NotStarted as error:
        raise click.UsageError(str(error)) from error
    if form == "json":
        report.print_json({"game": started.game_id, "folder": str(started.root), "files": started.files}, ())
        return
    echo(f"{style(started.game_id, bold=True)}: {len(started.files)} files in {started.root}")
    for file in started.files:
        echo(f"    {file}")
    echo(f"`duckpress build {started.game_id}` prints it; begin with its game.yaml, which explains itself.")
