"""What takes long to make and is only looked at: made once in a run of tests, by the worker that needs it first."""

from __future__ import annotations

import copyreg
import io
import os
import pickle
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from msgspec.structs import replace

from duckpress.files.memo import Memo
from duckpress.press.build_cache import BuildCache
from duckpress.press.reading import Loaded
from duckpress.press.request import Request
from duckpress.store.cache import Cache
from duckpress.store.file_writing import Busy, lock_file

_Made = TypeVar("_Made")


def once(folder: Path, name: str, make: Callable[[Path], _Made]) -> _Made:
    """Return what `make` gave in some worker of this run; it gets a folder of its own below the common one."""
    place = folder / name
    kept = place / "made.pickle"
    folder.mkdir(parents=True, exist_ok=True)
    handle = _held(folder / f"{name}.lock")
    try:
        if kept.exists():
            return pickle.loads(kept.read_bytes())  # type: ignore[no-any-return]
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        made = make(place)
        aside = place / "made.new"
        aside.write_bytes(_pickled(made))
        aside.replace(kept)
        return made
    finally:
        os.close(handle)


def request_of(game_id: str) -> Request:
    """Return how a bundled game is built to be looked at: on A4, and the one with the least work on Letter, too."""
    return Request(("a4", "letter") if game_id == "duck-pens" else ("a4",))


def with_faces(folder: Path, loaded: Loaded) -> Loaded:
    """Return a game that takes the faces which this run of tests has laid out already, and keeps what it lays out."""
    return replace(loaded, frames=BuildCache(Memo(Cache(folder / "cache", b"0" * 32))))


def _held(path: Path) -> int:
    while True:
        try:
            return lock_file(path)
        except Busy:  # another worker is making it
            time.sleep(0.05)


class _Pickler(pickle.Pickler):
    """Writes what a game is made of, too: its mappings are views that nobody can write to."""

    dispatch_table = copyreg.dispatch_table.copy()
    dispatch_table[MappingProxyType] = lambda view: (_view, (dict(view),))


def _view(data: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(data)


def _pickled(made: object) -> bytes:
    data = io.BytesIO()
    _Pickler(data, pickle.HIGHEST_PROTOCOL).dump(made)
    return data.getvalue()
