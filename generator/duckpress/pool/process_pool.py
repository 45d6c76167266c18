"""The parent's side of the pool: it starts workers, hands out tasks, enforces time limits, and kills.

Workers are forked where that is safe and have then everything in memory that this process has; else they are started
afresh and get their work as a pickle, which goes from here to them and never the other way: they answer with messages.
While it would wait for them, this process imports modules that only later stages need.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Generic, cast

from msgspec import Struct

from duckpress.core.limits import limit
from duckpress.core.problems import MachineError
from duckpress.pool.messages import Failed, Finished, Gone, Message, Ready, Result, Task, Work, reading, written
from duckpress.pool.worker import DIED, NONSENSE, QueuedTask, Worker

NEEDED_LATER: Mapping[str, tuple[str, ...]] = {
    "duckpress.press.pipeline": ("duckpress.render", "duckpress.proof", "pikepdf"),
}
"""By a module that has been imported: the slow ones that will be needed after it, in the order in which they are."""


def import_next() -> bool:
    """Import the next module needed later; return whether there was one left."""
    for module, names in NEEDED_LATER.items():
        if module in sys.modules:
            for name in names:
                if name not in sys.modules:
                    import_module(name)
                    return True
    return False


SECONDS, ALL_SECONDS = "layout-seconds", "layout-all-seconds"
"""The limits that hold for the time: of what is noted once, and of all there is to do."""

TOO_LONG, ALL_TOO_LONG, TOO_LARGE = "too long", "all too long", "too large"
"""Why a worker was lost, besides `DIED` and `NONSENSE`."""

_START_SECONDS = 120.0  # how long a worker may take to begin, however busy the machine is
_LOOK_SECONDS = 0.25  # between two looks at the clock
_AHEAD = 2  # tasks that a worker has at hand, so that it never waits for the next
_AHEAD_AT_FIRST = 6  # the same while this process may be busy otherwise, where there are many
_SMALL_TASK = 8_000  # bytes: so many as a worker has at hand never fill a pipe


def can_fork() -> bool:
    """Return whether this process may fork and continue in the child: only if no other thread could hold a lock."""
    if sys.platform != "linux":
        return False
    try:
        return sum(1 for _ in os.scandir("/proc/self/task")) == 1
    except OSError:
        return False


class WorkerFailed(Exception):
    """A worker met a bug: the words are its traceback."""


class Done(Struct, Generic[Task, Result], frozen=True):
    """A finished task, and its result."""

    task: Task
    result: Result


class Lost(Struct, Generic[Task], frozen=True):
    """A task whose worker is gone: the reason, the last noted number (-1: none), and how the worker ended."""

    task: Task
    number: int
    why: str
    words: str = ""


class ProcessPool(Generic[Task, Result]):
    """Workers with the same work, and their tasks; leaving it ends them. With `count` 0 this process does all."""

    def __init__(self, work: Work[Task, Result], count: int, *, method: str = "") -> None:
        self._work = work
        self._count = count
        self._read = reading(work.result)
        self._tasks: deque[QueuedTask] = deque()
        self._added = 0
        self._workers: list[Worker] = []
        self._is_forked = method == "fork" if method else can_fork()
        self._last: Worker | None = None  # who did what was yielded last
        self._looked = 0.0
        self._worked = 0.0  # seconds in which this process looked on

    def __enter__(self) -> ProcessPool[Task, Result]:
        return self

    def __exit__(self, *_error: object) -> None:
        for worker in self._workers:
            worker.kill()  # all at once, as taking down their memory takes a while
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def add(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self._added += 1
            self._tasks.append((self._added, task, written(task)))

    def drop(self, is_unwanted: Callable[[Task], bool]) -> None:
        self._tasks = deque(queued for queued in self._tasks if not is_unwanted(queued[1]))

    def finish(self) -> None:
        """Stop handing out tasks: workers end once they have done those at hand."""
        self._tasks.clear()
        for worker in self._workers:
            worker.send(b"")

    def start(self) -> None:
        """Start the workers with their first tasks, while this process does something else.

        Raises `MachineError` where not one can be had.
        """
        count = min(self._count, len(self._workers) + len(self._tasks))
        ahead = max(_AHEAD, min(_AHEAD_AT_FIRST, len(self._tasks) // (2 * count))) if count else _AHEAD
        while len(self._workers) < count:
            worker = self._started()
            if worker is None:
                break
            self._workers.append(worker)
            self._feed(worker, 1)
        for worker in self._workers:
            self._feed(worker, ahead)
        self._looked = time.monotonic()

    def refuse(self, done: Done[Task, Result]) -> Lost[Task]:
        """Replace the last yielded result, which is invalid, by `Lost`, and end the worker that made it."""
        if self._last is not None:
            self._end(self._last)
        return Lost(done.task, -1, NONSENSE)

    def events(self) -> Iterator[Done[Task, Result] | Lost[Task]]:
        """Yield the results of the tasks, in order of completion, until all are done.

        Raises `MachineError` where no worker can be had, or one met a trouble of the machine; `WorkerFailed`.
        """
        if self._count == 0:
            handle = self._work.make(self._work.given)
            while self._tasks:
                task = self._tasks.popleft()[1]
                yield Done(task, handle(task, lambda _number: None))
            return
        while True:
            if len(self._workers) < self._count:
                self.start()
            for worker in self._workers if self._tasks else ():
                self._feed(worker)  # what came of the last task may have added some, when nobody was at work any more
            if not any(worker.tasks for worker in self._workers):
                return
            for worker, message in self._messages():
                event = self._understood(worker, message) if worker in self._workers else None
                if event is not None:
                    yield event
            if not self._work.is_trusted:
                yield from self._overdue()

    def _messages(self) -> list[tuple[Worker, Message]]:
        """Return the next messages of workers; while there are none, import modules needed later."""
        workers, seconds = self._workers, min(_LOOK_SECONDS, limit(SECONDS) / 4)
        messages = workers[0].wait(workers, 0.0)
        while not messages and import_next():
            messages = workers[0].wait(workers, 0.0)
        return messages or workers[0].wait(workers, seconds)

    def _started(self) -> Worker | None:
        """Start a worker; None if that fails while others run."""
        try:
            if self._is_forked:
                from duckpress.pool.starting import Forked

                return Forked(self._work, self._read)
            from duckpress.pool.starting import Spawned

            return Spawned(self._work, self._read, cast(list[Spawned], self._workers))
        except OSError as error:
            if self._workers:
                self._count = len(self._workers)
                return None
            reason = (error.strerror or str(error)).lower()
            raise MachineError(f"cannot start a process to lay out cards in: {reason}") from error

    def _feed(self, worker: Worker, ahead: int = _AHEAD) -> None:
        """Send a worker its next tasks; a large task only to an idle worker, which takes it at once."""
        while self._tasks and len(worker.tasks) < ahead:
            if worker.tasks and len(self._tasks[0][2]) > _SMALL_TASK:
                return
            queued = self._tasks.popleft()
            worker.tasks.append(queued)
            worker.send(queued[2])

    def _understood(self, worker: Worker, message: Message) -> Done[Task, Result] | Lost[Task] | None:
        worker.waited = 0.0
        self._last = worker
        if isinstance(message, Ready):
            worker.is_ready = True
            return None
        if isinstance(message, Finished):
            if not worker.tasks:
                return self._lost(worker, NONSENSE)
            _, task, _ = worker.tasks.popleft()
            self._feed(worker)
            return Done(task, message.result)
        if isinstance(message, Failed) and message.why == "machine":
            raise MachineError(message.words)
        if isinstance(message, Failed) and message.why == "program":
            raise WorkerFailed(message.words)
        assert isinstance(message, Failed | Gone)
        return self._lost(worker, message.why)

    def _lost(self, worker: Worker, why: str) -> Lost[Task] | None:
        """End a worker and return its current task as lost."""
        first = worker.tasks.popleft() if worker.tasks else None
        number = worker.noted()[1] if worker.is_ready else -1
        words = self._end(worker, is_gone=why == DIED and first is not None)
        return Lost(first[1], number, why, words) if first is not None else None

    def _end(self, worker: Worker, *, is_gone: bool = False) -> str:
        """End a worker, and return how it ended; its waiting tasks go to the others."""
        self._workers.remove(worker)
        self._tasks.extendleft(reversed(worker.tasks))
        return worker.end(is_gone=is_gone)

    def _overdue(self) -> Iterator[Lost[Task]]:
        """Yield the tasks above their time limit, without the time in which this process was stopped."""
        now = time.monotonic()
        passed, self._looked = min(now - self._looked, 4 * _LOOK_SECONDS), now
        self._worked += passed
        most = limit(SECONDS)
        late, soon = [], False
        for worker in self._workers:
            noted = worker.noted()
            worker.waited = worker.waited + passed if noted == worker.seen and worker.tasks else 0.0
            worker.seen = noted
            longest = most if worker.is_ready else max(most, _START_SECONDS)
            if worker.waited > longest:
                late.append(worker)
            elif worker.waited > longest / 2:
                soon = True
        if self._worked > limit(ALL_SECONDS):
            late, why = [worker for worker in self._workers if worker.tasks], ALL_TOO_LONG
        else:
            why = TOO_LONG
        if late and (why == ALL_TOO_LONG or not soon):  # whoever will be late too is waited for: the first card is told
            for worker in sorted(late, key=lambda worker: worker.tasks[0][0]):
                lost = self._lost(worker, why)
                if lost is not None:
                    yield lost
