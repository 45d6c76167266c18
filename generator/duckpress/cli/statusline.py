"""The line on a terminal that says which step is at work; it is taken back when the work is done."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from duckpress.cli.terminal import visible


@contextmanager
def status_line(name: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a step behind a name, on the terminal behind standard error."""
    length = 0

    def show(words: str) -> None:
        nonlocal length
        # The last column stays free: a letter there would make some terminals begin a new line.
        shown = visible(words)[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r{shown}{' ' * (length - len(shown))}")
        sys.stderr.flush()
        length = len(shown)

    show(name)
    try:
        yield lambda step: show(f"{name}: {step}")
    finally:
        sys.stderr.write(f"\r{' ' * length}\r")
        sys.stderr.flush()
