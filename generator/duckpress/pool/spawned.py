"""Workers that are started afresh, where this process may not be forked: other systems, processes with threads.

They are given their work as a pickle through their input. A thread for each hears what they say.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, Any, cast

from duckpress.core.limits import limit, settings
from duckpress.pool.worker import MEMORY, Hub, Message, Worker, words_of
from duckpress.pool.worker_loop import HEAD, NOTE, NOTED, SIZE, Handle, command


class Threads(Hub):
    """Hears workers that were started afresh: their threads put into one queue what they say."""

    def __init__(self) -> None:
        self.heard: queue.Queue[tuple[Afresh, Message]] = queue.Queue()

    def wait(self, _workers: Sequence[Afresh], seconds: float) -> list[tuple[Afresh, Message]]:
        """Wait for the first that says something."""
        try:
            heard = [self.heard.get(timeout=seconds)]
            while not self.heard.empty():
                heard.append(self.heard.get())
        except queue.Empty:
            return []
        return heard


class Afresh(Worker):
    """A process of its own, with nothing in memory but what it was given."""

    def __init__(self, make: Callable[[Any], Handle], given: Any, hub: Hub) -> None:
        super().__init__()
        assert isinstance(hub, Threads)
        self._hub = hub
        self._noted = (0, -1)
        begun = pickle.dumps((make, given, limit(MEMORY), settings()))
        windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(
            command(sys.path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, creationflags=windows,
            process_group=0,  # Ctrl-C is for the one it works for: while Python starts, it would show a traceback
        )  # fmt: skip
        self._input, self._output = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.send(begun)

    def send(self, task: bytes) -> None:
        """Write a task into its input."""
        with contextlib.suppress(OSError):
            for part in (SIZE.pack(len(task)), task):
                view = memoryview(part)
                while view:
                    view = view[os.write(self._input.fileno(), view) :]

    def noted(self) -> tuple[int, int]:
        """Return what it noted last."""
        return self._noted

    def end(self, *, is_gone: bool = False) -> str:
        """Kill it; one that says no more is given a second to be gone."""
        found = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            found = self._process.wait(1.0 if is_gone else 0.0)
        if found is None:
            self._process.kill()
        self._process.wait()
        self._thread.join()
        self._input.close()
        self._output.close()
        return words_of(found) if found is not None else ""

    def _listen(self) -> None:
        while True:
            head = self._exactly(HEAD.size)
            if len(head) < HEAD.size:
                break
            kind, size = HEAD.unpack(head)
            body = self._exactly(size) if size <= limit(MEMORY) else b""
            if len(body) < size:
                kind = b"?"
            if kind == NOTED and size == NOTE.size:
                count, number = NOTE.unpack(body)
                self._noted = count, number
                continue
            self._hub.heard.put((self, (kind, body)))
            if kind == b"?":
                return
        self._hub.heard.put((self, (b"", b"")))

    def _exactly(self, size: int) -> bytes:
        parts = []
        while size:
            with contextlib.suppress(OSError, ValueError):
                part = self._output.read(min(size, 1 << 20))
                if part:
                    parts.append(part)
                    size -= len(part)
                    continue
            break
        return b"".join(parts)
