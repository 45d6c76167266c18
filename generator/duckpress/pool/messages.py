"""The messages between a worker and its parent process: records in MessagePack, each after its length.

A worker may have been taken over by what it works on. So all it says has a declared shape, to the types of the result,
and is read with every field checked for its kind; what has another shape is the end of the worker.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

Task = TypeVar("Task")
Result = TypeVar("Result")

Note = Callable[[int], None]
"""Notes the number of what is at work now: the clock begins anew."""

Handle = Callable[[Task, Note], Result]
"""Does a task and returns its result."""

NOTE = struct.Struct("<qq")  # in shared memory: how many notes so far, and the number noted last
_SIZE = struct.Struct("<Q")
READ_AT_ONCE = 1 << 20


class Work(NamedTuple, Generic[Task, Result]):
    """The work of a pool's workers: inside a worker, `make(given)` returns the function that does a task.

    For workers that are started afresh `make` has to be a function of a module, and `given` something that can be
    pickled. The work of this program on its own data `is_trusted`: it may do what this process may, and take its time.
    """

    make: Callable[[Any], Handle[Task, Result]]
    given: Any
    task: type[Task]
    result: type[Result]
    is_trusted: bool = False


class Ready(Struct, frozen=True, tag=True):
    """A worker is ready for tasks."""


class Noted(Struct, frozen=True, tag=True):
    """The number of a worker's notes, and the last noted number."""

    count: int
    number: int


class Finished(Struct, Generic[Result], frozen=True, tag=True):
    """The result of a worker's current task."""

    result: Result


class Failed(Struct, frozen=True, tag=True):
    """Why a worker cannot go on: an error of the machine, a bug, or too little memory."""

    why: Literal["machine", "program", "too large"]
    words: str = ""


class Gone(Struct, frozen=True):
    """The end of a worker that has died or sent nonsense; the parent makes this message."""

    why: str


Message = Ready | Noted | Finished[Any] | Failed | Gone


NOT_READ = (msgspec.MsgspecError, ValueError, RecursionError, MemoryError)
"""What reading a message raises that has another shape; arrays may claim any length."""


def reading(result: type[Any]) -> Callable[[bytes], Message]:
    """Return a function that decodes messages with such results. It raises one of `NOT_READ`."""
    finished: Any = Finished
    return msgspec.msgpack.Decoder(Ready | Noted | Failed | finished[result]).decode


def written(record: object) -> bytes:
    """Return a record as bytes; lone surrogates, which file names can hold, are written as escapes."""
    try:
        return _encode(record)
    except UnicodeEncodeError:
        return _encode(_escaped(msgspec.to_builtins(record, builtin_types=(bytes,))))


_encode = msgspec.msgpack.Encoder().encode


def _escaped(plain: Any) -> Any:
    if isinstance(plain, str):
        return plain.encode("utf-8", "backslashreplace").decode()
    if isinstance(plain, dict):
        return {_escaped(key): _escaped(value) for key, value in plain.items()}
    return [_escaped(value) for value in plain] if isinstance(plain, list | tuple) else plain


def send(handle: int, data: bytes) -> None:
    """Write bytes into a pipe, after their length."""
    for part in (_SIZE.pack(len(data)), data):
        view = memoryview(part)
        while view:
            view = view[os.write(handle, view) :]


class Incoming:
    """The decoder of a pipe's stream: `feed` yields the complete messages."""

    def __init__(self, most: int = 1 << 62) -> None:
        self._most = most
        self._buffer = bytearray()

    def feed(self, part: bytes) -> Iterator[bytes]:
        """Add bytes, and yield the complete messages. Raises `ValueError` for a message above the limit."""
        self._buffer += part
        while len(self._buffer) >= _SIZE.size:
            (size,) = _SIZE.unpack_from(self._buffer)
            if size > self._most:
                raise ValueError(f"{size} bytes at once")
            end = _SIZE.size + size
            if len(self._buffer) < end:
                return
            data = bytes(memoryview(self._buffer)[_SIZE.size : end])
            del self._buffer[:end]
            yield data


def received(handle: int) -> Iterator[bytes]:
    """Yield the messages from a pipe, until its end."""
    incoming = Incoming()
    while part := os.read(handle, READ_AT_ONCE):
        yield from incoming.feed(part)
