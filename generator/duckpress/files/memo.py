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
from msgspec import Struct

from duckpress.core.limits import limit
from duckpress.files.recording import Answers, RecordingWorkspace, is_unchanged
from duckpress.files.workspace import Workspace

T = TypeVar("T")
_UNREADABLE = (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError)  # msgspec's are of these
_MOST_KEPT = 4  # times as many small results as the newest run used: older ones may be wanted again
_LEAST_KEPT = 1000
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


class Pack:
    """Small results of one stage by their keys, which lie on the disk together; those used last are kept longest."""

    def __init__(self, body: bytes = b"", identity: str = "") -> None:
        """Take what `news` returned in an earlier run of the same program; anything else counts for nothing."""
        self._identity = identity
        self._results: dict[bytes, bytes] = {}
        self._used: dict[bytes, None] = {}
        with suppress(*_UNREADABLE):
            made_by, results = _decode_pack(body)
            self._results = results if made_by == identity else {}
        self._stored = set(self._results)

    def get(self, key: bytes) -> bytes | None:
        """Return the result of a key; None where it is not known."""
        result = self._results.get(key)
        if result is not None:
            self._used[key] = None
        return result

    def put(self, key: bytes, result: bytes = b"") -> None:
        """Keep the result of a key."""
        if self._results.get(key) != result:
            self._stored.discard(key)
        self._results[key] = result
        self._used[key] = None

    def drop(self, key: bytes) -> None:
        """Forget the result of a key."""
        self._results.pop(key, None)
        self._used.pop(key, None)

    def begin(self) -> None:
        """Begin another run; of older results only so many are kept as are worth it."""
        if self._used:
            self._results = self._newest()
        self._used = {}

    def branch(self) -> Pack:
        """Return what begins with all that is known here, and goes on by itself."""
        other = Pack(identity=self._identity)
        other._results = {**self._results}
        return other

    def news(self) -> bytes:
        """Return all that is worth keeping as bytes; empty where nothing is new."""
        if self._used.keys() <= self._stored:
            return b""
        newest = self._newest()
        self._stored = set(newest)
        return _encode((self._identity, newest))

    def _newest(self) -> dict[bytes, bytes]:
        old = [key for key in self._results if key not in self._used]
        most = max((_MOST_KEPT - 1) * len(self._used), _LEAST_KEPT)
        return {key: self._results[key] for key in (*old[-most:], *self._used)}


class _Entry(Struct, frozen=True, array_like=True):
    """A result, the program and the key it was made with, and what was asked of the workspace."""

    identity: str
    key: str
    answers: Answers
    result: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Entry).decode
_decode_pack = msgspec.msgpack.Decoder(tuple[str, dict[bytes, bytes]]).decode


def form_of(kind: type[T]) -> Form[T]:
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
        self._packs: dict[tuple[str, ...], Pack] = {}
        self._due: dict[str, Callable[[], bytes]] = {}  # what is still to be written

    def apart(self, shelf: str) -> Memo:
        """Return a memo on the same disk for other files of the same games: neither takes from the other."""
        return Memo(self._disk, self.identity, (*self.shelf, shelf))

    def once(
        self,
        slot: tuple[str, ...],
        key: str,
        workspace: Workspace,
        make: Callable[[RecordingWorkspace], T],
        form: Form[T],
    ) -> T:
        """Return what `make` makes of a workspace and of all that the key stands for."""
        known = self.recall(slot, key, workspace, form)
        if known is not None:
            return known
        recording = RecordingWorkspace(workspace)
        result = make(recording)
        workspace.add(recording.answers)
        self.keep(slot, key, recording.answers, result, form)
        return result

    def recall(self, slot: tuple[str, ...], key: str, workspace: Workspace, form: Form[T]) -> T | None:
        """Return the result in a slot, where it was made with that key and every answer is still the same.

        What was asked for it counts as asked of the workspace.
        """
        body = self._recalled(slot) if key else b""
        with suppress(*_UNREADABLE):
            entry = _decode(body) if body else None
            is_same = entry is not None and (entry.identity, entry.key) == (self.identity, key)
            if entry is not None and is_same and is_unchanged(workspace, entry.answers):
                result = form.read(entry.result)
                workspace.add(entry.answers)
                return result
        return None

    def keep(self, slot: tuple[str, ...], key: str, answers: Answers, result: T, form: Form[T]) -> None:
        """Keep a result in a slot, with what was asked of the workspace for it; without a key nothing is kept."""
        with suppress(*_UNREADABLE):
            if key:
                body = _encode(_Entry(self.identity, key, answers, form.write(result)))
                self._hold(self._name(slot), body)
                self.write(slot, lambda: body)

    def pack(self, *slot: str) -> Pack:
        """Return the small results in a slot, for another run."""
        pack = self._packs.get(slot)
        if pack is None:
            pack = self._packs[slot] = Pack(self.read(*slot), self.identity)
        pack.begin()
        return pack

    def save(self, *slot: str) -> None:
        self.write(slot, self._packs[slot].news)

    def read(self, *slot: str) -> bytes:
        """Return what lies on the disk in a slot whose results somebody else holds in memory; empty for nothing."""
        if self._disk is None:
            return b""
        self._disk.touch(self._name(slot))
        return self._disk.read(self._name(slot))

    def write(self, slot: tuple[str, ...], news: Callable[[], bytes]) -> None:
        """Write such a slot, now or as soon as nobody waits; where there is no news, it is marked as used."""
        self._due[self._name(slot)] = news
        if not self.is_patient:
            self.write_due()

    def drop(self, *slot: str) -> None:
        """Forget what was found out for a slot since it was written last."""
        self._due.pop(self._name(slot), None)
        self._packs.pop(slot, None)

    def write_due(self) -> None:
        """Write what is still to be written to the disk."""
        due, self._due = self._due, {}
        for name, news in due.items():
            if self._disk is None:
                continue
            if body := news():
                self._disk.write(name, body)
            else:
                self._disk.touch(name)

    def _recalled(self, slot: tuple[str, ...]) -> bytes:
        name = self._name(slot)
        if name in self._bodies:
            self._bodies.move_to_end(name)
        else:
            self._hold(name, self.read(*slot))
        return self._bodies[name]

    def _name(self, slot: tuple[str, ...]) -> str:
        parts = "\0".join((*slot, *self.shelf)).encode("utf-8", "surrogateescape")
        return f"{slot[0]}-" + hashlib.sha256(parts).hexdigest()[:32]

    def _hold(self, name: str, body: bytes) -> None:
        """Keep an entry in memory, and let go of those used longest ago where all are too much."""
        self._held_bytes += len(body) - len(self._bodies.pop(name, b""))
        self._bodies[name] = body
        while self._held_bytes > limit("cache-all") and len(self._bodies) > 1:
            self._held_bytes -= len(self._bodies.popitem(last=False)[1])
