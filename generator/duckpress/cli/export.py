"""`duckpress export` and `duckpress preview`: a game's faces as pictures, for other programs and for a browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import (
    FORMAT,
    GAMES,
    Names,
    chosen_games,
    leave,
    machine_failures,
    output_folder,
    workspace_of,
)
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace
    from duckpress.vendors import Vendor
    from duckpress.views.exporting import Exported
    from duckpress.views.preview_page import Previewed

_OUT = click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/."
)


class _VendorName(click.ParamType[str]):
    """The id of a vendor; their table is read only when one is asked for."""

    name = "vendor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the id."""
        from duckpress.core.problems import did_you_mean
        from duckpress.vendors import VENDORS

        if value not in VENDORS:
            self.fail(f"there is no vendor {value!r}; {did_you_mean(str(value), VENDORS)}", param, ctx)
        return str(value)


_LANG = click.option("--lang", help="The language to show; without it the game's first.")

_INK = click.option(
    "--ink", type=click.Choice(["color", "low", "grey"]), default="color", show_default=True, help="How much ink."
)


@click.command("export")
@click.argument("game")
@click.option("--to", type=click.Choice(["png", "tts"]), help="PNG files, or Tabletop Simulator.")
@click.option("--for", "vendor", type=_VendorName(), help="The files of an order at this vendor, such as tgc.")
@click.option("--dpi", type=click.FloatRange(36, 1200), default=300, show_default=True, help="Dots per inch.")
@click.option("--bleed", is_flag=True, help="Show what lies beyond the cut, too.")
@click.option("--max-px", type=click.IntRange(256, 10_000), default=4096, show_default=True, help="Sides of a sheet.")
@click.option("--url", default="", help="Where the pictures will lie when a virtual table loads them.")
@_LANG
@_INK
@click.option("--piece", "pieces", type=Names(), default=(), help="Only these pieces.")
@_OUT
@FORMAT
@click.pass_context
def export_command(ctx: click.Context, /, game: str, form: str, out: Path | None, **options: Any) -> None:
    """Write a game's cards as PNG files, as what a virtual table loads, or as what a vendor prints."""
    from duckpress.views.export_files import ExportRequest
    from duckpress.views.exporting import export
    from duckpress.views.face_pictures import FaceTooLarge

    if (options["to"] is None) == (options["vendor"] is None):
        raise click.UsageError("say what to export: either --to png or tts, or --for and a vendor.")
    _refuse_unused(ctx, options)
    workspace = workspace_of(ctx)
    if options["vendor"] is not None:
        _export_order(workspace, game, form, out, options)
        return
    request = ExportRequest(
        to=options["to"],
        dpi=options["dpi"],
        has_bleed=options["bleed"],
        language=options["lang"],
        ink=options["ink"],
        pieces=options["pieces"],
        max_px=options["max_px"],
        url=options["url"],
    )
    folder = output_folder(workspace, out)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), pieces=request.pieces, language=request.language, lays_out=True)
        with report.progress(loaded.game_id, is_quiet=form == "json") as step:
            try:
                exported = export(workspace, loaded, request, folder, step)
            except FaceTooLarge as error:
                raise click.UsageError(str(error)) from error
    _show(exported, form)
    leave([exported])


def _refuse_unused(ctx: click.Context, options: dict[str, Any]) -> None:
    """Leave with status 2 where an option was written that this kind of export would not look at."""
    kind = options["to"] or "vendor"
    unused = {
        "png": ("max_px", "url"),
        "tts": ("bleed",),
        "vendor": ("dpi", "bleed", "max_px", "url", "ink"),
    }[kind]
    for name in unused:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            asked = f"--to {kind}" if options["to"] else f"--for {options['vendor']}"
            raise click.UsageError(f"--{name.replace('_', '-')} says nothing for {asked}: leave it out.")


def _export_order(workspace: Workspace, game: str, form: str, out: Path | None, options: dict[str, Any]) -> None:
    """Write the files of an order into `output/<game>/<vendor>/`."""
    from duckpress.store import locked_outputs, sources_of
    from duckpress.views.export_files import write_export
    from duckpress.views.exporting import Exported
    from duckpress.views.vendor_orders import order

    pieces, language = options["pieces"], options["lang"]
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), pieces=pieces, language=language, lays_out=True)
        game_folder = output_folder(workspace, out) / loaded.game_id
        with (
            report.progress(loaded.game_id, is_quiet=form == "json") as step,
            locked_outputs(game_folder, sources_of(workspace.root)) as held,
        ):
            made = order(workspace, loaded, options["vendor"], language=language, pieces=pieces, step=step)
            if made.files:
                step("writing")
                write_export(held, options["vendor"], made.files)
    _show(Exported(made.checked, game_folder / options["vendor"], tuple(sorted(made.files))), form, made.vendor)
    leave([made.checked])


def _show(exported: Exported, form: str, vendor: Vendor | None = None) -> None:
    """Print what was written, and where."""
    checked = exported.checked
    if form == "json":
        made_for = None
        if vendor is not None:
            told = {"vendor": vendor.id, "title": vendor.title, "source": vendor.source}
            made_for = {**told, "unverified": list(vendor.unverified)}
        data = {"game": checked.game_id, "folder": str(exported.folder), "files": list(exported.files)}
        report.print_json({**data, "order": made_for, "problems": report.all_data([checked])})
        return
    name = style(checked.game_id, bold=True)
    if vendor is not None or not exported.files:
        report.print_problems(checked.problems)
    if not exported.files:
        echo(f"{name}: nothing exported: {report.tally(checked.problems)}")
        return
    words = f"for {vendor.title}: " if vendor is not None else ""
    count = len(exported.files)
    echo(f"{name}: {words}{count} {report.plural(count, 'file')} in {exported.folder}")
    for line in vendor.unverified if vendor is not None else ():
        echo(f"    not verified: {line}")


@click.command("preview")
@GAMES
@click.option("--dpi", type=click.FloatRange(36, 600), default=150, show_default=True, help="Dots per inch.")
@_LANG
@_INK
@click.option("--piece", "pieces", type=Names(), default=(), help="Only these pieces.")
@_OUT
@FORMAT
@click.pass_context
def preview_command(ctx: click.Context, /, games: tuple[str, ...], form: str, out: Path | None, **options: Any) -> None:
    """Write a page for the browser that shows all cards of a game and finds them by their words."""
    from duckpress.views.preview_page import PreviewRequest, preview

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    pieces, language = options["pieces"], options["lang"]
    shown = []
    with machine_failures():
        for loaded in chosen_games(workspace, games, pieces=pieces, language=language, lays_out=True):
            with report.progress(loaded.game_id, is_quiet=form == "json") as step:
                request = PreviewRequest(options["dpi"], language, options["ink"], pieces)
                shown.append(preview(workspace, loaded, request, folder, step))
    _show_previews(shown, form)
    leave(shown)


def _show_previews(shown: Sequence[Previewed], form: str) -> None:
    """Print where the pages are."""
    if form == "json":
        rows = [{"game": one.checked.game_id, "folder": str(one.folder), "file": one.file} for one in shown]
        report.print_json({"games": rows, "problems": report.all_data([one.checked for one in shown])})
        return
    for one in shown:
        name = style(one.checked.game_id, bold=True)
        if one.file is None:
            report.print_problems(one.checked.problems)
            echo(f"{name}: nothing to show: {report.tally(one.checked.problems)}")
        else:
            echo(f"{name}: open {one.folder / one.file} in a browser")
