"""Faces laid out by several processes at once: each lays out its share and sends it back as plain data.

What comes back are entries as the cache holds them (`layout.known`); the build then goes on as ever and finds its faces
known. So the files are the same for any number of workers, and a face that a worker could not lay out, or a worker that
died, is only a face that is laid out here. Workers are forked where that is safe, and else started afresh, when they
read the game by themselves.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from duckpress.build.cache import Cache
from duckpress.build.checking import load
from duckpress.build.frames import FrameStore
from duckpress.build.request import Request
from duckpress.build.speaking import spoken
from duckpress.limits import settings, use
from duckpress.model import Game, Piece
from duckpress.rules import copies_for, setup_table
from duckpress.workspace import Workspace


class _Task(NamedTuple):
    """What a worker has to do, as plain data."""

    roots: tuple[str, ...]
    game_id: str
    pieces: tuple[str, ...]
    players: int | None
    language: str | None
    ink: str
    identity: str
    number: int
    of: int
    limits: Mapping[str, int]


_inherited: list[tuple[Workspace, Game, FrameStore]] = []  # what a forked worker needs not read again


def lay_out_ahead(
    workspace: Workspace, game: Game, pieces: Sequence[Piece], request: Request, frames: FrameStore, method: str = ""
) -> None:
    """Lay out the faces of pieces in `frames.jobs` processes and add them to the known ones."""
    names = tuple(piece.id for piece in pieces if not piece.book)
    said = request.language or game.language
    roots = tuple(map(str, workspace.roots))
    tasks = [
        _Task(
            roots,
            game.id,
            names,
            request.players,
            request.language,
            request.ink,
            frames.identity,
            number,
            frames.jobs,
            settings(),
        )
        for number in range(frames.jobs)
    ]
    context = multiprocessing.get_context(method or _method())
    _inherited[:] = [(workspace, game, frames)]
    waiting: list[Connection] = []
    processes = []
    for task in tasks:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(there, task), daemon=True)  # type: ignore[attr-defined]
        process.start()
        there.close()
        waiting.append(here)
        processes.append(process)
    _inherited.clear()
    for connection in waiting:
        try:
            for piece in names:
                frames.take(game.id, piece, said, request.ink, connection.recv_bytes())
        except (EOFError, OSError):
            continue
    for process in processes:
        process.join()


def _method() -> str:
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return "fork" if is_safe and "fork" in multiprocessing.get_all_start_methods() else "spawn"


def _work(connection: Connection, task: _Task) -> None:
    from duckpress.fonts import FontLibrary
    from duckpress.layout import lay_out_part, load_theme, templates_of

    use(task.limits)
    if _inherited:
        workspace, game, frames = _inherited[0]
    else:
        root, *others = map(Path, task.roots)
        workspace = Workspace(root, *others)
        loaded = load(workspace, task.game_id).game
        if loaded is None:
            return
        game, _ = spoken(workspace, loaded, task.language)
        frames = FrameStore(Cache(None, None), task.identity)
    fonts = FontLibrary(workspace)
    templates = templates_of(workspace, game, task.ink)
    table, copies = setup_table(game).as_data(), copies_for(game, task.players)
    said = task.language or game.language
    for piece in game.pieces:
        if piece.id not in task.pieces:
            continue
        theme, _ = load_theme(workspace, game.id, piece.theme)
        known = frames.known(game.id, piece.id, said, task.ink)
        before = known.keys
        if theme is not None:
            part = task.number, task.of
            lay_out_part(workspace, game, piece, theme, fonts, table, said, task.ink, copies, known, templates, part)
        connection.send_bytes(known.fresh_lines(before))
