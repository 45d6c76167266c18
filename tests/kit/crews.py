"""Pieces laid out by workers, and what there is about a piece, to hold two of them against each other."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from functools import partial

import pytest

from duckpress import pool
from duckpress.layout import LaidOut
from duckpress.layout.faces import piece
from duckpress.pool import ProcessPool

METHODS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]
UseWorkers = Callable[..., None]


def use(monkeypatch: pytest.MonkeyPatch, jobs: int, method: str = METHODS[0], at_once: int = 1) -> None:
    """Let so many workers, started in such a way, lay out even a handful of cards, one or a few at a time."""
    pool.use_jobs(jobs)
    monkeypatch.setattr(piece, "ProcessPool", partial(ProcessPool, method=method) if jobs else ProcessPool)
    monkeypatch.setattr(piece, "_WORTH_A_WORKER", 1)
    monkeypatch.setattr(piece, "_MOST_AT_ONCE", at_once)


def shown(one: LaidOut) -> tuple[object, ...]:
    """Return all that there is about a piece, but for the places of its drawings in memory."""
    pages = {paper: [frame.hash for frame in frames] for paper, frames in one.pages.items()}
    faces = []
    for face in one.faces:
        # The keys of faces cover the program and its settings.
        sides = [origin and origin._replace(text="", face="") for origin in (face.front_of, face.back_of)]
        bare = face._replace(front_of=sides[0], back_of=sides[1])
        faces.append((*face[:3], face.front.hash, face.back and face.back.hash, *bare[5:]))
    return one.piece, faces, sorted(one.drawings), one.pictures, one.fits, pages, one.decorations
