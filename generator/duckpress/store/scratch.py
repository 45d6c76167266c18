"""A folder for what is needed only while a run lasts; what a killed run left of one goes with the next."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from duckpress.core.interrupts import held
from duckpress.core.problems import MachineError
from duckpress.store.file_writing import Busy, locked_file, machine_error

_PREFIX, _LOCK = "duckpress-", ".lock"


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make an empty folder that nobody else reads, where the system has such things; it is gone afterwards.

    Raises `MachineError` where there is no room for one.
    """
    import tempfile

    try:
        base = Path(tempfile.gettempdir())
    except OSError as error:
        raise MachineError("there is no folder for temporary files: let TMPDIR name one that can be written") from error
    _sweep(base)
    name = f"{_PREFIX}{os.urandom(8).hex()}"

    def make() -> Path:
        (base / name).mkdir(0o700)
        return base / name

    with ExitStack() as until_done:
        try:
            until_done.enter_context(locked_file(base / (name + _LOCK), 0o600))
            folder = until_done.enter_context(held(make, partial(shutil.rmtree, ignore_errors=True)))
        except (Busy, OSError) as error:
            cause = error if isinstance(error, OSError) else OSError(str(error))
            raise machine_error("make a temporary folder in", base, cause) from error
        yield folder


def _sweep(base: Path) -> None:
    """Remove the folders of this person's runs that have ended without doing so."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(base)):
            if not entry.name.startswith(_PREFIX) or not entry.name.endswith(_LOCK):
                continue
            with contextlib.suppress(OSError, Busy):
                about = entry.stat(follow_symlinks=False)
                if not stat.S_ISREG(about.st_mode) or (hasattr(os, "getuid") and about.st_uid != os.getuid()):
                    continue
                with locked_file(Path(entry.path), 0o600):
                    folder = Path(entry.path.removesuffix(_LOCK))
                    if not folder.is_symlink():
                        shutil.rmtree(folder, ignore_errors=True)
