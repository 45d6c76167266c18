"""`duckpress export`, `preview` and `bundle`: a game for other programs, for a browser, and for playtesters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from duckpress.cli import asking, completion, report
from duckpress.cli.asking import (
    EVERY_LANGUAGE,
    FINISH,
    FORMAT,
    GAME,
    GAMES,
    OUT,
    PIECES,
    SINCE,
    chosen_games,
    language_option,
    leave,
    output_folder,
    workspace_of,
)
from duckpress.cli.terminal import echo, progress, style
from duckpress.cli.watch import held_versions, live_options, refuse_unused, serve_page
from duckpress.core.backs import INKS, PLAIN
from duckpress.core.problems import did_you_mean, has_errors

if TYPE_CHECKING:
    from duckpress.vendors import Vendor

_LANG = language_option("The language to show")
_INK = click.option("--ink", type=click.Choice(INKS), default="color", show_default=True, help="How much ink.")
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
    """Return a vendor by its id; their table is read only when one is asked for."""
    from duckpress.vendors import VENDORS

    if value not in VENDORS:
        raise click.BadParameter(f"there is no vendor {value!r}; {did_you_mean(value, VENDORS)}")
    return VENDORS[value]


@click.command("export")
@GAME
@click.option(
    "--to",
    type=click.Choice([kind for kind in _UNUSED if kind != "vendor"]),
    help="PNG files, a virtual table, or pictures to show a game with.",
)
@click.option(
    "--for",
    "vendor",
    type=vendor,
    help="The files of an order at this vendor, such as tgc.",
    shell_complete=completion.one_of(completion.vendors),
)
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", is_flag=True, help="Show what lies beyond the cut, too.")
@click.option("--max-px", type=click.IntRange(256, 10_000), help="Sides of a sheet; as the table takes without it.")
@click.option("--url", default="", help="Where the pictures will lie when a virtual table loads them.")
@click.option("--players", type=click.IntRange(1, 100), help="Set the virtual table for so many.")
@click.option("--seed", type=asking.seed, help="Of the deal that sets it; 1 without it.")
@click.option("--variant", help="Of that deal.")
@_LANG
@_INK
@PIECES
@OUT
@FORMAT
@click.pass_context
def export_command(ctx: click.Context, /, game: str, form: str, out: Path | None, **options: Any) -> None:
    """Write a game's cards as PNG files, as what a virtual table loads, or as what a vendor prints."""
    from duckpress.views.export_files import ExportRequest
    from duckpress.views.exporting import export
    from duckpress.views.pictures import FaceTooLarge

    if (options["to"] is None) == (options["vendor"] is None):
        raise click.UsageError("say what to export: either --to png or a virtual table, or --for and a vendor.")
    for name in _UNUSED[options["to"] or "vendor"]:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            kind = f"--to {options['to']}" if options["to"] else f"--for {options['vendor'].id}"
            raise click.UsageError(f"--{name.replace('_', '-')} says nothing for {kind}: leave it out.")
    if options["players"] is None and (options["seed"] or options["variant"]):
        raise click.UsageError("a table is set for some players: give --players as well.")
    workspace = workspace_of(ctx)
    request = ExportRequest(
        to=options["to"] or options["vendor"].id,
        vendor=options["vendor"],
        dpi=options["dpi"],
        has_bleed=options["bleed"],
        language=options["lang"],
        ink=options["ink"],
        pieces=options["pieces"],
        max_px=options["max_px"],
        url=options["url"],
        players=options["players"],
        seed=options["seed"] or "1",
    )
    folder = output_folder(workspace, out)
    (loaded,) = chosen_games(
        workspace, (game,), players=request.players, variant=options["variant"],
        language=request.language, pieces=request.pieces, lays_out=True,
    )  # fmt: skip
    if request.players is not None:
        request = replace(request, variant=asking.the_way(loaded, options["variant"]))
    with progress(loaded.game_id, is_quiet=form == "json") as step:
        try:
            exported = export(workspace, loaded, request, folder, step)
        except FaceTooLarge as error:
            raise click.UsageError(str(error)) from error
    checked, made_for = exported.checked, request.vendor
    if form == "json":
        order = None
        if made_for is not None:
            facts = {"vendor": made_for.id, "title": made_for.title, "source": made_for.source}
            order = {**facts, "unverified": made_for.unverified}
        told = {"folder": str(exported.folder), "files": exported.files, "order": order, "said": exported.said}
        data = {"game": checked.game_id, **told}
        report.print_json(data, checked.problems)
    elif not exported.files:
        report.print_tally(checked, "nothing exported")
    else:
        report.print_problems(checked.problems if made_for is not None else ())
        words = f"for {made_for.title}: " if made_for is not None else ""
        files = report.counted(len(exported.files), "file")
        echo(f"{style(checked.game_id, bold=True)}: {words}{files} in {exported.folder}")
        for line in made_for.unverified if made_for is not None else ():
            echo(f"    not verified: {line}")
        for line in exported.said:
            echo(f"    {line}")
    leave(checked.problems)


@click.command("preview")
@GAMES
@click.option("--dpi", type=click.FloatRange(36, 600), default=150, show_default=True, help="Dots per inch.")
@language_option("The language to show, or `all` side by side")
@click.option(
    "--ink",
    "inks",
    type=asking.ink_names,
    metavar="NAMES",
    default=PLAIN,
    show_default=True,
    help="The ink to show; others after it, with commas, side by side.",
    shell_complete=completion.some_of(completion.inks),
)
@PIECES
@SINCE
@OUT
@live_options
@FORMAT
@click.pass_context
def preview_command(ctx: click.Context, /, games: tuple[str, ...], form: str, out: Path | None, **options: Any) -> None:
    """Write a page for the browser that shows all cards of a game, or serve one while its files are edited."""
    from duckpress.views.export_files import ExportRequest
    from duckpress.views.page.game_page import FILE, preview

    refuse_unused(ctx, is_live=options["is_live"])
    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    pieces, (ink, *others), is_every = options["pieces"], options["inks"], options["lang"] == EVERY_LANGUAGE
    language = None if is_every else options["lang"]
    request = ExportRequest(
        to="preview", dpi=options["dpi"], language=language, ink=ink, pieces=pieces, every_language=is_every,
        other_inks=tuple(others),
    )  # fmt: skip
    if options["is_live"]:
        serve_page(workspace, games, request, folder, options)
        return
    checked = []
    chosen = chosen_games(workspace, games, language=language, pieces=pieces, lays_out=True)
    versions = {loaded.game_id: held_versions(workspace, loaded.game_id, options["since"]) for loaded in chosen}
    for loaded in chosen:
        with progress(loaded.game_id, is_quiet=form == "json") as step:
            checked.append(preview(workspace, loaded, request, folder, step, versions[loaded.game_id]))
    problems = [problem for one in checked for problem in one.problems]
    if form == "json":
        rows = [
            {"game": one.game_id, "folder": str(folder / one.game_id), "file": FILE if one.pieces else None}
            for one in checked
        ]
        report.print_json({"games": rows}, problems)
        leave(problems)
        return
    for one in checked:
        if not one.pieces:
            report.print_tally(one, "nothing to show")
            continue
        if one.has_errors:
            report.print_tally(one, "a draft is shown")
        echo(f"{style(one.game_id, bold=True)}: open {folder / one.game_id / FILE} in a browser")
    leave(problems)


@click.command("bundle")
@click.argument("game", required=False, shell_complete=completion.one_of(completion.games))
@click.option(
    "--check", "held", type=click.Path(dir_okay=False, path_type=Path), help="Only check this bundle; write nothing."
)
@FINISH
@OUT
@FORMAT
@click.pass_context
def bundle_command(
    ctx: click.Context, game: str | None, held: Path | None, finish: str | None, out: Path | None, form: str
) -> None:
    """Pack a game into one zip for playtesters, or check one that somebody holds."""
    if (game is None) == (held is None):
        raise click.UsageError("name either a game to pack, or with --check a bundle to look at.")
    if held is not None:
        if out is not None or finish is not None:
            raise click.UsageError(f"--{'finish' if out is None else 'out'} says nothing for --check: leave it out.")
        _check_bundle(held, form)
        return
    from duckpress.press.reading import apply_finish
    from duckpress.share.bundling import bundle

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    (loaded,) = chosen_games(workspace, (str(game),), lays_out=True)
    with progress(loaded.game_id, is_quiet=form == "json") as step:
        done = bundle(workspace, apply_finish(loaded, finish), folder, step)
    checked, files = done.checked, done.files
    if form == "json":
        data = {
            "game": checked.game_id,
            "folder": str(done.folder),
            "file": done.file,
            "bytes": done.size,
            "files": sorted(files),
            "is_released": done.is_released,
        }
        report.print_json(data, checked.problems)
    elif done.file is None:
        report.print_tally(checked, "nothing packed")
    else:
        report.print_problems(checked.problems)
        name = style(checked.game_id, bold=True)
        echo(f"{name}: {len(files)} files, {done.size / 1e6:.1f} MB: {done.folder / done.file}")
        if not done.is_released and checked.game is not None:
            version = checked.game.version
            echo(f"    version {version} is not released yet: `duckpress release {checked.game_id}` freezes it")
    leave(checked.problems)


def _check_bundle(path: Path, form: str) -> None:
    """Report whether a bundle that somebody holds is whole."""
    from duckpress.share.bundle_check import check_bundle

    checked = check_bundle(path)
    if form == "json":
        data = {"file": str(path), "game": checked.game, "version": checked.version, "files": checked.files}
        report.print_json(data, checked.problems)
    else:
        report.print_problems(checked.problems)
        whole = f"{checked.game} {checked.version}, whole: {checked.files} files"
        echo(f"{path}: {report.tally(checked.problems) if has_errors(checked.problems) else whole}")
    leave(checked.problems)
