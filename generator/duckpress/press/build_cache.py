"""Builds that still stand: nothing they were made of has changed, and their files lie there as they were written.

A finished build leaves a note of what it reported, with the hash of the manifest (which has those of the files).
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from duckpress.core.problems import Problem, has_errors, is_fault
from duckpress.files.recording import Answers
from duckpress.files.workspace import Workspace
from duckpress.press.request import Built, Request
from duckpress.press.standing_notes import StandingNotes
from duckpress.store.cache import Cache
from duckpress.store.output_places import is_as_written, read_whole

_MANIFEST = "manifest.json"
_MOST_BYTES = 1_000_000_000  # far more than was ever written


class Standing(Struct, frozen=True):
    """A build that needs not be done again: what it reported, and the files that it wrote into its folder."""

    game_id: str
    title: str
    folder: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...]
    data: dict[str, Any]
    shrunk: list[dict[str, Any]]
    manifest: str  # its hash

    @property
    def language(self) -> str:
        """The language that was printed."""
        return str(self.data["language"])

    @property
    def has_errors(self) -> bool:
        """Whether an error stands."""
        return has_errors(self.problems)


class Builds:
    """The builds of one request: which still stand, and what those done now are made of."""

    def __init__(
        self, workspace: Workspace, request: Request, out: Path, cache: Cache, identity: str, *, is_all: bool = True
    ) -> None:
        """Take what is asked for; a build that tells `is_all` and one that does not are no answer to each other."""
        is_secret = request.seed is not None or request.copy is not None
        kept = Cache(None, None) if is_secret else cache  # of a packet, and of somebody's copy, nothing is left
        where = (str(out), str(out.resolve()))
        self._notes = StandingNotes(workspace, kept, identity, "build", repr(request), str(is_all), *where)

    def standing(self, game_id: str) -> Standing | None:
        """Return a game's build where it still stands."""
        build = self._notes.read(game_id, Standing)
        with suppress(OSError, ValueError, KeyError, RecursionError):
            return build if build is not None and _is_as_written(build) else None
        return None

    def note(self, built: Built, answers: Answers, data: dict[str, Any], shrunk: list[dict[str, Any]]) -> None:
        """Leave a note of a build that wrote its files, and of what it asked of the workspace; not of unproven ones.

        `data` and `shrunk` are what is reported of it as JSON.
        """
        checked = built.checked
        if self._notes.is_off or not built.files or any(map(is_fault, checked.problems)):
            return
        title = checked.game.title if checked.game is not None else checked.game_id
        with suppress(OSError):
            manifest = hashlib.sha256(read_whole(built.folder / _MANIFEST, _MOST_BYTES)).hexdigest()
            found = Standing(
                checked.game_id, title, built.folder, built.files, checked.problems, data, shrunk, manifest
            )
            self._notes.write(checked.game_id, answers, found)


def _is_as_written(build: Standing) -> bool:
    """Return whether a build's manifest and files lie there as they were written. Raises `OSError` or `KeyError`."""
    manifest = read_whole(build.folder / _MANIFEST, _MOST_BYTES)
    if hashlib.sha256(manifest).hexdigest() != build.manifest:
        return False
    hashes = {file["name"]: file["sha256"] for file in json.loads(manifest)["files"]}
    return all(is_as_written(build.folder, name, hashes[name]) for name in build.files)
