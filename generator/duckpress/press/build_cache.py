"""Builds that still stand: nothing they were made of has changed, and their files lie there as they were written.

A finished build leaves a sealed note in the cache: every question it asked the workspace with the hash of the answer,
the request, the program's identity, the hash of each file it wrote and of the manifest, and what it told. A later build
with the same request asks all of it again; only where every answer is the same is there nothing to do.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from duckpress.core.problems import Level, Problem, Source, has_errors
from duckpress.files.recording import Answers, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.press.request import Built, Request
from duckpress.store.cache import Cache
from duckpress.store.output_places import read_whole

_MANIFEST = "manifest.json"
_MOST_BYTES = 1_000_000_000  # far more than was ever written
_VARIABLES = ("SOURCE_DATE_EPOCH",)


class Standing(Struct, frozen=True):
    """A build that needs not be done again: what it told, and how many files it wrote into its folder."""

    game_id: str
    title: str
    folder: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...]
    data: dict[str, Any]
    shrunk: list[dict[str, Any]]

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


class Builds:
    """The builds of one request: which still stand, and what those done now are made of."""

    def __init__(self, workspace: Workspace, request: Request, out: Path, cache: Cache, identity: str) -> None:
        self._workspace = workspace
        self._request = request
        self._out = out
        self._cache = cache if request.seed is None else Cache(None, None)  # a packet is secret: nothing is left of it
        self._identity = identity

    def standing(self, game_id: str) -> Standing | None:
        """Return a game's build where it still stands."""
        body = self._cache.read(self._name(game_id))
        if not body:
            return None
        try:
            note = json.loads(body)
            if note["identity"] != self._identity or note["variables"] != _variables():
                return None
            found = _read(note)
            if _hashes(found.folder, found.files) != note["hashes"]:
                return None
            if not is_unchanged(self._workspace, note["seen"]):
                return None
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        self._cache.touch(self._name(game_id))
        return found

    def note(self, built: Built, answers: Answers, data: dict[str, Any], shrunk: list[dict[str, Any]]) -> None:
        """Leave a note of a build that wrote its files, and of what it asked of the workspace.

        `data` and `shrunk` are what is told of it as JSON.
        """
        game_id = built.checked.game_id
        hashes = _listed_hashes(built.folder, built.files)
        if self._cache.is_off or not built.files or hashes is None:
            return
        note = {
            "identity": self._identity,
            "variables": _variables(),
            "seen": answers,
            "hashes": hashes,
            "game": game_id,
            "title": built.checked.game.title if built.checked.game is not None else game_id,
            "folder": str(built.folder.resolve()),
            "shown": str(built.folder),
            "files": built.files,
            "problems": [_plain(problem) for problem in built.checked.problems],
            "data": data,
            "shrunk": shrunk,
        }
        self._cache.write(self._name(game_id), json.dumps(note).encode())

    def _name(self, game_id: str) -> str:
        request = repr(self._request)
        asked = (game_id, request, str(self._out), str(self._out.resolve()), str(self._workspace.root))
        return "build-" + hashlib.sha256("\0".join(asked).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _variables() -> list[str]:
    return [os.environ.get(name, "") for name in _VARIABLES]


def _hashes(folder: Path, files: tuple[str, ...]) -> list[str] | None:
    """Return the hash of each file and of the manifest; None where one is not there."""
    try:
        return [hashlib.sha256(read_whole(folder / name, _MOST_BYTES)).hexdigest() for name in (*files, _MANIFEST)]
    except OSError:
        return None


class _Listed(Struct, frozen=True):
    name: str
    sha256: str


class _Manifest(Struct, frozen=True):
    files: list[_Listed]


def _listed_hashes(folder: Path, files: tuple[str, ...]) -> list[str] | None:
    """Return what `_hashes` gives of files that have just been written: the manifest has their hashes."""
    try:
        manifest = read_whole(folder / _MANIFEST, _MOST_BYTES)
        listed = {one.name: one.sha256 for one in msgspec.json.decode(manifest, type=_Manifest).files}
        return [*(listed[name] for name in files), hashlib.sha256(manifest).hexdigest()]
    except (OSError, KeyError, msgspec.MsgspecError):
        return _hashes(folder, files)


def _plain(problem: Problem) -> dict[str, Any]:
    return {**problem._asdict(), "source": list(problem.source), "level": problem.level.value}


def _read(note: dict[str, Any]) -> Standing:
    problems = tuple(
        Problem(**{**one, "source": Source(*one["source"]), "level": Level(one["level"])}) for one in note["problems"]
    )
    files = tuple(map(str, note["files"]))
    shown = Path(note["shown"])
    return Standing(note["game"], note["title"], shown, files, problems, note["data"], note["shrunk"])
