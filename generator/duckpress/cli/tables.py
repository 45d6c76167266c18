"""`duckpress new`, `import` and `pull`: a first game, and decks from existing tables, here or at an address."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from msgspec.structs import asdict

from duckpress.cli import report
from duckpress.cli.asking import Answer, command, form, named_games, steps_of
from duckpress.cli.options import COMPLETE_GAME, FORMAT, GAMES
from duckpress.cli.terminal import echo, style
from duckpress.content import ID
from duckpress.content.tables.cells import looks_like_copies
from duckpress.content.tables.guessed_columns import GuessedTable
from duckpress.core.problems import Problem
from duckpress.files.workspace import Refused, Workspace
from duckpress.views.new_game import Imported, NotImported, NotStarted, import_table, start_game
from duckpress.views.pulling import Pulled, fetcher, pull_tables

_ROWS = ("added", "changed", "removed")
_COLUMNS = {"new_columns": "new columns", "lost_columns": "without columns"}


@command("duckpress new my-game", 'duckpress new my-game --title "The Harvest Moon"')
@click.argument("name")
@click.option("--title", help="What the game is called; without it made of its name.")
@FORMAT
def new_command(workspace: Workspace, name: str, title: str | None) -> Answer:
    try:
        files = start_game(workspace, name, title)
    except NotStarted as error:
        raise click.UsageError(str(error)) from error

    def show() -> None:
        echo(f"{style(name, bold=True)}: {len(files)} files in {workspace.root}")
        for file in files:
            echo(f"    {file}")
        echo(f"`duckpress build {name}` prints it, `duckpress preview {name} --live` shows it while you write.")
        echo("Begin with its game.yaml, which explains itself.")

    return Answer({"game": name, "folder": str(workspace.root), "files": files}, (), show)


@command("duckpress import cards.xlsx", "duckpress import cards.xlsx --sheet Items --deck items --game my-game")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--sheet", help="The sheet of a workbook; without it the first.")
@click.option("--game", help="The game that gets the deck, where there are several.", shell_complete=COMPLETE_GAME)
@click.option("--deck", help="What the deck's file is called; without it as the sheet or the file.")
@FORMAT
def import_command(workspace: Workspace, file: Path, sheet: str | None, game: str | None, deck: str | None) -> Answer:
    if not (workspace.root / "content").is_dir():
        raise click.UsageError("there is no game here: make one with `duckpress new NAME`, and import the table then")
    games = named_games(workspace, (game,) if game else ())
    if len(games) != 1:
        raise click.UsageError(f"say which game gets the deck, with --game: {', '.join(games)}")
    if deck is not None and not ID.fullmatch(deck):
        raise click.UsageError(f"{deck!r} cannot be the name of a deck: use small letters, digits and '-'")
    try:
        done = import_table(workspace, games[0], file, sheet, deck)
    except (NotImported, Refused) as error:
        raise click.UsageError(str(error)) from None
    guess = done.guess
    facts: dict[str, Any] = {"header": None, "cards": 0, "columns": [], "id": None, "copies": None, "ignored": [],
                             "unread": []}  # fmt: skip
    if guess is not None:
        facts = {
            "header": guess.header_row,
            "cards": guess.cards,
            "columns": [
                {"name": one.name, "field": one.field, "kind": one.kind, "optional": one.is_optional, "why": one.why}
                for one in guess.columns
            ],
            "id": guess.id_column,
            "copies": guess.copies_column,
            "ignored": list(guess.ignored),
            "unread": [asdict(column) for column in guess.unread],
        }
    about = {"game": games[0], "deck": done.deck, "sheets": list(done.sheets), "sheet": done.sheet or None}

    def show() -> None:
        report.print_problems(done.problems)
        if guess is not None:
            _print_guess(games[0], file, done, guess)

    return Answer({**about, **facts, "files": list(done.files)}, done.problems, show)


def _print_guess(game: str, file: Path, done: Imported, guess: GuessedTable) -> None:
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


@command("duckpress pull", "duckpress pull my-game --format json")
@GAMES
@click.option("--allow-private", is_flag=True, help="Also ask machines of your own network, and this computer.")
@FORMAT
def pull_command(workspace: Workspace, games: tuple[str, ...], *, allow_private: bool) -> Answer:
    if not (workspace.root / "content").is_dir():
        raise click.UsageError("there is no game here: `duckpress new NAME` makes one, `duckpress import` its deck")
    fetch = fetcher(allow_private=allow_private)
    data: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for game in named_games(workspace, games):
        with steps_of(game) as step:
            pulled = pull_tables(workspace, game, fetch, step)
        problems += pulled.problems
        data += ({"game": game, **asdict(one), "changes": one.changes and asdict(one.changes)} for one in pulled.tables)
        if form() == "text":  # at once: the next one may take a while, or fail
            _print_pulled(game, pulled)
    return Answer({"tables": data}, problems, lambda: None)


def _print_pulled(game: str, pulled: Pulled) -> None:
    report.print_problems(pulled.problems)
    name = style(game, bold=True)
    if not pulled.tables and not pulled.problems:
        echo(f"{name}: no deck names a table with an address (table: {{url: ..., file: ...}})")
    for table in pulled.tables:
        rows = report.counted(table.rows, "row")
        where = f"{name}: {table.file} from {table.host}"
        if table.changes is None:
            echo(f"{where}: new, {rows}")
            continue
        lists = asdict(table.changes)
        counts = [f"{report.counted(len(lists[key]), 'row')} {key}" for key in _ROWS if lists[key]]
        counts += [f"{words} {_names(lists[key])}" for key, words in _COLUMNS.items() if lists[key]]
        same = "no change in its rows, which stand otherwise" if table.is_written else "no change"
        echo(f"{where}: {', '.join(counts) or same} ({rows})")
        for key in _ROWS:
            if lists[key]:
                echo(f"    {key}: {_names(lists[key])}")


def _names(names: Iterable[str]) -> str:
    return report.first_of((name or "(no name)" for name in names), 6)
