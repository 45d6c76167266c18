"""Work in parts of which a child certainly does some: by itself, this process may be done before the child begins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeVar

from duckpress.pool import parallel

_Result = TypeVar("_Result")
InParts = Callable[..., list[_Result]]
_in_parts = parallel.in_parts


def child_does(least: int) -> InParts[_Result]:
    """Give `in_parts` with this process waiting until children have done so many parts, or have ended."""

    def in_parts(
        work: Callable[[int], _Result],
        count: int,
        jobs: int,
        meanwhile: Callable[[], object] = lambda: None,
        spare: Iterable[Callable[[], object]] = (),
    ) -> list[_Result]:
        here = os.getpid()
        hear, tell = os.pipe()

        def told(number: int) -> _Result:
            result = work(number)
            if os.getpid() != here:
                os.write(tell, b".")
            return result

        def wait() -> None:
            meanwhile()
            os.close(tell)  # so that the last child to end ends the waiting
            for _ in range(least):
                if not os.read(hear, 1):
                    break

        try:
            return _in_parts(told, count, jobs, wait, spare)
        finally:
            os.close(hear)

    return in_parts
