"""`duckpress release` and `duckpress changes`: freezing a version, and what differs from the one somebody holds."""

from __future__ import annotations

from pathlib import Path

import click

from duckpress.cli import report
from duckpress.cli.asking import FORMAT, chosen_games, leave, workspace_of
from duckpress.cli.terminal import echo, progress


@click.command("release")
@click.argument("game")
@FORMAT
@click.pass_context
def release_command(ctx: click.Context, game: str, form: str) -> None:
    """Freeze the version of a game: writes content/GAME/releases/VERSION.lock."""
    from duckpress.releases.changes_report import as_data, in_words
    from duckpress.share.updates.releasing import release, store_release

    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), lays_out=True)
    with progress(loaded.game_id, is_quiet=form == "json"):
        done = release(workspace, loaded)
    if done.data is not None:
        store_release(workspace, done.path, done.data)
    problems, changes = done.checked.problems, done.changes
    if form == "json":
        data = {
            "game": loaded.game_id,
            "file": done.path if not done.checked.has_errors else None,
            "is_new": done.data is not None,
            "changes": as_data(changes) if changes is not None else None,
        }
        report.print_json(data, problems)
    else:
        report.print_problems(problems)
        if done.data is not None:
            echo(f"{done.path} is written: keep it under version control")
        elif not done.checked.has_errors:
            echo(f"{done.path} is there already, and nothing has changed since")
        if changes is not None:
            echo(f"since {changes.old.version}:")
            for line in in_words(changes):
                echo(f"    {line}")
    leave(problems)


def picture_file(value: str) -> Path:
    """Return the path of a file that a picture is written into, by its suffix a PNG or a PDF."""
    path = Path(value)
    if path.suffix.lower() not in (".png", ".pdf"):
        raise click.BadParameter(f"{value!r} ends in neither .png nor .pdf")
    return path


@click.command("changes")
@click.argument("game")
@click.option("--since", help="A release, a lock, manifest or bundle, or a revision; the newest release without it.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", help="How to report."
)
@click.option(
    "--picture", type=picture_file, metavar="FILE", help="Draw old and new side by side into this .png or .pdf."
)
@click.option("--lang", help="The language of the Markdown and of the picture; without it the game's first.")
@click.pass_context
def changes_command(
    ctx: click.Context, game: str, since: str | None, form: str, picture: Path | None, lang: str | None
) -> None:
    """Say what has changed since a version that somebody holds."""
    from duckpress.releases.changes_report import as_data, in_words
    from duckpress.share.updates.releasing import Unknown, changes_since

    if lang is not None and form != "markdown" and picture is None:
        raise click.UsageError("--lang is for --format markdown and for --picture: text and JSON tell all languages.")
    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), language=lang, lays_out=True)
    try:
        with progress(loaded.game_id, is_quiet=form != "text") as step:
            compared = changes_since(workspace, loaded, since)
            checked, changes = compared
            if picture is not None:
                from duckpress.share.updates.change_page import change_page
                from duckpress.store import sources_of, write_file

                checked, data = change_page(workspace, loaded, compared, since, picture.suffix.lower()[1:], lang, step)
                if data is not None:
                    write_file(picture, data, sources_of(workspace.root))
    except Unknown as unknown:
        raise click.UsageError(str(unknown)) from None
    if form == "json":
        report.print_json({"changes": as_data(changes) if changes is not None else None}, checked.problems)
    else:
        report.print_problems([problem for problem in checked.problems if problem.level == "error"])
        if changes is not None:
            if form == "markdown" and checked.game is not None:
                from duckpress.share.updates.change_page import changelog

                languages = [lang or checked.game.language]
                markdown, _ = changelog(workspace, loaded, checked.game, changes, languages)
                echo(markdown, nl=False, lines=True)
            else:
                echo(f"{changes.new.title}: {changes.old.version} -> {changes.new.version}")
                for line in in_words(changes):
                    echo(f"    {line}")
            if picture is not None and not checked.has_errors:
                echo(f"picture: {picture}", err=form == "markdown")
    leave(checked.problems)
