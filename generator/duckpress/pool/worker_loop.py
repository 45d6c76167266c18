"""Inside a worker: it gives up its rights, takes tasks, sends notes, and answers with messages.

What it may not do any more: hold more memory than it is given, start other processes, write a byte into any file, leave
a core file, read what is typed, or live longer than the process it works for.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from duckpress.pool.messages import Failed, Finished, Handle, Message, Note, Noted, Ready, Work, received, send, written


def give_up_rights(memory: int) -> None:
    """Drop unneeded rights of this process: `memory` is how many more bytes it may allocate."""
    sys.dont_write_bytecode = True
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
    """Return the address space limit that allows `memory` more bytes; -1 if it cannot be known."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
        return pages * os.sysconf("SC_PAGE_SIZE") + memory
    except (OSError, ValueError, IndexError):
        return -1


def serve(
    make: Callable[[], Handle[Any, Any]], tasks: Iterable[Any], say: Callable[[Message], None], note: Note
) -> int:
    """Do tasks until there are none. Returns the exit status."""
    from duckpress.core.problems import MachineError

    try:
        handle = make()
        say(Ready())
        for task in tasks:
            say(Finished(handle(task, note)))
    except MemoryError:
        say(Failed("too large"))
        return 1
    except MachineError as error:
        say(Failed("machine", str(error)))
        return 1
    except BrokenPipeError:
        return 1
    except Exception:
        say(Failed("program", traceback.format_exc()))
        return 1
    return 0


def started_afresh() -> None:
    """Be a spawned worker: its work comes through its input, sent by the same program."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one it works for, who ends it
    coming = received(source)
    begun: tuple[Work[Any, Any], int, dict[str, int]] = pickle.loads(next(coming))
    work, memory, limits = begun
    from duckpress.core.limits import use

    use(limits)
    tasks = coming if work.is_trusted else _heard_aside(coming)
    count = 0

    def note(number: int) -> None:
        nonlocal count
        count += 1
        say(Noted(count, number))

    def make() -> Handle[Any, Any]:
        handle = work.make(work.given)
        if not work.is_trusted:
            give_up_rights(memory)
        return handle

    def say(message: Message) -> None:
        send(target, written(message))

    decode = msgspec.msgpack.Decoder(work.task).decode
    os._exit(serve(make, map(decode, takewhile(bool, tasks)), say, note))


def _heard_aside(coming: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the messages; a thread reads them and exits this process at the end of the input.

    The thread has to be there before rights are given up: no other can be started then. Work that is trusted goes
    without: with no thread beside it, it may fork workers of its own.
    """
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for task in coming:
            tasks.put(task)
        os._exit(1)  # whoever it works for is gone, or done with it

    threading.Thread(target=listen, daemon=True).start()
    return iter(tasks.get, None)
