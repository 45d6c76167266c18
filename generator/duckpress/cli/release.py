"""`duckpress release`, `changes` and `update`: freezing a version, comparing versions, printing the differences."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command, steps_of
from duckpress.cli.options import (
    FINISH,
    FORMAT,
    GAME,
    OUT,
    SINCE,
    TURN,
    choice_of,
    choice_option,
    language_option,
    paper_option,
    request_of,
)
from duckpress.cli.terminal import echo, style
from duckpress.core.backs import INKS, WITH_FRONTS
from duckpress.files.workspace import Workspace
from duckpress.press.releases.changes import Changes
from duckpress.share.changes_report import as_data, card_data, in_words
from duckpress.share.releasing import Unknown, changes_since, release, store_release
from duckpress.share.updating import Updated, change_page, changelog, update
from duckpress.store import sources_of, write_file


@command("duckpress release my-game")
@GAME
@FORMAT
def release_command(workspace: Workspace, game: str) -> Answer:
    (loaded,) = chosen_games(workspace, (game,), lays_out=True)
    with steps_of(loaded.game_id):
        done = release(workspace, loaded)
    if done.data is not None:
        store_release(workspace, done.path, done.data)
    checked, changes = done.checked, done.changes

    def show() -> None:
        report.print_problems(checked.problems)
        if done.data is not None:
            echo(f"{done.path} is written: keep it under version control")
        elif not checked.has_errors:
            echo(f"{done.path} is there already, and nothing has changed since")
        if changes is not None:
            echo(f"since {changes.old.version}:")
            _print_changes(changes)

    data = {
        "game": loaded.game_id,
        "file": done.path if not checked.has_errors else None,
        "is_new": done.data is not None,
        "changes": changes and as_data(changes),
    }
    return Answer(data, checked.problems, show)


def _print_changes(changes: Changes) -> None:
    for line in in_words(changes):
        echo(f"    {line}")


def picture_file(value: str) -> Path:
    """Return the path of a picture's file, by its suffix a PNG or a PDF."""
    path = Path(value)
    if path.suffix.lower() not in (".png", ".pdf"):
        raise click.BadParameter(f"{value!r} ends in neither .png nor .pdf")
    return path


@command("duckpress changes my-game", "duckpress changes my-game --since 0.1 --picture changes.png")
@GAME
@SINCE
@click.option("--format", "form", type=choice_of(("text", "json", "markdown")), default="text", help="How to report.")
@click.option(
    "--picture", type=picture_file, metavar="FILE", help="Draw old and new side by side into this .png or .pdf."
)
@language_option("The language of the Markdown and of the picture")
def changes_command(
    workspace: Workspace, game: str, since: str | None, picture: Path | None, language: str | None
) -> Answer:
    is_markdown = asking.form() == "markdown"
    if language is not None and not is_markdown and picture is None:
        raise click.UsageError("--lang is for --format markdown and for --picture: text and JSON tell all languages.")
    (loaded,) = chosen_games(workspace, (game,), language=language, lays_out=True)
    try:
        with steps_of(loaded.game_id) as step:
            compared = changes_since(workspace, loaded, since)
            checked, _, changes = compared
            if picture is not None:
                ending = picture.suffix.lower()[1:]
                checked, data = change_page(workspace, loaded, compared, since, ending, language, step)
                if data is not None:
                    write_file(picture, data, sources_of(workspace.root))
    except Unknown as unknown:
        raise click.UsageError(str(unknown)) from None

    def show() -> None:
        report.print_problems([problem for problem in checked.problems if problem.level == "error"])
        if changes is None:
            return
        if is_markdown and checked.game is not None:
            markdown, _ = changelog(workspace, loaded, checked.game, changes, [language or checked.game.language])
            echo(markdown, nl=False, lines=True)
        else:
            echo(f"{changes.new.title}: {changes.old.version} -> {changes.new.version}")
            _print_changes(changes)
        if picture is not None and not checked.has_errors:
            echo(f"picture: {picture}", err=is_markdown)

    return Answer({"changes": changes and as_data(changes)}, checked.problems, show)


@command("duckpress update my-game --since 0.1", "duckpress update my-game --paper letter")
@GAME
@SINCE
@paper_option("a4,letter")
@choice_option("--backs", WITH_FRONTS, "duplex", "Backs.")
@TURN
@click.option("--ink", type=choice_of(INKS), help="The ink of the cards; without it the one held, else color.")
@FINISH
@language_option("The language of the cards")
@OUT
@FORMAT
def update_command(workspace: Workspace, game: str, out: Path | None, **options: Any) -> Answer:
    folder, ink = asking.output_folder(workspace, out), options.pop("ink")
    printed = request_of(options)
    (loaded,) = chosen_games(workspace, (game,), language=printed.language, lays_out=True)
    try:
        with steps_of(loaded.game_id) as step:
            done = update(workspace, loaded, options["since"], printed, ink, folder, step)
    except Unknown as unknown:
        raise click.UsageError(str(unknown)) from None
    checked, swap = done.checked, done.swap
    folder = folder / checked.game_id
    data = {
        "game": checked.game_id,
        "folder": str(folder / done.folder) if done.files else None,
        "files": sorted(done.files),
        "sheets": done.sheets,
        "take_out": [{**card_data(line.card), "copies": line.copies} for line in (swap.take_out if swap else ())],
        "put_in": [{**card_data(line.card), "copies": line.copies} for line in (swap.put_in if swap else ())],
        "changes": done.changes and as_data(done.changes),
    }
    return Answer(data, checked.problems, partial(_print_update, done, folder))


def _print_update(done: Updated, folder: Path) -> None:
    checked, changes, swap = done.checked, done.changes, done.swap
    if changes is None or swap is None:
        report.print_tally(checked, "nothing printed")
        return
    report.print_problems(checked.problems)
    name = style(checked.game_id, bold=True)
    echo(f"{name}: {changes.new.title}: {changes.old.version} -> {changes.new.version}")
    if not (swap.take_out or swap.put_in):
        echo("    no card has to be swapped: nothing is printed")
        if not changes.is_empty:
            _print_changes(changes)
        return
    out, into = (sum(line.copies for line in lines) for lines in (swap.take_out, swap.put_in))
    echo(f"    take out {report.counted(out, 'card')}, put in {into}")
    if done.sheets:
        totals = (f"{report.counted(count, 'sheet')} of {paper}" for paper, count in done.sheets.items())
        echo(f"    paper: {', '.join(totals)}")
    if done.files:
        echo(f"    {len(done.files)} files in {folder / done.folder}")
