"""Two folders take each other's name in one step of the system, where it has one."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
# Source of both: linux/fcntl.h and linux/fs.h; renameat2(2) is there since Linux 3.15 and glibc 2.28.


def exchange(one: Path, other: Path) -> None:
    """Exchange two folders: whoever looks sees them before or after it, never between.

    Raises `OSError` where the system or the file system cannot do it, with nothing changed.
    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    try:
        renameat2 = libc.renameat2
    except AttributeError as error:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from error
    if renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(one))
