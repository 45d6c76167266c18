"""The program's own work in parts, on several cores: forked workers and this process share the parts.

A forked worker has everything in memory that this process has, so it needs to be told nothing but the number of a part;
what it makes comes back as plain data. Parts are taken from one queue, so that whoever is free takes the next: a core
that is slow or busy only does fewer. The results are those of one process, in the order of the parts. A worker that
dies is no result at all: what it had taken is done here. Where forking is not safe (another system than Linux, a
process with threads), and with one job, everything is done here.
"""

from __future__ import annotations

import contextlib
import os
import pickle
from collections.abc import Callable, Iterator
from typing import TypeVar

from duckpress.core.problems import MachineError
from duckpress.pool.messages import Note, Work
from duckpress.pool.process_pool import Done, ProcessPool, can_fork

_Result = TypeVar("_Result")

_MOST_UNASKED = 8
_NUMBER_BYTES = 2

MOST_PARTS = 16_000
"""Parts of one piece of work: their numbers fit into a pipe's buffer before anybody reads. Source: pipe(7), 64 KiB."""


_wanted: list[int] = []


def use_jobs(count: int | None) -> None:
    """Set the number of processes; None for as many as there are cores, 0 for only this one."""
    _wanted[:] = [] if count is None else [count]


def jobs() -> int:
    """Return the number of processes: the number set, else one for each core, but no more than eight."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _wanted[0] if _wanted else max(1, min(cores, _MOST_UNASKED))


def in_parts(work: Callable[[int], _Result], count: int, jobs: int) -> list[_Result]:
    """Return `work(0)` to `work(count - 1)`, made by up to `jobs` processes; results must be picklable.

    What `work` raises is raised here.
    """
    with started_parts(work, count, min(jobs, count)) as results:
        return results()


@contextlib.contextmanager
def started_parts(work: Callable[[int], _Result], count: int, jobs: int) -> Iterator[Callable[[], list[_Result]]]:
    """Start workers on the parts of `in_parts`, while this process does something else.

    What is yielded helps with what is left, and returns the results. Leaving it ends whoever is still at work, whether
    or not the results were asked for.
    """
    if jobs < 2 or not 0 < count <= MOST_PARTS or not can_fork():
        yield lambda: list(map(work, range(count)))
        return
    queue, tail = os.pipe()
    os.write(tail, b"".join(number.to_bytes(_NUMBER_BYTES, "big") for number in range(count)))
    os.close(tail)

    def share() -> dict[int, _Result]:
        results_of = {}
        while number := os.read(queue, _NUMBER_BYTES):
            at = int.from_bytes(number, "big")
            results_of[at] = work(at)
        return results_of

    def answer(_task: int, _note: Note) -> bytes:
        try:
            return pickle.dumps(share(), pickle.HIGHEST_PROTOCOL)
        except Exception:
            return b""  # it is done once more by the process that can say so

    def results() -> list[_Result]:
        results_of = share()
        for event in pool.events():
            if isinstance(event, Done) and event.result:
                results_of |= pickle.loads(event.result)  # nobody but the worker could write it
        return [results_of[number] if number in results_of else work(number) for number in range(count)]

    workers = min(jobs - 1, count)
    try:
        with ProcessPool(Work(lambda _: answer, None, int, bytes, is_trusted=True), workers, method="fork") as pool:
            pool.add(range(workers))
            with contextlib.suppress(MachineError):
                pool.start()
            pool.finish()
            yield results
    finally:
        os.close(queue)


def shares(count: int, parts: int) -> list[range]:
    """Cut `count` things into at most `parts` ranges of nearly the same length, none of them empty."""
    parts = min(parts, count)
    return [range(count * part // parts, count * (part + 1) // parts) for part in range(parts)]
