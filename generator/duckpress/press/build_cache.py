"""Builds that still stand: nothing they were made of has changed, and their files lie there as they were written.

A finished build leaves a sealed note in the cache: every question it asked the workspace with the hash of the answer,
the request, the program's identity, the hash of the manifest (which has those of the files), and what it reported. A
later build with the same request asks all of it again; only where every answer is the same is there nothing to do.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from duckpress.core.problems import Problem, has_errors
from duckpress.files.recording import Answers, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.press.request import Built, Request
from duckpress.store.cache import Cache
from duckpress.store.output_places import is_as_written, read_whole

_MANIFEST = "manifest.json"
_MOST_BYTES = 1_000_000_000  # far more than was ever written
_SOURCE_DATE = "SOURCE_DATE_EPOCH"


class Standing(Struct, frozen=True):
    """A build that needs not be done again: what it reported, and the files that it wrote into its folder."""

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


class _Note(Struct, frozen=True):
    """What is kept of a build: what it was made of, the hash of its manifest, and what it reported."""

    identity: str
    source_date: str
    answers: dict[str, str]
    manifest: str
    build: Standing


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
            note = msgspec.convert(json.loads(body), _Note, dec_hook=lambda kind, value: kind(value))
            is_same = note.identity == self._identity and note.source_date == os.environ.get(_SOURCE_DATE, "")
            if not is_same or not _is_as_written(note) or not is_unchanged(self._workspace, note.answers):
                return None
        except (OSError, ValueError, KeyError, RecursionError):
            return None
        self._cache.touch(self._name(game_id))
        return note.build

    def note(self, built: Built, answers: Answers, data: dict[str, Any], shrunk: list[dict[str, Any]]) -> None:
        """Leave a note of a build that wrote its files, and of what it asked of the workspace.

        `data` and `shrunk` are what is reported of it as JSON.
        """
        checked = built.checked
        if self._cache.is_off or not built.files:
            return
        title = checked.game.title if checked.game is not None else checked.game_id
        build = Standing(checked.game_id, title, built.folder, built.files, checked.problems, data, shrunk)
        with suppress(OSError):
            manifest = hashlib.sha256(read_whole(built.folder / _MANIFEST, _MOST_BYTES)).hexdigest()
            note = _Note(self._identity, os.environ.get(_SOURCE_DATE, ""), dict(answers), manifest, build)
            # The standard library writes names, too, that are no Unicode.
            self._cache.write(self._name(checked.game_id), json.dumps(msgspec.to_builtins(note, enc_hook=str)).encode())

    def _name(self, game_id: str) -> str:
        request = repr(self._request)
        parts = (game_id, request, str(self._out), str(self._out.resolve()), str(self._workspace.root))
        return "build-" + hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _is_as_written(note: _Note) -> bool:
    """Return whether a build's manifest and files lie there as they were written. Raises `OSError` or `KeyError`."""
    build = note.build
    manifest = read_whole(build.folder / _MANIFEST, _MOST_BYTES)
    if hashlib.sha256(manifest).hexdigest() != note.manifest:
        return False
    hashes = {file["name"]: file["sha256"] for file in json.loads(manifest)["files"]}
    return all(is_as_written(build.folder, name, hashes[name]) for name in build.files)
