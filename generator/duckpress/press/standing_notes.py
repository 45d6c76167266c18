"""What was found out of a game and still stands: nothing that was asked of the workspace for it is answered otherwise.

A note is sealed in the cache: every question with the hash of its answer, the program's identity, and what was found
out. Later all is asked again; only where every answer is the same does the note stand.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from duckpress.files.recording import Answers, is_unchanged
from duckpress.files.workspace import Workspace
from duckpress.store.cache import Cache

_SOURCE_DATE = "SOURCE_DATE_EPOCH"
T = TypeVar("T", bound=Struct)


class _Note(Struct, frozen=True):
    """What is kept: what it was made of, and what was found out, as JSON."""

    identity: str
    source_date: str
    answers: dict[str, str]
    found: dict[str, Any]


class StandingNotes:
    """The notes of one question about games, as a request to build them; `parts` tell it from all others."""

    def __init__(self, workspace: Workspace, cache: Cache, identity: str, *parts: str) -> None:
        self._workspace = workspace
        self._cache = cache
        self._identity = identity
        self._parts = parts
        self.is_off = cache.is_off

    def read(self, game_id: str, kind: type[T]) -> T | None:
        """Return what was found out of a game, where it still stands."""
        body = self._cache.read(self._name(game_id))
        if not body:
            return None
        with suppress(OSError, ValueError, KeyError, RecursionError):
            note = msgspec.convert(json.loads(body), _Note)
            is_same = note.identity == self._identity and note.source_date == os.environ.get(_SOURCE_DATE, "")
            if is_same and is_unchanged(self._workspace, note.answers):
                found = msgspec.convert(note.found, kind, dec_hook=lambda wanted, value: wanted(value))
                self._cache.touch(self._name(game_id))
                return found
        return None

    def write(self, game_id: str, answers: Answers, found: Struct) -> None:
        """Leave a note of what was found out of a game, and of what was asked of the workspace for it."""
        source_date = os.environ.get(_SOURCE_DATE, "")
        note = _Note(self._identity, source_date, dict(answers), msgspec.to_builtins(found, enc_hook=str))
        # The standard library writes names, too, that are no Unicode.
        self._cache.write(self._name(game_id), json.dumps(msgspec.to_builtins(note)).encode())

    def _name(self, game_id: str) -> str:
        parts = (game_id, *self._parts, str(self._workspace.root))
        kind = self._parts[0]
        return f"{kind}-" + hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
