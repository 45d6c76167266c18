"""Looks at what lies in a folder of outputs, which may come from a stranger: regular files only, through no link."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from duckpress.store.output_places import is_plain_name

_FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)
_MOST_BYTES = 1_000_000_000  # far more than was ever written: what is larger was not written here
_PIECE = 1 << 20


def read_whole(path: Path, most: int = 64_000_000) -> bytes:
    """Return a file's bytes; raises `OSError` for links, pipes, folders, and what has more than `most` bytes."""
    with _opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "it is too large to have been written by duckpress", str(path))
    return data


def is_as_written(folder: Path, name: str, sha256: str) -> bool:
    """Return whether a file that a manifest names lies in its folder with the bytes of that hash.

    A name that leads elsewhere was not written here; what it points at is none of our business.
    """
    if not is_plain_name(name):
        return False
    *inner, _last = name.split("/")
    place = folder
    for part in inner:
        place /= part
        if place.is_symlink():
            return False
    try:
        with _opened(folder / name) as file:
            left = os.fstat(file.fileno()).st_size
            if left > _MOST_BYTES:
                return False
            digest = hashlib.sha256()
            while left > 0 and (data := file.read(min(left, _PIECE))):
                digest.update(data)
                left -= len(data)
    except OSError:
        return False
    return digest.hexdigest() == sha256


def _opened(path: Path) -> BinaryIO:
    handle = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)  # `fdopen` would not close a folder
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return os.fdopen(handle, "rb")
