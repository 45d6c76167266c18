"""A function run in a process of its own, with little memory and little time, and killed where it takes more."""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

SECONDS = 20
"""Of computing; by the clock three times as many, as other tests run beside it."""
MEMORY_BYTES = 700_000_000

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def confined(function: Callable[_Given, _Result], *args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
    """Return what a function gives; fails where it raises, takes longer than `SECONDS` or more than `MEMORY_BYTES`."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _run(writing, function, args, kwargs)
    os.close(writing)
    data = bytearray()
    deadline = time.monotonic() + 3 * SECONDS
    try:
        while select.select([reading], [], [], max(deadline - time.monotonic(), 0))[0]:
            some = os.read(reading, 1 << 16)
            if not some:
                break
            data += some
        else:
            os.kill(child, signal.SIGKILL)
            raise AssertionError(f"it was not done after {3 * SECONDS} s")
    finally:
        os.close(reading)
        os.waitpid(child, 0)
    assert data, f"the process died, or computed for longer than {SECONDS} s"
    is_fine, found = pickle.loads(data)
    assert is_fine, found
    return found  # type: ignore[no-any-return]


def _run(writing: int, function: Callable[..., Any], args: Any, kwargs: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + SECONDS,) * 2)
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY_BYTES,) * 2)
    try:
        answer = pickle.dumps((True, function(*args, **kwargs)))
    except BaseException:
        answer = pickle.dumps((False, traceback.format_exc()[-4000:]))
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
    finally:
        os._exit(0)


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
