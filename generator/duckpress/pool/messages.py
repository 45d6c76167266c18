"""What a worker and the process it works for say to each other: records in MessagePack, each behind its length.

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
    """What the workers of a pool do: `make` makes of `given`, inside a worker, what does a task.

    For workers that are started afresh `make` has to be a function of a module, and `given` something that can be
    pickled. The work of this program on its own data `is_trusted`: it may do what this process may, and take its time.
    """

    make: Callable[[Any], Handle[Task, Result]]
    given: Any
    task: type[Task]
    result: type[Result]
    is_trusted: bool = False


class Ready(Struct, frozen=True, tag=True):
    """A worker begins."""


class Noted(Struct, frozen=True, tag=True):
    """How many notes a worker made, and the number it noted last."""

    count: int
    number: int


class Finished(Struct, Generic[Result], frozen=True, tag=True):
    """The result of the first task that a worker has at hand."""

    result: Result


class Failed(Struct, frozen=True, tag=True):
    """Why a worker cannot go on: a trouble of the machine, a mistake of the program, or too little memory."""

    why: Literal["machine", "program", "too large"]
    words: str = ""


class Gone(Struct, frozen=True):
    """What is heard of a worker that says nothing more, or nonsense; none says so itself."""

    why: str


Message = Ready | Noted | Finished[Any] | Failed | Gone


NOT_READ = (msgspec.MsgspecError, ValueError, RecursionError, MemoryError)
"""What reading a message raises that has another shape; arrays may claim any length."""


def reading(result: type[Any]) -> Callable[[bytes], Message]:
    """Return what reads the messages of workers with such results. It raises one of `NOT_READ`."""
    finished: Any = Finished
    return msgspec.msgpack.Decoder(Ready | Noted | Failed | finished[result]).decode


def written(record: object) -> bytes:
    """Return a record as bytes; half a letter, which names of files can hold, is written as its escape."""
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
    """Write bytes into a pipe, behind their length."""
    for part in (_SIZE.pack(len(data)), data):
        view = memoryview(part)
        while view:
            view = view[os.write(handle, view) :]


class Incoming:
    """What comes through a pipe, cut anyhow: `feed` yields what was sent, each as it was sent."""

    def __init__(self, most: int = 1 << 62) -> None:
        self._most = most
        self._buffer = bytearray()

    def feed(self, part: bytes) -> Iterator[bytes]:
        """Take in the next bytes, and yield what is complete. Raises `ValueError` for more than it may be at once."""
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
    """Yield what is sent through a pipe, until its end."""
    incoming = Incoming()
    while part := os.read(handle, READ_AT_ONCE):
        yield from incoming.feed(part)
