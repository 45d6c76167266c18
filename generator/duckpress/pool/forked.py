"""Workers that are forked: they have everything in memory that this process has, and begin at once."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import mmap
import os
import select
import signal
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from pathlib import Path

import msgspec

from duckpress.core.limits import limit
from duckpress.pool.messages import NOTE, READ_AT_ONCE, Message, Result, Task, Work, received, send, written
from duckpress.pool.worker import MEMORY, Worker, words_of
from duckpress.pool.worker_loop import give_up_rights, serve


class Forked(Worker):
    """A forked worker: two pipes, a word of shared memory for its notes, and a pipe whose end is its end."""

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
            self._be(work, memory, theirs)
        for handle in theirs:
            os.close(handle)
        super().__init__(read, self._own[2], self._own[0], is_trusted=work.is_trusted)
        _alive.append(self)

    def _be(self, work: Work[Task, Result], memory: int, handles: list[int]) -> None:
        """Be the worker, to the end."""
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
        """Wait for the first that says something: for all of them with one call."""
        by_handle = {worker.handle: worker for worker in workers}
        poll = select.poll()
        for handle in by_handle:
            poll.register(handle, select.POLLIN)
        ready = [by_handle[handle] for handle, _ in poll.poll(seconds * 1000)]
        return [(worker, message) for worker in ready for message in worker.hear()]

    def noted(self) -> tuple[int, int]:
        """Read its notes."""
        count, number = NOTE.unpack_from(self._notes, 0)
        return count, number

    def kill(self) -> None:
        """Let it end at once."""
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
    """Close whatever else is open: a stranger's work has no way to browsers, or into files of this program.

    Those that are open are asked for: there may be a thousand million others, which not every system skips at once.
    """
    for handle in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if handle not in handles:
            with contextlib.suppress(OSError):  # that which listed them is closed by now
                os.close(handle)


def _end_with(lifeline: int) -> None:
    """Let the end of a pipe that nobody writes to be the end of this process, in the midst of whatever it does.

    The kernel sends SIGIO when the last writer is gone, however it went. Source: fcntl(2), O_ASYNC and F_SETOWN.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:
        os._exit(1)  # it was gone before
