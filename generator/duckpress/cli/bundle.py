"""`duckpress bundle`: one zip for playtesters, and whether one that somebody holds is whole."""

from __future__ import annotations

from pathlib import Path

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, OUT, chosen_games, leave, output_folder, workspace_of
from duckpress.cli.terminal import echo, progress, style
from duckpress.core.problems import has_errors


@click.command("bundle")
@click.argument("game", required=False)
@click.option(
    "--check", "held", type=click.Path(dir_okay=False, path_type=Path), help="Only check this bundle; write nothing."
)
@OUT
@FORMAT
@click.pass_context
def bundle_command(ctx: click.Context, game: str | None, held: Path | None, out: Path | None, form: str) -> None:
    """Pack a game into one zip for playtesters, or check one that somebody holds."""
    if (game is None) == (held is None):
        raise click.UsageError("name either a game to pack, or with --check a bundle to look at.")
    if held is not None:
        if out is not None:
            raise click.UsageError("--out says nothing for --check: leave it out.")
        _check(held, form)
        return
    from duckpress.share.bundles.bundling import bundle

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    (loaded,) = chosen_games(workspace, (str(game),), lays_out=True)
    with progress(loaded.game_id, is_quiet=form == "json") as step:
        done = bundle(workspace, loaded, folder, step)
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


def _check(path: Path, form: str) -> None:
    """Report whether a bundle that somebody holds is whole."""
    from duckpress.share.bundles.bundle_check import check_bundle

    checked = check_bundle(path)
    if form == "json":
        data = {"file": str(path), "game": checked.game, "version": checked.version, "files": checked.files}
        report.print_json(data, checked.problems)
    else:
        report.print_problems(checked.problems)
        whole = f"{checked.game} {checked.version}, whole: {checked.files} files"
        echo(f"{path}: {report.tally(checked.problems) if has_errors(checked.problems) else whole}")
    leave(checked.problems)
