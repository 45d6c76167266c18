"""`duckpress export` and `bundle`: a game for other programs, for vendors, and for playtesters."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command, output_folder
from duckpress.cli.options import (
    COMPLETE_GAME,
    FINISH,
    FORMAT,
    GAME,
    OUT,
    PIECES,
    choice_of,
    choice_option,
    language_option,
    listed,
    one_of,
    seed,
)
from duckpress.cli.terminal import echo, style
from duckpress.core.backs import INKS
from duckpress.core.problems import did_you_mean, has_errors
from duckpress.files.workspace import Workspace
from duckpress.press.reading import apply_finish
from duckpress.views.export_files import ExportRequest
from duckpress.views.exporting import Exported, export
from duckpress.views.pictures import FaceTooLarge

if TYPE_CHECKING:
    from duckpress.vendors import Vendor

_DEALT = ("players", "seed", "variant")
_UNUSED = {
    "png": ("max_px", "url", *_DEALT),
    "tts": ("bleed",),
    "pcio": ("bleed", "max_px", "url"),
    "ttpg": ("bleed", "url", *_DEALT),
    "tabletopia": ("bleed", "dpi", "url", *_DEALT),
    "screentop": ("bleed", "url", *_DEALT),
    "sprites": ("bleed", "url", *_DEALT),
    "showcase": ("dpi", "bleed", "url", *_DEALT),
    "vendor": ("dpi", "bleed", "max_px", "url", "ink", *_DEALT),
}
"""The options that a kind of export does not look at."""


def vendor(value: str) -> Vendor:
    """Return a vendor by its id; the table of vendors is read only now."""
    from duckpress.vendors import VENDORS

    if value not in VENDORS:
        raise click.BadParameter(f"there is no vendor {value!r}; {did_you_mean(value, VENDORS)}")
    return VENDORS[value]


@command(
    "duckpress export my-game --to png --dpi 150",
    "duckpress export my-game --to tts --piece cards",
    "duckpress export my-game --for mpc",
)
@GAME
@click.option(
    "--to",
    type=choice_of(kind for kind in _UNUSED if kind != "vendor"),
    help="PNG files, a virtual table, or pictures to show a game with.",
)
@click.option(
    "--for",
    "vendor",
    type=vendor,
    help="The files of an order at this vendor, such as tgc.",
    shell_complete=one_of(listed("vendors", "VENDORS")),
)
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", is_flag=True, help="Show what lies beyond the cut, too.")
@click.option("--max-px", type=click.IntRange(256, 10_000), help="Sides of a sheet; as the table takes without it.")
@click.option("--url", default="", help="Where the pictures will lie when a virtual table loads them.")
@click.option("--players", type=click.IntRange(1, 100), help="Set the virtual table for so many.")
@click.option("--seed", type=seed, help="Of the deal that sets it; 1 without it.")
@click.option("--variant", help="Of that deal.")
@language_option("The language to show")
@choice_option("--ink", INKS, "color", "How much ink.")
@PIECES
@OUT
@FORMAT
def export_command(workspace: Workspace, game: str, out: Path | None, **options: Any) -> Answer:
    made_for: Vendor | None = options["vendor"]
    if (options["to"] is None) == (made_for is None):
        raise click.UsageError("say what to export: either --to png or a virtual table, or --for and a vendor.")
    for name in _UNUSED[options["to"] or "vendor"]:
        if asking.is_given(name):
            kind = f"--for {made_for.id}" if made_for is not None else f"--to {options['to']}"
            raise click.UsageError(f"--{name.replace('_', '-')} says nothing for {kind}: leave it out.")
    if options["players"] is None and (options["seed"] or options["variant"]):
        raise click.UsageError("a table is set for some players: give --players as well.")
    to = made_for.id if made_for is not None else options["to"]
    request = ExportRequest(
        has_bleed=options.pop("bleed"), **{**options, "to": to, "seed": options["seed"] or "1", "variant": None}
    )
    folder = output_folder(workspace, out)
    (loaded,) = chosen_games(
        workspace, (game,), players=request.players, variant=options["variant"],
        language=request.language, pieces=request.pieces, lays_out=True,
    )  # fmt: skip
    if request.players is not None:
        request = replace(request, variant=asking.the_way(loaded, options["variant"]))
    with asking.steps_of(loaded.game_id) as step:
        try:
            exported = export(workspace, loaded, request, folder, step)
        except FaceTooLarge as error:
            raise click.UsageError(str(error)) from error
    order = None
    if made_for is not None:
        about = {"vendor": made_for.id, "title": made_for.title, "source": made_for.source}
        order = {**about, "unverified": made_for.unverified}
    facts = {"folder": str(exported.folder), "files": exported.files, "order": order, "said": exported.said}
    show = partial(_print_exported, exported, made_for)
    return Answer({"game": loaded.game_id, **facts}, exported.checked.problems, show)


def _print_exported(exported: Exported, made_for: Vendor | None) -> None:
    checked = exported.checked
    if not exported.files:
        report.print_tally(checked, "nothing exported")
        return
    report.print_problems(checked.problems if made_for is not None else ())
    words = f"for {made_for.title}: " if made_for is not None else ""
    files = report.counted(len(exported.files), "file")
    echo(f"{style(checked.game_id, bold=True)}: {words}{files} in {exported.folder}")
    for line in made_for.unverified if made_for is not None else ():
        echo(f"    not verified: {line}")
    for line in exported.said:
        echo(f"    {line}")


@command("duckpress bundle my-game", "duckpress bundle --check my-game-0.1.zip")
@click.argument("game", required=False, shell_complete=COMPLETE_GAME)
@click.option(
    "--check", "held", type=click.Path(dir_okay=False, path_type=Path), help="Only check this bundle; write nothing."
)
@FINISH
@OUT
@FORMAT
def bundle_command(
    workspace: Workspace, game: str | None, held: Path | None, finish: str | None, out: Path | None
) -> Answer:
    if (game is None) == (held is None):
        raise click.UsageError("name either a game to pack, or with --check a bundle to look at.")
    if held is not None:
        if out is not None or finish is not None:
            raise click.UsageError(f"--{'finish' if out is None else 'out'} says nothing for --check: leave it out.")
        return _check_bundle(held)
    from duckpress.share.bundling import bundle

    folder = output_folder(workspace, out)
    (loaded,) = chosen_games(workspace, (str(game),), lays_out=True)
    with asking.steps_of(loaded.game_id) as step:
        done = bundle(workspace, apply_finish(loaded, finish), folder, step)
    checked = done.checked

    def show() -> None:
        if done.file is None:
            report.print_tally(checked, "nothing packed")
            return
        report.print_problems(checked.problems)
        name = style(checked.game_id, bold=True)
        echo(f"{name}: {len(done.files)} files, {done.size / 1e6:.1f} MB: {done.folder / done.file}")
        if not done.is_released and checked.game is not None:
            version = checked.game.version
            echo(f"    version {version} is not released yet: `duckpress release {checked.game_id}` freezes it")

    data = {
        "game": checked.game_id,
        "folder": str(done.folder),
        "file": done.file,
        "bytes": done.size,
        "files": sorted(done.files),
        "is_released": done.is_released,
    }
    return Answer(data, checked.problems, show)


def _check_bundle(path: Path) -> Answer:
    """Return whether a bundle is complete and unchanged."""
    from duckpress.share.bundle_check import check_bundle

    checked = check_bundle(path)

    def show() -> None:
        report.print_problems(checked.problems)
        whole = f"{checked.game} {checked.version}, whole: {checked.files} files"
        echo(f"{path}: {report.tally(checked.problems) if has_errors(checked.problems) else whole}")

    data = {"file": str(path), "game": checked.game, "version": checked.version, "files": checked.files}
    return Answer(data, checked.problems, show)
