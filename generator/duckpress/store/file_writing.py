"""Single files, locked by one process at a time and written atomically; and a temporary folder.

The system unlocks a file when its process ends, however it ends. What counts is the lock on the open file, never that
the file is there: one left over by a killed run is in nobody's way. Nothing is ever written through a link or into a
file that has a second name: a stranger may have put it there.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from duckpress.core.interrupts import held
from duckpress.core.problems import MachineError
from duckpress.store.output_places import PLAIN, refuse_sources

_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space",
    errno.EDQUOT: "your share of the disk is full; free some space",
    errno.EFBIG: "it is larger than files may be here; choose another folder with --out",
    errno.EROFS: "the disk is read-only; choose another folder with --out",
    errno.EACCES: "no permission; choose another folder with --out, or change its permissions",
    errno.EPERM: "no permission; choose another folder with --out, or change its permissions",
    errno.EEXIST: "there is a file of that name; move it away",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EISDIR: "there is a folder of that name; move it away",
    errno.ENOTEMPTY: "there is a folder of that name; move it away",
    errno.ELOOP: "a part of the path is a link; move it away",
    errno.ENAMETOOLONG: "the name is too long; shorten the id of the game or the piece, or choose a folder with --out",
    errno.ETXTBSY: "it is open in another program; close it there",
    errno.EBUSY: "it is in use by another program; close it there",
    errno.EXDEV: "it lies on a disk of its own; choose another folder with --out",
    errno.EIO: "the disk reports a fault; check it, or choose another folder with --out",
    errno.EMFILE: "too many files are open; close other programs",
    errno.ENFILE: "too many files are open; close other programs",
}
_OPEN_ELSEWHERE = 32  # Windows: ERROR_SHARING_VIOLATION
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FLAGS = os.O_RDWR | os.O_CREAT | PLAIN | getattr(os, "O_NOINHERIT", 0)
_TRIES = 100  # of a file that others remove between its opening and its locking
_UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_FAR = 1 << 30  # Windows locks bytes against reading, too: one that no such file has
_PREFIX, _LOCK = "duckpress-", ".lock"


def machine_error(verb: str, path: str | os.PathLike[str], error: OSError) -> MachineError:
    """Return the error of an action that the system refused."""
    code = error.errno or 0
    reason = _ADVICE.get(code) or (error.strerror or str(error)).lower()
    if getattr(error, "winerror", None) == _OPEN_ELSEWHERE:
        reason = _ADVICE[errno.ETXTBSY]
    return MachineError(f"cannot {verb} {os.fspath(path)}: {reason}")


class Busy(MachineError):
    """Another run has locked a file that this one needs."""


def lock_file(path: Path, mode: int = 0o666) -> int:
    """Return a file's handle, created if missing, open for reading and writing and locked; closing unlocks it.

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
    raise Busy("another process")


@contextlib.contextmanager
def locked_file(path: Path, mode: int = 0o666) -> Iterator[int]:
    """Yield a handle as `lock_file` returns it; the file is removed at the end, or at a signal, unless renamed."""

    def drop(handle: int) -> None:
        with contextlib.suppress(OSError):
            if _is_at(path, handle):
                path.unlink()
        os.close(handle)

    with held(lambda: lock_file(path, mode), drop) as handle:
        yield handle


def _lock(handle: int) -> bool:
    """Lock an open file, and return False if another process has; True where files cannot be locked."""
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
    try:
        return os.path.samestat(os.lstat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _other_process(handle: int) -> str:
    """Return words for the process that has locked a file, which may contain its number."""
    number = None
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        number = json.loads(os.read(handle, 1_000_000))["process"]
    return f"process {number}" if type(number) is int else "another process"


def write_all(handle: int, data: bytes) -> None:
    """Write all bytes into an open file."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def flush_folder(folder: str | os.PathLike[str]) -> None:
    """Flush a folder's directory entries to the disk; some file systems cannot, and some do so by themselves."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def aside(path: Path) -> Path:
    """Return the temporary name of a file while it is written: always the same, so that a later run finds leftovers."""
    name = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.parent / f".duckpress-{name}.new"


def write_file(path: Path, data: bytes, protected: Sequence[Path] = ()) -> None:
    """Write a file atomically: readers see the whole old one or the whole new one. Creates its folder if missing.

    A link of that name is replaced; what it points at stays as it is. Raises `MachineError`, with nothing changed.
    """
    refuse_sources(path.parent, protected)
    temporary = aside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
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


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Create an empty folder, private if the system supports permissions; it is removed afterwards.

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
    """Remove the temporary folders left by this user's killed runs."""
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
