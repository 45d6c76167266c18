"""Gives a folder what another one holds, as second names of the same files, and takes it away again."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from pathlib import Path

from duckpress.store.renaming import Change, drop_empty

MOST_ENTRIES = 20_000
"""Files that may stand beside the outputs: naming them a second time takes a third of a second then."""

_LINK = ".duckpress-link"


def mirror(folder: Path, into: Path, but: frozenset[str]) -> None:
    """Give `into` all that `folder` holds, and its modes and times, except the files named. Raises `OSError`."""
    _mirror(folder, into, "", but, [MOST_ENTRIES])


def _mirror(folder: Path, into: Path, before: str, but: frozenset[str], left: list[int]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.E2BIG, os.strerror(errno.E2BIG), str(folder))
            name = before + entry.name
            if entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(FileExistsError):
                    (into / entry.name).mkdir()
                _mirror(folder / entry.name, into / entry.name, f"{name}/", but, left)
            elif name not in but:
                os.link(entry.path, into / entry.name, follow_symlinks=False)
    shutil.copystat(folder, into)
    into.chmod(into.stat().st_mode | 0o700)  # or it could not be removed again


def follow(new: Path, old: Path, change: Change) -> None:
    """Make the same of the old folder that the new one is. Raises `OSError`."""
    for name in change.gone:
        with contextlib.suppress(FileNotFoundError):
            (old / name).unlink()
        drop_empty((old / name).parent, old)
    for name in change.names:
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        # Renamed over what is there, as programs that watch a file expect it.
        os.link(new / name, old / _LINK)
        (old / _LINK).replace(old / name)


def empty_out(folder: Path, kept: Path, ours: frozenset[str]) -> None:
    """Empty a folder that is to be removed: what is in it and not in `kept` goes there, unless it is named as ours.

    Somebody may have put a file into it while it was the folder of that name.
    """
    if folder.is_symlink() or not folder.is_dir() or kept.is_symlink():
        return
    for above, folders, files in os.walk(folder, topdown=False):
        inner = Path(above).relative_to(folder)
        for name in files + [one for one in folders if (Path(above) / one).is_symlink()]:
            here, there = Path(above) / name, kept / inner / name
            if name == _LINK or (inner / name).as_posix() in ours or _is_older(here, there):
                here.unlink()
            else:
                there.parent.mkdir(parents=True, exist_ok=True)
                here.replace(there)
        with contextlib.suppress(OSError):
            Path(above).rmdir()


def _is_older(here: Path, there: Path) -> bool:
    """Tell whether a file is the same as another, or an older one of that name."""
    one = os.lstat(here)
    try:
        other = os.lstat(there)
    except FileNotFoundError:
        return False
    return os.path.samestat(one, other) or one.st_mtime_ns <= other.st_mtime_ns
