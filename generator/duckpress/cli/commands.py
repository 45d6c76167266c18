"""The command line as a whole, and the commands that check and print; what they do is in `press`.

A command with a report of its own has a file of its own (`licences`, `stats`...); what all of them ask alike is in
`asking`, what they tell alike in `report`.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from duckpress import __version__
from duckpress.cli import report
from duckpress.cli.asking import (
    CACHE,
    FORMAT,
    GAMES,
    Names,
    Papers,
    Sleeves,
    chosen_games,
    leave,
    machine_failures,
    named_games,
    output_folder,
    workspace_of,
)
from duckpress.cli.deal import Seed, the_packet
from duckpress.cli.ending import keep
from duckpress.cli.limits_option import LIMIT, take_limits
from duckpress.cli.terminal import visible
from duckpress.core.inks import INKS

# Names as in `impose.sheets`, which is not read before there is something to print.
BACKS = ("duplex", "gutterfold", "none", "only")
GAPS = ("auto", "always", "never")
CUTS = ("marks", "lines", "none")


ELSEWHERE = {
    "bundle": "bundle.bundle_command",
    "calibrate": "printer.calibrate",
    "changes": "release.changes_command",
    "deal": "deal.deal_command",
    "export": "export.export_command",
    "find": "show.find_command",
    "licences": "licences.licences_command",
    "limits": "limits_option.limits_command",
    "list": "listing.list_command",
    "new": "new.new_command",
    "preview": "export.preview_command",
    "printer": "printer.printer",
    "release": "release.release_command",
    "show": "show.show_command",
    "stats": "stats.stats_command",
    "update": "update.update_command",
    "watch": "watch.watch_command",
}
"""Commands with a file of their own, which is imported when one of them is asked for."""


class _Commands(click.Group):
    """The commands; what they complain about is shown as all they say, without steering the terminal."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name."""
        if cmd_name in ELSEWHERE:
            module, _, name = ELSEWHERE[cmd_name].partition(".")
            return getattr(import_module(f"duckpress.cli.{module}"), name)  # type: ignore[no-any-return]
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line. No option or argument is blank: `--out ""` would be the current folder."""
        for before, arg in zip(["", *args], args, strict=False):
            if not arg.strip() or (arg.startswith("--") and arg.endswith("=")):
                name = arg.rstrip("=").strip() or (before if before.startswith("-") else "an argument")
                raise click.UsageError(f"{name} is empty: give it a value, or leave it out", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command asked for."""
        try:
            return super().invoke(ctx)
        except click.ClickException as complaint:
            complaint.message = visible(complaint.message)  # type: ignore[misc]
            raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="duckpress", message="%(prog)s %(version)s")
@click.option(
    "--workspace",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The workspace; without it the nearest parent folder with a content/.",
)
@LIMIT
@click.pass_context
def main(ctx: click.Context, folder: Path | None, limits: tuple[str, ...]) -> None:
    """Games kept as plain text, checked against their own rules and printed as print-and-play PDFs."""
    ctx.obj = folder
    take_limits(limits)
    if "SOURCE_DATE_EPOCH" in os.environ:  # reportlab reads it, too, and long before the manifest is written
        from duckpress.store.manifest import source_date

        source_date(os.environ)


@main.command()
@GAMES
@click.option("--players", type=click.IntRange(1, 100), help="Only this player count.")
@click.option("--variant", help="Only this variant; `base` is the game without any.")
@click.option("--ink", "inks", type=Names(INKS), default="color", show_default=True, help="Inks to check it in.")
@FORMAT
@click.pass_context
def check(
    ctx: click.Context,
    games: tuple[str, ...],
    players: int | None,
    variant: str | None,
    inks: tuple[str, ...],
    form: str,
) -> None:
    """Check that content is sound and that the components suffice at every player count."""
    workspace = workspace_of(ctx)
    with machine_failures():
        # A game that is named is checked at any player count: what it lacks there is what was asked.
        count = None if games else players
        then = "duckpress.press.checking"
        chosen = chosen_games(workspace, games, players=count, variant=variant, lays_out=True, next_module=then)
        from duckpress.press.checking import check as check_game

        checked = [check_game(workspace, loaded, players=players, variant=variant, inks=inks) for loaded in chosen]
    report.show_check(checked, form)
    leave(checked)


@main.command()
@click.argument("game")
@FORMAT
@click.pass_context
def table(ctx: click.Context, game: str, form: str) -> None:
    """Show the setup table of a game and of its variants."""
    from duckpress.press.reading import tables

    workspace = workspace_of(ctx)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,))
        checked, found = tables(loaded)
    report.show_tables(checked, found, form)
    leave([checked])


@main.command()
@GAMES
@click.option("--paper", type=Papers(), default="a4,letter", show_default=True, help="Papers to print on.")
@click.option("--backs", type=click.Choice(BACKS), default="duplex", show_default=True, help="Where the backs go.")
@click.option("--turn", type=click.Choice(["long", "short"]), default="long", show_default=True, help="Edge to flip.")
@click.option("--gaps", type=click.Choice(GAPS), default="auto", show_default=True, help="Room between cards.")
@click.option("--cut", type=click.Choice(CUTS), default="marks", show_default=True, help="What shows the cuts.")
@click.option("--cut-print", type=click.Choice(["yes", "no"]), default="yes", show_default=True, help="Print them.")
@click.option("--ink", type=click.Choice(INKS), default="color", show_default=True, help="Inks.")
@click.option("--printer", help="Correct the pages for this printer.")
@click.option("--gang", is_flag=True, help="Pieces share sheets, to save paper.")
@click.option("--cover/--no-cover", "cover", default=None, help="Begin with a cover sheet.")
@click.option("--sleeve", type=Sleeves(), help="Cards must slide into this sleeve: a name, or its inside as 66x91.")
@click.option("--sleeve-by", type=click.Choice(["trim", "scale"]), default="trim", show_default=True, help="How.")
@click.option("--lang", help="The language to print; without it the game's first.")
@click.option("--players", type=click.IntRange(1, 100), help="Print what this player count needs.")
@click.option("--seed", type=Seed(), help="Deal the cards and print the packet of the deal too.")
@click.option("--variant", help="The variant that is dealt.")
@click.option("--piece", "pieces", type=Names(), default=(), help="Only these pieces.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/.")
@click.option("--force", is_flag=True, help="Print in spite of errors, with DRAFT on every page.")
@CACHE
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes that work; without it one for each core.")
@FORMAT
@click.pass_context
def build(ctx: click.Context, /, games: tuple[str, ...], form: str, out: Path | None, **options: Any) -> None:
    """Check games, typeset their pieces and write print-ready PDFs."""
    from duckpress.cli.cache_session import Earlier
    from duckpress.cli.printer import known_printer
    from duckpress.press.request import Request

    if options["jobs"] is not None:
        from duckpress.pool.parallel import use_jobs

        use_jobs(options["jobs"])
    workspace = workspace_of(ctx)
    request = Request(
        papers=options["paper"],
        backs=options["backs"],
        turn=options["turn"],
        gaps=options["gaps"],
        cut=options["cut"],
        prints_cuts=options["cut_print"] == "yes",
        ink=options["ink"],
        language=options["lang"],
        players=options["players"],
        pieces=options["pieces"],
        is_forced=options["force"],
        seed=options["seed"],
        variant=options["variant"] if options["variant"] != "base" else None,
        printer=known_printer(options["printer"]) if options["printer"] is not None else None,
        is_ganged=options["gang"],
        sleeve=options["sleeve"],
        is_scaled_for_sleeve=options["sleeve_by"] == "scale",
        has_cover=options["cover"],
    )
    folder = output_folder(workspace, out)
    earlier = Earlier(workspace, request, folder, has_cache=options["cache"])
    with machine_failures():
        standing = earlier.all_standing(named_games(workspace, games))
        if standing:
            report.show_build(standing, form)
            leave(standing)
            return
        chosen = chosen_games(
            workspace,
            games,
            players=request.players,
            variant=options["variant"],
            pieces=request.pieces,
            language=request.language,
            next_module="duckpress.press.pipeline",
        )
        request, chosen = the_packet(request, chosen)
        built = []
        for loaded in chosen:
            with report.progress(loaded.game_id, is_quiet=form == "json") as step:
                built.append(earlier.build(loaded, request, folder, step))
    keep(chosen, built)
    report.show_build(built, form)
    leave(built)
