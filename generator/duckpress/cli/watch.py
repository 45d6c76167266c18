"""`duckpress watch`: builds games again whenever one of their files is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from duckpress.cli import asking, completion
from duckpress.cli.asking import GAMES, OUT, PIECES, named_games, output_folder, workspace_of
from duckpress.cli.build import show_build
from duckpress.cli.terminal import echo, progress
from duckpress.core.inks import INKS
from duckpress.core.interrupts import finish_at_interrupt
from duckpress.core.problems import MachineError

if TYPE_CHECKING:
    from duckpress.press.request import Built
    from duckpress.press.watching import Watcher


@click.command("watch")
@GAMES
@asking.ONE_PAPER
@click.option("--ink", type=click.Choice(INKS), default="color", show_default=True, help="Inks.")
@click.option(
    "--lang",
    help="The language to print; without it the game's first.",
    shell_complete=completion.one_of(completion.languages),
)
@PIECES
@OUT
@click.pass_context
def watch_command(ctx: click.Context, /, games: tuple[str, ...], out: Path | None, **options: Any) -> None:
    """Build games, and build them again whenever one of their files is saved. Ctrl-C ends it."""
    from duckpress.press.frame_store import FrameStore
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
    frames = FrameStore(asking.own_cache(workspace))
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
