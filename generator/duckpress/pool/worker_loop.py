"""Inside a worker: it closes its room behind itself, takes tasks, notes what it is at, and answers with bytes.

What it may not do any more: hold more memory than it is given, start other processes, write a byte into any file, leave
a core file, read what is typed, or live longer than the process it works for.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

Note = Callable[[int], None]
"""Notes the number of what is at work now: the clock begins anew."""

Handle = Callable[[bytes, Note], bytes]
"""Does a task and gives its result."""

NOTE = struct.Struct("<qq")  # how many notes so far, and the number noted last
HEAD = struct.Struct("<cQ")  # what follows and how long it is
SIZE = struct.Struct("<Q")
READY, RESULT, NOTED, MACHINE, FAULT, NO_MEMORY = b"y", b"r", b"n", b"m", b"f", b"o"
"""What a worker says: that it begins, a result, a note, a trouble of the machine, of the program, too little memory."""


def close_room(memory: int) -> None:
    """Take from this process what it does not need: `memory` is how many bytes it may take besides those it has."""
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one it works for, who ends it
    with contextlib.suppress(ImportError):
        import resource

        for name, most in (("RLIMIT_CORE", 0), ("RLIMIT_FSIZE", 0), ("RLIMIT_NPROC", 0), ("RLIMIT_AS", _all(memory))):
            kind = getattr(resource, name, None)
            if kind is None or most < 0:
                continue
            with contextlib.suppress(OSError, ValueError, OverflowError):
                _, hard = resource.getrlimit(kind)
                most = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(kind, (most, most))


def _all(memory: int) -> int:
    """Return how many bytes of addresses a process has that may take so many more; -1 where that cannot be known."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE") + memory
    except (OSError, ValueError, IndexError):
        return -1


def end_with(lifeline: int) -> None:
    """Let the end of a pipe that nobody writes to be the end of this process, in the midst of whatever it does.

    The kernel sends SIGIO when the last writer is gone, however it went. Source: fcntl(2), O_ASYNC and F_SETOWN.
    """
    import fcntl

    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def serve(
    handle: Callable[[], Handle], take: Callable[[], bytes], give: Callable[[bytes, bytes], None], note: Note
) -> int:
    """Do tasks until there are none; what `take` gives is a task, empty for the end. Returns the exit status."""
    from duckpress.core.problems import MachineError

    try:
        at_work = handle()
        give(READY, b"")
        while task := take():
            give(RESULT, at_work(task, note))
    except MemoryError:
        give(NO_MEMORY, b"")
        return 1
    except MachineError as error:
        give(MACHINE, str(error).encode("utf-8", "replace"))
        return 1
    except BrokenPipeError:
        return 1
    except Exception:
        give(FAULT, traceback.format_exc().encode("utf-8", "replace"))
        return 1
    return 0


def take_from(handle: int) -> bytes:
    """Read one task from a pipe; empty at its end."""
    size = _exactly(handle, SIZE.size)
    return _exactly(handle, SIZE.unpack(size)[0]) if len(size) == SIZE.size else b""


def give_to(handle: int, kind: bytes, body: bytes) -> None:
    """Write a message into a pipe."""
    for part in (HEAD.pack(kind, len(body)), body):
        view = memoryview(part)
        while view:
            view = view[os.write(handle, view) :]


def _exactly(handle: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(handle, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def started_afresh() -> None:
    """Be a worker that was not forked: what it works with comes in through its input, made by the same program."""
    import pickle

    gc.disable()
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(source, os.O_BINARY)
        msvcrt.setmode(target, os.O_BINARY)
    begun: tuple[Callable[[Any], Handle], Any, int, dict[str, int]] = pickle.loads(take_from(source))
    make, given, memory, limits = begun
    from duckpress.core.limits import use

    use(limits)
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        while task := take_from(source):
            tasks.put(task)
        os._exit(1)  # whoever it works for is gone, or done with it

    # The thread has to be there before the room is closed: no other can be started then.
    threading.Thread(target=listen, daemon=True).start()
    count = 0

    def note(number: int) -> None:
        nonlocal count
        count += 1
        give_to(target, NOTED, NOTE.pack(count, number))

    def handle() -> Handle:
        made = make(given)
        close_room(memory)
        return made

    os._exit(serve(handle, tasks.get, lambda kind, body: give_to(target, kind, body), note))


def command(paths: list[str]) -> list[str]:
    """Return the command that starts a worker afresh, which finds its modules where this process does."""
    code = f"import sys, json; sys.path[:] = json.loads({json.dumps(paths)!r}); "
    return [sys.executable, "-c", code + "from duckpress.pool.worker_loop import started_afresh; started_afresh()"]
