"""`duckpress release`, `changes` and `update`: freezing a version, what differs from an older one, what to swap."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import report
from duckpress.cli.asking import (
    FINISH,
    FORMAT,
    GAME,
    OUT,
    PAPERS,
    SINCE,
    TURN,
    chosen_games,
    language_option,
    leave,
    output_folder,
    workspace_of,
)
from duckpress.cli.terminal import echo, progress, style
from duckpress.core.backs import INKS, WITH_FRONTS, Backs

if TYPE_CHECKING:
    from duckpress.press.releases.changes import Swap, SwapLine
    from duckpress.share.updating import Updated


@click.command("release")
@GAME
@FORMAT
@click.pass_context
def release_command(ctx: click.Context, game: str, form: str) -> None:
    """Freeze the version of a game: writes content/GAME/releases/VERSION.lock."""
    from duckpress.share.changes_report import as_data, in_words
    from duckpress.share.releasing import release, store_release

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
@GAME
@SINCE
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", help="How to report."
)
@click.option(
    "--picture", type=picture_file, metavar="FILE", help="Draw old and new side by side into this .png or .pdf."
)
@language_option("The language of the Markdown and of the picture")
@click.pass_context
def changes_command(
    ctx: click.Context, game: str, since: str | None, form: str, picture: Path | None, lang: str | None
) -> None:
    """Say what has changed since a version that somebody holds."""
    from duckpress.share.changes_report import as_data, in_words
    from duckpress.share.releasing import Unknown, changes_since

    if lang is not None and form != "markdown" and picture is None:
        raise click.UsageError("--lang is for --format markdown and for --picture: text and JSON tell all languages.")
    workspace = workspace_of(ctx)
    (loaded,) = chosen_games(workspace, (game,), language=lang, lays_out=True)
    try:
        with progress(loaded.game_id, is_quiet=form != "text") as step:
            compared = changes_since(workspace, loaded, since)
            checked, changes = compared
            if picture is not None:
                from duckpress.share.change_page import change_page
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
                from duckpress.share.change_page import changelog

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


@click.command("update")
@GAME
@SINCE
@PAPERS
@click.option("--backs", type=click.Choice(WITH_FRONTS), default="duplex", show_default=True, help="Backs.")
@TURN
@click.option("--ink", type=click.Choice(INKS), help="The ink of the cards; without it the one held, else color.")
@FINISH
@language_option("The language of the cards")
@OUT
@FORMAT
@click.pass_context
def update_command(ctx: click.Context, /, game: str, form: str, out: Path | None, **options: Any) -> None:
    """Print only the cards that are new or changed, and a sheet that says what to swap."""
    from duckpress.press.request import Request
    from duckpress.share.changes_report import as_data, in_words
    from duckpress.share.releasing import Unknown
    from duckpress.share.updating import update

    workspace = workspace_of(ctx)
    folder = output_folder(workspace, out)
    printed = Request(
        papers=options["paper"],
        backs=Backs(options["backs"]),
        turn=options["turn"],
        language=options["lang"],
        finish=options["finish"],
    )
    (loaded,) = chosen_games(workspace, (game,), language=options["lang"], lays_out=True)
    try:
        with progress(loaded.game_id, is_quiet=form == "json") as step:
            done = update(workspace, loaded, options["since"], printed, options["ink"], folder, step)
    except Unknown as unknown:
        raise click.UsageError(str(unknown)) from None
    checked, changes, swap = done.checked, done.changes, done.swap
    if form == "json":
        data = {
            "game": checked.game_id,
            "folder": str(folder / checked.game_id / done.folder) if done.files else None,
            "files": sorted(done.files),
            "sheets": done.sheets,
            "take_out": _lines_data(swap.take_out if swap is not None else ()),
            "put_in": _lines_data(swap.put_in if swap is not None else ()),
            "changes": as_data(changes) if changes is not None else None,
        }
        report.print_json(data, checked.problems)
    elif changes is None or swap is None:
        report.print_tally(checked, "nothing printed")
    else:
        report.print_problems(checked.problems)
        name = style(checked.game_id, bold=True)
        echo(f"{name}: {changes.new.title}: {changes.old.version} -> {changes.new.version}")
        if swap.take_out or swap.put_in:
            _print_swap(swap, done, folder / checked.game_id)
        else:
            echo("    no card has to be swapped: nothing is printed")
            for line in in_words(changes) if not changes.is_empty else ():
                echo(f"    {line}")
    leave(checked.problems)


def _print_swap(swap: Swap, done: Updated, folder: Path) -> None:
    out, into = (sum(line.copies for line in lines) for lines in (swap.take_out, swap.put_in))
    echo(f"    take out {report.counted(out, 'card')}, put in {into}")
    if done.sheets:
        totals = (f"{report.counted(count, 'sheet')} of {paper}" for paper, count in done.sheets.items())
        echo(f"    paper: {', '.join(totals)}")
    if done.files:
        echo(f"    {len(done.files)} files in {folder / done.folder}")


def _lines_data(lines: Sequence[SwapLine]) -> list[dict[str, Any]]:
    return [
        {"deck": line.card.deck, "card": line.card.card, "code": line.card.code, "copies": line.copies}
        for line in lines
    ]
