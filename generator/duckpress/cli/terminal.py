"""Output to a terminal: control codes in a game's texts or file names are never sent.

A terminal obeys what it is shown: escape sequences clear it, hide lines, set its title, on some type commands. So every
control character is shown as an escape (`\\x1b`), a line break inside a text included; only what `style` and `coloured`
put there is passed on. All commands speak through `echo`.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_OWN = f"<{os.urandom(16).hex()}>"  # stands for the escape character in what this program styles; nobody can guess it

# All controls of C0 and C1 but tab, line separators, what turns the direction of a line, and half characters, which
# names of files in another encoding hold and no output can take.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_STEERING_OR_BREAK = re.compile(_STEERING.pattern.replace("\x08\x0b", "\x08\x0a\x0b"))


SILENCE_S = 10.0
"""How long a run may be silent where nobody watches a terminal."""


def visible(text: str, *, keeps_lines: bool = False) -> str:
    """Return a text with all control codes as escapes; line breaks too, unless they are kept."""
    return (_STEERING if keeps_lines else _STEERING_OR_BREAK).sub(_escape, text)


def as_shown(text: str, *, lines: bool = False) -> str:
    """Return a text as `echo` sends it to the terminal, with this program's own control codes."""
    return visible(text, keeps_lines=lines).replace(_OWN, "\x1b")


def echo(
    text: object = "", *, err: bool = False, nl: bool = True, lines: bool = False, color: bool | None = None
) -> None:
    """Print a text on one line (`lines`: on several, with the program's own line breaks)."""
    click.echo(as_shown(str(text), lines=lines), err=err, nl=nl, color=color)


def echo_in_pager(text: str) -> None:
    """Show a long text in the reader's pager, if output goes to a terminal that has one."""
    click.echo_via_pager(as_shown(text, lines=True))


def style(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:
    """Return a text in a colour or bold, for `echo`."""
    before, after = click.style("\n", fg=fg, bold=bold).replace("\x1b", _OWN).split("\n")
    return f"{before}{text}{after}"


def coloured(codes: str) -> str:
    """Return the control code that sets these colours (`38;2;10;20;30`; `0`: the usual ones), for `echo`."""
    return f"{_OWN}[{codes}m"


def take_any_letter() -> None:
    """Let the output print the code of a letter that its encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return {10: "\\n", 13: "\\r"}.get(number) or (f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}")


@contextmanager
def progress(name: str, *, is_quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the current step after a name: on a terminal at once, and erased afterwards.

    Elsewhere, in the log of a machine, a long run has a plain line for the step that it is at, now and then.
    """
    import shutil

    length = 0
    told_s = time.monotonic()

    def tell(step: str) -> None:
        nonlocal told_s
        if (now_s := time.monotonic()) - told_s >= SILENCE_S:
            told_s = now_s
            echo(f"{name}: {step}", err=True)

    def show(words: str) -> None:
        nonlocal length
        # The last column stays free: a letter there would make some terminals begin a new line.
        shown = visible(words)[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write(f"\r{shown}{' ' * (length - len(shown))}")
        sys.stderr.flush()
        length = len(shown)

    if is_quiet or not sys.stderr.isatty():
        yield (lambda _step: None) if is_quiet else tell
        return
    show(name)
    try:
        yield lambda step: show(f"{name}: {step}")
    finally:
        sys.stderr.write(f"\r{' ' * length}\r")
        sys.stderr.flush()
