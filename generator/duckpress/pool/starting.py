"""How workers are started: forked, with all this process has in memory and without delay, or spawned.

Afresh where this process may not be forked: on other systems, and in processes with threads. Such workers are given
their work as a pickle through their input. A thread for each hears what they say.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import mmap
import os
import pickle
import queue
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from pathlib import Path
from typing import IO, cast

import msgspec

from duckpress.core.limits import limit, settings
from duckpress.pool.messages import NOTE, READ_AT_ONCE, Gone, Message, Result, Task, Work, received, send, written
from duckpress.pool.worker import MEMORY, Worker, words_of
from duckpress.pool.worker_loop import give_up_rights, serve


class Forked(Worker):
    """A forked worker: two pipes, shared memory for its notes, and a lifeline, a pipe whose end ends the worker."""

    def __init__(self, work: Work[Task, Result], read: Callable[[bytes], Message]) -> None:
        self._notes = mmap.mmap(-1, NOTE.size)
        self._own: list[int] = []
        theirs: list[int] = []
        try:
            for is_from_here in (True, True, False):  # tasks, lifeline, answers
                reading, writing = os.pipe()
                self._own.append(writing if is_from_here else reading)
                theirs.append(reading if is_from_here else writing)
            with contextlib.suppress(OSError):  # so that no worker waits where this process is busy for a moment
                fcntl.fcntl(self._own[2], fcntl.F_SETPIPE_SZ, READ_AT_ONCE)
            memory = limit(MEMORY)
            self._pid = os.fork()
        except OSError:
            for handle in (*self._own, *theirs):
                os.close(handle)
            raise
        if self._pid == 0:
            self._run(work, memory, theirs)
        for handle in theirs:
            os.close(handle)
        super().__init__(read, self._own[2], self._own[0], is_trusted=work.is_trusted)
        _alive.append(self)

    def _run(self, work: Work[Task, Result], memory: int, handles: list[int]) -> None:
        """Run the worker in the child process until it exits."""
        status = 1
        try:
            tasks, lifeline, answers = handles
            for handle in (*self._own, *(handle for other in _alive for handle in other._own)):
                os.close(handle)
            _alive.clear()  # this process has workers of its own, if any
            if not work.is_trusted:
                _close_all_but({0, 1, 2, *handles})
            _end_with(lifeline)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            os.close(nothing)
            gc.disable()  # walking all records would copy every page of memory that is still shared
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one it works for, who ends it
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            if not work.is_trusted:
                give_up_rights(memory)
            count, notes, write = 0, self._notes, NOTE.pack_into

            def note(number: int) -> None:
                nonlocal count
                count += 1
                write(notes, 0, count, number)

            note(-1)
            decode = msgspec.msgpack.Decoder(work.task).decode
            status = serve(
                lambda: work.make(work.given),
                map(decode, takewhile(bool, received(tasks))),
                lambda message: send(answers, written(message)),
                note,
            )
        finally:
            os._exit(status)  # neither what this process has buffered nor what it does on leaving is the worker's

    @classmethod
    def wait(cls, workers: Sequence[Forked], seconds: float) -> list[tuple[Worker, Message]]:
        """Wait for the first message: one `poll` for all workers."""
        by_handle = {worker.handle: worker for worker in workers}
        poll = select.poll()
        for handle in by_handle:
            poll.register(handle, select.POLLIN)
        ready = [by_handle[handle] for handle, _ in poll.poll(seconds * 1000)]
        return [(worker, message) for worker in ready for message in worker.hear()]

    def noted(self) -> tuple[int, int]:
        """Return the count of its notes and the last noted number."""
        count, number = NOTE.unpack_from(self._notes, 0)
        return count, number

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def _ended(self) -> str | None:
        try:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:
            return ""
        return words_of(os.waitstatus_to_exitcode(status)) if pid else None

    def _close(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        for handle in self._own:
            os.close(handle)
        _alive.remove(self)


_alive: list[Forked] = []
"""The workers of this process: none of them has a way to another one."""


def _close_all_but(handles: Collection[int]) -> None:
    """Close all other open files: untrusted work must reach neither browsers nor files of this program.

    Those that are open are asked for: there may be a thousand million others, which not every system skips at once.
    """
    for handle in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if handle not in handles:
            with contextlib.suppress(OSError):  # that which listed them is closed by now
                os.close(handle)


def _end_with(lifeline: int) -> None:
    """End this process at once when the last writer of a pipe is gone.

    The kernel sends SIGIO when the last writer is gone, however it went. Source: fcntl(2), O_ASYNC and F_SETOWN.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:
        os._exit(1)  # it was gone before


def own_python(code: str) -> list[str]:
    """Return the command that runs a line of Python with this process's module path.

    `-P`: not even the first of them is looked for in the folder that it is started in, which may be a stranger's.
    """
    path = f"import sys, json; sys.path[:] = json.loads({json.dumps(sys.path)!r})"
    return [sys.executable, "-P", "-c", f"{path}; {code}"]


def end_with_parent(number: int) -> None:
    """Send this process a signal as soon as the thread that started it ends (Linux only)."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, number)  # PR_SET_PDEATHSIG, prctl(2)


def started_python(code: str) -> subprocess.Popen[bytes]:
    """Start a line of Python with pipes for its input and output.

    Ctrl-C is for this process, which ends that one: while Python starts, it would show a traceback.
    """
    windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        own_python(code), 0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=windows, process_group=0
    )


class Spawned(Worker):
    """A worker in a new interpreter, which gets all its data by messages."""

    def __init__(self, work: Work[Task, Result], read: Callable[[bytes], Message], others: Sequence[Spawned]) -> None:
        begun = pickle.dumps((work, limit(MEMORY), settings()))
        self._process = started_python("from duckpress.pool.worker_loop import started_afresh; started_afresh()")
        self._pipes = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        super().__init__(read, self._pipes[1].fileno(), self._pipes[0].fileno(), is_trusted=work.is_trusted)
        self._heard: queue.Queue[tuple[Worker, Message]] = others[0]._heard if others else queue.Queue()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.send(begun)

    @classmethod
    def wait(cls, workers: Sequence[Spawned], seconds: float) -> list[tuple[Worker, Message]]:
        """Wait for the first message: a thread for each worker puts messages into one queue."""
        queue_of_all = workers[0]._heard
        try:
            heard = [queue_of_all.get(timeout=seconds)]
            while not queue_of_all.empty():
                heard.append(queue_of_all.get())
        except queue.Empty:
            return []
        return heard

    def kill(self) -> None:
        self._process.kill()

    def _ended(self) -> str | None:
        status = self._process.poll()
        return None if status is None else words_of(status)

    def _close(self) -> None:
        self._process.wait()
        self._thread.join()
        for pipe in self._pipes:
            pipe.close()

    def _listen(self) -> None:
        message: Message | None = None
        while not isinstance(message, Gone):
            for message in self.hear():
                self._heard.put((self, message))
