"""`duckpress bundle`: one zip for playtesters, and whether one that somebody holds is whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, chosen_games, leave, machine_failures, output_folder, workspace_of
from duckpress.cli.terminal import echo, style

if TYPE_CHECKING:
    from duckpress.share.bundles.bundle_check import BundleChecked
    from duckpress.share.bundles.bundling import Bundled


@click.command("bundle")
@click.argument("game", required=False)
@click.option(
    "--check", "held", type=click.Path(dir_okay=False, path_type=Path), help="Only check this bundle; write nothing."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to write; without it output/.")
@FORMAT
@click.pass_context
def bundle_command(ctx: click.Context, game: str | None, held: Path | None, out: Path | None, form: str) -> None:
    """Pack a game into one zip for playtesters, or check one that somebody holds."""
    if (game is None) == (held is None):
        raise click.UsageError("name either a game to pack, or with --check a bundle to look at.")
    if held is not None:
        from duckpress.share.bundles.bundle_check import check_bundle

        if out is not None:
            raise click.UsageError("--out says nothing for --check: leave it out.")
        with machine_failures():
            checked = check_bundle(held)
        _show_check(checked, form)
        leave([checked])
        return
    from duckpress.share.bundles.bundling import bundle

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (str(game),), lays_out=True)
        with report.progress(loaded.game_id, is_quiet=form == "json") as step:
            done = bundle(workspace, loaded, folder, step)
    _show(done, form)
    leave([done])


def _show(done: Bundled, form: str) -> None:
    checked, contents = done.checked, done.contents
    if form == "json":
        data = {
            "game": checked.game_id,
            "folder": str(done.folder),
            "file": done.file,
            "bytes": done.size,
            "files": sorted(contents.files) if contents is not None and done.file is not None else [],
            "is_released": done.is_released,
            "problems": report.all_data([checked]),
        }
        report.print_json(data)
        return
    report.print_problems(checked.problems)
    name = style(checked.game_id, bold=True)
    if done.file is None or contents is None:
        echo(f"{name}: nothing packed: {report.tally(checked.problems)}")
        return
    echo(f"{name}: {len(contents.files)} files, {done.size / 1e6:.1f} MB: {done.folder / done.file}")
    if not done.is_released and checked.game is not None:
        version = checked.game.version
        echo(f"    version {version} is not released yet: `duckpress release {checked.game_id}` freezes it")


def _show_check(checked: BundleChecked, form: str) -> None:
    if form == "json":
        data = {
            "file": str(checked.path),
            "game": checked.game,
            "version": checked.version,
            "files": checked.files,
            "problems": [report.problem_data(problem) for problem in checked.problems],
        }
        report.print_json(data)
        return
    report.print_problems(checked.problems)
    if checked.has_errors:
        echo(f"{checked.path}: {report.tally(checked.problems)}")
    else:
        echo(f"{checked.path}: {checked.game} {checked.version}, whole: {checked.files} files")
