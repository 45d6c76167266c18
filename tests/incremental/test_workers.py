"""Workers: forked or started afresh, they lay out all there is, and one that dies costs nothing but its share."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest
from kinds import FILES, KINDS, MakeWorkspace, lay_out

from duckpress.build import Request, load, workers
from duckpress.build.cache import Cache
from duckpress.build.frames import FrameStore
from duckpress.workspace import Workspace

METHODS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]


@pytest.fixture
def workspace(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FILES)


def ahead(workspace: Workspace, jobs: int, method: str) -> tuple[FrameStore, int]:
    game = load(workspace, "kinds").game
    assert game is not None
    store = FrameStore(Cache(None, None), "program", jobs)
    workers.lay_out_ahead(workspace, game, game.pieces, Request(), store, method)
    known = store.known("kinds", "cards", "en", "color")
    return store, len(known.keys)


@pytest.mark.parametrize("method", METHODS)
def test_workers_lay_out_every_face(method: str, workspace: Workspace) -> None:
    store, count = ahead(workspace, 2, method)
    assert count == len(KINDS)
    hashes, _, problems = lay_out(workspace, store)
    assert store.laid_out == len(KINDS)  # all of them by the workers
    assert (hashes, problems) == (lay_out(workspace)[0], [])


def test_more_workers_than_cards(workspace: Workspace) -> None:
    assert ahead(workspace, len(KINDS) + 2, METHODS[0])[1] == len(KINDS)


def test_a_worker_that_dies_costs_its_share(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    if "fork" not in METHODS:
        pytest.skip("a worker that is started afresh has no patches")
    work = workers._work

    def die_at_times(connection: Any, task: Any) -> None:
        if task.number == 0:
            raise SystemExit(3)
        work(connection, task)

    monkeypatch.setattr(workers, "_work", die_at_times)
    store, count = ahead(workspace, 2, "fork")
    assert count == len(KINDS) // 2
    assert lay_out(workspace, store)[0] == lay_out(workspace)[0]
