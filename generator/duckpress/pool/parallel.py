"""Work that comes in parts, done on several cores: forked children and this process take part after part.

A forked child has everything in memory that this process has, so it needs to be told nothing but the number of a part;
what it makes comes back as plain data. Parts are taken from one queue, so that whoever is free takes the next: a core
that is slow or busy only does fewer. The results are those of one process, in the order of the parts. A child that dies
is no result at all: what it had taken is done here. Where forking is not safe (another system than Linux, a process
with threads), and with one job, everything is done here.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from duckpress.core.interrupts import held
from duckpress.pool.preload import import_next

_Result = TypeVar("_Result")

_MOST_UNASKED = 8
_NUMBER_BYTES = 2
_DONE = b"."

_leaving: list[int] = []
"""Children that are done, and are being taken down by the system: with much memory that takes a while."""

MOST_PARTS = 16_000
"""Parts of one piece of work: their numbers fit into a pipe's buffer before anybody reads. Source: pipe(7), 64 KiB."""


def cores() -> int:
    """Return the number of cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_wanted: list[int] = []


def use_jobs(count: int | None) -> None:
    """Let so many processes work from now on; None for as many as there are cores, 0 for none but this one."""
    _wanted[:] = [] if count is None else [count]


def jobs() -> int:
    """Return how many processes may work: as many as were asked for, else one for each core, but no more than eight."""
    return _wanted[0] if _wanted else max(1, min(cores(), _MOST_UNASKED))


def can_fork() -> bool:
    """Return whether this process may fork and go on in the child: only where no thread could hold a lock meanwhile."""
    if sys.platform != "linux":
        return False
    try:
        return sum(1 for _ in os.scandir("/proc/self/task")) == 1
    except OSError:
        return False


def in_parts(work: Callable[[int], _Result], count: int, jobs: int) -> list[_Result]:
    """Return `work(0)` to `work(count - 1)`, made by up to `jobs` processes; what children make has to be picklable.

    What `work` raises is raised here.
    """
    with started_parts(work, count, min(jobs, count)) as parts:
        return parts.results()


@contextlib.contextmanager
def started_parts(work: Callable[[int], _Result], count: int, jobs: int) -> Iterator[RunningParts[_Result]]:
    """Let children begin with the parts of `in_parts`, while this process does something else until it wants them.

    Leaving it ends whoever is still at work, whether or not the results were asked for.
    """
    settle()
    if jobs < 2 or not 0 < count <= MOST_PARTS or not can_fork():
        yield RunningParts(work, count, None)
        return
    with _settled_after_an_error(), held(lambda: _Team(work, count), _Team.end) as team:
        team.start(min(jobs - 1, count))
        yield RunningParts(work, count, team)


class RunningParts(Generic[_Result]):
    """Parts of work that children are at; without a team of them this process does all of it."""

    def __init__(self, work: Callable[[int], _Result], count: int, team: _Team | None) -> None:
        self._work = work
        self._count = count
        self._team = team

    def import_meanwhile(self) -> None:
        """Import modules that will be needed, one after the other, until the last child is done."""
        while self._team is not None and self._team.is_at_work() and import_next():
            pass

    def results(self) -> list[_Result]:
        """Help with what is left, and return the results in the order of the parts."""
        work, team = self._work, self._team
        if team is None:
            return [work(number) for number in range(self._count)]
        results: dict[int, _Result] = {number: work(number) for number in team.taken()}
        self.import_meanwhile()
        for of_a_child in team.results():
            results |= of_a_child
        return [results[number] if number in results else work(number) for number in range(self._count)]


@contextlib.contextmanager
def _settled_after_an_error() -> Iterator[None]:
    try:
        yield
    except BaseException:
        settle()
        raise


def reap_later(child: int) -> None:
    """Let a child that is ending be waited for by `settle`: taking its memory down takes a while."""
    _leaving.append(child)


def settle() -> None:
    """Wait for the children of earlier work, so that not one is left, and the time they took is known."""
    while _leaving:
        with contextlib.suppress(OSError):
            os.waitpid(_leaving.pop(), 0)


def shares(count: int, parts: int) -> list[range]:
    """Cut `count` things into at most so many runs of nearly the same length, none of them empty."""
    parts = min(parts, count)
    return [range(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


class _Team:
    """Forked children and the queue they share with this process."""

    def __init__(self, work: Callable[[int], object], count: int) -> None:
        self._queue, tail = os.pipe()
        numbers = range(count)
        os.write(tail, b"".join(number.to_bytes(_NUMBER_BYTES, "big") for number in numbers))
        os.close(tail)
        self._work = work
        self._children: dict[int, tuple[int, int]] = {}  # each with its file in memory, and a pipe that hears its end

    def start(self, children: int) -> None:
        """Start so many children, or as many as there are processes and memory for."""
        with contextlib.suppress(OSError):
            for _ in range(children):
                self._start()

    def end(self) -> None:
        """End whoever is still at work."""
        for child, files in self._children.items():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
            _leaving.append(child)
            for file in files:
                os.close(file)
        os.close(self._queue)

    def taken(self) -> Iterator[int]:
        """Take numbers from the queue until it is empty."""
        while number := os.read(self._queue, _NUMBER_BYTES):
            yield int.from_bytes(number, "big")

    def is_at_work(self) -> bool:
        """Return whether a child is still at work."""
        poll = select.poll()
        for _, done in self._children.values():
            poll.register(done, select.POLLIN)
        return len(poll.poll(0)) < len(self._children)

    def results(self) -> Iterator[dict[int, Any]]:
        """Wait until the children are done and yield what each made, by numbers; nothing of one that died before."""
        for child in list(self._children):
            file, done = self._children[child]
            is_done = os.read(done, 1) == _DONE
            _leaving.append(child)
            del self._children[child]
            os.close(done)
            with os.fdopen(file, "rb") as made:
                if is_done:
                    made.seek(0)
                    yield pickle.loads(made.read())  # nobody but the child could write it

    def _start(self) -> None:
        file = os.memfd_create("duckpress")
        hear, tell = os.pipe()
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError:
            for opened in (file, hear, tell):
                os.close(opened)
            raise
        if child:
            os.close(tell)
            self._children[child] = file, hear
            return
        status = 1
        try:
            gc.disable()  # walking all records would copy every page of memory that is still shared
            made = {}
            for number in self.taken():
                if os.getppid() != parent:
                    os._exit(1)
                made[number] = self._work(number)
            with os.fdopen(file, "wb", closefd=False) as target:
                pickle.dump(made, target, pickle.HIGHEST_PROTOCOL)
            os.write(tell, _DONE)
            status = 0
        finally:
            # Neither what the parent has buffered nor what it does on leaving is the child's.
            os._exit(status)
