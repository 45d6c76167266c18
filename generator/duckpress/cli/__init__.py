"""The command line: arguments, printing and exit status; every command is a thin door to `press`.

Exit status: 0 done (warnings included), 1 an error in content, 2 wrong arguments, 3 the machine; stopped by a signal,
128 and its number, as shells say it (`ending`).
"""

from __future__ import annotations

import sys

from duckpress.cli.ending import CONTENT_ERROR, DONE, MACHINE_ERROR, USAGE_ERROR, run_to_the_end

__all__ = ["CONTENT_ERROR", "DONE", "MACHINE_ERROR", "USAGE_ERROR", "run"]


def run() -> None:
    """Run the command line with the process's arguments and leave with its exit status.

    `--version` is answered before anything else is imported: scripts ask it often.
    """
    # A run is short and its records hold no cycles: collecting would walk hundreds of thousands of them for nothing.
    import gc
    import os

    gc.disable()
    # Ends at once, without freeing records one by one, which takes as long as laying out a hundred cards.
    os._exit(run_to_the_end(_version if sys.argv[1:] == ["--version"] else _command))


def _version() -> None:
    from duckpress import __version__

    sys.stdout.write(f"duckpress {__version__}\n")


def _command() -> object:
    from duckpress.cli.commands import main
    from duckpress.cli.terminal import take_any_letter

    take_any_letter()
    return main(standalone_mode=False)
