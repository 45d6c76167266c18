"""`duckpress import` and `pull`: decks of tables that somebody has, or that lie at an address."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from duckpress.cli import completion, report
from duckpress.cli.asking import FORMAT, GAMES, leave, named_games, workspace_of
from duckpress.cli.terminal import echo, progress, style

if TYPE_CHECKING:
    from duckpress.core.problems import Problem
    from duckpress.views.pulling import PulledTable


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--sheet", help="The sheet of a workbook; without it the first.")
@click.option(
    "--game",
    help="The game that gets the deck, where there are several.",
    shell_complete=completion.one_of(completion.games),
)
@click.option("--deck", help="What the deck's file is called; without it as the sheet or the file.")
@FORMAT
@click.pass_context
def import_command(ctx: click.Context, /, file: Path, form: str, **options: Any) -> None:
    """Make a deck of a workbook, a CSV, or cards in JSON or YAML: guess its fields, and say why."""
    from duckpress.content import ID
    from duckpress.files.workspace import Refused
    from duckpress.views.importing import NotImported, import_table

    workspace, game, deck = workspace_of(ctx), options["game"], options["deck"]
    if not (workspace.root / "content").is_dir():
        raise click.UsageError("there is no game here: make one with `duckpress new NAME`, and import the table then")
    games = named_games(workspace, (game,) if game else ())
    if len(games) != 1:
        raise click.UsageError(f"say which game gets the deck, with --game: {', '.join(games)}")
    if deck is not None and not ID.fullmatch(deck):
        raise click.UsageError(f"{deck!r} cannot be the name of a deck: use small letters, digits and '-'")
    try:
        done = import_table(workspace, games[0], file, options["sheet"], deck)
    except (NotImported, Refused) as error:
        raise click.UsageError(str(error)) from None
    guess = done.guess
    if form == "json":
        columns = [
            {
                "name": column.name,
                "field": column.field,
                "kind": column.kind.value,
                "optional": column.is_optional,
                "why": column.why,
            }
            for column in (guess.columns if guess is not None else ())
        ]
        data = {
            "game": games[0],
            "deck": done.deck,
            "sheets": list(done.sheets),
            "sheet": done.sheet or None,
            "header": guess.header_row if guess is not None else None,
            "cards": guess.cards if guess is not None else 0,
            "columns": columns,
            "id": guess.id_column if guess is not None else None,
            "copies": guess.copies_column if guess is not None else None,
            "ignored": list(guess.ignored) if guess is not None else [],
            "unread": [
                {"name": column.name, "why": column.why} for column in (guess.unread if guess is not None else ())
            ],
            "files": list(done.files),
        }
        report.print_json(data, done.problems)
    else:
        report.print_problems(done.problems)
        if guess is not None:
            _print_guess(games[0], file, done)
    leave(done.problems)


def _print_guess(game: str, file: Path, done: Any) -> None:
    from duckpress.content.tables.conventions import looks_like_copies

    guess = done.guess
    where = f"sheet {done.sheet!r}, " if done.sheet else ""
    echo(f"{style(done.deck, bold=True)}: {guess.cards} rows of {file.name}, {where}names in row {guess.header_row}")
    rows = [
        (column.name, "copies" if column.field is None and column.name == guess.copies_column else column.field or "id",
         column.kind.value + (", optional" if column.is_optional and column.field is not None else ""), column.why)
        for column in guess.columns
    ]  # fmt: skip
    report.print_columns([("column", "field", "kind", "why"), *rows])
    numbered = ", equal ones numbered" if guess.is_numbered else ""
    echo(f"    ids: made of {guess.id_column!r} ({guess.id_why}{numbered})")
    if guess.copies_column is None:
        doubtful = [repr(column.name) for column in guess.columns if column.is_doubtful]
        others = [column.name for column in guess.columns if column.name != guess.id_column]
        called = [repr(name) for name in others if looks_like_copies(name)]
        why = f"{called[0]} is called so, and holds words" if called else "no column is called so"
        why = f"{' and '.join(doubtful)} may be meant, see above" if doubtful else why
        echo(f"    copies: {why}; each card is there once")
    for column in guess.unread:
        echo(f"    not read: {column.name or 'a column'} ({column.why})")
    others = [sheet for sheet in done.sheets if sheet != done.sheet]
    if others:
        echo(f"    other sheets: {', '.join(others)} (--sheet)")
    for path in done.files:
        is_copy = path.startswith(f"content/{game}/data/")
        echo(f"    {path}{' (a copy: change this one from now on)' if is_copy else ''}")
    piece = f"- {{id: {done.deck}, title: {done.deck.replace('-', ' ').capitalize()}, decks: [{done.deck}]}}"
    echo(f"To print it, add a piece under 'pieces' of content/{game}/game.yaml: {piece}")


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
        data += ({"game": game, **_table_data(table)} for table in pulled.tables)
        if form == "json":
            continue
        report.print_problems(pulled.problems)
        for table in pulled.tables:
            _print_pulled(game, table)
        if not pulled.tables and not pulled.problems:
            echo(f"{style(game, bold=True)}: no deck names a table with an address (table: {{url: ..., file: ...}})")
    if form == "json":
        report.print_json({"tables": data}, problems)
    leave(problems)


def _table_data(table: PulledTable) -> dict[str, Any]:
    return {**asdict(table), "changes": None if table.changes is None else asdict(table.changes)}


def _print_pulled(game: str, table: PulledTable) -> None:
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
