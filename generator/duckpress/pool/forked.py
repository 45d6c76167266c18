"""Workers that are forked: they have everything in memory that this process has, and begin at once."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import mmap
import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from duckpress.core.limits import limit
from duckpress.pool.parallel import reap_later
from duckpress.pool.worker import MEMORY, Hub, Message, Worker, words_of
from duckpress.pool.worker_loop import (
    HEAD,
    NOTE,
    SIZE,
    Handle,
    close_room,
    end_with,
    give_to,
    serve,
    take_from,
)

_AT_ONCE = _ROOM_TO_ANSWER = 1 << 20


class Forked(Worker):
    """A forked worker: two pipes, a word of shared memory for its notes, and a pipe whose end is its end."""

    def __init__(self, make: Callable[[Any], Handle], given: Any, others: Sequence[Worker]) -> None:
        super().__init__()
        self._notes = mmap.mmap(-1, NOTE.size)
        self._heard = bytearray()
        self._own: list[int] = []
        theirs: list[int] = []
        try:
            for is_from_here in (True, True, False):  # tasks, lifeline, answers
                reading, writing = os.pipe()
                self._own.append(writing if is_from_here else reading)
                theirs.append(reading if is_from_here else writing)
            with contextlib.suppress(OSError):  # so that no worker waits where this process is busy for a moment
                fcntl.fcntl(self._own[2], fcntl.F_SETPIPE_SZ, _ROOM_TO_ANSWER)
            memory = limit(MEMORY)
            self._pid = os.fork()
        except OSError:
            for handle in (*self._own, *theirs):
                os.close(handle)
            raise
        if self._pid == 0:
            self._be(make, given, memory, theirs, others)
        for handle in theirs:
            os.close(handle)
        self.handle = self._own[2]

    def _be(
        self, make: Callable[[Any], Handle], given: Any, memory: int, handles: list[int], others: Sequence[Worker]
    ) -> None:
        """Be the worker, to the end."""
        status = 1
        try:
            tasks, lifeline, answers = handles
            end_with(lifeline)
            for handle in self._own:
                os.close(handle)
            for other in others:
                if isinstance(other, Forked):
                    for handle in other._own:
                        os.close(handle)
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
            os.close(nothing)
            gc.disable()  # walking all records would copy every page of memory that is still shared
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            close_room(memory)
            count, notes, write = 0, self._notes, NOTE.pack_into

            def note(number: int) -> None:
                nonlocal count
                count += 1
                write(notes, 0, count, number)

            note(-1)
            status = serve(
                lambda: make(given), lambda: take_from(tasks), lambda kind, body: give_to(answers, kind, body), note
            )
        finally:
            os._exit(status)  # neither what this process has buffered nor what it does on leaving is the worker's

    def send(self, task: bytes) -> None:
        """Write a task into its pipe."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._own[0], SIZE.pack(len(task)))
            view = memoryview(task)
            while view:
                view = view[os.write(self._own[0], view) :]

    def noted(self) -> tuple[int, int]:
        """Read its notes."""
        count, number = NOTE.unpack_from(self._notes, 0)
        return count, number

    def hear(self) -> list[Message]:
        """Read what it says; what is not complete yet waits. More than its memory would hold is nonsense."""
        part = os.read(self.handle, _AT_ONCE)
        if not part:
            return [(b"", b"")]
        self._heard += part
        messages: list[Message] = []
        while len(self._heard) >= HEAD.size:
            kind, size = HEAD.unpack_from(self._heard)
            if size > limit(MEMORY):
                return [*messages, (b"?", b"")]
            end = HEAD.size + size
            if len(self._heard) < end:
                break
            messages.append((kind, bytes(self._heard[HEAD.size : end])))
            del self._heard[:end]
        return messages

    def end(self, *, is_gone: bool = False) -> str:
        """Kill it; one that says no more is given a second to be gone, so that it can be told why."""
        words = self._reaped()
        for _ in range(100 if is_gone else 0):
            if words is not None:
                break
            time.sleep(0.01)
            words = self._reaped()
        if words is None:
            os.kill(self._pid, signal.SIGKILL)
            reap_later(self._pid)
        for handle in self._own:
            os.close(handle)
        return words or ""

    def _reaped(self) -> str | None:
        """Return how it ended; None while it lives, nothing where somebody else was told."""
        try:
            found, status = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:
            return ""
        return words_of(os.waitstatus_to_exitcode(status)) if found else None


class Poll(Hub):
    """Hears forked workers: all of them with one call."""

    def wait(self, workers: Sequence[Forked], seconds: float) -> list[tuple[Forked, Message]]:
        """Wait for the first that says something."""
        by_handle = {worker.handle: worker for worker in workers}
        poll = select.poll()
        for handle in by_handle:
            poll.register(handle, select.POLLIN)
        heard: list[tuple[Forked, Message]] = []
        for handle, _ in poll.poll(seconds * 1000):
            worker = by_handle[handle]
            heard += [(worker, message) for message in worker.hear()]
        return heard
