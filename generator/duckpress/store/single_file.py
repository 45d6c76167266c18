"""One file written whole or not at all, beside whatever else its folder holds."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from duckpress.core.problems import MachineError
from duckpress.store.faults import machine_error
from duckpress.store.file_lock import Busy, flush_folder, locked_file, write_all
from duckpress.store.output_places import refuse_sources


def aside(path: Path) -> Path:
    """Return the name that a file has while it is written: always the same, so that a next run finds what one left."""
    name = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.parent / f".duckpress-{name}.new"


def write_file(path: Path, data: bytes, protected: Sequence[Path] = ()) -> None:
    """Write a file in one step: who looks sees the old one or the new one, whole. Its folder is made where missing.

    A link of that name is replaced; what it points at stays as it is. Raises `MachineError`, with nothing changed.
    """
    refuse_sources(path.parent, protected)
    temporary = aside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if _is_folder(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with locked_file(temporary) as handle:
            os.ftruncate(handle, 0)
            write_all(handle, data)
            os.fsync(handle)
            temporary.replace(path)
    except Busy as busy:
        raise MachineError(f"cannot write {path}: {busy} is just writing it; try again") from busy
    except OSError as error:
        raise machine_error("write", path, error) from error
    flush_folder(path.parent)


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
