"""The command line: arguments, printing and exit status; every command is a thin layer over `press`.

Exit status: 0 done (warnings included), 1 an error in content, 2 wrong arguments, 3 the machine; stopped by a signal,
128 and its number, as shells say it. However a run ends, what was being written is put in order: somebody stops it
(Ctrl-C, SIGTERM, SIGHUP; `core.interrupts`); whoever reads its output goes away (`duckpress list | head -1`), and it
ends without a word, as other programs do; the machine refuses something that nobody has reckoned with: one message and
status 3.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Iterator

from duckpress import __version__
from duckpress.core.interrupts import handle_signals

# Scripts rely on these.
DONE, CONTENT_ERROR, USAGE_ERROR, MACHINE_ERROR = 0, 1, 2, 3
HUNG_UP = 128 + 13
"""The status of a program whose reader is gone: what shells give for one that SIGPIPE ended."""


def run() -> None:
    """Run the command line with the process's arguments and exit with its status.

    `--version` is answered before anything else is imported: scripts ask it often.
    """
    # A run is short and its records hold no cycles: collecting would walk hundreds of thousands of them for nothing.
    gc.disable()
    # Ends at once, without freeing records one by one, which takes as long as laying out a hundred cards.
    os._exit(run_to_the_end(_version if sys.argv[1:] == ["--version"] else _command))


def _version() -> None:
    sys.stdout.write(f"duckpress {__version__}\n")


def _command() -> object:
    from duckpress.cli.commands import main
    from duckpress.cli.terminal import take_any_letter

    take_any_letter()
    return main(standalone_mode=False)


def run_to_the_end(command: Callable[[], object]) -> int:
    """Run a function that imports and runs a command; report errors and return the exit status."""
    _open_streams()
    handle_signals()
    try:
        return _flushed(_run(command))
    except BrokenPipeError:
        return HUNG_UP


def say(words: str) -> None:
    """Print words on the error stream, if it is open. Raises `BrokenPipeError`."""
    with unless_it_takes_nothing():
        sys.stderr.write(f"duckpress: {words}\n")
        sys.stderr.flush()


@contextlib.contextmanager
def unless_it_takes_nothing() -> Iterator[None]:
    """Ignore errors of a closed stream or a full disk, which the status tells; not `BrokenPipeError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError):
        pass


def _open_streams() -> None:
    """Open `/dev/null` for each closed standard stream: else the next opened file would get its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, "w", encoding="utf-8", closefd=False))


def _run(command: Callable[[], object]) -> int:
    try:
        given = command()
    except SystemExit as leaving:
        if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):  # click's, once it has noticed a closed pipe
            return HUNG_UP
        if isinstance(leaving.code, str):
            say(leaving.code)
        return leaving.code if isinstance(leaving.code, int) else DONE if leaving.code is None else 1
    except Exception as error:
        return _status_of(error)
    return given if isinstance(given, int) else DONE


def _status_of(error: Exception) -> int:
    """Report an error, and return the status; an unexpected error is raised again."""
    import click

    if isinstance(error, BrokenPipeError):
        return HUNG_UP
    if isinstance(error, click.ClickException):
        with unless_it_takes_nothing():
            error.show()
        return error.exit_code
    if isinstance(error, click.Abort):  # click's word for a question without an answer, and we ask none
        raise error.__cause__ or error
    words = machine_words(error)
    if words is None:
        raise error
    say(words)
    return status_of(error)


def status_of(error: Exception) -> int:
    """Return the exit status of an error known to `machine_words`: some come from the user's content."""
    from duckpress.core.problems import UnusableContent

    return CONTENT_ERROR if isinstance(error, UnusableContent) else MACHINE_ERROR


def machine_words(error: Exception) -> str | None:
    """Return one line for an error of the machine: what, where, and what to do; None for any other error."""
    from duckpress.core.problems import MachineError

    if isinstance(error, MachineError):
        return str(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if not isinstance(error, OSError):
        return None
    from duckpress.store.file_writing import machine_error

    if isinstance(error.filename, (str, bytes)):
        return str(machine_error("use", os.fsdecode(error.filename), error))
    return str(machine_error("write", "what there is to say", error))


def _flushed(status: int) -> int:
    """Flush the output, and return the status: another one if the flush fails. Raises `BrokenPipeError`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        status = status if status == MACHINE_ERROR else _status_of(error)  # else it has been said
    except ValueError:  # closed
        pass
    with unless_it_takes_nothing():
        sys.stderr.flush()
    return status
