"""`duckpress watch` and `preview --live`: games built, or shown to the browser, whenever a file of theirs is saved."""

from __future__ import annotations

import secrets
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import asking, report
from duckpress.cli.asking import GAMES, OUT, PIECES, language_option, named_games, output_folder, workspace_of
from duckpress.cli.build import show_build
from duckpress.cli.printer import stored_printers
from duckpress.cli.terminal import echo, progress
from duckpress.core.backs import INKS
from duckpress.core.interrupts import finish_at_interrupt, held
from duckpress.core.limits import settings
from duckpress.core.problems import MachineError, Problem

if TYPE_CHECKING:
    from duckpress.files.workspace import Workspace
    from duckpress.press.request import Built
    from duckpress.press.watching import Watcher
    from duckpress.share.page_changes import BaseVersions
    from duckpress.views.export_files import ExportRequest
    from duckpress.views.live.page_acts import Editor
    from duckpress.views.live.session import Refreshed


@click.command("watch")
@GAMES
@asking.ONE_PAPER
@click.option("--ink", type=click.Choice(INKS), default="color", show_default=True, help="Inks.")
@language_option("The language to print")
@PIECES
@OUT
@click.pass_context
def watch_command(ctx: click.Context, /, games: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Build games, and build them again whenever one of their files is saved. Ctrl-C ends it."""
    from duckpress.press.build_cache import BuildCache
    from duckpress.press.request import Request
    from duckpress.press.watching import builds

    workspace = workspace_of(ctx)
    if games or not workspace.has_own_games:
        named_games(workspace, games)
    request = Request(
        papers=options["paper"],
        ink=options["ink"],
        language=options["lang"],
        pieces=options["pieces"],
        keeps_papers=True,
    )
    folder = output_folder(workspace, out)
    frames = BuildCache(asking.own_memo(workspace))
    finish_at_interrupt("no longer watching")
    keep_built(builds(workspace, games, request, folder, frames, progress), time.sleep)


def keep_built(watcher: Watcher[Built], sleep: Callable[[float], None]) -> None:
    """Build what has changed, tell what came of it, and wait for the next change; for ever."""
    from duckpress.press.watching import LOOK_S

    is_told = False
    while True:
        changed = watcher.changed()
        if not changed:
            if not is_told:
                echo(f"watching {', '.join(watcher.games()) or 'for games'}; Ctrl-C ends it")
                watcher.rest()
            is_told = True
            sleep(LOOK_S)
            continue
        is_told = False
        watcher.settle(sleep)
        for game_id in changed:
            build_and_tell(watcher, game_id)


def build_and_tell(watcher: Watcher[Built], game_id: str) -> None:
    """Build a game and tell what came of it; what the machine refuses is told and waited out."""
    try:
        while True:
            began = time.perf_counter()
            built = watcher.make(game_id)
            show_build([built], "text")
            echo(f"    in {time.perf_counter() - began:.2f} s")
            if not watcher.is_stale(game_id):
                return
    except BrokenPipeError:
        raise  # nobody reads what there is to tell
    except (MachineError, OSError) as error:
        echo(f"duckpress: {game_id}: {error}", err=True)


_OF_LIVE = ("port", "opens_browser", "editor")
_NOT_LIVE = ("form",)


def live_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that takes what says whether, and how, a page is served."""
    for option in (
        click.option("--editor", metavar="COMMAND", help="Opens files: 'code -g {file}:{line}', or an address."),
        click.option("--open/--no-open", "opens_browser", default=True, help="Open the page in the browser."),
        click.option("--port", type=click.IntRange(1024, 65535), help="Where to serve it; any free one without it."),
        click.option("--live", "is_live", is_flag=True, help="Serve the page, and show each saved file at once."),
    ):
        command = option(command)
    return command


def refuse_unused(ctx: click.Context, *, is_live: bool) -> None:
    """Leave with status 2 where an option says nothing: of `--live` without it, or the other way round."""
    for name in _NOT_LIVE if is_live else _OF_LIVE:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = {"form": "format", "opens_browser": "no-open"}.get(name, name)
            when = "with" if is_live else "without"
            raise click.UsageError(f"--{option} says nothing {when} --live: leave it out.")


def serve_page(
    workspace: Workspace, games: tuple[str, ...], request: ExportRequest, out: Path, options: dict[str, Any]
) -> None:
    """Serve the page of one game until Ctrl-C. Raises `MachineError` where the port cannot be had."""
    if request.every_language or request.other_inks:
        raise click.UsageError("a live page shows every language and ink side by side: name the one to begin with.")
    chosen = asking.named_games(workspace, games)
    if len(chosen) != 1:
        raise click.UsageError(f"a live page shows one game: name one of {', '.join(chosen)}.")
    (game_id,) = chosen
    editor = _editor(workspace, options["editor"])
    since = options["since"]
    versions = held_versions(workspace, game_id, since) if since is not None else None  # this may end here
    from duckpress.pool.starting import own_python
    from duckpress.views.live.web_process import Begin, PageProcess

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
        from duckpress.press.build_cache import BuildCache
        from duckpress.views.live.session import LiveSession, serve

        echo(f"{game_id}: http://127.0.0.1:{process.begun(begin.port)}/?key={key}")
        echo("    for browsers of this computer alone; Ctrl-C ends it")
        frames = BuildCache(asking.own_memo(workspace))
        versions = versions or held_versions(workspace, game_id, None)
        session = LiveSession(workspace, game_id, request, frames, versions, stored_printers(), process.exchange)
        serve(session, process, _Told())


def held_versions(workspace: Workspace, game_id: str, since: str | None) -> BaseVersions:
    """Return what a game's page compares it with; leaves with status 2 where `since` names no version."""
    from duckpress.share.page_changes import BaseVersions
    from duckpress.share.releasing import Unknown

    try:
        return BaseVersions(workspace, game_id, since)
    except Unknown as unknown:
        raise click.UsageError(f"--since: {unknown}") from None


class _Told:
    """What came of a game, said each time that other problems stand than before."""

    def __init__(self) -> None:
        self._problems: tuple[Problem, ...] | None = None

    def __call__(self, refreshed: Refreshed) -> None:
        """Say what is wrong, where it is not what was wrong before."""
        if refreshed.problems == self._problems:
            return
        is_first, self._problems = self._problems is None, refreshed.problems
        if refreshed.problems or not is_first:
            report.print_problems(refreshed.problems)
            echo(f"    {report.tally(refreshed.problems)}{'; the page shows how it was' if refreshed.is_stale else ''}")


def _editor(workspace: Workspace, words: str | None) -> Editor:
    """Return the editor that is named; leaves with status 2 where it cannot be used."""
    from duckpress.views.live.page_acts import BadEditor, Editor, read_editor

    try:
        return Editor() if words is None else read_editor(words, workspace.root)
    except BadEditor as bad:
        raise click.UsageError(f"--editor: {bad}") from None
