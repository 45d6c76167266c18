"""The command line as a whole, and the commands that begin a game and check it; what they do is in `press` and `views`.

Other commands have files of their own; what all of them ask alike is in `asking`, what they report alike in `report`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress import __version__
from duckpress.cli import completion, report
from duckpress.cli.asking import (
    FORMAT,
    GAME,
    GAMES,
    chosen_games,
    ink_names,
    leave,
    named_games,
    own_memo,
    the_way,
    workspace_of,
)
from duckpress.cli.command_help import HelpfulGroup, with_examples
from duckpress.cli.ending import machine_words, status_of, unless_it_takes_nothing
from duckpress.cli.terminal import echo, progress, style, visible
from duckpress.core.limits import LIMITS, SUFFIXES, VARIABLE, use, written
from duckpress.core.problems import MachineError, did_you_mean

if TYPE_CHECKING:
    from duckpress.press.result_cache import Findings

ELSEWHERE = {
    "build": "build.build_command",
    "bundle": "export.bundle_command",
    "calibrate": "printer.calibrate",
    "changes": "release.changes_command",
    "deal": "chances.deal_command",
    "docs": "lookup.docs_command",
    "edition": "edition.edition_command",
    "export": "export.export_command",
    "find": "show.find_command",
    "licences": "lookup.licences_command",
    "import": "tables.import_command",
    "limits": "lookup.limits_command",
    "list": "lookup.list_command",
    "odds": "chances.odds_command",
    "playtest": "chances.playtest_command",
    "preview": "export.preview_command",
    "printer": "printer.printer",
    "pull": "tables.pull_command",
    "release": "release.release_command",
    "schema": "lookup.schema_command",
    "show": "show.show_command",
    "stats": "stats.stats_command",
    "update": "release.update_command",
    "watch": "watch.watch_command",
}
"""Commands with a file of their own, which is imported when one of them is asked for."""


class _Commands(HelpfulGroup):
    """The commands; what they complain about is shown as all they say, without steering the terminal."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        command = super().get_command(ctx, cmd_name)
        if cmd_name in ELSEWHERE:
            module, _, name = ELSEWHERE[cmd_name].rpartition(".")
            command = getattr(import_module(f"duckpress.cli.{module}"), name)
        return None if command is None else with_examples(cmd_name, command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. No option or argument is blank: `--out ""` would be the current folder."""
        for before, arg in zip(["", *args], args, strict=False):
            if not arg.strip() or (arg.startswith("--") and arg.endswith("=")):
                name = arg.rstrip("=").strip() or (before if before.startswith("-") else "an argument")
                raise click.UsageError(f"{name} is empty: give it a value, or leave it out", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command asked for; what the machine refuses (disk, memory) is one message and status 3."""
        try:
            return super().invoke(ctx)
        except click.ClickException as complaint:
            complaint.message = visible(complaint.message)  # type: ignore[misc]
            raise
        except BrokenPipeError:
            raise  # nobody reads what there is to say
        except (MachineError, OSError, MemoryError) as error:
            with unless_it_takes_nothing():
                echo(f"duckpress: {machine_words(error)}", err=True)
            sys.exit(status_of(error))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="duckpress", message="%(prog)s %(version)s")
@click.option(
    "--workspace",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The workspace; without it the nearest parent folder with a content/.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Allow a game more, or less; `duckpress limits` lists the names.",
)
@click.pass_context
def main(ctx: click.Context, folder: Path | None, limits: tuple[str, ...]) -> None:
    """Games kept as plain text, checked against their own rules and printed as print-and-play PDFs."""
    ctx.obj = folder
    _take_limits(limits)
    if "SOURCE_DATE_EPOCH" in os.environ:  # a mistake in it is told before anything is made
        from duckpress.store.manifest import source_date

        source_date(os.environ)


with_examples("", main)


_SETTING = re.compile(r"([a-z][a-z-]*)=([0-9]{1,15}(?:\.[0-9]{1,3})?)([kMG]?)", re.ASCII)


def _take_limits(options: Sequence[str]) -> None:
    """Let the limits of the environment hold, and those of the options over them; status 2 for a bad one."""
    settings: dict[str, int] = {}
    for words, where in ((os.environ.get(VARIABLE, "").split(), VARIABLE), (options, "--limit")):
        for word in words:
            match = _SETTING.fullmatch(word)
            if match is None:
                raise click.UsageError(f"{where}: {word!r} is not NAME=NUMBER, as in image-pixels=80M")
            name, number, suffix = match.groups()
            if name not in LIMITS:
                raise click.UsageError(f"{where}: there is no limit {name!r}; {did_you_mean(name, sorted(LIMITS))}")
            most, value = LIMITS[name].most, int(float(number) * SUFFIXES[suffix])
            if not 1 <= value <= most:
                raise click.UsageError(f"{where}: {name} can be 1 to {written(most)}, not {written(value)}")
            settings[name] = value
    use(settings)


@main.command()
@GAMES
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="Only this variant; `base` is the game without any.")
@click.option(
    "--ink",
    "inks",
    type=ink_names,
    metavar="NAMES",
    default="color",
    show_default=True,
    help="Inks to check it in.",
    shell_complete=completion.some_of(completion.inks),
)
@click.option("--cache/--no-cache", default=True, help="Use what earlier checks found out.")
@click.option("--doubt", is_flag=True, help="List each number that could be one more or less unnoticed.")
@FORMAT
@click.pass_context
def check(
    ctx: click.Context,
    /,
    games: tuple[str, ...],
    inks: tuple[str, ...],
    form: str,
    *,
    cache: bool,
    doubt: bool,
    **of: Any,
) -> None:
    """Check that content is sound and that the components suffice at every player count."""
    workspace = workspace_of(ctx)
    from duckpress.press.result_cache import Checks, with_unnoticed

    players, variant = of["players"], of["variant"]
    checks = Checks(workspace, players, variant, inks, own_memo(workspace, is_wanted=cache))
    checked = [] if doubt else checks.up_to_date(named_games(workspace, games))
    if not checked:
        # A game that is named is checked at any player count: what it lacks there is what was asked.
        count = None if games else players
        then = "duckpress.press.checking"
        chosen = chosen_games(workspace, games, players=count, variant=variant, lays_out=cache, next_module=then)
        checked = [checks.check(loaded) for loaded in chosen]
        for at, loaded in enumerate(chosen) if doubt else ():
            with progress(loaded.game_id, is_quiet=form == "json") as show:
                checked[at] = with_unnoticed(loaded, checked[at], show)
    problems = [problem for one in checked for problem in one.problems]
    if form == "json":
        report.print_json({}, problems, shrunk=[entry for one in checked for entry in one.shrunk])
    else:
        for one in checked:
            _print_shrunk(one)
            report.print_problems(one.problems)
            echo(f"{style(one.game_id, bold=True)}: {report.tally(one.problems)}")
    leave(problems)


def _print_shrunk(checked: Findings) -> None:
    """Print a line for each style of a deck in which texts had to shrink, with the smallest size and the cards."""
    groups: dict[tuple[str, str, float, str], dict[str, float]] = {}
    for entry in checked.shrunk:
        cards = groups.setdefault((entry["deck"], entry["style"], entry["from_pt"], entry["language"]), {})
        card = entry["card"] or "the back"
        cards[card] = min(entry["to_pt"], cards.get(card, entry["to_pt"]))
    is_alone = checked.languages < 2
    for (deck, name, from_pt, language), cards in groups.items():
        names = ", ".join(list(cards)[:6]) + (f" and {len(cards) - 6} more" if len(cards) > 6 else "")
        least_pt = min(cards.values())
        where = deck if is_alone else f"{deck} ({language})"
        echo(f"{checked.game_id}: {where}: {name} text set at {least_pt:g} instead of {from_pt:g} pt: {names}")


@main.command()
@GAME
@click.option("--variant", help="Only the table of this variant, or of modules together: a,b.")
@FORMAT
@click.pass_context
def table(ctx: click.Context, game: str, variant: str | None, form: str) -> None:
    """Show the setup table of a game, of its variants and modules."""
    from duckpress.press.reading import tables

    (loaded,) = chosen_games(workspace_of(ctx), (game,), variant=variant)
    checked, setup_tables = tables(loaded, the_way(loaded, variant))
    data = [table.as_data() for table in setup_tables]
    if form == "json":
        report.print_json({"game": checked.game_id, "tables": data}, checked.problems)
    else:
        report.print_problems(checked.problems)
        for one in data:
            _print_table(one)
    leave(checked.problems)


def _print_table(table: dict[str, Any]) -> None:
    """Print a setup table with aligned columns, numbers to the right."""
    columns = [("players", "players"), *((column["key"], column["title"]) for column in table["columns"])]
    rows = [[title for _, title in columns]]
    for row in table["rows"]:
        cells = {"players": row["players"], **row["cells"]}
        rows.append(["?" if cells.get(key) is None else str(cells[key]) for key, _ in columns])
    echo(style(table["title"], bold=True))
    report.print_columns(rows, str.rjust)
    for note in table.get("notes", ()):
        echo(f"    {note}")


@main.command()
@click.argument("name")
@click.option("--title", help="What the game is called; without it made of its name.")
@FORMAT
@click.pass_context
def new(ctx: click.Context, name: str, title: str | None, form: str) -> None:
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
    echo(f"`duckpress build {name}` prints it, `duckpress preview {name} --live` shows it while you write.")
    echo("Begin with its game.yaml, which explains itself.")
