"""`duckpress release` and `duckpress changes`: freezing a version, and what differs from the one somebody holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, chosen_games, leave, machine_failures, workspace_of
from duckpress.cli.terminal import echo

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace
    from duckpress.press.reading import Loaded
    from duckpress.press.request import Step
    from duckpress.share.updates.releasing import Compared


@click.command("release")
@click.argument("game")
@FORMAT
@click.pass_context
def release_command(ctx: click.Context, game: str, form: str) -> None:
    """Freeze the version of a game: writes content/GAME/releases/VERSION.lock."""
    from duckpress.releases import as_data, in_words
    from duckpress.share.updates.releasing import release, store_release

    workspace = workspace_of(ctx)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), lays_out=True)
        with report.progress(loaded.game_id, is_quiet=form == "json"):
            done = release(workspace, loaded)
        if done.data is not None:
            store_release(workspace, done.path, done.data)
    if form == "json":
        report.print_json({
            "game": loaded.game_id,
            "file": done.path if not done.checked.has_errors else None,
            "is_new": done.data is not None,
            "changes": as_data(done.changes) if done.changes is not None else None,
            "problems": [report.problem_data(problem) for problem in done.checked.problems],
        })  # fmt: skip
    else:
        report.print_problems(done.checked.problems)
        if done.data is not None:
            echo(f"{done.path} is written: keep it under version control")
            if done.changes is not None:
                echo(f"since {done.changes.old.version}:")
                for line in in_words(done.changes):
                    echo(f"    {line}")
        elif not done.checked.has_errors:
            echo(f"{done.path} is there already, and nothing has changed since")
    leave([done.checked])


class _PictureFile(click.ParamType[Path]):
    """A file that a picture is written into, by its suffix a PNG or a PDF."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path."""
        path = Path(value)
        if path.suffix.lower() not in (".png", ".pdf"):
            self.fail(f"{str(value)!r} ends in neither .png nor .pdf", param, ctx)
        return path


def _draw(
    workspace: Workspace, loaded: Loaded, found: Compared, since: str | None, path: Path, lang: str | None, step: Step
) -> Compared:
    """Write the picture of changes, and give what was found with what came up in drawing it."""
    from duckpress.share.updates.change_page import change_page
    from duckpress.store import sources_of, write_file

    checked, data = change_page(workspace, loaded, found, since, path.suffix.lower()[1:], lang, step)
    if data is not None:
        write_file(path, data, sources_of(workspace.root))
    return found._replace(checked=checked)


@click.command("changes")
@click.argument("game")
@click.option("--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", help="How to report."
)
@click.option("--picture", type=_PictureFile(), help="Draw old and new side by side into this .png or .pdf.")
@click.option("--lang", help="The language of the Markdown and of the picture; without it the game's first.")
@click.pass_context
def changes_command(
    ctx: click.Context, game: str, since: str | None, form: str, picture: Path | None, lang: str | None
) -> None:
    """Say what has changed since a version that somebody holds."""
    from duckpress.releases import as_data, in_words
    from duckpress.share.updates.releasing import Unknown, changes_since

    if lang is not None and form != "markdown" and picture is None:
        raise click.UsageError("--lang is for --format markdown and for --picture: text and JSON tell all languages.")
    workspace = workspace_of(ctx)
    with machine_failures():
        (loaded,) = chosen_games(workspace, (game,), language=lang, lays_out=True)
        try:
            with report.progress(loaded.game_id, is_quiet=form != "text") as step:
                found = changes_since(workspace, loaded, since)
                if picture is not None:
                    found = _draw(workspace, loaded, found, since, picture, lang, step)
        except Unknown as unknown:
            raise click.UsageError(str(unknown)) from None
    if form == "json":
        report.print_json({
            "changes": as_data(found.changes) if found.changes is not None else None,
            "problems": [report.problem_data(problem) for problem in found.checked.problems],
        })  # fmt: skip
    else:
        errors = [problem for problem in found.checked.problems if problem.level == "error"]
        report.print_problems(errors)
        if found.changes is not None:
            changes = found.changes
            if form == "markdown" and found.checked.game is not None:
                from duckpress.share.updates.changelog import changelog

                told = changelog(workspace, loaded, found.checked.game, changes, [lang or found.checked.game.language])
                echo(told[0], nl=False, lines=True)
            else:
                echo(f"{changes.new.title}: {changes.old.version} -> {changes.new.version}")
                for line in in_words(changes):
                    echo(f"    {line}")
            if picture is not None and not found.checked.has_errors:
                echo(f"picture: {picture}", err=form == "markdown")
    leave([found.checked])
