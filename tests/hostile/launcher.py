"""Starts one program under limits and writes down what it took: run by the harness as a small process of its own.

A process that is forked from a large one inherits its high-water mark of memory, so pytest itself cannot measure.

    python -I -S launcher.py RESULT SECONDS MEGABYTES PROGRAM ARGUMENT...
"""

import json
import os
import resource
import signal
import sys
import time


def main() -> None:
    """Run the program; the result says its status (None where it was killed for time), seconds and megabytes."""
    result, seconds, megabytes, *command = sys.argv[1:]
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        size = int(megabytes) * 1_000_000
        if size:
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execv(command[0], command)
    is_late = False

    def stop(*_: object) -> None:
        nonlocal is_late
        is_late = True
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    _, status, usage = os.wait4(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    taken = time.monotonic() - started
    try:
        os.killpg(child, signal.SIGKILL)  # whoever outlived the program: there must be nobody
        has_survivors = not is_late
    except (ProcessLookupError, PermissionError):
        has_survivors = False
    unit = 1 if sys.platform == "darwin" else 1024
    told = {
        "status": None if is_late else os.waitstatus_to_exitcode(status),
        "seconds": taken,
        "megabytes": usage.ru_maxrss * unit / 1e6,
        "survivors": has_survivors,
    }
    with open(result, "w", encoding="utf-8") as file:  # noqa: PTH123
        json.dump(told, file)


main()
