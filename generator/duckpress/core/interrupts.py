"""How a signal ends the program (Ctrl-C, SIGTERM, SIGHUP): by a handler that does it all, never by an exception.

An exception could come anywhere: while a module in C is imported, which turns it into another one or aborts; between a
lock and the `try` that lets go of it; in a callback that swallows it. The handler runs between two steps of Python,
lets go of what is held just then, as the next run would after a kill, and ends the process by that same signal.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

_Thing = TypeVar("_Thing")

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # not every system has all of them
_SIGNALS = tuple(signal.Signals[name] for name in _NAMES if hasattr(signal, name))

_held: list[Callable[[], object]] = []
_words_of: dict[int, str] = {}


def handle_signals() -> None:
    """From now on, let signals end this process after a clean-up; ignored signals (`nohup`, `&`) stay ignored."""
    process = os.getpid()

    def stop(number: int, _frame: object) -> None:
        is_child = os.getpid() != process  # a forked one, which holds nothing of all this
        if not is_child:
            with undisturbed():
                while _held:
                    with contextlib.suppress(Exception):  # the next run would clear up as well
                        _held.pop()()
        for handled_number in handled:
            signal.signal(handled_number, signal.SIG_DFL)  # whoever is impatient need not wait until the words are read
        if not is_child:
            # Past the streams of Python, which may be in the midst of saying something.
            with contextlib.suppress(OSError):
                line_break = "\n" if os.isatty(2) else ""  # the line that tells the step is still there
                os.write(2, f"{line_break}duckpress: {_words_of.get(number, 'stopped')}\n".encode())
        if number in _words_of:
            os._exit(0)
        if os.name == "posix":
            os.kill(os.getpid(), number)
        os._exit(128 + number)

    handled = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in handled:
        signal.signal(number, stop)


def finish_at_interrupt(words: str) -> None:
    """From now on, let Ctrl-C end the run with status 0 and these words."""
    _words_of[signal.SIGINT] = words


@contextlib.contextmanager
def held(take: Callable[[], _Thing], let_go: Callable[[_Thing], object]) -> Iterator[_Thing]:
    """Acquire a resource, and release it at the end of the block, or before a signal ends the process."""
    end = None
    try:
        with undisturbed():
            thing = take()
            end = partial(let_go, thing)
            _held.append(end)
        yield thing
    finally:
        if end is not None:
            with undisturbed():
                _held.remove(end)
                end()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Put off signals that end the program, for some milliseconds."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
