"""`duckpress pull`: the tables that decks name with an address, fetched into their files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, GAMES, leave, named_games, workspace_of
from duckpress.cli.terminal import echo, progress, style

if TYPE_CHECKING:
    from duckpress.core.problems import Problem
    from duckpress.views.pulling import PulledTable

_SHOWN = 6  # rows named in a line


@click.command("pull")
@GAMES
@click.option("--allow-private", is_flag=True, help="Also ask machines of your own network, and this computer.")
@FORMAT
@click.pass_context
def pull_command(ctx: click.Context, /, games: tuple[str, ...], form: str, *, allow_private: bool) -> None:
    """Fetch the tables that decks name with an address (table: {url: ...}); nothing else asks the network."""
    from duckpress.views.pulling import fetcher, pull_tables

    workspace = workspace_of(ctx)
    if not (workspace.root / "content").is_dir():
        raise click.UsageError("there is no game here: `duckpress new NAME` makes one, `duckpress import` its deck")
    fetch = fetcher(allow_private=allow_private)
    data: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for game in named_games(workspace, games):
        with progress(game, is_quiet=form == "json") as show:
            pulled = pull_tables(workspace, game, fetch, show)
        problems += pulled.problems
        data += ({"game": game, **_data(table)} for table in pulled.tables)
        if form == "json":
            continue
        report.print_problems(pulled.problems)
        for table in pulled.tables:
            _print_table(game, table)
        if not pulled.tables and not pulled.problems:
            echo(f"{style(game, bold=True)}: no deck names a table with an address (table: {{url: ..., file: ...}})")
    if form == "json":
        report.print_json({"tables": data}, problems)
    leave(problems)


def _data(table: PulledTable) -> dict[str, Any]:
    return {**asdict(table), "changes": None if table.changes is None else asdict(table.changes)}


def _print_table(game: str, table: PulledTable) -> None:
    rows = report.counted(table.rows, "row")
    where = f"{style(game, bold=True)}: {table.file} from {table.host}"
    if table.changes is None:
        echo(f"{where}: new, {rows}")
        return
    lists = asdict(table.changes)
    told = [f"{report.counted(len(lists[key]), 'row')} {key}" for key in ("added", "changed", "removed") if lists[key]]
    told += [f"{words} {_names(lists[key])}" for key, words in _COLUMNS.items() if lists[key]]
    same = "no change in its rows, which stand otherwise" if table.is_written else "no change"
    echo(f"{where}: {', '.join(told) or same} ({rows})")
    for key in ("added", "changed", "removed"):
        if lists[key]:
            echo(f"    {key}: {_names(lists[key])}")


_COLUMNS = {"new_columns": "new columns", "lost_columns": "without columns"}


def _names(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(name or "(no name)" for name in shown[:_SHOWN]) + more
