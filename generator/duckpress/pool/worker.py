"""What every worker is, however it was started, as the process that it works for sees it."""

from __future__ import annotations

import contextlib
import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Any

MEMORY = "layout-memory"
"""The limit that holds for the memory of a worker."""

Message = tuple[bytes, bytes]
"""What a worker says: a kind (see `inside`; empty: it is gone) and a body."""


class Worker(ABC):
    """A worker and what it has to do: `tasks` in their order with their numbers, the first of them being at work."""

    def __init__(self) -> None:
        self.tasks: deque[tuple[int, bytes]] = deque()
        self.is_ready = False
        self.seen = (0, -1)  # what it had noted when it was looked at last
        self.waited = 0.0  # seconds since then, or since it said something

    @abstractmethod
    def send(self, task: bytes) -> None:
        """Hand it a task; one that is gone takes none, which `Hub.wait` tells."""

    @abstractmethod
    def noted(self) -> tuple[int, int]:
        """Return how many notes it made, and the number it noted last."""

    @abstractmethod
    def end(self, *, is_gone: bool = False) -> str:
        """End it, and give words about how it ended, where it ended by itself: `is_gone` says that it seems so."""


class Hub(ABC):
    """Where all workers of a crew are heard."""

    @abstractmethod
    def wait(self, workers: Sequence[Any], seconds: float) -> list[tuple[Any, Message]]:
        """Wait until any of the workers says something, but no longer than so many seconds."""


def words_of(status: int) -> str:
    """Return how a process ended: by which signal, or with which status."""
    if status >= 0:
        return f"it left with status {status}"
    with contextlib.suppress(ValueError):
        return f"it was ended by {signal.Signals(-status).name}"
    return f"it was ended by signal {-status}"
