"""Workers that are started afresh, where this process may not be forked: other systems, processes with threads.

They are given their work as a pickle through their input. A thread for each hears what they say.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO, cast

from duckpress.core.limits import limit, settings
from duckpress.pool.messages import Gone, Message, Result, Task, Work
from duckpress.pool.worker import MEMORY, Worker, words_of


def own_python(code: str) -> list[str]:
    """Return the command that runs a line of Python in a process that finds its modules where this one does.

    `-P`: not even the first of them is looked for in the folder that it is started in, which may be a stranger's.
    """
    path = f"import sys, json; sys.path[:] = json.loads({json.dumps(sys.path)!r})"
    return [sys.executable, "-P", "-c", f"{path}; {code}"]


def end_with_parent(number: int) -> None:
    """Let a signal end this process as soon as the thread that started it is gone, whatever it is at (Linux alone)."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, number)  # PR_SET_PDEATHSIG, prctl(2)


class Spawned(Worker):
    """A process of its own, with nothing in memory but what it was given."""

    def __init__(self, work: Work[Task, Result], read: Callable[[bytes], Message], others: Sequence[Spawned]) -> None:
        begun = pickle.dumps((work, limit(MEMORY), settings()))
        windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(
            own_python("from duckpress.pool.worker_loop import started_afresh; started_afresh()"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, creationflags=windows,
            process_group=0,  # Ctrl-C is for the one it works for: while Python starts, it would show a traceback
        )  # fmt: skip
        self._pipes = cast(IO[bytes], self._process.stdin), cast(IO[bytes], self._process.stdout)
        super().__init__(read, self._pipes[1].fileno(), self._pipes[0].fileno(), is_trusted=work.is_trusted)
        self._heard: queue.Queue[tuple[Worker, Message]] = others[0]._heard if others else queue.Queue()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        self.send(begun)

    @classmethod
    def wait(cls, workers: Sequence[Spawned], seconds: float) -> list[tuple[Worker, Message]]:
        """Wait for the first that says something: their threads put it into one queue."""
        queue_of_all = workers[0]._heard
        try:
            heard = [queue_of_all.get(timeout=seconds)]
            while not queue_of_all.empty():
                heard.append(queue_of_all.get())
        except queue.Empty:
            return []
        return heard

    def kill(self) -> None:
        """Let it end at once."""
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
