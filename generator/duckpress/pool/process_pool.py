"""The side of the process that has work done: it starts workers, hands out tasks, watches the clock, and kills.

Workers are forked where that is safe and have then everything in memory that this process has; else they are started
afresh and get it as a pickle, which goes from here to them and never the other way: what they answer is bytes.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

from msgspec import Struct

from duckpress.core.limits import limit
from duckpress.core.problems import MachineError
from duckpress.pool.parallel import can_fork
from duckpress.pool.preload import import_next
from duckpress.pool.worker import Hub, Message, Worker
from duckpress.pool.worker_loop import FAULT, MACHINE, NO_MEMORY, READY, RESULT, Handle

SECONDS, ALL_SECONDS = "layout-seconds", "layout-all-seconds"
"""The limits that hold for the time: of what is noted once, and of all there is to do."""

TOO_LONG, ALL_TOO_LONG, TOO_LARGE, DIED, NONSENSE = "too long", "all too long", "too large", "died", "nonsense"
"""Why a worker was lost."""

MOST_JOBS = 64
_START_SECONDS = 120.0  # how long a worker may take to begin, however busy the machine is
_LOOK_SECONDS = 0.25  # between two looks at the clock
_AHEAD = 2  # tasks that a worker has at hand, so that it never waits for the next
_AHEAD_AT_FIRST = 6  # the same while this process may be busy otherwise, where there are many
_SMALL_TASK = 8_000  # bytes: so many as a worker has at hand never fill a pipe


class WorkerFailed(Exception):
    """A worker met a mistake of the program: the words are its traceback."""


class Done(Struct, frozen=True):
    """A task that was done, and its result."""

    task: bytes
    result: bytes


class Lost(Struct, frozen=True):
    """A task whose worker is gone: why, the number that was noted last (-1: none), and words about how it ended."""

    task: bytes
    number: int
    why: str
    words: str = ""


class Crew:
    """Workers with the same work, and their tasks; leaving it ends them all.

    `make` gives, inside a worker, what does a task; for workers that are started afresh it has to be a function of a
    module, and `given` something that can be pickled. With `count` 0 the work is done in this process.
    """

    def __init__(self, make: Callable[[Any], Handle], given: Any, count: int, *, method: str = "") -> None:
        self._make = make
        self._given = given
        self._count = count
        self._is_forked = method == "fork" if method else can_fork()
        self._tasks: deque[tuple[int, bytes]] = deque()
        self._added = 0
        self._workers: list[Worker] = []
        self._hub: Hub | None = None
        self._last: Worker | None = None  # who did what was yielded last
        self._looked = 0.0
        self._worked = 0.0  # seconds in which this process looked on

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def add(self, tasks: Iterable[bytes]) -> None:
        """Add tasks to be done after those that are there."""
        for task in tasks:
            self._added += 1
            self._tasks.append((self._added, task))

    def drop(self, is_unwanted: Callable[[bytes], bool]) -> None:
        """Forget tasks that nobody has begun."""
        self._tasks = deque(one for one in self._tasks if not is_unwanted(one[1]))

    def start(self) -> None:
        """Start the workers and give them their first tasks, so that they begin while this process does something else.

        Raises `MachineError` where not one can be had.
        """
        count = min(self._count, len(self._workers) + len(self._tasks))
        ahead = max(_AHEAD, min(_AHEAD_AT_FIRST, len(self._tasks) // (2 * count))) if count else _AHEAD
        while len(self._workers) < count:
            worker = self._started()
            if worker is None:
                break
            self._workers.append(worker)
            self._feed(worker, ahead)
        self._looked = time.monotonic()

    def refuse(self, done: Done, words: str) -> Lost:
        """Return the result yielded last back, as it is none; the worker that made it is ended."""
        if self._last is not None:
            self._dismiss(self._last)
        return Lost(done.task, -1, NONSENSE, words)

    def events(self) -> Iterator[Done | Lost]:
        """Yield what comes of the tasks, as it comes, until nothing is left to do.

        Raises `MachineError` where no worker can be had, or one met a trouble of the machine; `WorkerFailed`.
        """
        if self._count == 0:
            handle = self._make(self._given)
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
            yield from self._overdue()

    def _messages(self) -> list[tuple[Any, Message]]:
        """Return what workers say; while none of them says anything, modules that will be needed are imported."""
        assert self._hub is not None
        messages = self._hub.wait(self._workers, 0.0)
        while not messages and import_next():
            messages = self._hub.wait(self._workers, 0.0)
        return messages or self._hub.wait(self._workers, self._patience())

    def _started(self) -> Worker | None:
        """Start a worker; None where it cannot be had, and others can."""
        try:
            if self._is_forked:
                from duckpress.pool.forked import Forked, Poll

                self._hub = self._hub or Poll()
                return Forked(self._make, self._given, self._workers)
            from duckpress.pool.spawned import Afresh, Threads

            self._hub = self._hub or Threads()
            return Afresh(self._make, self._given, self._hub)
        except OSError as error:
            if self._workers:
                self._count = len(self._workers)
                return None
            reason = (error.strerror or str(error)).lower()
            raise MachineError(f"cannot start a process to lay out cards in: {reason}") from error

    def _feed(self, worker: Worker, ahead: int = _AHEAD) -> None:
        """Hand a worker what it does next; a large task only where it waits for one, so that it takes it at once."""
        while self._tasks and len(worker.tasks) < ahead:
            if worker.tasks and len(self._tasks[0][1]) > _SMALL_TASK:
                return
            one = self._tasks.popleft()
            worker.tasks.append(one)
            worker.send(one[1])

    def _understood(self, worker: Worker, message: Message) -> Done | Lost | None:
        kind, body = message
        worker.waited = 0.0
        self._last = worker
        if kind == READY:
            worker.is_ready = True
            return None
        if kind == RESULT and worker.tasks:
            _, task = worker.tasks.popleft()
            self._feed(worker)
            return Done(task, body)
        words = body.decode("utf-8", "replace")
        if kind == MACHINE:
            raise MachineError(words)
        if kind == FAULT:
            raise WorkerFailed(words)
        if kind == NO_MEMORY:
            return self._lost(worker, TOO_LARGE)
        return self._lost(worker, DIED if kind == b"" else NONSENSE)

    def _lost(self, worker: Worker, why: str) -> Lost | None:
        """End a worker and say what it was at; what it had not begun goes to the others."""
        number = worker.noted()[1] if worker.is_ready else -1
        words, left = self._dismiss(worker, is_gone=why == DIED)
        if not left:
            return None
        (_, task), *others = left
        self._tasks.extendleft(reversed(others))
        return Lost(task, number, why, words)

    def _dismiss(self, worker: Worker, *, is_gone: bool = False) -> tuple[str, list[tuple[int, bytes]]]:
        self._workers.remove(worker)
        words, left = worker.end(is_gone=is_gone), list(worker.tasks)
        worker.tasks.clear()
        return words, left

    def _patience(self) -> float:
        return min(_LOOK_SECONDS, limit(SECONDS) / 4)

    def _overdue(self) -> Iterator[Lost]:
        """Look at the clock. Time in which this process did not look on, as while it was stopped, does not count."""
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
            for worker in sorted(late, key=lambda one: one.tasks[0][0]):
                lost = self._lost(worker, why)
                if lost is not None:
                    yield lost
