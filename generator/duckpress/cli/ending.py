"""How a run ends: its exit status, whatever happens, with everything put in order that was being written.

Somebody stops it (Ctrl-C, SIGTERM, SIGHUP): it puts its folders in order, says so, and then dies of that signal as
shells and scripts expect. Whoever reads its output goes away (`duckpress list | head -1`): it ends without a word, as
other programs do. The machine refuses something that nobody has reckoned with: one message and status 3.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from duckpress.cli.statuses import DONE, MACHINE_ERROR

HUNG_UP = 128 + 13
"""The status of a program whose reader is gone: what shells give for one that SIGPIPE ended."""

_STOPPING = ("SIGTERM", "SIGHUP", "SIGBREAK")


_kept: list[object] = []


def keep(*things: object) -> None:
    """Keep things until the process has ended: to let go of their records one by one would take a while."""
    _kept.extend(things)


class Stopped(SystemExit):
    """Somebody stops the program by a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number


def run_to_the_end(command: Callable[[], Callable[..., Any]]) -> int:
    """Run a click command (given by a function that imports it) and give the exit status; says what has to be said."""
    _open_streams()
    for name in _STOPPING:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP on purpose
            signal.signal(number, _stop)
    try:
        status = _run(command)
    except Stopped as stopped:
        _die_of(stopped.number)
        status = 128 + stopped.number
    except KeyboardInterrupt:
        _die_of(signal.SIGINT)
        status = 128 + signal.SIGINT
    status = _flushed(status)
    _settle()
    return status


def _settle() -> None:
    """Wait for the children that are being taken down, so that none is left, and the time they took is known."""
    parallel = sys.modules.get("duckpress.parallel")  # else there are none
    if parallel is not None:
        parallel.settle()


def say(words: str) -> None:
    """Say something on the error stream, where there is one that takes it."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"duckpress: {words}\n")
        sys.stderr.flush()


def _open_streams() -> None:
    """Where the caller closed a stream, open one into nothing: else the next file opened would take its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (as long as the run)


def _run(command: Callable[[], Callable[..., Any]]) -> int:
    import click

    from duckpress.cli.asking import in_words
    from duckpress.problems import MachineError

    try:
        given = command()(standalone_mode=False)
    except click.Abort as ended:
        # click's word for Ctrl-C, and for a question without an answer: as none is asked, that is a mistake of ours
        raise ended.__cause__ if isinstance(ended.__cause__, EOFError) else KeyboardInterrupt from ended
    except click.ClickException as error:
        with contextlib.suppress(OSError):  # the status says it, too
            error.show()
        return error.exit_code
    except Stopped:
        raise
    except SystemExit as leaving:
        if _is_hung_up():
            return HUNG_UP
        if isinstance(leaving.code, str):
            say(leaving.code)
        return leaving.code if isinstance(leaving.code, int) else DONE if leaving.code is None else 1
    except BrokenPipeError:
        return HUNG_UP
    except OSError as error:
        say(in_words(error))
        return MACHINE_ERROR
    except MachineError as error:
        say(str(error))
        return MACHINE_ERROR
    except MemoryError:
        say("there is not enough memory for this")
        return MACHINE_ERROR
    return given if isinstance(given, int) else DONE


def _is_hung_up() -> bool:
    """Tell whether click found that the reader is gone: it puts a stream of its own in place of the output then."""
    return type(sys.stdout).__name__.endswith("PacifyFlushWrapper")


def _flushed(status: int) -> int:
    """Bring out what was said, and give the status: another one where nobody can have read it."""
    from duckpress.cli.asking import in_words

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return HUNG_UP
    except OSError as error:
        if status != MACHINE_ERROR:  # else it has been said
            say(in_words(error))
        return MACHINE_ERROR
    except ValueError:  # closed
        pass
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    return status


def _stop(number: int, _frame: object) -> None:
    raise Stopped(number)


def _die_of(number: int) -> None:
    """Say that the run was stopped, and end by the signal that stopped it."""
    say("stopped")
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    if os.name == "posix":
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
