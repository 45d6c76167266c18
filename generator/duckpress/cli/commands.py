"""The whole command line: its commands, known before their modules are imported, and the global options.

What they do is in `press`, `views` and `share`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click
from click.shell_completion import CompletionItem

from duckpress import __version__
from duckpress.cli import machine_words, status_of, unless_it_takes_nothing
from duckpress.cli.terminal import echo, visible
from duckpress.core.limits import LIMITS, SUFFIXES, VARIABLE, use, written
from duckpress.core.problems import MachineError, did_you_mean

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Begin a game": ("new", "import", "pull"),
    "See whether it works": ("check", "table", "odds", "playtest", "stats"),
    "Look at cards": ("list", "show", "find", "preview"),
    "Print": ("build", "watch", "deal", "calibrate", "printer"),
    "Hand it on": ("edition", "export", "bundle", "release", "changes", "update"),
    "Look things up": ("docs", "schema", "licences", "limits"),
}
"""Every command, below what it is for, in the order of `--help`."""

COMMANDS: Mapping[str, tuple[str, str]] = {
    "new": ("tables", "Make a small complete game in content/NAME, to be changed into your own."),
    "import": ("tables", "Make a deck of a workbook, a CSV, or cards in JSON or YAML: guess its fields, and say why."),
    "pull": (
        "tables",
        "Fetch the tables that decks name with an address (table: {url: ...}); nothing else asks the network.",
    ),
    "check": ("build", "Check that content is sound and that the components suffice at every player count."),
    "table": ("chances", "Show the setup table of a game, of its variants and modules."),
    "odds": (
        "chances",
        "Show how likely something is, such as 'hand of 5 from stock has a pair of suit'; without one, the game's own.",
    ),
    "playtest": (
        "chances",
        "Play the flow of a game's cards often: rounds, when piles run dry, what is left, how often things happen.",
    ),
    "stats": ("show", "Show a game in figures: cards, faces, sheets of paper, words, and how its fields are spread."),
    "list": ("lookup", "Show the games: players, languages, variants, and what they are printed as."),
    "show": (
        "show",
        "Show a card: fields, copies, uses, picture. CARD is deck/card, an id, a code (A17) or what its QR code says.",
    ),
    "find": (
        "lookup",
        "Find words in all texts of a game, or of all games: fields, rules, notes, setup, translations.",
    ),
    "preview": (
        "preview",
        "Write a page for the browser that shows all cards of a game, or serve one while its files are edited.",
    ),
    "build": ("build", "Check games, typeset their pieces and write print-ready PDFs."),
    "watch": ("build", "Build games, and build them again whenever one of their files is saved. Ctrl-C ends it."),
    "deal": ("chances", "Deal a game's cards from a seed and show who has what."),
    "calibrate": ("printer", "Make a test page that shows what your printer does to lengths, edges and backs."),
    "printer": ("printer", "Keep what was measured on the calibration sheet, for `build --printer`."),
    "edition": ("edition", "Print a game many times: each copy with its own name, deck, packet or number."),
    "export": (
        "export",
        "Write a game's cards as PNG files, as what a virtual table loads, or as what a vendor prints.",
    ),
    "bundle": ("export", "Pack a game into one zip for playtesters, or check one that somebody holds."),
    "release": ("release", "Freeze the version of a game: writes content/GAME/releases/VERSION.lock."),
    "changes": ("release", "Say what has changed since a version that somebody holds."),
    "update": ("release", "Print only the cards that are new or changed, and a sheet that says what to swap."),
    "docs": (
        "lookup",
        "Show a page of the documentation, or which there are. TOPIC is a page, or a section of it: content#fields.",
    ),
    "schema": (
        "lookup",
        "Print the JSON Schema of a kind of YAML file, by which editors check and complete it; or say which there are.",
    ),
    "licences": ("lookup", "Show the licences of the program, the games, the fonts and the Python packages."),
    "limits": ("lookup", "Show how much is allowed to a game: every limit, the value that holds, and its unit."),
}
"""The module of each command, in which it is called `<name>_command`, and its help: no other one is imported."""


def examples(*lines: str) -> str:
    """Return the end of a command's help: lines that can be typed as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


class _Commands(click.Group):
    """The commands; their error messages are shown in full, without terminal control codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"duckpress.cli.{COMMANDS[cmd_name][0]}")
        return cast(click.Command, getattr(module, f"{cmd_name.replace('-', '_')}_command"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands, grouped by purpose, never cut short."""
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, COMMANDS[name][1]) for name in names])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands with such a beginning, without importing any of them."""
        known = [(name, click.Command(name, help=COMMANDS[name][1])) for name in self.list_commands(ctx)]
        items = [
            CompletionItem(name, help=one.get_short_help_str()) for name, one in known if name.startswith(incomplete)
        ]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. No option or argument is blank: `--out ""` would be the current folder."""
        for before, arg in zip(["", *args], args, strict=False):
            if not arg.strip() or (arg.startswith("--") and arg.endswith("=")):
                name = arg.rstrip("=").strip() or (before if before.startswith("-") else "an argument")
                raise click.UsageError(f"{name} is empty: give it a value, or leave it out", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error of the machine (disk, memory) becomes one message and status 3."""
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


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "duckpress new my-game", "duckpress build my-game", "duckpress --limit image-pixels=80M build my-game"
    ),
)
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


_SETTING = re.compile(r"([a-z][a-z-]*)=([0-9]{1,15}(?:\.[0-9]{1,3})?)([kMG]?)", re.ASCII)


def _take_limits(options: Sequence[str]) -> None:
    """Set the limits from the environment, then those from the options; status 2 for an invalid one."""
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
