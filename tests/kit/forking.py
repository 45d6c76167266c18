"""Work in parts of which a child certainly does some: by itself, this process may be done before the child begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from duckpress.pool import parallel

_Result = TypeVar("_Result")
InParts = Callable[..., list[_Result]]
_started_parts = parallel.started_parts


def child_does(least: int) -> InParts[_Result]:
    """Return `in_parts` with this process waiting until children have done so many parts, or have ended."""

    def in_parts(work: Callable[[int], _Result], count: int, jobs: int) -> list[_Result]:
        with child_starts(least)(work, count, jobs) as results:
            return results()

    return in_parts


def child_starts(least: int) -> Callable[..., AbstractContextManager[Callable[[], list[_Result]]]]:
    """Return `started_parts` with this process waiting, first of all, as `child_does` does."""

    @contextmanager
    def started_parts(work: Callable[[int], _Result], count: int, jobs: int) -> Iterator[Callable[[], list[_Result]]]:
        here = os.getpid()
        hear, tell = os.pipe()

        def told(number: int) -> _Result:
            result = work(number)
            if os.getpid() != here:
                os.write(tell, b".")
            return result

        try:
            with _started_parts(told, count, jobs) as results:
                os.close(tell)  # so that the last child to end ends the waiting
                for _ in range(least):
                    if not os.read(hear, 1):
                        break
                yield results
        finally:
            os.close(hear)

    return started_parts
