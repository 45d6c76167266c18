"""`duckpress preview`: a page for the browser with all cards of a game, written once, or served while files change."""

from __future__ import annotations

import secrets
import signal
from functools import partial
from pathlib import Path
from typing import Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import Answer, chosen_games, command, named_games
from duckpress.cli.options import (
    COMPLETE_INKS,
    EVERY_LANGUAGE,
    FORMAT,
    GAMES,
    OUT,
    PIECES,
    SINCE,
    ink_names,
    language_option,
    stored_printers,
)
from duckpress.cli.terminal import echo, style
from duckpress.core.backs import PLAIN
from duckpress.core.interrupts import finish_at_interrupt, held
from duckpress.core.limits import settings
from duckpress.core.problems import Problem
from duckpress.files.workspace import Workspace
from duckpress.pool.starting import own_python
from duckpress.press.reading import Checked
from duckpress.share.page_changes import BaseVersions
from duckpress.share.releasing import Unknown
from duckpress.views.export_files import ExportRequest
from duckpress.views.live.gate import BadEditor, Editor, read_editor
from duckpress.views.live.web_process import Begin, PageProcess
from duckpress.views.page.game_page import FILE, preview

_OF_LIVE = {"port": "port", "opens_browser": "no-open", "editor": "editor"}
_NOT_LIVE = {"form": "format"}


@command("duckpress preview my-game", "duckpress preview my-game --piece cards --ink grey")
@GAMES
@click.option("--dpi", type=click.FloatRange(36, 600), default=150, show_default=True, help="Dots per inch.")
@language_option("The language to show, or `all` side by side")
@click.option(
    "--ink",
    "inks",
    type=ink_names,
    metavar="NAMES",
    default=PLAIN,
    show_default=True,
    help="The ink to show; others after it, with commas, side by side.",
    shell_complete=COMPLETE_INKS,
)
@PIECES
@SINCE
@OUT
@click.option("--live", "is_live", is_flag=True, help="Serve the page, and show each saved file at once.")
@click.option("--port", type=click.IntRange(1024, 65535), help="Where to serve it; any free one without it.")
@click.option("--open/--no-open", "opens_browser", default=True, help="Open the page in the browser.")
@click.option("--editor", metavar="COMMAND", help="Opens files: 'code -g {file}:{line}', or an address.")
@FORMAT
def preview_command(
    workspace: Workspace, games: tuple[str, ...], out: Path | None, *, is_live: bool, **options: Any
) -> Answer | None:
    for name, option in (_NOT_LIVE if is_live else _OF_LIVE).items():
        if asking.is_given(name):
            when = "with" if is_live else "without"
            raise click.UsageError(f"--{option} says nothing {when} --live: leave it out.")
    folder = asking.output_folder(workspace, out)
    pieces, (ink, *others), is_every = options["pieces"], options["inks"], options["language"] == EVERY_LANGUAGE
    language = None if is_every else options["language"]
    request = ExportRequest(
        to="preview", dpi=options["dpi"], language=language, ink=ink, pieces=pieces, every_language=is_every,
        other_inks=tuple(others),
    )  # fmt: skip
    if is_live:
        _serve_page(workspace, games, request, folder, options)
        return None
    checked = []
    chosen = chosen_games(workspace, games, language=language, pieces=pieces, lays_out=True)
    versions = {loaded.game_id: _held_versions(workspace, loaded.game_id, options["since"]) for loaded in chosen}
    for loaded in chosen:
        with asking.steps_of(loaded.game_id) as step:
            checked.append(preview(workspace, loaded, request, folder, step, versions[loaded.game_id]))
    rows = [
        {"game": one.game_id, "folder": str(folder / one.game_id), "file": FILE if one.pieces else None}
        for one in checked
    ]
    problems = [problem for one in checked for problem in one.problems]
    return Answer({"games": rows}, problems, partial(_print_pages, checked, folder))


def _print_pages(checked: list[Checked], folder: Path) -> None:
    for one in checked:
        if not one.pieces:
            report.print_tally(one, "nothing to show")
            continue
        if one.has_errors:
            report.print_tally(one, "a draft is shown")
        echo(f"{style(one.game_id, bold=True)}: open {folder / one.game_id / FILE} in a browser")


def _serve_page(
    workspace: Workspace, games: tuple[str, ...], request: ExportRequest, out: Path, options: dict[str, Any]
) -> None:
    """Serve the page of one game until Ctrl-C. Raises `MachineError` if the port is taken."""
    if request.every_language or request.other_inks:
        raise click.UsageError("a live page shows every language and ink side by side: name the one to begin with.")
    chosen = named_games(workspace, games)
    if len(chosen) != 1:
        raise click.UsageError(f"a live page shows one game: name one of {', '.join(chosen)}.")
    (game_id,) = chosen
    try:
        editor = Editor() if options["editor"] is None else read_editor(options["editor"], workspace.root)
    except BadEditor as bad:
        raise click.UsageError(f"--editor: {bad}") from None
    since = options["since"]
    versions = _held_versions(workspace, game_id, since) if since is not None else None  # this may end here
    key = secrets.token_urlsafe(24)
    limits = (f"--limit={name}={value}" for name, value in settings().items())
    run = own_python(  # a build of the page stops in good order where the process that serves it is gone
        f"from duckpress.pool.starting import end_with_parent; end_with_parent({int(signal.SIGTERM)}); "
        "from duckpress.cli import run; run()"
    )
    build = (*run, f"--workspace={workspace.root}", *limits, "build", game_id)
    begin = Begin(
        options["port"] or 0, key, str(workspace.root), str(out), editor.command, editor.address, build,
        opens_browser=options["opens_browser"],
    )  # fmt: skip
    finish_at_interrupt("no longer serving the page")
    process = PageProcess(begin)
    with held(lambda: process, PageProcess.close):
        from duckpress.views.live.session import LiveSession, Refreshed, serve

        echo(f"{game_id}: http://127.0.0.1:{process.begun(begin.port)}/?key={key}")
        echo("    for browsers of this computer alone; Ctrl-C ends it")
        frames = asking.earlier_frames(workspace)
        versions = versions or _held_versions(workspace, game_id, None)
        session = LiveSession(workspace, game_id, request, frames, versions, stored_printers(), process.exchange)
        before: tuple[Problem, ...] | None = None

        def tell(refreshed: Refreshed) -> None:
            """Print the problems if they have changed."""
            nonlocal before
            if refreshed.problems != before and (refreshed.problems or before is not None):
                report.print_problems(refreshed.problems)
                old = "; the page shows how it was" if refreshed.is_stale else ""
                echo(f"    {report.tally(refreshed.problems)}{old}")
            before = refreshed.problems

        serve(session, process, tell)


def _held_versions(workspace: Workspace, game_id: str, since: str | None) -> BaseVersions:
    """Return the versions for a page's comparison; exits with status 2 if `since` names no version."""
    try:
        return BaseVersions(workspace, game_id, since)
    except Unknown as unknown:
        raise click.UsageError(f"--since: {unknown}") from None
