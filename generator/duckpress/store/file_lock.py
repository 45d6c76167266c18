"""A file that one process locks at a time: the system unlocks it when the process ends, however it ends.

What counts is the lock on the open file, never that the file is there: one left over by a killed run is in nobody's
way. Nothing is ever written through a link or into a file that has a second name: a stranger may have put it there.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from duckpress.core.interrupts import held
from duckpress.core.problems import MachineError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# O_NONBLOCK: opening a pipe that nobody reads would wait for ever.
FLAGS = os.O_RDWR | os.O_CREAT
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
    FLAGS |= getattr(os, _name, 0)
_TRIES = 100  # of a file that others remove between its opening and its locking
_UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_FAR = 1 << 30  # Windows locks bytes against reading, too: one that no such file has


class Busy(MachineError):
    """Another run has locked what this one needs."""


def lock_file(path: Path, mode: int = 0o666) -> int:
    """Return a file, made where it is missing, open for reading and writing and locked; closing it unlocks it.

    Raises `Busy` where another process has locked it, `OSError` where it cannot be opened or is no regular file.
    """
    for _ in range(_TRIES):
        try:
            handle = os.open(path, FLAGS, mode)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.EMLINK) or not path.is_symlink():
                raise
            path.unlink()
            continue
        is_kept = False
        try:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise OSError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
            if about.st_nlink > 1:
                path.unlink()
            elif not _lock(handle):
                raise Busy(_other_process(handle))
            elif _is_at(path, handle):
                is_kept = True
                return handle
        finally:
            if not is_kept:
                os.close(handle)
    raise Busy(_other_process(None))


@contextlib.contextmanager
def locked_file(path: Path, mode: int = 0o666) -> Iterator[int]:
    """Yield a file as `lock_file` returns it; it is removed at the end, or at a signal, unless it was renamed."""
    with held(lambda: lock_file(path, mode), lambda handle: _drop(path, handle)) as handle:
        yield handle


def _drop(path: Path, handle: int) -> None:
    with contextlib.suppress(OSError):
        if _is_at(path, handle):
            path.unlink()
    os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file, and return whether no other process has; where files cannot be locked, none has."""
    try:
        if fcntl is not None:
            # Locks of this kind are the process's own: children that outlive it do not keep them.
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt  # type: ignore[unreachable]

            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
    except OSError as error:
        return error.errno in _UNSUPPORTED
    return True


def _is_at(path: Path, handle: int) -> bool:
    """Return whether an open file still is what lies at a path."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _other_process(handle: int | None) -> str:
    """Return words for the process that has locked a file, which may have written its number into it."""
    number = None
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        number = json.loads(os.read(handle, 1_000_000))["process"] if handle is not None else None
    return f"process {number}" if type(number) is int else "another process"


def write_all(handle: int, data: bytes) -> None:
    """Write bytes into an open file, all of them."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def flush_folder(folder: str | os.PathLike[str]) -> None:
    """Bring a folder's list of names to the disk; some file systems cannot, and some do it by themselves."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
