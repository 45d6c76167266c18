"""`python -m duckpress`: hands over to the command line."""

# First of all: until `core.interrupts` handles it, Ctrl-C ends the process as the system does. Python would raise an
# exception, in the midst of whatever is being imported, and print where. Where Ctrl-C is to be ignored (`&` in a
# script), it goes on being ignored. `signal` itself would import more, in which time an exception could come.
from _signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal  # type: ignore[import-not-found]

if getsignal(SIGINT) is default_int_handler:
    signal(SIGINT, SIG_DFL)

import os
import sys


def main() -> None:
    """Run the command line; the import is late so that nothing else pays for it."""
    from duckpress.cli import run

    run()


if __name__ == "__main__":
    # `python -m` looks for modules in the current folder first, which may be a stranger's game with a `click.py` in it.
    try:
        here = os.getcwd()  # noqa: PTH109  # pathlib would be imported from there
    except OSError:  # it is gone
        here = ""
    if sys.path and sys.path[0] in ("", here):
        del sys.path[0]
    main()
