"""Writes a set of files into a folder so that all of them appear, or none.

Every file is first written beside its target under a temporary name and flushed to the disk. Only when all are there
do they take their names, the manifest last; what they replace is kept under a second temporary name until the end. An
error on the way puts everything back, and a killed run is put back by the next one: between the two, each file is
whole, old or new. Runs in one folder wait for each other.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from duckpress.problems import MachineError

try:
    import fcntl
except ImportError:  # Windows: runs in one folder then do not wait for each other
    fcntl = None  # type: ignore[assignment]

LAST = "manifest.json"
NEW = ".duckpress-new-"
OLD = ".duckpress-old-"
_INNER = "~~"  # stands for the `/` of a name while its file is under a temporary one
BEGUN = ".duckpress-begun"
"""Is there while files take their names, and lists those that replace nothing: the mark that a run must be undone."""

_Given = TypeVar("_Given")


def write_outputs(
    folder: Path, files: Mapping[str, bytes], stale: Collection[str] = (), protected: Sequence[Path] = ()
) -> None:
    """Write the files (name -> bytes) into a folder and remove the stale ones, all or nothing.

    A name may have one folder before it (`duck/teal.png`), which is made where it is missing, and removed with its
    last file. The folder is made where it is missing; it must not lie inside a protected folder (the game's sources).
    Raises `MachineError`, with the folder as it was before.
    """
    with folder_of_outputs(folder, protected):
        replace_files(folder, files, stale)


@contextlib.contextmanager
def folder_of_outputs(folder: Path, protected: Sequence[Path] = ()) -> Iterator[None]:
    """Make the folder, hold it against other runs, and put right what a killed run left in it."""
    _refuse_sources(folder, protected)
    _doing("make the folder", folder, lambda: folder.mkdir(parents=True, exist_ok=True))
    with _held(folder):
        _doing("clean up", folder, lambda: _recover(folder))
        yield


def replace_files(folder: Path, files: Mapping[str, bytes], stale: Collection[str] = ()) -> None:
    """Write and remove files of a folder that is held: see `write_outputs`."""
    names = sorted(files, key=lambda name: (name == LAST, name))
    for name in (*names, *stale):
        _refuse_name(folder, name)
    gone = [name for name in sorted(set(stale) - set(files)) if (folder / name).is_file()]
    path = folder
    try:
        for name in names:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            _write_flushed(_marked(folder, NEW, name), files[name])
        fresh = [name for name in names if not _keep_copy(folder / name, _marked(folder, OLD, name))]
        path = folder / BEGUN
        _write_flushed(folder / (NEW + "begun"), "\n".join(fresh).encode())
        (folder / (NEW + "begun")).replace(path)
        for name in gone:
            path = folder / name
            path.replace(_marked(folder, OLD, name))
        for name in names:
            path = folder / name
            _marked(folder, NEW, name).replace(path)
        for written in {folder, *((folder / name).parent for name in names)}:
            _flush_folder(written)
        (folder / BEGUN).unlink()
    except OSError as error:
        with contextlib.suppress(OSError):
            _undo(folder, names)
        raise _machine_error("write", path, error) from error
    except BaseException:
        _undo(folder, names)
        raise
    _doing("clean up", folder, lambda: _drop_old(folder))
    for name in gone:
        _drop_empty((folder / name).parent, folder)


def _undo(folder: Path, names: Sequence[str]) -> None:
    _recover(folder)
    for name in names:
        _drop_empty((folder / name).parent, folder)


def _marked(folder: Path, mark: str, name: str) -> Path:
    """Give the temporary place of a file: always in the folder that is held, as folders in it may be held by others."""
    return folder / (mark + name.replace("/", _INNER))


def _recover(folder: Path) -> None:
    """Put right what a broken run left: everything back where its renaming had begun, its traces away in any case."""
    for path in folder.glob(NEW + "*"):
        path.unlink(missing_ok=True)
    begun = folder / BEGUN
    if begun.exists():
        for name in begun.read_text(encoding="utf-8").splitlines():
            (folder / name).unlink(missing_ok=True)
            _drop_empty((folder / name).parent, folder)
        for kept in folder.glob(OLD + "*"):
            kept.replace(folder / kept.name.removeprefix(OLD).replace(_INNER, "/"))
        begun.unlink()
    _drop_old(folder)


def _drop_old(folder: Path) -> None:
    for path in folder.glob(OLD + "*"):
        path.unlink(missing_ok=True)


def _drop_empty(inner: Path, folder: Path) -> None:
    """Remove a folder of the outputs that nothing is in."""
    if inner != folder:
        with contextlib.suppress(OSError):
            inner.rmdir()


def _write_flushed(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _keep_copy(path: Path, kept: Path) -> bool:
    """Keep a file under a second name, copied only where the file system has no links; False where there is none."""
    if not path.exists():
        return False
    try:
        os.link(path, kept)
    except OSError:
        shutil.copyfile(path, kept)
    return True


def _flush_folder(folder: Path) -> None:
    # What the folder itself says reaches the disk only when it is flushed too; some file systems cannot.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the folder against other runs; the system lets go of it when a run ends, however it ends."""
    handle = None
    if fcntl is not None:
        with contextlib.suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _refuse_sources(folder: Path, protected: Sequence[Path]) -> None:
    real = Path(os.path.realpath(folder))
    for room in protected:
        if real.is_relative_to(os.path.realpath(room)):
            raise MachineError(f"{folder} lies in {room}, which holds sources: choose another folder for the output")


def _refuse_name(folder: Path, name: str) -> None:
    parts = name.split("/")
    is_odd = any(not part or part.startswith(".") for part in parts) or any(letter in name for letter in '\\:*?"<>|')
    if is_odd or len(parts) > 2 or _INNER in name or not name.isprintable():
        raise MachineError(f"{name!r} cannot be the name of a file: rename the game or the piece")
    if (folder / name).is_dir() and not (folder / name).is_symlink():
        raise MachineError(f"cannot write {folder / name}: there is a folder of that name; move it away")
    if len(parts) > 1 and (folder / parts[0]).is_symlink():
        raise MachineError(f"cannot write {folder / name}: {parts[0]!r} leads elsewhere; move it away")


def _doing(verb: str, path: Path, action: Callable[[], _Given]) -> _Given:
    try:
        return action()
    except OSError as error:
        raise _machine_error(verb, path, error) from error


def _machine_error(verb: str, path: Path, error: OSError) -> MachineError:
    advice = {
        errno.ENOSPC: "the disk is full; free some space",
        errno.EDQUOT: "your share of the disk is full; free some space",
        errno.EROFS: "the disk is read-only; choose another folder with --out",
        errno.EACCES: "no permission; choose another folder with --out, or change its permissions",
        errno.EPERM: "no permission; choose another folder with --out, or change its permissions",
        errno.EEXIST: "there is a file of that name; move it away",
        errno.ENOTDIR: "a part of the path is a file, not a folder",
        errno.EISDIR: "there is a folder of that name; move it away",
        errno.ENAMETOOLONG: "the name is too long; shorten the id of the game or the piece",
    }.get(error.errno or 0)
    reason = advice or (error.strerror or str(error)).lower()
    return MachineError(f"cannot {verb} {path}: {reason}")
