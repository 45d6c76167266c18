"""Starts the program under limits and tells what it took: run by the harness as a small process of its own.

It forks a process for each line that it reads, which starts a Python or becomes the program, imported before. Forks of
pytest itself cannot be measured: they inherit its high-water mark of memory.
"""

import contextlib
import json
import os
import resource
import signal
import sys


def measured(become, seconds, megabytes):
    """Run what a process forked here becomes; tells its status (None: killed for time) and megabytes."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        size = megabytes * 1_000_000
        if size:
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        become()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(child, child)  # here too: whoever is first, the group is there before the alarm can ask for it
    is_late = False

    def stop(*_):
        nonlocal is_late
        with contextlib.suppress(ProcessLookupError):  # it ended at this very moment, and has been waited for
            os.killpg(child, signal.SIGKILL)
            is_late = True

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)  # again and again: one just before the wait would be missed
    _, status, usage = os.wait4(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        os.killpg(child, signal.SIGKILL)  # whoever outlived the program: there must be nobody
        has_survivors = not is_late
    except (ProcessLookupError, PermissionError):
        has_survivors = False
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "status": None if is_late else os.waitstatus_to_exitcode(status),
        "megabytes": usage.ru_maxrss * unit / 1e6,
        "survivors": has_survivors,
    }


def wait_for_work():
    """Run what each line of the input asks for, with all modules of the program imported."""
    import gc
    import importlib
    import pkgutil

    import duckpress

    for module in pkgutil.walk_packages(duckpress.__path__, "duckpress."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name != "distributed":  # what clusters need is not part of every installation
                    raise
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        work = json.loads(line)
        told = measured(lambda work=work: become_the_program(work), work["seconds"], work["megabytes"])
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def become_the_program(work):
    """Take over the folder, the environment, the streams and the arguments, and be the program to the end."""
    status = 120
    try:
        os.chdir(work["folder"])
        flags = os.O_WRONLY | os.O_APPEND
        for number, path in enumerate((os.devnull, work["out"], work["err"])):
            handle = os.open(path, flags if number else os.O_RDONLY)
            os.dup2(handle, number)
            os.close(handle)
        if work["python"]:
            command = [sys.executable, *work["python"], *work["arguments"]]
            os.execve(sys.executable, command, work["environment"])
        os.environ.clear()
        os.environ.update(work["environment"])
        sys.stdin = os.fdopen(0, errors="surrogateescape")
        sys.stdout = os.fdopen(1, "w", errors="surrogateescape")
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace")
        sys.argv = ["duckpress", *work["arguments"]]
        from duckpress.__main__ import main

        main()
    except SystemExit as leaving:
        status = leaving.code
        sys.stdout.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)


wait_for_work()
