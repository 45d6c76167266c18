"""Results that earlier runs came to: looked for in memory first, then in a sealed cache on disk.

A result stands in the slot of a question (`("rules", game, piece)`), with a key, the hash of all that was given, and
with what was asked of the workspace meanwhile (`Answers`). It is taken again only where the program, the key and every
answer are the same; what is made anew takes the slot. So there are never more entries than questions.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Raw, Struct

from duckpress.core.limits import limit
from duckpress.files.recording import Answers, RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Workspace

T = TypeVar("T")
_UNREADABLE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError)  # msgspec's are of these
_NAMELESS = " object at 0x"  # in the text of what has no text of its own: two of them may read the same, and differ


class Disk(Protocol):
    """Where entries lie between runs (`store.cache`)."""

    def read(self, name: str) -> bytes:
        """Return an entry; empty where there is none."""

    def write(self, name: str, body: bytes) -> None:
        """Write an entry."""

    def touch(self, name: str) -> None:
        """Mark an entry as used now."""


class Form(NamedTuple, Generic[T]):
    """How results are written and read. `write` may raise `ValueError` for one that cannot be kept."""

    write: Callable[[T], bytes]
    read: Callable[[bytes], T]


class _Entry(Struct, frozen=True, array_like=True):
    """A result, the program and the key it was made with, and what was asked of the workspace."""

    identity: str
    key: str
    answers: Answers
    result: Raw


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Entry).decode


def form_of(kind: type[T]) -> Form[T]:
    """Return the form of records that MessagePack can write."""
    return Form(_encode, msgspec.msgpack.Decoder(kind).decode)


def key_of(*parts: object) -> str:
    """Return the key of plain data and records; empty, which no result is kept under, where one has no text."""
    text = repr(parts)
    return "" if _NAMELESS in text else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Memo:
    """Results by slots; with neither a disk nor an earlier call it knows nothing.

    Those of one `shelf` are none of another's. One that `is_patient`, in a program that goes on, writes nothing to the
    disk before it is told to (`write_due`).
    """

    def __init__(self, disk: Disk | None = None, identity: str = "", shelf: tuple[str, ...] = ()) -> None:
        self.identity = identity
        self.shelf = shelf
        self.is_patient = False
        self._disk = disk
        self._bodies: OrderedDict[str, bytes] = OrderedDict()  # those used last come last
        self._held_bytes = 0
        self._due: dict[str, bytes] = {}  # still to be written

    def once(
        self,
        slot: tuple[str, ...],
        key: str,
        workspace: Workspace,
        make: Callable[[RecordingWorkspace], T],
        form: Form[T],
    ) -> T:
        """Return what `make` makes of a workspace and of all that the key stands for."""
        name = _name_of((*slot, *self.shelf))
        with suppress(*_UNREADABLE):
            entry = _decode(self._read(name))
            is_same = key != "" and (entry.identity, entry.key) == (self.identity, key)
            if is_same and is_unchanged(workspace, entry.answers):
                result = form.read(bytes(entry.result))
                workspace.add(entry.answers)
                return result
        recording = RecordingWorkspace(workspace)
        result = make(recording)
        workspace.add(recording.answers)
        if key:
            with suppress(*_UNREADABLE):
                written = Raw(form.write(result))
                self._write(name, _encode(_Entry(self.identity, key, recording.answers, written)))
        return result

    def write_due(self) -> None:
        """Write what is still to be written to the disk."""
        due, self._due = self._due, {}
        for name, body in due.items():
            if self._disk is not None:
                self._disk.write(name, body)

    def _read(self, name: str) -> bytes:
        if name in self._bodies:
            self._bodies.move_to_end(name)
        elif self._disk is not None:
            self._hold(name, self._disk.read(name))
        if self._disk is not None and not self.is_patient:
            self._disk.touch(name)
        return self._bodies.get(name, b"")

    def _write(self, name: str, body: bytes) -> None:
        self._hold(name, body)
        self._due[name] = body
        if not self.is_patient:
            self.write_due()

    def _hold(self, name: str, body: bytes) -> None:
        """Keep an entry in memory, and let go of those used longest ago where all are too much."""
        self._held_bytes += len(body) - len(self._bodies.pop(name, b""))
        self._bodies[name] = body
        while self._held_bytes > limit("cache-all"):
            self._held_bytes -= len(self._bodies.popitem(last=False)[1])


def _name_of(slot: tuple[str, ...]) -> str:
    return f"{slot[0]}-" + hashlib.sha256("\0".join(slot).encode("utf-8", "surrogateescape")).hexdigest()[:32]
