"""The command line: arguments, printing and exit status; every command is a thin door to `build`.

Exit status: 0 done (warnings included), 1 an error in content, 2 wrong arguments, 3 the machine.
"""

from __future__ import annotations

import sys

DONE, CONTENT_ERROR, USAGE_ERROR, MACHINE_ERROR = 0, 1, 2, 3


def run() -> None:
    """Run the command line with the process's arguments and leave with its exit status.

    `--version` is answered before anything else is imported: scripts ask it often.
    """
    if sys.argv[1:] == ["--version"]:
        from duckpress import __version__

        sys.stdout.write(f"duckpress {__version__}\n")
        sys.exit(DONE)
    # A run is short and its records hold no cycles: collecting would walk hundreds of thousands of them for nothing.
    import gc

    gc.disable()
    from duckpress.cli.commands import main
    from duckpress.cli.terminal import take_any_letter

    take_any_letter()

    try:
        main()
    except SystemExit as leaving:
        _leave_at_once(leaving)


def _leave_at_once(leaving: SystemExit) -> None:
    """End the process without freeing its records one by one, which takes as long as laying out a hundred cards."""
    import os

    if not isinstance(leaving.code, int):
        raise leaving
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(leaving.code)
