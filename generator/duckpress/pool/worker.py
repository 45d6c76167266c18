"""The common part of all workers, forked or spawned, in the parent process."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from duckpress.core.limits import limit
from duckpress.pool import messages
from duckpress.pool.messages import READ_AT_ONCE, Gone, Incoming, Message, Noted

MEMORY = "layout-memory"
"""The limit that holds for the memory of a worker."""

DIED, NONSENSE = "died", "nonsense"

QueuedTask = tuple[int, Any, bytes]
"""A task with its number, and its bytes."""


class Worker(ABC):
    """A worker and its queue of `tasks`; the first one is being done."""

    def __init__(self, read: Callable[[bytes], Message], answers: int, tasks: int, *, is_trusted: bool) -> None:
        """Take the message decoder, and the handles for its answers and its tasks."""
        self.handle = answers
        self._task_handle = tasks
        self.tasks: deque[QueuedTask] = deque()
        self.is_ready = False
        self.seen = (0, -1)  # what it had noted when it was looked at last
        self.waited = 0.0  # seconds since then, or since it said something
        self._read = read
        self._incoming = Incoming() if is_trusted else Incoming(limit(MEMORY))
        self._noted = (0, -1)

    def send(self, task: bytes) -> None:
        """Send it a task; a dead worker ignores it, and `hear` reports the death."""
        with contextlib.suppress(OSError):
            messages.send(self._task_handle, task)

    def hear(self) -> list[Message]:
        """Wait for its next messages; an incomplete one is kept. One larger than its memory counts as nonsense."""
        try:
            part = os.read(self.handle, READ_AT_ONCE)
        except (OSError, ValueError):  # it was ended meanwhile
            part = b""
        if not part:
            return [Gone(DIED)]
        heard: list[Message] = []
        try:
            for data in self._incoming.feed(part):
                message = self._read(data)
                if isinstance(message, Noted):
                    self._noted = message.count, message.number
                else:
                    heard.append(message)
        except messages.NOT_READ:
            heard.append(Gone(NONSENSE))
        return heard

    def noted(self) -> tuple[int, int]:
        return self._noted

    def end(self, *, is_gone: bool = False) -> str:
        """End it, and return how it ended by itself: a worker that seems dead (`is_gone`) gets a second to exit."""
        words = self._ended()
        for _ in range(100 if is_gone else 0):
            if words is not None:
                break
            time.sleep(0.01)
            words = self._ended()
        if words is None:
            self.kill()
        self._close()
        return words or ""

    @classmethod
    @abstractmethod
    def wait(cls, workers: Sequence[Any], seconds: float) -> list[tuple[Worker, Message]]:
        """Wait for messages of any of these workers, for at most so many seconds."""

    @abstractmethod
    def kill(self) -> None:
        """Kill it, without waiting for its end."""

    @abstractmethod
    def _ended(self) -> str | None:
        """Return how it ended; None while it runs, empty if another process took its status."""

    @abstractmethod
    def _close(self) -> None:
        """Wait for its end, and close its handles."""


def words_of(status: int) -> str:
    """Return how a process ended: its signal, or its exit status."""
    if status >= 0:
        return f"it left with status {status}"
    with contextlib.suppress(ValueError):
        return f"it was ended by {signal.Signals(-status).name}"
    return f"it was ended by signal {-status}"
