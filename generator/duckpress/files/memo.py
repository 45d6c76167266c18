"""Results of earlier runs: looked up in memory first, then in a sealed cache on disk.

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
    """The store of entries between runs (`store.cache`)."""

    def read(self, name: str) -> bytes:
        """Return an entry; empty if there is none."""

    def write(self, name: str, body: bytes) -> None:
        """Write an entry."""

    def touch(self, name: str) -> None:
        """Mark an entry as used now."""


class Form(NamedTuple, Generic[T]):
    """How to write and read results. `write` may raise `ValueError` for a result that cannot be stored."""

    write: Callable[[T], bytes]
    read: Callable[[bytes], T]


class Pack:
    """Small results of one stage by their keys, stored as one entry; the most recently used are kept longest."""

    def __init__(self, body: bytes = b"", identity: str = "") -> None:
        """Read the output of `news` from an earlier run of the same program; anything else is ignored."""
        self._identity = identity
        self._results: dict[bytes, bytes] = {}
        self._used: dict[bytes, None] = {}
        with suppress(*_UNREADABLE):
            made_by, results = _decode_pack(body)
            self._results = results if made_by == identity else {}
        self._stored = set(self._results)

    def get(self, key: bytes) -> bytes | None:
        """Return the result of a key, or None."""
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
        """Begin another run, and drop the oldest results above the limit."""
        if self._used:
            self._results = self._newest()
        self._used = {}

    def branch(self) -> Pack:
        """Return an independent copy of the pack."""
        other = Pack(identity=self._identity)
        other._results = {**self._results}
        return other

    def news(self) -> bytes:
        """Return the newest results as bytes, to be stored; empty if nothing is new."""
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
    """A result, the program and the key it was made with, and its dependencies in the workspace."""

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
    """Return the key of plain data and records; empty (nothing is stored) if a part has no stable text."""
    text = repr(parts)
    return "" if _NAMELESS in text else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Memo:
    """Results by slots; empty without a disk and earlier calls.

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
        """Return a memo on the same disk with slots of its own, for other files of the same games."""
        return Memo(self._disk, self.identity, (*self.shelf, shelf))

    def once(
        self,
        slot: tuple[str, ...],
        key: str,
        workspace: Workspace,
        make: Callable[[RecordingWorkspace], T],
        form: Form[T],
    ) -> T:
        """Return the result of `make`, from the memo if neither the key nor the workspace has changed."""
        known = self.recall(slot, key, workspace, form)
        if known is not None:
            return known
        recording = RecordingWorkspace(workspace)
        result = make(recording)
        workspace.add(recording.answers)
        self.keep(slot, key, recording.answers, result, form)
        return result

    def recall(self, slot: tuple[str, ...], key: str, workspace: Workspace, form: Form[T]) -> T | None:
        """Return the result in a slot if its key and all its dependencies are unchanged, else None.

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
        """Store a result in a slot, with its dependencies in the workspace; nothing is stored without a key."""
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
        """Return a slot's bytes on the disk, for a caller that keeps the results in memory; empty if there are none."""
        if self._disk is None:
            return b""
        self._disk.touch(self._name(slot))
        return self._disk.read(self._name(slot))

    def write(self, slot: tuple[str, ...], news: Callable[[], bytes]) -> None:
        """Write such a slot, now or once the program is idle; without news it is only marked as used."""
        self._due[self._name(slot)] = news
        if not self.is_patient:
            self.write_due()

    def drop(self, *slot: str) -> None:
        """Forget a pack, and whatever is still to be written into its slot."""
        self._due.pop(self._name(slot), None)
        self._packs.pop(slot, None)

    def write_due(self) -> None:
        """Write all pending slots to the disk."""
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
            return self._bodies[name]
        body = self.read(*slot)
        self._hold(name, body)
        return body

    def _name(self, slot: tuple[str, ...]) -> str:
        parts = "\0".join((*slot, *self.shelf)).encode("utf-8", "surrogateescape")
        return f"{slot[0]}-" + hashlib.sha256(parts).hexdigest()[:32]

    def _hold(self, name: str, body: bytes) -> None:
        """Keep an entry in memory, and drop the least recently used ones above the limit.

        A program that ends soon asks its disk instead.
        """
        if self._disk is not None and not self.is_patient:
            return
        self._held_bytes += len(body) - len(self._bodies.pop(name, b""))
        self._bodies[name] = body
        while self._held_bytes > limit("cache-all") and len(self._bodies) > 1:
            self._held_bytes -= len(self._bodies.popitem(last=False)[1])
